//! Corrupted presets and tunings are played, or rejected with file, line and key.

use urto_engine::patch::BUILT_IN;
use urto_engine::tuning::SCALES;

use crate::corrupted_files::{dice, spoil};
use crate::support::program::Folder;
use crate::tier::size;

/// A preset with something in every section.
const FULL: &str = include_str!("../../engine/tests/engine/preset_regression/states/schema_1.toml");
const MAP: &str = "12\n0\n127\n60\n60\n250.0\n7\n0\nx\n1\nx\n2\n3\nx\n4\nx\n5\nx\n6\n";

/// Reads 500 presets in the thorough tier; half of them from a text that has all there can be.
#[test]
fn corrupted_presets_are_shown_or_rejected_with_file_line_and_key() {
    let (folder, mut next) = (Folder::new("spoiled-presets"), dice(11));
    let (mut read, mut refused) = (0, 0);
    let count = size(60, 500);
    for i in 0..count {
        let text = spoil(if i % 2 == 0 { FULL } else { BUILT_IN[i % BUILT_IN.len()] }, &mut next);
        folder.write("p.toml", &text);
        let output = folder.run(&["presets", "show", "p.toml"]);
        let message = String::from_utf8(output.stderr).expect("UTF-8");
        match output.status.code() {
            Some(0) => {
                folder.write("shown.toml", &output.stdout);
                assert!(folder.run(&["presets", "show", "shown.toml"]).status.success(), "{text}");
                read += 1;
            }
            Some(2) => {
                let rest = message.strip_prefix("urto-cli: p.toml, ").unwrap_or_else(|| panic!("no file in {message}"));
                if !rest.starts_with("schema: missing; ") {
                    let (line, rest) = rest.strip_prefix("line ").and_then(|rest| rest.split_once([',', ':'])).expect("a line");
                    assert!(line.parse().is_ok_and(|line: usize| (1..=text.lines().count() + 1).contains(&line)), "{message}");
                    assert!(
                        rest.starts_with(" not valid TOML") || rest.split_once(": ").is_some_and(|(key, _)| is_key(key)),
                        "{message}"
                    );
                }
                assert!(output.stdout.is_empty() && message.lines().count() == 1 && message.contains("; "), "{message}");
                refused += 1;
            }
            code => panic!("{code:?}: {message}\n{text}"),
        }
    }
    println!("{read} read, {refused} refused");
    assert!(25 * read > count && 25 * refused > count, "{read} read, {refused} refused");
}

/// A dotted path, perhaps with numbers and quotes.
fn is_key(text: &str) -> bool {
    !text.trim().is_empty() && !text.trim().contains("  ")
}

/// Reads 500 scales and key maps in the thorough tier.
#[test]
fn corrupted_tunings_are_shown_or_rejected_with_file_and_line() {
    let (folder, mut next) = (Folder::new("spoiled-tunings"), dice(12));
    let (mut read, mut refused) = (0, 0);
    let count = size(120, 500);
    for i in 0..count {
        let (name, text) = if i % 2 == 0 { ("t.kbm", MAP) } else { ("t.scl", SCALES[i % SCALES.len()].1) };
        let text = spoil(text, &mut next);
        folder.write(name, &text);
        let output = folder.run(&["tune", "check", name]);
        let message = String::from_utf8(output.stderr).expect("UTF-8");
        match output.status.code() {
            Some(0) => read += 1,
            Some(2) => {
                assert!(message.starts_with(&format!("urto-cli: {name}, ")) && message.lines().count() == 1, "{message}\n{text}");
                refused += 1;
            }
            code => panic!("{code:?}: {message}\n{text}"),
        }
    }
    println!("{read} read, {refused} refused");
    assert!(20 * read > count && 10 * refused > count, "{read} read, {refused} refused");
}
