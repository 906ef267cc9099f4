//! Scales and key maps: checked and played.

use serde_json::Value;

use crate::support::midi_writer::song;
use crate::support::program::Folder;

/// Five notes, the first on key 60; black keys are silent.
const MAP: &str = "12\n0\n127\n60\n60\n250.0\n5\n0\nx\n1\nx\n2\nx\nx\n3\nx\n4\nx\nx\n";
const KEY_61: &[u8] = &[0x90, 61, 100];
const KEY_64: &[u8] = &[0x90, 64, 100];

fn rows(text: &str) -> Vec<Value> {
    serde_json::from_str::<Value>(text).expect("one JSON value")["keys"].as_array().expect("an array").clone()
}

#[test]
fn check_shows_every_key() {
    let folder = Folder::new("tune-check");
    folder.write("third.scl", b"! Latin-1\nDrei gro\xdfe Terzen\n3\n5/4\n25/16\n2\n");
    let text = folder.succeed(&["tune", "check", "third.scl"]);
    assert!(text.starts_with("Drei große Terzen\n3 notes; key 69 is 440 Hz\n"), "{text}");
    let line = |key: &str| text.lines().find(|line| line.split_whitespace().next() == Some(key)).expect(key).to_owned();
    assert_eq!(line("69").split_whitespace().collect::<Vec<_>>(), ["69", "440.000000", "0.000", "0.000"]);
    assert_eq!(line("70").split_whitespace().collect::<Vec<_>>(), ["70", "550.000000", "386.314", "286.314"]);
    assert_eq!(line("127").split_whitespace().last(), Some("silent"), "above 100 kHz");
    // a key map alone, with a built-in scale, in a preset, and changed by options
    folder.write("map.KBM", MAP);
    let equal = rows(&folder.succeed(&["tune", "check", "map.KBM", "--json"]));
    assert_eq!((equal.len(), &equal[61]["hertz"]), (128, &Value::Null));
    assert!((equal[64]["cents"].as_f64().unwrap() - 200.0).abs() < 1e-9);
    let slendro = folder.succeed(&["tune", "check", "Slendro", "--keymap", "map.KBM", "--json"]);
    assert!((rows(&slendro)[64]["cents"].as_f64().unwrap() - 484.0).abs() < 1e-9);
    assert_eq!(slendro, folder.succeed(&["tune", "check", "map.KBM", "--scale", "slendro", "--json"]));
    folder.write("p.toml", format!("schema = 2\n[tuning]\nscale = \"slendro\"\nmap = \"\"\"\n{MAP}\"\"\"\n"));
    assert_eq!(slendro, folder.succeed(&["tune", "check", "p.toml", "--json"]));
    let moved = rows(&folder.succeed(&["tune", "check", "p.toml", "--json", "--reference", "64=330", "--stretch", "-12"]));
    assert!((moved[64]["hertz"].as_f64().unwrap() - 330.0).abs() < 1e-9);
    assert!((moved[60]["cents"].as_f64().unwrap() + 484.0 * 0.99).abs() < 1e-9);
    // concert pitch is a factor on all keys, also where the map's reference is another
    let concert = folder.succeed(&["tune", "check", "p.toml", "--json", "--reference", "415"]);
    assert!((rows(&concert)[60]["hertz"].as_f64().unwrap() - 250.0 * 415.0 / 440.0).abs() < 1e-9);
    assert!((rows(&concert)[64]["cents"].as_f64().unwrap() - 484.0).abs() < 1e-9, "from the reference key as it plays");
    let list = folder.succeed(&["tune", "list"]);
    assert!(list.lines().count() == 9 && list.contains("bohlen-pierce  Bohlen-Pierce"), "{list}");
}

#[test]
fn a_midi_file_is_played_in_its_tuning() {
    let folder = Folder::new("tune-render");
    folder.write("in.mid", song(&[(0, KEY_64), (0, KEY_61)]));
    folder.write("map.kbm", MAP);
    folder.write("p.toml", format!("schema = 2\n[tuning]\nscale = \"slendro\"\nmap = \"\"\"\n{MAP}\"\"\"\n"));
    let render = |out: &str, more: &[&str]| {
        let output = folder.run(&[&["render", "in.mid", out, "--tail", "0.1", "--set", "modes=4"], more].concat());
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stderr).expect("UTF-8")
    };
    let message = render("options.wav", &["--scale", "slendro", "--keymap", "map.kbm"]);
    assert_eq!(message, "urto-cli: note: keys without a pitch in this tuning are silent: 61.\n");
    render("preset.wav", &["--preset", "p.toml"]);
    assert!(folder.read_wav("options.wav") == folder.read_wav("preset.wav"));
    assert_eq!(render("equal.wav", &[]), "");
    folder.write("one.mid", song(&[(0, KEY_64)]));
    folder.succeed(&["render", "one.mid", "one.wav", "--tail", "0.1", "--set", "modes=4", "--preset", "p.toml"]);
    let [one, preset, equal] = ["one.wav", "preset.wav", "equal.wav"].map(|name| folder.read_wav(name));
    assert!(one == preset && one != equal);
}

#[test]
fn errors_name_file_line_and_fix() {
    let folder = Folder::new("tune-bad");
    folder.write("in.mid", song(&[(0, KEY_64)]));
    folder.write("bad.scl", "Scale\n2\n3/2\noctave\n");
    folder.write("name.scl", "just");
    folder.write("bad.kbm", MAP.replace("250.0", "A"));
    folder.write("silent.kbm", MAP.replace("60\n250", "61\n250"));
    folder.write("p.toml", "schema = 2\n[tuning]\nscale = \"dur\"\n");
    for (arguments, message) in [
        (&["tune", "check", "bad.scl"][..], "bad.scl, line 4: \"octave\" is not an interval; write a ratio such as 3/2"),
        (&["tune", "check", "name.scl"], "name.scl, the number of notes is missing; a scale has a line of description"),
        (&["tune", "check", "none.scl"], "none.scl: no such file; check the name"),
        (&["tune", "check", "dur"], "no scale \"dur\"; the built-in scales are equal, just"),
        (
            &["tune", "check", "bad.kbm"],
            "bad.kbm, line 6: \"A\" is not a valid reference frequency in Hz; give a number from 0.1",
        ),
        (&["tune", "check", "silent.kbm"], "silent.kbm, the reference key 61 is silent in the map; assign a degree"),
        (&["tune", "check", "p.toml"], "p.toml, line 3, tuning.scale: there is no scale \"dur\"; give"),
        (&["tune", "check", "just", "--scale", "just"], "just: --scale names a second scale or key map; give only one"),
        (
            &["tune", "check", "just", "--stretch", "101"],
            "--stretch 101: 101 is out of range; give a number from -100 to 100 cents",
        ),
        (
            &["tune", "check", "just", "--reference", "900"],
            "--reference 900: 900 is out of range; give a number from 380 to 500 Hz",
        ),
        (&["render", "in.mid", "out.wav", "--scale", "bad.scl"], "bad.scl, line 4: \"octave\" is not an interval"),
        (&["render", "in.mid", "out.wav", "--keymap", "none.kbm"], "none.kbm: no such file"),
        (&["render", "in.mid", "bad.scl", "--scale", "bad.scl"], "this is also an input file; choose another name"),
    ] {
        let complaint = folder.refuse(arguments);
        assert!(complaint.contains(message), "{arguments:?}: {complaint}");
    }
    let output = folder.run(&["tune", "check", "just", "--reference", "69=0"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("give a key from 0 to 127 and its frequency"));
}
