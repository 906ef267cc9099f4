//! `render` with several MIDI files or presets, on all processors.

use crate::support::midi_writer::{C4_ON, song};
use crate::support::program::Folder;

/// A folder with the songs `one.mid` and `two.mid`.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("one.mid", song(&[(0, C4_ON), (200, &[0x90, 64, 90])]));
    folder.write("two.mid", song(&[(50, &[0x90, 67, 70])]));
    folder
}

/// The files in the folder `out`.
fn files(folder: &Folder) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path("out")).expect("a folder");
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Every song with every preset has the bits that it has when it is rendered alone.
#[test]
fn several_songs_and_presets_give_the_bits_of_one_each() {
    let folder = folder("several");
    let common = ["--tail", "0.2", "--set", "level=-9"];
    let presets = ["--preset", "Rosewood Marimba", "--preset", "Piano C4 Wire"];
    let report = folder.succeed(&[&["render", "one.mid", "two.mid", "out"], &presets[..], &common].concat());
    let expected = ["one Piano C4 Wire.wav", "one Rosewood Marimba.wav", "two Piano C4 Wire.wav", "two Rosewood Marimba.wav"];
    assert_eq!(files(&folder), expected);
    let lines: Vec<_> = report.lines().map(|line| line.split(": ").next().unwrap_or_default()).collect();
    let order = [expected[1], expected[0], expected[3], expected[2]].map(|name| format!("out/{name}"));
    assert!(lines.iter().zip(&order).all(|(line, name)| line.replace('\\', "/") == *name), "{report}");
    for name in expected {
        let (song, preset) = (format!("{}.mid", &name[..3]), &name[4..name.len() - 4]);
        folder.succeed(&[&["render", &song, "alone.wav", "--preset", preset], &common[..]].concat());
        assert!(folder.read(&format!("out/{name}")) == folder.read("alone.wav"), "{name}");
    }
}

#[test]
fn one_preset_needs_no_name_and_the_format_gives_the_ending() {
    let folder = folder("several-formats");
    folder.succeed(&["render", "one.mid", "two.mid", "out", "--tail", "0.1", "--format", "flac-16", "--stems", "outputs"]);
    assert_eq!(files(&folder), ["one Output 1.flac", "one.flac", "two Output 1.flac", "two.flac"]);
}

#[test]
fn several_renderings_are_refused_before_anything_is_written() {
    let folder = folder("several-refused");
    let pipe = folder.refuse(&["render", "one.mid", "two.mid", "-"]);
    assert!(pipe.contains("several files need a folder; give the name of a folder as the last argument"), "{pipe}");
    folder.write("out.wav", b"kept");
    assert!(folder.refuse(&["render", "one.mid", "two.mid", "out.wav"]).contains("several files need a folder"));
    let trace = folder.refuse(&["render", "one.mid", "two.mid", "out", "--trace", "trace.csv"]);
    assert!(trace.contains("--trace: several renderings cannot share one file"), "{trace}");
    let twice = folder.refuse(&["render", "one.mid", "./one.mid", "out"]);
    assert!(twice.contains("two outputs go to this file"), "{twice}");
    let missing = folder.refuse(&["render", "one.mid", "three.mid", "out"]);
    assert!(missing.contains("three.mid") && !folder.path("out").exists(), "{missing}");
}

/// The bits of `render-all` do not depend on the number of files rendered beside.
#[test]
fn render_all_gives_the_bits_of_one_preset_alone() {
    let folder = Folder::new("several-phrases");
    folder.succeed(&["presets", "render-all", "--out", "out", "--only", "woodblock", "--only", "claves"]);
    let together = files(&folder);
    assert!(together.len() >= 2, "{together:?}");
    for name in together {
        let preset = name.split_once(' ').expect("a number").1.trim_end_matches(".wav");
        folder.succeed(&["presets", "render-all", "--out", "alone", "--only", preset]);
        assert!(folder.read(&format!("out/{name}")) == folder.read(&format!("alone/{name}")), "{name}");
    }
}
