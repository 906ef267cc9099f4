//! User presets, and MIDI files with program changes.

use serde_json::Value;

use crate::support::midi_writer::{C4_ON, song};
use crate::support::program::Folder;

const OWN: &str =
    "schema = 1\nname = \"Something else\"\ndescription = \"Mine\"\n[body]\nkind = \"string\"\n[tuning]\nstretch = 2.0\n";

fn rows(folder: &Folder) -> Vec<Value> {
    let text = folder.succeed(&["presets", "list", "--json"]);
    serde_json::from_str::<Value>(&text).expect("one JSON value").as_array().expect("an array").clone()
}

#[test]
fn presets_are_saved_in_the_user_folder_under_their_names() {
    let folder = Folder::new("presets-own");
    let place = folder.succeed(&["presets", "path"]);
    assert!(place.trim_end().ends_with("resets"), "{place}");
    let built_in = rows(&folder).len();
    assert!(rows(&folder).iter().all(|row| row["file"].is_null()), "nothing there yet");
    folder.write("own.toml", OWN);
    let saved = folder.succeed(&["presets", "save", "own.toml", "--as", "My String"]);
    assert_eq!(saved.trim_end(), std::path::Path::new(place.trim_end()).join("My String.toml").display().to_string());
    folder.succeed(&["presets", "save", "bossed gong c3", "--as", "A Gong"]);
    let listed = rows(&folder);
    assert_eq!(listed.len(), built_in + 2);
    for (row, (name, description)) in listed[built_in..].iter().zip([("A Gong", None), ("My String", Some("Mine"))]) {
        assert_eq!((row["name"].as_str(), row["program"].is_u64()), (Some(name), true));
        assert!(row["file"].as_str().is_some_and(|file| file.ends_with(&format!("{name}.toml"))));
        assert!(description.is_none_or(|description| row["description"] == description));
    }
    assert_eq!((&listed[0]["file"], &listed[built_in + 1]["program"]), (&Value::Null, &Value::from(built_in + 1)));
    // what is kept is in the present schema, shown and played under its name
    let shown = folder.succeed(&["presets", "show", "my string"]);
    assert!(shown.starts_with("schema = 2\nsound = 1\nname = \"My String\"\n") && shown.contains("\nstretch = 2.0"), "{shown}");
    folder.write("in.mid", song(&[(0, C4_ON)]));
    for (preset, out) in [("MY STRING", "name.wav"), ("own.toml", "file.wav")] {
        folder.succeed(&["render", "in.mid", out, "--preset", preset, "--tail", "0.2"]);
    }
    assert!(
        folder.read_wav("name.wav") == folder.read_wav("file.wav"),
        "the files name different presets, the sound is the same"
    );
    // a file that cannot be read is listed with its fault, and keeps its number
    std::fs::write(std::path::Path::new(place.trim_end()).join("Broken.toml"), "schema = 2\nodd = 1\n").expect("a file");
    let listed = rows(&folder);
    let (broken, mine) = (&listed[built_in + 1], &listed[built_in + 2]);
    assert_eq!((listed.len(), &broken["name"], &mine["name"]), (built_in + 3, &"Broken".into(), &"My String".into()));
    assert!(broken["fault"].as_str().is_some_and(|fault| fault.contains("Broken.toml, line 2, odd: unknown key")));
    assert!(
        folder.succeed(&["presets", "list"]).lines().any(|line| line.starts_with("Broken") && line.contains("cannot be read"))
    );
    let message = folder.refuse(&["render", "in.mid", "out.wav", "--preset", "broken"]);
    assert!(message.contains("Broken.toml, line 2, odd: unknown key"), "{message}");
}

#[test]
fn presets_that_cannot_be_saved_give_an_error() {
    let folder = Folder::new("presets-wrong");
    folder.write("own.toml", OWN);
    for (arguments, message) in [
        (
            &["presets", "save", "own.toml", "--as", "a/b"][..],
            "the name \"a/b\" contains '/', which file names must not contain; remove it",
        ),
        (
            &["presets", "save", "own.toml", "--as", "studio kit"],
            "the name \"studio kit\" is that of a built-in preset; give another name",
        ),
        (&["presets", "save", "Rosewood Marimba"], "for example \"My Rosewood Marimba\""),
        (
            &["presets", "save", "own.toml", "--as", "CON"],
            "the name \"CON\" is reserved for a device by Windows; give another name",
        ),
        (&["presets", "save", "own.toml", "--as", "nul.urto"], "for example \"My nul.urto\""),
        (&["presets", "save", "tuba"], "no preset \"tuba\"; the presets are \"Rosewood Marimba\""),
        (&["presets", "show", "none.toml"], "none.toml: no such file"),
    ] {
        let complaint = folder.refuse(arguments);
        assert!(complaint.contains(message), "{arguments:?}: {complaint}");
    }
}

#[test]
fn unknown_keys_of_a_newer_preset_give_a_warning_and_are_kept() {
    let folder = Folder::new("presets-newer");
    folder.write("later.toml", "schema = 9\n[body]\nhaze = 0.25\nkind = \"cloud\"\n");
    let output = folder.run(&["presets", "show", "later.toml"]);
    let message = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(message.contains("note: later.toml, line 3, body.haze: unknown key; kept unchanged.\n"), "{message}");
    assert!(
        message.contains("note: later.toml, line 4, body.kind: \"cloud\" is not an allowed value; kept unchanged.\n"),
        "{message}"
    );
    let shown = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(
        shown.starts_with("schema = 9\n") && shown.contains("haze = 0.25\n") && shown.contains("kind = \"cloud\"\n"),
        "{shown}"
    );
}

/// Program 1, a note, program 3 between two notes of the same frame, a number without a preset.
#[test]
fn program_changes_load_presets_at_their_tick() {
    let folder = Folder::new("programs");
    const HIGH: &[u8] = &[0x90, 72, 100];
    let changing = song(&[(0, &[0xc3, 1]), (0, C4_ON), (480, HIGH), (0, &[0xc0, 3]), (0, C4_ON), (10, &[0xc0, 99])]);
    folder.write("changing.mid", changing);
    folder.write("first.mid", song(&[(0, C4_ON), (480, HIGH)]));
    let render = |song: &str, out: &str, more: &[&str]| {
        folder.succeed(&[&["render", song, out, "--tail", "0.5"], more].concat());
        folder.read_wav(out).0
    };
    let changed = render("changing.mid", "changed.wav", &[]);
    let first = render("first.mid", "first.wav", &["--preset", "Bass Marimba Yarn"]);
    let bend = 24_000; // half a second, when the second note sounds
    assert!(changed[..bend] == first[..bend] && changed[bend..bend + 4_000] != first[bend..bend + 4_000]);
    // the same for any size of block
    for block in ["1", "333"] {
        assert!(render("changing.mid", "blocks.wav", &["--block", block]) == changed, "{block}");
    }
    // options stand over every preset
    let quiet = render("changing.mid", "quiet.wav", &["--set", "level=-60"]);
    assert!(quiet.iter().all(|sample| sample.abs() < 0.01) && changed.iter().any(|sample| sample.abs() > 0.05));
    // a preset on the command line outranks the song
    let output = folder.run(&["render", "changing.mid", "own.wav", "--tail", "0.5", "--preset", "Rosewood Marimba"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("program changes are ignored because --preset is given"));
}

/// A preset without an end is a fault, unless it is driven: then it is judged while it plays.
#[test]
fn check_asks_for_an_end_only_where_a_preset_should_end() {
    let folder = Folder::new("presets-endless");
    folder.write("noise.toml", "schema = 2\n[drive]\nsource = \"noise\"\ngain = 0.5\nnotes = \"nothing\"\n[body]\nmodes = 2\n");
    let table = folder.succeed(&["presets", "check", "noise.toml", "Anvil"]);
    let lines: Vec<_> = table.lines().collect();
    assert!(lines.len() == 3 && lines[0].starts_with("name "), "{table}");
    assert!(lines[1].starts_with("noise ") && lines[1].ends_with(" lasts"), "{table}");
    assert!(lines[2].starts_with("Anvil ") && !lines[2].ends_with('s'), "{table}");
}

#[test]
fn a_pack_installs_what_was_packed_and_replaces_nothing() {
    let (from, to) = (Folder::new("presets-packed"), Folder::new("presets-installed"));
    from.write("Deep.toml", OWN);
    from.write("notes.txt", "not a preset");
    from.write("own.toml", OWN);
    let printed = from.succeed(&["presets", "pack", "My.urtopack", "."]);
    assert!(printed.starts_with("My.urtopack: 2 presets, "), "{printed}");
    to.write("My.urtopack", from.read("My.urtopack"));
    to.write("own.toml", "schema = 2\nname = \"own\"\n[body]\nkind = \"string\"\n");
    to.succeed(&["presets", "save", "own.toml"]);
    let printed = to.succeed(&["presets", "install", "My.urtopack"]);
    assert_eq!(printed, "2 presets installed. Because their names were taken: \"own\" as \"own 2\".\n");
    assert_eq!(
        to.succeed(&["presets", "install", "My.urtopack"]),
        "No new presets: all of them are there already. Because their names were taken: \"own\" as \"own 2\".\n"
    );
    let shown = to.succeed(&["presets", "show", "deep"]);
    assert!(shown.contains("name = \"Deep\"") && shown.contains("stretch = 2.0"), "{shown}");
    let message = from.refuse(&["presets", "pack", "other.urtopack", "own.toml", "own.toml"]);
    assert!(
        message.contains("other.urtopack: two presets are called \"Something else\" and \"Something else\"; some systems"),
        "{message}"
    );
    from.write("broken.urtopack", &from.read("My.urtopack")[..100]);
    assert!(
        from.refuse(&["presets", "install", "My.urtopack", "broken.urtopack"])
            .contains("broken.urtopack: damaged, or not a pack")
    );
}
