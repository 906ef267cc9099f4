//! Lists of parameters and presets.

use serde_json::Value;
use urto_engine::params::{PARAMS, ParamId};
use urto_engine::patch::from_toml;

use crate::support::program::Folder;
use crate::tier::size;

fn json(text: &str) -> Vec<Value> {
    serde_json::from_str::<Value>(text).expect("one JSON value").as_array().expect("an array").clone()
}

#[test]
fn params_lists_every_parameter_with_its_range() {
    let rows = json(&Folder::new("params").succeed(&["params", "--json"]));
    assert_eq!(rows.len(), PARAMS.len());
    for (row, spec) in rows.iter().zip(&PARAMS) {
        for (key, value) in [("id", spec.id), ("name", spec.name), ("group", spec.group), ("unit", spec.unit)] {
            assert_eq!(row[key], value, "{}", spec.id);
        }
        for (key, value) in [("lowest", spec.min), ("highest", spec.max), ("default", spec.default)] {
            assert_eq!(row[key].as_f64(), Some(value), "{}", spec.id);
        }
    }
}

#[test]
fn the_table_of_params_has_one_line_per_parameter() {
    let text = Folder::new("params-table").succeed(&["params"]);
    assert_eq!(text.lines().count(), 1 + PARAMS.len());
    assert!(
        text.lines().any(|line| line.starts_with("hammer_mass") && line.contains("0.0001") && line.ends_with("kg")),
        "{text}"
    );
}

#[test]
fn every_factory_preset_can_be_shown_and_played() {
    let folder = Folder::new("presets");
    let rows = json(&folder.succeed(&["presets", "list", "--json"]));
    assert_eq!(rows.len(), urto_engine::patch::all().count(), "presets and kits");
    // the everyday tier plays every twentieth
    for row in rows.into_iter().step_by(size(20, 1)) {
        assert!(row["family"].is_string() && row["pitched"].is_boolean() && row["tags"].is_array());
        let name = row["name"].as_str().expect("a name");
        assert!(folder.succeed(&["presets", "list"]).contains(name));
        let text = folder.succeed(&["presets", "show", &name.to_lowercase()]);
        folder.write("shown.toml", &text);
        let home = from_toml(&text).expect("it can be read").settings.get(ParamId::HomeKey) as u8;
        folder.write("in.mid", crate::support::midi_writer::song(&[(0, &[0x90, home, 100])]));
        // what rolls over eighty kilograms of ice takes half a second to be heard
        for (preset, out) in [(name, "name.wav"), ("shown.toml", "file.wav")] {
            folder.succeed(&["render", "in.mid", out, "--preset", preset, "--tail", "0.5"]);
        }
        assert!(folder.read("name.wav") == folder.read("file.wav"), "{name}: its text sounds otherwise");
        let (left, right) = folder.read_wav("name.wav");
        let [left, right] = [left, right].map(|side| side.iter().fold(0.0_f32, |peak, sample| peak.max(sample.abs())));
        assert!(left.max(right) > 0.05 && left.min(right) > 0.02, "{name} is silent: {left} {right}");
    }
}
