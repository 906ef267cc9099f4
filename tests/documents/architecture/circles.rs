//! Imports without circles, neither between files nor between modules.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::exceptions::{Fault, hold};
use super::imports::imports;
use super::sources::{SourceFile, sources};

/// For each node the nodes that it imports.
type Arrows<T> = BTreeMap<T, BTreeSet<T>>;

/// The shortest circle through a node, beginning and ending with it.
pub fn shortest_circle<T: Ord + Clone>(arrows: &Arrows<T>, start: &T) -> Option<Vec<T>> {
    let mut before: BTreeMap<T, T> = BTreeMap::new();
    let mut waiting = VecDeque::from([start.clone()]);
    while let Some(node) = waiting.pop_front() {
        for next in arrows.get(&node).into_iter().flatten() {
            if next == start {
                let mut circle = vec![start.clone(), node.clone()];
                while circle.last() != Some(start) {
                    circle.push(before[&circle[circle.len() - 1]].clone());
                }
                circle.reverse();
                return Some(circle);
            }
            if !before.contains_key(next) {
                before.insert(next.clone(), node.clone());
                waiting.push_back(next.clone());
            }
        }
    }
    None
}

/// The folder of a file where it contains no folders, or else the file alone.
fn smallest_module(file: &SourceFile, files: &[SourceFile]) -> String {
    let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let is_nested = |other: &SourceFile| other.path.strip_prefix(folder).is_some_and(|rest| rest[1..].contains('/'));
    if files.iter().any(|other| other.path.starts_with(&format!("{folder}/")) && is_nested(other)) {
        file.path.clone()
    } else {
        folder.to_owned()
    }
}

/// A fault for every node on a circle; the message shows the circle with the names imported.
fn faults<T: Ord + Clone + ToString>(arrows: &Arrows<T>, names: impl Fn(&T, &T) -> String) -> Vec<Fault> {
    let on_circle = arrows.keys().filter_map(|node| Some((node, shortest_circle(arrows, node)?)));
    on_circle
        .map(|(node, circle)| {
            let steps = circle.windows(2).map(|pair| format!(" -> {} ({})", pair[1].to_string(), names(&pair[0], &pair[1])));
            let message = format!("a circle of imports: {}{}", node.to_string(), steps.collect::<String>());
            Fault { key: node.to_string(), message }
        })
        .collect()
}

#[test]
fn no_import_circle_between_files() {
    let files = sources();
    let mut arrows: Arrows<String> = Arrows::new();
    let mut names = BTreeMap::new();
    for (&(from, to), imported) in imports() {
        let pair = (files[from].short(), files[to].short());
        arrows.entry(pair.0.clone()).or_default().insert(pair.1.clone());
        names.insert(pair, Vec::from_iter(imported.iter().map(String::as_str)).join(", "));
    }
    hold("no_import_circle_between_files", &faults(&arrows, |from, to| names[&(from.clone(), to.clone())].clone()));
}

#[test]
fn no_import_circle_between_modules() {
    let files = sources();
    let modules: Vec<String> = files.iter().map(|file| smallest_module(file, files)).collect();
    let mut arrows: Arrows<String> = Arrows::new();
    let mut names: BTreeMap<(String, String), String> = BTreeMap::new();
    for (&(from, to), imported) in imports() {
        if modules[from] != modules[to] {
            let pair = (modules[from].clone(), modules[to].clone());
            arrows.entry(pair.0.clone()).or_default().insert(pair.1.clone());
            let imported = Vec::from_iter(imported.iter().map(String::as_str)).join(", ");
            names.entry(pair).or_insert_with(|| format!("{} names {imported}", files[from].path));
        }
    }
    hold("no_import_circle_between_modules", &faults(&arrows, |from, to| names[&(from.clone(), to.clone())].clone()));
}

#[test]
fn the_shortest_circle_is_found() {
    let arrows: Arrows<u32> =
        Arrows::from([(1, [2].into()), (2, [3, 4].into()), (3, [1].into()), (4, [5].into()), (5, [].into())]);
    assert_eq!(shortest_circle(&arrows, &2), Some(vec![2, 3, 1, 2]));
    assert_eq!(shortest_circle(&arrows, &4), None);
}
