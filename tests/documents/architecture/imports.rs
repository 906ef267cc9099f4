//! Imports between files: the graph, the table of modules, and faces that their children do not import.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use super::exceptions::{Fault, hold};
use super::module_table::{is_within_layers, may_import, row};
use super::path_tree::{Target, path_tree};
use super::sources::sources;

/// Names by file that imports and file that defines them; indices into [`sources`].
pub type Graph = BTreeMap<(usize, usize), BTreeSet<String>>;

/// All imports between files of the crates. An item counts for the file that defines it, not for the `mod.rs` that passes it on.
pub fn imports() -> &'static Graph {
    static GRAPH: OnceLock<Graph> = OnceLock::new();
    GRAPH.get_or_init(|| {
        let (files, tree) = (sources(), path_tree());
        let mut graph = Graph::new();
        for from in 0..files.len() {
            for path in tree.imports(from) {
                let to = match tree.target(from, path) {
                    Some(Target::Item(to)) => to,
                    // a folder's module named as a whole: what is taken from it counts
                    Some(Target::Module(to)) if !files[to].is_face() || path.words.ends_with(&["*".to_owned()]) => to,
                    _ => continue,
                };
                if to != from {
                    graph.entry((from, to)).or_default().insert(path.words.last().expect("a path has words").clone());
                }
            }
        }
        graph
    })
}

#[test]
fn imports_follow_the_table() {
    let files = sources();
    let mut faults = Vec::new();
    for file in files {
        if row(&file.short()).is_none() {
            let key = file.short();
            let message = format!("{} is in no module: give it a row in tests/documents/architecture/module_table.rs", file.path);
            faults.push(Fault { key, message });
        }
    }
    for (&(from, to), names) in imports() {
        let (importer, definer) = (files[from].short(), files[to].short());
        let (Some(here), Some(there)) = (row(&importer), row(&definer)) else { continue };
        if may_import(here, there) && is_within_layers(&importer, &definer) {
            continue;
        }
        let names = Vec::from_iter(names.iter().map(String::as_str)).join(", ");
        let message = format!(
            "{} imports {names} from {}; {here} may not import {there}: move what it needs down, or the code up",
            files[from].path, files[to].path
        );
        faults.push(Fault { key: format!("{importer} -> {definer}"), message });
    }
    hold("imports_follow_the_table", &faults);
}

#[test]
fn children_do_not_import_their_mod() {
    let (files, tree) = (sources(), path_tree());
    let mut faults = BTreeMap::new();
    for (from, file) in files.iter().enumerate() {
        for path in tree.imports(from) {
            let Some(face) = tree.written_module(from, path).filter(|face| files[*face].is_face() && *face != from) else {
                continue;
            };
            let names_module = matches!(tree.target(from, path), Some(Target::Module(_)));
            if names_module || !file.module.starts_with(&files[face].module) {
                continue;
            }
            let written = path.words.join("::");
            let message = format!(
                "{} line {}: {written} is imported from {}, which declares this file: import it from the file that defines it",
                file.path, path.line, files[face].path
            );
            faults.insert(format!("{} {written}", file.short()), message);
        }
    }
    let faults: Vec<Fault> = faults.into_iter().map(|(key, message)| Fault { key, message }).collect();
    hold("children_do_not_import_their_mod", &faults);
}
