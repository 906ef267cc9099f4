//! No input is overwritten, also none that only a preset or a map names.

use crate::support::midi_writer::{C4_OFF, C4_ON, song};
use crate::support::program::Folder;

/// Writes a decaying tone of 0.3 s.
fn write_tone(folder: &Folder, name: &str) {
    let spec = hound::WavSpec { channels: 1, sample_rate: 22_050, bits_per_sample: 16, sample_format: hound::SampleFormat::Int };
    let mut writer = hound::WavWriter::create(folder.path(name), spec).expect("a WAV file");
    for n in 0..6_615 {
        let time = f64::from(n) / 22_050.0;
        writer.write_sample((20e3 * (-9.0 * time).exp() * (2_764.6 * time).sin()) as i16).expect("a sample");
    }
    writer.finalize().expect("a WAV file");
}

/// Runs a command that must be refused because `input` would be overwritten.
fn assert_kept(folder: &Folder, input: &str, arguments: &[&str]) {
    let before = folder.read(input);
    let complaint = folder.refuse(arguments);
    assert!(complaint.contains("this is also an input file; choose another name or folder"), "{arguments:?}: {complaint}");
    assert_eq!(folder.read(input), before, "{arguments:?}");
}

#[test]
fn the_recording_of_a_preset_is_kept() {
    let folder = Folder::new("kept-recording");
    folder.write("in.mid", song(&[(0, C4_ON), (240, C4_OFF)]));
    write_tone(&folder, "loop.wav");
    folder.write("p.toml", "schema = 2\n[drive]\nsample = \"loop.wav\"\n");
    folder.write("kit.toml", "schema = 2\n[[zone]]\nkeys = [60, 60]\n[zone.drive]\nsample = \"loop.wav\"\n");
    let render = ["render", "in.mid", "o.wav", "--tail", "0.05"];
    for preset in ["p.toml", "kit.toml"] {
        assert_kept(&folder, "loop.wav", &["render", "in.mid", "loop.wav", "--preset", preset]);
        assert_kept(&folder, "loop.wav", &[&render[..], &["--trace", "loop.wav", "--preset", preset]].concat());
        assert_kept(&folder, "loop.wav", &["presets", "export", preset, "loop.wav"]);
        folder.succeed(&[&render[..], &["--preset", preset]].concat());
    }
    // a preset that contains the samples reads no file
    folder.write("whole.toml", folder.succeed(&["presets", "show", "p.toml"]));
    folder.succeed(&["presets", "export", "whole.toml", "loop.wav"]);
}

#[test]
fn a_preset_of_the_user_is_kept() {
    let folder = Folder::new("kept-preset");
    // the song changes to the first preset of the user
    let program = folder.succeed(&["presets", "list"]).lines().count() as u8;
    folder.write("in.mid", song(&[(0, &[0xc0, program]), (0, C4_ON), (240, C4_OFF)]));
    let presets = if cfg!(any(target_os = "macos", target_os = "windows")) { "Documents/Urto/Presets" } else { "urto/presets" };
    std::fs::create_dir_all(folder.path("home").join(presets)).expect("a folder");
    let file = format!("home/{presets}/Foo.toml");
    folder.write(&file, "schema = 2\n[body]\nkind = \"bar\"\n");
    assert_kept(&folder, &file, &["presets", "export", "foo", &file]);
    for preset in [&["--preset", "Foo"][..], &[]] {
        let to = ["render", "in.mid", &file, "--format", "wav-24", "--tail", "0"];
        assert_kept(&folder, &file, &[&to[..], preset].concat());
        let trace = ["render", "in.mid", "o.wav", "--trace", &file, "--tail", "0"];
        assert_kept(&folder, &file, &[&trace[..], preset].concat());
    }
}

#[test]
fn recordings_and_the_map_are_kept_by_a_comparison() {
    let folder = Folder::new("kept-recordings");
    let map = |file: &str| {
        format!(
            "[[instruments]]\nkind = \"bar\"\npreset = \"Claves\"\nkey = 60\nshift = 0\nstrokes = [{{ file = \"{file}\" }}]\n"
        )
    };
    std::fs::create_dir(folder.path("p")).expect("a folder");
    write_tone(&folder, "p/Claves-bar-100-0-recording.wav");
    folder.write("map.toml", map("Claves-bar-100-0-recording.wav"));
    let recording = "p/Claves-bar-100-0-recording.wav";
    let compare = ["presets", "compare", "map.toml"];
    assert_kept(&folder, recording, &[&compare[..], &["--page", "p", "--recordings", "p"]].concat());
    // the page that is shown as the earlier one
    let earlier = "p/Claves-bar-100-0-preset.wav";
    write_tone(&folder, earlier);
    folder.write("map.toml", map(recording));
    assert_kept(&folder, earlier, &[&compare[..], &["--page", "p", "--spectrograms", "s", "--before", "p"]].concat());
    std::fs::create_dir(folder.path("m")).expect("a folder");
    folder.write("m/index.html", map(recording));
    assert_kept(&folder, "m/index.html", &["presets", "compare", "m/index.html", "--page", "m", "--recordings", "."]);
}

#[test]
fn every_instrument_of_a_map_has_its_own_files() {
    let folder = Folder::new("kept-names");
    write_tone(&folder, "0.wav");
    let section = |kind: &str| {
        format!(
            "[[instruments]]\nkind = \"{kind}\"\npreset = \"Claves\"\nkey = 60\nshift = 0\nstrokes = [{{ file = \"0.wav\" }}]\n"
        )
    };
    folder.write("map.toml", section("a/b") + &section("a_b") + &section("..") + &section("A b"));
    folder.succeed(&["presets", "compare", "map.toml", "--spectrograms", "s", "--page", "p"]);
    let names = |folder: std::path::PathBuf, ending: &str| {
        let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<_> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
        names.retain(|name| name.ends_with(ending));
        names.sort();
        names
    };
    assert_eq!(names(folder.path("s"), ".png"), ["__.png", "a_b.png", "a_b_2.png", "a_b_3.png"]);
    let sounds = ["Claves---", "Claves-A-b-3", "Claves-a-b", "Claves-a-b-2"].map(|name| format!("{name}-100-0-preset.wav"));
    assert_eq!(names(folder.path("p"), "-preset.wav"), sounds);
    assert_eq!(folder.names(), ["0.wav", "map.toml", "p", "s"], "no picture beside its folder");
    let long = "x".repeat(101);
    for (kind, problem) in
        [("", "the name is empty"), (" ", "the name is empty"), (&long, "a name of 101 characters is too long")]
    {
        folder.write("map.toml", section(kind));
        let complaint = folder.refuse(&["presets", "compare", "map.toml", "--spectrograms", "t"]);
        assert!(complaint.contains(&format!("map.toml, line 2, instruments[0].kind: {problem}; give a name of")), "{complaint}");
    }
}

#[test]
fn a_comparison_that_fails_leaves_no_folder() {
    let folder = Folder::new("kept-empty");
    folder
        .write("map.toml", "[[instruments]]\nkind = \"bar\"\npreset = \"Claves\"\nkey = 60\nstrokes = [{ file = \"0.wav\" }]\n");
    let complaint = folder.refuse(&["presets", "compare", "map.toml", "--page", "new/page", "--spectrograms", "s"]);
    assert!(complaint.contains("map.toml, line 5, instruments[0].strokes[0].file: 0.wav: no such file"), "{complaint}");
}
