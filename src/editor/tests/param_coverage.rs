//! Tests that every parameter and every field of a patch has a control.

use std::sync::Arc;

use crate::editor::tests::*;
use urto_engine::drive::DriveSample;
use urto_engine::patch::{ChokeGroups, ListedMode, PartialEdit, PitchReference, Zone, patch_toml};
use urto_engine::tuning::{PatchTuning, TuningSource};

/// A patch in which every field is set.
fn full() -> Patch {
    let mode = ListedMode { ratio: 1.0, decay: Some(3.0), mass: 1.0, ..ListedMode::default() };
    let map = "0\n0\n127\n60\n69\n440.0\n12\n".to_owned();
    let source = TuningSource { scale: "pelog".into(), map: None, ..TuningSource::default() };
    let intonation = PatchTuning::new(source).unwrap_or_else(|_| panic!("{map}"));
    let mut patch = Patch {
        name: "All".into(),
        author: "A".into(),
        tags: vec!["b".into()],
        description: "c".into(),
        family: "bars".into(),
        pitch: Some(PitchReference::By(2.0)),
        modes: vec![mode.clone()],
        morph_modes: vec![mode],
        partial_edits: vec![PartialEdit { level: 1.0, ..PartialEdit::new(0) }],
        tuning: intonation,
        choke_groups: ChokeGroups::new(&[vec![42, 46]]).expect("two keys"),
        ..Patch::default()
    };
    patch.drive_content.sample = DriveSample::new("a.wav", 48e3, &[0.0, 1.0, -1.0]).map(Arc::new);
    patch.settings.set(ParamId::HammerMass, 0.03);
    patch.zones = vec![Zone { choke: 1, ..Zone::new(&patch, (36, 40)) }];
    patch
}

/// Controls for the keys of a patch's text that are not parameters, by path; a list counts as a whole.
const FIELDS: [(&str, &[&str]); 22] = [
    ("name", &["Preset name"]),
    ("author", &["Preset author"]),
    ("tags", &["Preset tags"]),
    ("description", &["Preset description"]),
    ("family", &["Preset family"]),
    ("pitched", &["Pitch Unset", "Pitch None", "Pitch Pitched"]),
    ("reference", &["Preset pitched partial"]),
    ("drive.pattern", &["Pattern step 1", "Pattern step 16"]),
    ("drive.sample", &["Load recording"]),
    ("drive.sample_rate", &["Load recording"]),
    ("drive.sample_data", &["Load recording"]),
    ("tuning", &["Scale", "Key map", "Reference key and frequency, type a value"]),
    ("modes", &["Partials from"]),
    ("morph_modes", &["Partials from"]),
    ("trim", &["Partials from"]),
    ("choke", &["Preset chokes"]),
    ("zone.name", &["Zone name"]),
    ("zone.keys", &["Zone lowest key", "Zone highest key"]),
    ("zone.plays", &["Zone lowest plays"]),
    ("zone.level", &["Zone level"]),
    ("zone.pan", &["Zone pan"]),
    ("zone.choke", &["Zone choke group"]),
];
/// The rest: fields of a zone's own sound, and of the file format.
const ZONE: [(&str, &[&str]); 1] = [("zone.bus", &["Zone output"])];
const SOUND: &[&str] = &["Zone sound", "Edit as B"];

/// Paths of all keys of a text, down to where one control covers the whole.
fn paths(table: &toml::Table) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (key, value) in table {
        let below = match (key.as_str(), value) {
            ("drive" | "zone", toml::Value::Table(below)) => Some(below),
            ("zone", toml::Value::Array(zones)) => zones.first().and_then(toml::Value::as_table),
            _ => None,
        };
        match below {
            Some(below) => found.extend(below.keys().map(|inner| format!("{key}.{inner}"))),
            None => _ = found.insert(key.clone()),
        }
    }
    found
}

#[test]
fn every_field_of_a_patch_and_of_a_kit_has_a_control() {
    let mut window = WindowDriver::new();
    let patch = full();
    let text = patch_toml::to_toml(&patch);
    window.load(patch);
    let mut reached: BTreeSet<String> = everything(&mut window).into_iter().map(|(_, name)| name).collect();
    for source in ["Sample", "Pattern"] {
        let place = urto_engine::params::DRIVE_SOURCES.iter().position(|name| *name == source).expect("a source");
        let mut patch = window.editor.instance.params.own_patch();
        patch.settings.set(ParamId::DriveSource, place as f64);
        window.load(patch);
        window.editor.pages.current = 2;
        reached.extend(window.names().into_iter().map(|(_, name)| name));
    }
    window.press(Key::B, Modifiers::NONE);
    for side in 0..3 {
        window.editor.pages.browser.as_mut().expect("open").side = side;
        window.look(Vec::new());
        reached.extend(window.names().into_iter().map(|(_, name)| name));
    }
    let params: BTreeSet<String> = ParamId::ALL.iter().map(|id| urto_engine::patch::key_of(id.spec()).0).collect();
    let drives: BTreeSet<String> = ParamId::ALL.iter().map(|id| urto_engine::patch::key_of(id.spec()).1).collect();
    let table: toml::Table = text.parse().expect("its own text");
    for path in paths(&table) {
        let (group, key) = path.split_once('.').unwrap_or((&path, ""));
        let controls = match FIELDS.iter().chain(&ZONE).find(|(known, _)| *known == path) {
            Some((_, controls)) => *controls,
            // the format's version, and parameters, which have a test of their own
            None if path == "schema" || group == "drive" && drives.contains(key) => continue,
            None if key.is_empty() && params.contains(group) => continue,
            None if group == "zone" => SOUND,
            None => panic!("{path} has no control"),
        };
        for control in controls {
            assert!(reached.contains(*control), "{path} is set by {control}, which cannot be reached");
        }
    }
}

#[test]
fn every_knob_of_the_table_stands_on_a_page_or_in_the_drawer_of_its_group() {
    let mut window = WindowDriver::new();
    let names: BTreeSet<String> = everything(&mut window).into_iter().map(|(_, name)| name).collect();
    // the command line lists the same table
    let missing: Vec<_> = ParamId::ALL
        .iter()
        .map(|id| id.spec())
        .filter(|spec| !names.contains(&format!("{} {}", spec.group, spec.name)))
        .collect();
    assert!(missing.is_empty(), "{:?}", missing.iter().map(|spec| spec.id).collect::<Vec<_>>());
    assert!(!window.has("All"), "no page of all parameters is needed");
}

#[test]
fn no_text_of_the_drive_is_cut_off_or_lies_over_another() {
    let mut window = WindowDriver::new();
    let mut faults = BTreeSet::new();
    let sources =
        |name: &str| urto_engine::params::DRIVE_SOURCES.iter().position(|known| *known == name).expect("a source") as f64;
    for size in SIZES {
        window.size = size;
        for source in ["Side-chain", "Sample", "Pattern"] {
            let mut patch = full();
            patch.settings.set(ParamId::DriveSource, sources(source));
            window.load(patch);
            window.editor.pages.current = 2;
            for row in 0..=drive::ROWS.len() {
                window.editor.pages.drive.select_tab(row);
                faults.extend(crowded(window.rest(), &format!("Drive, {source}, row {row} at {size:?}")));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.into_iter().collect::<Vec<_>>().join("\n"));
}
