//! The house stands: arrows between floors point down only, and the map in `src/lib.rs` names what is on disk.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Rooms of the library and the rooms that each may import; within a room everything goes.
const FLOORS: [(&str, &[&str]); 12] = [
    ("physics", &[]),
    ("engine", &["physics"]),
    ("params", &["engine", "physics"]),
    ("worker", &["engine", "physics"]),
    ("mts_esp", &["engine"]),
    ("graphics", &[]),
    ("link", &["worker", "mts_esp", "engine", "physics"]),
    ("editor", &["params", "link", "graphics", "engine", "physics"]),
    ("studio", &["editor", "engine"]),
    ("plugin", &["editor", "params", "link", "worker", "engine", "physics"]),
    ("clap_entry", &["plugin", "link", "engine"]),
    ("vst3_entry", &["plugin"]),
];

/// Programs and what they may use of the library.
const DOORS: [(&str, &[&str]); 2] = [("main", &["plugin", "editor", "studio"]), ("bin", &["engine", "physics"])];

/// Crates that may be named in certain rooms only.
const GUESTS: [(&str, &[&str]); 5] = [
    ("nice_plug", &["params", "plugin", "clap_entry", "vst3_entry", "lib", "main", "editor"]),
    ("nice_plug_egui", &["plugin", "editor", "studio"]),
    ("egui", &["editor", "studio"]),
    ("egui_glow", &["studio"]),
    ("libloading", &["mts_esp", "graphics"]),
];

/// Folders of which the map names every file; other folders may stand for all that they hold.
const NAMED_FILE_BY_FILE: [&str; 2] = ["physics/", "engine/"];

/// Crates of the workspace whose sources count as folders beside those of `src`.
const CRATES: [&str; 2] = ["physics", "engine"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Where a file stands: `engine/body.rs` is `engine/src/body.rs`, every other file is in `src`.
fn source(file: &str) -> PathBuf {
    match file.split_once('/') {
        Some((krate, rest)) if CRATES.contains(&krate) => root().join(krate).join("src").join(rest),
        _ => root().join("src").join(file),
    }
}

/// All Rust files of the sources, as paths with forward slashes: those of a crate begin with its name.
fn files() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let places = CRATES.iter().map(|krate| (root().join(krate).join("src"), format!("{krate}/")));
    for (place, prefix) in places.chain([(root().join("src"), String::new())]) {
        let mut folders = vec![place.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("the sources can be read") {
                let path = entry.expect("the sources can be read").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let relative = path.strip_prefix(&place).expect("is below the folder").to_string_lossy().replace('\\', "/");
                    found.insert(prefix.clone() + &relative);
                }
            }
        }
    }
    found
}

/// The room a file belongs to: the first part of its path.
fn room(file: &str) -> &str {
    file.split('/').next().unwrap_or(file).trim_end_matches(".rs")
}

/// Rust text as words and signs, without comments, strings and characters.
fn tokens(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if first == '"' {
            string_length(rest)
        } else if let Some(length) = raw_string_length(rest) {
            length
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\\"'") {
            rest[1..].find("\'").map_or(1, |end| end + 2)
        } else if first.is_alphanumeric() || first == '_' {
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            found.push(rest[..length].to_owned());
            length
        } else {
            let length = if rest.starts_with("::") { 2 } else { first.len_utf8() };
            if !first.is_whitespace() {
                found.push(rest[..length].to_owned());
            }
            length
        };
        rest = &rest[length..];
    }
    found
}

fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, sign) in text.char_indices().skip(1) {
        match sign {
            '"' if !escaped => return at + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    text.len()
}

fn raw_string_length(text: &str) -> Option<usize> {
    let hashes = text.strip_prefix('r')?.chars().take_while(|&sign| sign == '#').count();
    let body = text[1 + hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    Some(1 + hashes + 1 + body.find(&end)? + end.len())
}

/// Names that a file takes from the top of the library: `crate::name`, `super::..::name`, `urto::name`, also in braces.
fn imports(file: &str, words: &[String]) -> BTreeSet<String> {
    let is_program = DOORS.iter().any(|(door, _)| *door == room(file));
    let depth = file.trim_end_matches(".rs").trim_end_matches("/mod").split('/').count();
    let mut found = BTreeSet::new();
    for at in 0..words.len() {
        let next = match words[at].as_str() {
            "urto" if is_program => at + 1,
            "crate" if !is_program => at + 1,
            "super" if !is_program && (at < 2 || words[at - 2] != "super") => {
                let climbed = words[at..].chunks(2).take_while(|pair| pair[0] == "super").count();
                if climbed < depth {
                    continue;
                }
                at + 2 * climbed - 1
            }
            _ => continue,
        };
        if words.get(next).is_some_and(|word| word == "::") {
            found.extend(heads(&words[next + 1..]));
        }
    }
    found
}

/// `name` at the start, or the first name of every path in `{..}`.
fn heads(words: &[String]) -> Vec<String> {
    if words.first().is_none_or(|word| word != "{") {
        return words.first().cloned().into_iter().collect();
    }
    let (mut depth, mut expected, mut found) = (0, true, Vec::new());
    for word in words {
        match word.as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            "," => expected |= depth == 1,
            _ if expected && depth == 1 => {
                found.push(word.clone());
                expected = false;
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    found
}

fn read(file: &str) -> Vec<String> {
    tokens(&fs::read_to_string(source(file)).expect("the sources can be read"))
}

#[test]
fn arrows_point_down() {
    for file in files() {
        let here = room(&file);
        let Some((_, allowed)) = FLOORS.iter().chain(&DOORS).find(|(name, _)| *name == here) else {
            assert_eq!(
                here, "lib",
                "src/{file} is on no floor: give it a row in FLOORS in tests/documents/architecture.rs, or move it into a room"
            );
            continue;
        };
        let words = read(&file);
        let crates = CRATES.iter().filter(|krate| words.contains(&format!("urto_{krate}"))).map(|krate| (*krate).to_owned());
        for name in imports(&file, &words).into_iter().chain(crates) {
            let is_room = FLOORS.iter().any(|(room, _)| *room == name);
            let fine = !is_room || name == here || allowed.contains(&name.as_str());
            assert!(
                fine,
                "src/{file} imports {name}; {here} may import only {allowed:?}: move what it needs down, or the code up"
            );
        }
    }
}

#[test]
fn guests_stay_in_their_rooms() {
    for file in files() {
        let words = read(&file);
        for (guest, rooms) in GUESTS {
            let named = words.iter().any(|word| word == guest);
            assert!(!named || rooms.contains(&room(&file)), "src/{file} names {guest}, which belongs in {rooms:?} only");
        }
    }
}

/// Paths on the map of `src/lib.rs`, relative to `src`; folders end with a slash.
fn map() -> Vec<String> {
    let text = fs::read_to_string(source("lib.rs")).expect("src can be read");
    let drawing = text.lines().skip_while(|line| *line != "//! ```text").skip(1).take_while(|line| *line != "//! ```");
    let mut parents: Vec<(usize, String)> = Vec::new();
    let mut found = Vec::new();
    for line in drawing {
        let line = line.trim_start_matches("//!");
        let Some(name) = line.split_whitespace().next() else { continue };
        let indent = line.len() - line.trim_start().len();
        parents.retain(|(outer, _)| *outer < indent);
        let path = parents.last().map_or(String::new(), |(_, parent)| parent.clone()) + name;
        if name == "src/" {
            parents.push((indent, String::new()));
            continue;
        }
        if path.ends_with('/') {
            parents.push((indent, path.clone()));
        }
        found.push(path);
    }
    assert!(!found.is_empty(), "src/lib.rs has no map: a block //! ```text that starts with src/");
    found
}

#[test]
fn the_map_names_what_is_on_disk() {
    let (files, map) = (files(), map());
    let mut faults = Vec::new();
    for path in &map {
        let there = if path.ends_with('/') { files.iter().any(|file| file.starts_with(path)) } else { files.contains(path) };
        if !there {
            faults.push(format!("src/{path} is on the map but not on disk: remove its line"));
        }
    }
    let closed = |folder: &&String| folder.ends_with('/') && !map.iter().any(|path| path != *folder && path.starts_with(*folder));
    let folders: Vec<&String> = map.iter().filter(closed).filter(|f| !NAMED_FILE_BY_FILE.contains(&f.as_str())).collect();
    for file in &files {
        if !map.contains(file) && !folders.iter().any(|folder| file.starts_with(*folder)) {
            faults.push(format!("src/{file} is not on the map: add a line for it"));
        }
    }
    assert!(faults.is_empty(), "the map at the head of src/lib.rs and the files on disk differ:\n{}", faults.join("\n"));
}

#[test]
fn the_reader_of_sources_sees_what_it_should() {
    let text = "use crate::{engine::{knob, x}, physics}; // crate::plugin\nlet s = \"crate::editor \\\" crate::link\"; \
        let q = '\"'; super::super::params::f(); let r = r#\"crate::worker\"#; super::local();";
    let seen = imports("engine/body.rs", &tokens(text));
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), ["engine", "params", "physics"]);
    let seen = imports("bin/urto-cli/main.rs", &tokens("use crate::params; use urto_engine::params::table;"));
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), ["engine"]);
}
