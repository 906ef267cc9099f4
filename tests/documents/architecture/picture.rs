//! The picture of the modules in `docs/architecture.md`, drawn from the imports.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::imports::imports;
use super::module_table::{TABLE, row};
use super::sources::sources;
use crate::manual::hold_section;

/// Crates of the picture: what their modules begin with, and their title.
const GROUPS: [(&str, &str); 4] = [
    ("", "urto: plugin, editor, standalone program"),
    ("urto-cli", "urto-cli: command line"),
    ("engine", "urto-engine"),
    ("physics", "urto-physics"),
];

/// Imports between the modules of the table. Faces of crates are left out: they only declare and pass on.
fn arrows() -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let files = sources();
    let mut arrows: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let module = |at: usize| row(&files[at].short()).filter(|name| *name != "lib" && !name.ends_with("/lib"));
    for file in 0..files.len() {
        if let Some(name) = module(file) {
            arrows.entry(name).or_default();
        }
    }
    for &(from, to) in imports().keys() {
        if let (Some(here), Some(there)) = (module(from), module(to))
            && here != there
        {
            arrows.entry(here).or_default().insert(there);
        }
    }
    arrows
}

/// Whether a module imports another one through others.
fn reaches(arrows: &BTreeMap<&str, BTreeSet<&str>>, from: &str, to: &str) -> bool {
    let (mut seen, mut waiting) = (BTreeSet::new(), vec![from]);
    while let Some(node) = waiting.pop() {
        for next in arrows.get(node).into_iter().flatten() {
            if *next == to {
                return true;
            }
            if seen.insert(*next) {
                waiting.push(next);
            }
        }
    }
    false
}

/// Removes every arrow that follows from others.
fn without_implied(mut arrows: BTreeMap<&'static str, BTreeSet<&'static str>>) -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let pairs: Vec<(&str, &str)> = arrows.iter().flat_map(|(from, to)| to.iter().map(|to| (*from, *to))).collect();
    for (from, to) in pairs {
        arrows.get_mut(from).expect("is a module").remove(to);
        if !reaches(&arrows, from, to) {
            arrows.get_mut(from).expect("is a module").insert(to);
        }
    }
    arrows
}

/// The picture as a Mermaid graph in a block of code.
fn picture() -> String {
    let arrows = without_implied(arrows());
    let mut text = String::from("```mermaid\nflowchart TD\n");
    let group = |name: &str| name.split_once('/').map_or(String::new(), |(group, _)| group.to_owned());
    let id = |name: &str| name.replace(['/', '-'], "_");
    for (prefix, title) in GROUPS {
        let _ = writeln!(text, "  subgraph \"{title}\"");
        for (name, _) in TABLE.iter().rev().filter(|(name, _)| group(name) == prefix && arrows.contains_key(name)) {
            let label = name.rsplit('/').next().unwrap_or(name);
            let _ = writeln!(text, "    {}[{label}]", id(name));
        }
        text += "  end\n";
    }
    for (from, _) in TABLE.iter().rev() {
        let targets: Vec<String> = arrows.get(from).into_iter().flatten().map(|to| id(to)).collect();
        if !targets.is_empty() {
            let _ = writeln!(text, "  {} --> {}", id(from), targets.join(" & "));
        }
    }
    text + "```\n\nAn arrow means \"imports\". Arrows that follow from others are left out. `cargo xtask manual` draws this picture.\n"
}

#[test]
fn the_picture_of_the_modules_follows_the_imports() {
    hold_section("docs/architecture.md", "modules", &picture());
}

#[test]
fn arrows_that_follow_from_others_are_left_out() {
    let arrows = BTreeMap::from([("a", ["b", "c"].into()), ("b", ["c"].into()), ("c", BTreeSet::new())]);
    assert_eq!(without_implied(arrows), BTreeMap::from([("a", ["b"].into()), ("b", ["c"].into()), ("c", BTreeSet::new())]));
}
