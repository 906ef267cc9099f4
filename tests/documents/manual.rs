//! Pages of the manual, and sections of other documents, that are made from the program.
//!
//! `cargo xtask manual` sets `URTO_MANUAL`, with which these tests write the pages that they compare.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the manual.
pub fn folder() -> PathBuf {
    root().join("docs").join("manual")
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Compares a page of the manual with the text it should have, or writes it.
pub fn hold(name: &str, text: &str) {
    hold_file(&format!("docs/manual/{name}"), |_| text.to_owned());
}

/// Compares a section of a document with the text it should have, or writes it. The section is between the comments
/// `<!-- name: begin -->` and `<!-- name: end -->`.
pub fn hold_section(document: &str, name: &str, text: &str) {
    hold_file(document, |current| {
        let (begin, end) = (format!("<!-- {name}: begin -->\n"), format!("<!-- {name}: end -->"));
        let parts = current.split_once(&begin).and_then(|(before, rest)| Some((before, rest.split_once(&end)?.1)));
        let Some((before, after)) = parts else { panic!("{document} has no section between {begin:?} and {end:?}") };
        format!("{before}{begin}{text}{end}{after}")
    });
}

/// Compares a file with the text that `expected` makes of its current one, or writes it.
pub fn hold_file(name: &str, expected: impl FnOnce(&str) -> String) {
    let path = root().join(name);
    let current = fs::read_to_string(&path).unwrap_or_default();
    let text = expected(&current);
    if std::env::var_os("URTO_MANUAL").is_some() && current != text {
        fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        return;
    }
    let differing = current.lines().zip(text.lines()).position(|(there, wanted)| there != wanted);
    assert!(current == text, "{name} is out of date from line {}: run `cargo xtask manual`", differing.unwrap_or(0) + 1);
}
