//! Macros of the factory presets: each changes the sound clearly over its range and stays level.

use serde_json::Value;
use urto_engine::patch::{MACRO_PARAMS, factory_presets};

use crate::support::program::Folder;
use crate::tier::size;

/// Least distance of the sounds at both ends of a macro [dB].
const LEAST_DISTANCE: f64 = 3.0;
/// Largest range of the loudness over a macro [LU].
const LARGEST_RANGE: f64 = 3.0;
/// Least number of macros of a preset.
const LEAST_MACROS: usize = 4;

#[test]
fn every_preset_has_macros_that_are_neutral_as_saved() {
    for patch in factory_presets::all() {
        let named = patch.macros.iter().filter(|one| !one.name.is_empty() && !one.targets.is_empty()).count();
        assert!(named >= LEAST_MACROS && named == patch.macros.len(), "{}: {named} macros", patch.name);
        for (one, id) in patch.macros.iter().zip(MACRO_PARAMS) {
            let value = patch.settings.get(id);
            assert!(one.targets.iter().all(|target| target.offset(value) == 0.0), "{}: {}", patch.name, one.name);
        }
    }
}

#[test]
fn every_macro_changes_the_sound_and_stays_level() {
    let names: Vec<String> = factory_presets::all().step_by(size(60, 1)).map(|patch| patch.name).collect();
    let mut arguments = vec!["presets", "macros", "--json"];
    arguments.extend(names.iter().map(String::as_str));
    let folder = Folder::new("preset-macros");
    let measured: Vec<Value> = serde_json::from_str(&folder.succeed(&arguments)).expect("JSON");
    assert!(measured.len() >= LEAST_MACROS * names.len());
    for one in &measured {
        let [distance, range] = ["distance_db", "loudness_lu"].map(|key| one[key].as_f64().expect("a number"));
        let place = format!("{} of {}", one["name"], one["preset"]);
        assert!(distance >= LEAST_DISTANCE && range <= LARGEST_RANGE, "{place}: {distance:.1} dB, {range:.1} LU");
    }
}
