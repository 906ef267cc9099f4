//! What is there: parameters and presets.

use serde_json::Value;
use urto::engine::knob::KNOBS;

use crate::program::Folder;

fn json(text: &str) -> Vec<Value> {
    serde_json::from_str::<Value>(text).expect("one JSON value").as_array().expect("an array").clone()
}

#[test]
fn params_lists_every_knob_with_its_range() {
    let rows = json(&Folder::new("params").succeed(&["params", "--json"]));
    assert_eq!(rows.len(), KNOBS.len());
    for (row, knob) in rows.iter().zip(&KNOBS) {
        for (key, value) in [("id", knob.id), ("name", knob.name), ("group", knob.group), ("unit", knob.unit)] {
            assert_eq!(row[key], value, "{}", knob.id);
        }
        for (key, value) in [("lowest", knob.lowest), ("highest", knob.highest), ("default", knob.default)] {
            assert_eq!(row[key].as_f64(), Some(value), "{}", knob.id);
        }
    }
}

#[test]
fn the_table_of_params_has_one_line_a_knob() {
    let text = Folder::new("params-table").succeed(&["params"]);
    assert_eq!(text.lines().count(), 1 + KNOBS.len());
    assert!(
        text.lines().any(|line| line.starts_with("hammer_mass") && line.contains("0.0001") && line.ends_with("kg")),
        "{text}"
    );
}

#[test]
fn presets_are_built_in_and_each_can_be_shown_and_played() {
    let folder = Folder::new("presets");
    let rows = json(&folder.succeed(&["presets", "list", "--json"]));
    assert_eq!(rows.len(), 65, "presets and kits");
    folder.write("in.mid", crate::song::song(&[(0, crate::song::C4_ON)]));
    for row in rows {
        assert!(row["family"].is_string() && row["pitched"].is_boolean() && row["tags"].is_array());
        let name = row["name"].as_str().expect("a name");
        assert!(folder.succeed(&["presets", "list"]).contains(name));
        let text = folder.succeed(&["presets", "show", &name.to_lowercase()]);
        folder.write("shown.toml", &text);
        for (preset, out) in [(name, "name.wav"), ("shown.toml", "file.wav")] {
            folder.succeed(&["render", "in.mid", out, "--preset", preset, "--tail", "0.2"]);
        }
        assert!(folder.read("name.wav") == folder.read("file.wav"), "{name}: its text sounds otherwise");
        let (left, right) = folder.read_wav("name.wav");
        assert!([left, right].iter().all(|side| side.iter().any(|sample| sample.abs() > 0.005)), "{name} is silent");
    }
}
