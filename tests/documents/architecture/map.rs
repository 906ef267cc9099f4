//! The table of modules in `docs/architecture.md` lists every folder and every file beside a crate's folders.

use std::collections::BTreeSet;

use super::exceptions::{Fault, hold};
use super::sources::{sources, text};

const PAGE: &str = "docs/architecture.md";
/// Sections of the table.
const SECTIONS: [&str; 3] = ["physics/src/", "engine/src/", "src/"];

/// The names in backquotes of a table's cell.
fn names(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// The paths that the table lists: `engine/src/voice`, `src/main.rs`.
fn listed(page: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut section = "";
    for line in page.lines().skip_while(|line| *line != "## Modules").skip(1).take_while(|line| !line.starts_with("## ")) {
        let Some(cell) = line.strip_prefix("| ").and_then(|row| row.split(" |").next()) else { continue };
        if cell.starts_with("**") {
            section = SECTIONS.iter().find(|section| names(cell).any(|name| name == **section)).copied().unwrap_or("");
        } else if !section.is_empty() {
            found.extend(names(cell).map(|name| format!("{section}{name}")));
        }
    }
    found
}

/// The folders and files of the crates that the table has to list; a crate's `lib.rs` may be left out.
fn on_disk() -> BTreeSet<String> {
    let place = |path: &str| {
        let section = SECTIONS.iter().find(|section| path.starts_with(**section)).expect("every source file is in a section");
        let below = path.strip_prefix("src/bin/").unwrap_or(&path[section.len()..]);
        let name = below.split('/').next().unwrap_or(below);
        if path.starts_with("src/bin/") { format!("src/bin/{name}") } else { format!("{section}{name}") }
    };
    sources().iter().filter(|file| !file.path.ends_with("src/lib.rs")).map(|file| place(&file.path)).collect()
}

#[test]
fn the_map_lists_every_folder() {
    let (listed, disk) = (listed(text(PAGE)), on_disk());
    assert!(!listed.is_empty(), "{PAGE} has no table of modules below the title `## Modules`");
    let mut faults = Vec::new();
    for path in disk.difference(&listed) {
        faults.push(Fault {
            key: path.clone(),
            message: format!("{PAGE} does not list {path}: add a row to the table of modules"),
        });
    }
    for path in listed.difference(&disk).filter(|path| !path.ends_with("/lib.rs")) {
        faults.push(Fault { key: path.clone(), message: format!("{PAGE} lists {path}, which does not exist: remove its row") });
    }
    hold("the_map_lists_every_folder", &faults);
}

#[test]
fn rows_of_the_table_are_read() {
    let page = "## Modules\n\n| module | purpose |\n|---|---|\n| **`engine/src/`** | crate |\n| `params` | `x` |\n| **`src/`** | y |\n| `a`, `b.rs` | z |\n| **`xtask/`** | tasks |\n| `c` | d |\n## Next\n| `e` | f |";
    assert_eq!(listed(page), ["engine/src/params", "src/a", "src/b.rs"].map(str::to_owned).into());
}
