//! Regression of presets: every released schema loads, and every preset sounds as its fingerprint.
//!
//! `states/` has a patch of every released schema; a new schema adds one file and changes none. `presets.csv` has the fingerprints;
//! `cargo xtask fingerprints` writes them after an intended change of sound.

mod fingerprint;

use std::fs;
use std::path::{Path, PathBuf};

use crate::tier::size;
use fingerprint::Fingerprint;
use urto_engine::patch::Patch;
use urto_engine::patch::{SCHEMA, all, from_toml, read, to_toml};
use urto_engine::{Engine, EngineConfig};

const PRESETS: &str = include_str!("presets.csv");
const HEAD: &str = "name,level_db,tolerance_db,envelope_db,partials_hz_db";

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engine/preset_regression").join(name)
}

/// Every stored patch, with the schema in its name.
fn states() -> Vec<(u32, String)> {
    let files = fs::read_dir(folder("states")).expect("the folder is there").map(|entry| entry.expect("can be read").path());
    let mut states: Vec<_> = files
        .map(|file| {
            let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
            let schema = name.strip_prefix("schema_").and_then(|number| number.parse().ok()).expect("schema_N.toml");
            (schema, fs::read_to_string(file).expect("can be read"))
        })
        .collect();
    states.sort_unstable();
    states
}

#[test]
fn every_released_schema_is_read_without_a_warning() {
    let states = states();
    assert_eq!(states.iter().map(|(schema, _)| *schema).collect::<Vec<_>>(), (1..=SCHEMA).collect::<Vec<_>>());
    for (schema, text) in states {
        assert!(text.contains(&format!("schema = {schema}\n")), "schema {schema}");
        let (patch, notes) = read(&text).unwrap_or_else(|fault| panic!("schema {schema}: {fault}"));
        assert_eq!(notes, [], "schema {schema}");
        assert_ne!(patch.settings, Patch::default().settings, "schema {schema}");
        let written = to_toml(&patch);
        assert!(written.starts_with(&format!("schema = {SCHEMA}\n")), "schema {schema}");
        assert_eq!(from_toml(&written), Ok(patch), "schema {schema}");
    }
}

/// What the present schema says is still written, line by line: keys are added, but none is renamed without a new schema.
#[test]
fn the_current_schema_is_written_unchanged() {
    let (_, text) = states().pop().expect("there are some");
    let (patch, _) = read(&text).expect("it is read");
    let written = to_toml(&patch);
    let gone: Vec<&str> = text.lines().filter(|line| !written.lines().any(|there| there == *line)).collect();
    assert_eq!(gone, [""; 0], "a schema that changes gets a new number, a step in migration.rs and a file here");
}

#[test]
fn presets_sound_unchanged() {
    if std::env::var_os("URTO_FINGERPRINTS").is_some() {
        return store();
    }
    let kept: Vec<Fingerprint> = PRESETS.lines().skip(1).map(|line| Fingerprint::read(line).expect(line)).collect();
    let names = |list: &[Fingerprint]| list.iter().map(|print| print.name.clone()).collect::<Vec<_>>();
    let there: Vec<String> = all().map(|patch| patch.name).collect();
    assert_eq!(names(&kept), there, "run `cargo xtask fingerprints`");
    let some = all().zip(&kept).step_by(size(6, 1));
    let changed: Vec<String> = some.filter_map(|(patch, kept)| difference(&Fingerprint::of(&patch), kept)).collect();
    assert!(
        changed.is_empty(),
        "these presets sound otherwise than they did:\n{}\nIf that is meant, name them in CHANGELOG.md and run `cargo xtask fingerprints`.",
        changed.join("\n")
    );
}

/// The differences of `found` from the stored fingerprint.
fn difference(found: &Fingerprint, kept: &Fingerprint) -> Option<String> {
    let lost: Vec<String> =
        kept.partials.iter().filter(|partial| !found.has(partial)).map(|partial| format!("{:.1} Hz", partial.hertz)).collect();
    let names = ["level", "envelope"].into_iter().zip(kept.moved(found)).zip(kept.tolerance);
    let louder = names.filter(|((_, moved), allowed)| moved > allowed);
    let louder = louder.map(|((what, moved), allowed)| format!("{what} {moved:.2} dB away ({allowed:.2} allowed)"));
    let lost = (!lost.is_empty()).then(|| format!("partials moved: {}", lost.join(", ")));
    let differences: Vec<String> = louder.chain(lost).collect();
    (!differences.is_empty()).then(|| format!("  {}: {}", found.name, differences.join("; ")))
}

/// Stores the fingerprints of new presets and of those whose sound has changed; the other rows stay as they are.
fn store() {
    let stored: Vec<(&str, Fingerprint)> = PRESETS.lines().skip(1).map(|row| (row, Fingerprint::read(row).expect(row))).collect();
    let rows: Vec<String> = all()
        .map(|patch| {
            let change = match stored.iter().find(|(_, print)| print.name == patch.name) {
                None => format!("  {}: new", patch.name),
                Some((row, print)) => match difference(&Fingerprint::of(&patch), print) {
                    None => return (*row).to_owned(),
                    Some(change) => change,
                },
            };
            println!("stored:{change}");
            Fingerprint::steady(&patch).line()
        })
        .collect();
    fs::write(folder("presets.csv"), format!("{HEAD}\n{}\n", rows.join("\n"))).expect("can be written");
}

/// A patch that comes out of a schema plays.
#[test]
fn every_schema_sounds() {
    for (schema, text) in states() {
        let (patch, _) = read(&text).expect("it is read");
        let mut engine = Engine::new(EngineConfig::at(48e3), &patch);
        let note = urto_engine::NoteId { key: 62, ..Default::default() };
        engine.event(&urto_engine::Event::NoteOn { note, velocity: 1.0 });
        let [mut left, mut right] = [[0.0; 4800]; 2];
        engine.render(&mut left, &mut right, [&[]; 2]);
        assert!(left.iter().any(|sample| sample.abs() > 1e-4), "schema {schema} is silent");
    }
}
