//! The manual says what is: the page of parameters is made from their table, the figure from its stations, and every link leads somewhere.
//!
//! `cargo xtask manual` lets these tests write what they compare.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the manual.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join("manual")
}

/// Compares a page with what it should be, or writes it.
pub fn hold(name: &str, text: &str) {
    let place = folder().join(name);
    if std::env::var_os("URTO_MANUAL").is_some() {
        fs::write(&place, text).unwrap_or_else(|error| panic!("{}: {error}", place.display()));
    }
    let there = fs::read_to_string(&place).unwrap_or_default();
    let differing = there.lines().zip(text.lines()).position(|(there, wanted)| there != wanted);
    assert!(there == text, "docs/manual/{name} is not what it should be from line {differing:?} on: run `cargo xtask manual`");
}
