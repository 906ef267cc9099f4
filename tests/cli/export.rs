//! Instruments for samplers: their samples are Urto's notes, and every map names files that exist.
//!
//! `cargo xtask samplers` plays and parses larger exports with programs of other developers.

use std::collections::BTreeSet;

use crate::support::midi_writer::song;
use crate::support::program::Folder;

/// A short sound.
const SHORT: &str = "schema = 2\nname = \"Short bar\"\ntags = [\"bar\", \"a & b\"]\n[body]\ndecay = 0.1\n";
/// A kit with a hi-hat.
const KIT: &str = "schema = 2\nname = \"Hats\"\n[[zone]]\nname = \"Kick\"\nkeys = [36]\n[zone.body]\ndecay = 0.1\n\
    [[zone]]\nname = \"Closed\"\nkeys = [42]\nchoke = 3\n[zone.body]\ndecay = 0.05\n\
    [[zone]]\nname = \"Open\"\nkeys = [46]\nchoke = 3\n[zone.body]\ndecay = 0.2\n";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("short.toml", SHORT);
    folder.write("kit.toml", KIT);
    folder
}

/// Exports two keys at two velocities with two round robins, in `format`.
fn export(folder: &Folder, format: &str) -> String {
    let options = ["--keys", "60,64", "--velocities", "40,127", "--round-robins", "2", "--rate", "22050"];
    folder.succeed(&[&["export", "short.toml", "out", "--format", format], &options[..]].concat())
}

#[test]
fn the_first_stroke_of_a_key_is_the_note_of_the_preset() {
    let folder = folder("export-notes");
    let said = export(&folder, "wav");
    assert!(said.contains("8 samples of 2 keys and 2 layers"), "{said}");
    for (key, name, velocity) in [(60, "C4", 40), (64, "E4", 127)] {
        folder.write("in.mid", song(&[(0, &[0x90, key, velocity]), (1920, &[0x80, key, 64])]));
        let options = ["--preset", "short.toml", "--rate", "22050", "--bits", "24", "--tail", "0"];
        folder.succeed(&[&["render", "in.mid", "note.wav"], &options[..]].concat());
        let (note, _) = folder.read_wav("note.wav");
        let file = |round: u8| format!("out/samples/Short_bar_{name}_v{velocity:03}_rr{round}.wav");
        let (sample, right) = folder.read_wav(&file(1));
        assert_eq!(sample.len(), right.len());
        let start = (0..200).find(|&start| note[start..start + 500] == sample[..500]).expect("the note begins with the sample");
        // the last 2 ms fade
        let end = sample.len() - 45;
        assert!(note[start..start + end] == sample[..end], "key {key} differs");
        let peak = |samples: &[f32]| samples.iter().fold(0.0_f32, |peak, x| peak.max(x.abs()));
        assert!(peak(&note[start + end..]) < 10_f32.powf(-4.2) * peak(&note), "cut off too early");
        let (varied, _) = folder.read_wav(&file(2));
        let difference: f32 = sample.iter().zip(&varied).take(2_000).map(|(a, b)| (a - b).powi(2)).sum();
        assert!(difference > 1e-4 * sample.iter().take(2_000).map(|x| x * x).sum::<f32>(), "the same stroke twice");
    }
    let list = String::from_utf8(folder.read("out/samples.csv")).expect("UTF-8");
    let files: BTreeSet<_> = list.lines().skip(1).map(|line| line.split(',').next().expect("a name").to_owned()).collect();
    assert_eq!(files.len(), 8);
    assert!(files.iter().all(|file| folder.path(&format!("out/{file}")).is_file()), "{files:?}");
}

/// The values of `name="VALUE"` or `name=VALUE` in `text`.
fn values<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let parts = text.split(name).skip(1).map(|rest| rest.trim_start_matches('"'));
    parts.map(|rest| rest.split(['"', ' ', '\n']).next().expect("a value")).collect()
}

#[test]
fn maps_name_every_sample_and_interpolate_levels() {
    let folder = folder("export-maps");
    export(&folder, "sfz");
    let samples = std::fs::read_dir(folder.path("out/samples")).expect("samples");
    let samples: BTreeSet<_> = samples.map(|entry| entry.expect("a file").file_name().into_string().expect("UTF-8")).collect();
    let sfz = String::from_utf8(folder.read("out/Short_bar.sfz")).expect("UTF-8");
    assert!(
        sfz.starts_with("// Short bar\n// Made by Urto ") && sfz.contains("human_seed = 0, roll_seed = 0\n// Tags: bar, a & b\n"),
        "{sfz}"
    );
    assert_eq!(values(&sfz, " sample=samples/").into_iter().map(String::from).collect::<BTreeSet<_>>(), samples);
    assert_eq!(values(&sfz, "seq_position=").len(), 8);
    let softer: f64 = values(&sfz, "amp_velcurve_40=")[1].parse().expect("a level");
    let level = |velocity: &str| {
        let (left, right) = folder.read_wav(&format!("out/samples/Short_bar_C4_v{velocity}_rr1.wav"));
        left.iter().chain(&right).map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt()
    };
    assert!((level("040") / level("127") / softer - 1.0).abs() < 1e-3, "{softer}");
    export(&folder, "decentsampler");
    let xml = String::from_utf8(folder.read("out/Short_bar.dspreset")).expect("UTF-8");
    assert!(xml.contains("Tags: bar, a &amp; b\n"), "{xml}");
    let paths = values(&xml, "path=").into_iter().map(|path| path.trim_start_matches("samples/").to_owned());
    assert_eq!(paths.collect::<BTreeSet<_>>(), samples);
}

#[test]
fn a_soundfont_holds_the_samples_of_wav_files() {
    let folder = folder("export-sf2");
    let data = |bits: &str| {
        let options = ["--keys", "60", "--velocities", "1", "--round-robins", "1", "--bits", bits];
        folder.succeed(&[&["export", "short.toml", "sf2", "--format", "sf2"], &options[..]].concat());
        folder.succeed(&[&["export", "short.toml", "wav", "--format", "wav"], &options[..]].concat());
        folder.read("sf2/Short_bar.sf2")
    };
    for (bits, has_low) in [("24", true), ("16", false)] {
        let font = data(bits);
        assert_eq!(u32::from_le_bytes(font[4..8].try_into().expect("a size")) as usize + 8, font.len());
        let place = |name: &[u8; 4]| font.windows(4).position(|window| window == name).map(|at| at + 8);
        let (high, low) = (place(b"smpl").expect("samples"), place(b"sm24"));
        assert_eq!(low.is_some(), has_low);
        let (left, right) = folder.read_wav("wav/samples/Short_bar_C4_v127_rr1.wav");
        let word = |n: usize| i32::from(i16::from_le_bytes([font[high + 2 * n], font[high + 2 * n + 1]]));
        let sample = |n: usize| low.map_or_else(|| word(n) << 8, |low| word(n) << 8 | i32::from(font[low + n]));
        // after 1.5 ms of silence
        let value = |n: usize| sample(72 + n) as f32 / 8_388_608.0;
        assert!((0..72).all(|n| sample(n) == 0));
        if has_low {
            assert!((0..left.len()).all(|n| value(n) == left[n]));
            assert!((0..right.len()).all(|n| value(left.len() + 46 + 72 + n) == right[n]));
        } else {
            // the dither of both files is different
            assert!((0..left.len()).all(|n| (value(n) - left[n]).abs() < 3.1 / 32_768.0));
        }
    }
}

#[test]
fn keys_of_a_kit_choke_each_other() {
    let folder = folder("export-kit");
    for format in ["sfz", "decentsampler"] {
        let options = ["--velocities", "1", "--round-robins", "1", "--format", format];
        let said = folder.succeed(&[&["export", "kit.toml", "out"], &options[..]].concat());
        assert!(said.contains("3 samples of 3 keys"), "{said}");
    }
    let sfz = String::from_utf8(folder.read("out/Hats.sfz")).expect("UTF-8");
    assert_eq!(sfz.matches("group=3 off_by=3 off_mode=fast").count(), 2);
    assert_eq!(values(&sfz, "lokey="), values(&sfz, "hikey="));
    let xml = String::from_utf8(folder.read("out/Hats.dspreset")).expect("UTF-8");
    assert_eq!(values(&xml, "silencedByTags="), ["key46", "key42"]);
}

#[test]
fn invalid_exports_are_refused() {
    let folder = folder("export-refused");
    for (options, problem) in [
        (&["--keys", "C4-C3"][..], "--keys C4-C3: \"C4-C3\" is neither a key nor a range of keys; give keys from 0 to 127"),
        (&["--velocities", "0"], "--velocities 0: \"0\" is neither a number of layers nor a list of velocities; give"),
        (&["--round-robins", "0"], "--round-robins 0: 0 is out of range; give a whole number from 1 to 32"),
        (&["--format", "sf2", "--bits", "32"], "--bits 32: a SoundFont has no floating point; give --bits 24 or 16"),
        (
            &["--format", "sf2", "--keys", "0-99", "--velocities", "24", "--round-robins", "2"],
            "4800 samples are more than the 4681 that a SoundFont can hold; give fewer --keys",
        ),
        (&["--format", "exs"], "\"exs\" is not an allowed value"),
        (&["--max-length", "0"], "--max-length 0: 0 is out of range"),
        (&["--set", "nonsense=1"], "no parameter \"nonsense\""),
    ] {
        let complaint = folder.refuse(&[&["export", "short.toml", "out"], options].concat());
        assert!(complaint.contains(problem), "{complaint}");
    }
    let complaint = folder.refuse(&["export", "kit.toml", "out", "--keys", "60"]);
    assert!(complaint.contains("Hats: no key that is asked for has a sound; give --keys with keys of its zones"), "{complaint}");
    assert!(folder.refuse(&["export", "short.toml", "-"]).contains("several files cannot go to standard output"));
    assert!(folder.refuse(&["export", "short.toml", "short.toml"]).contains("short.toml"));
    std::fs::create_dir_all(folder.path("out/samples")).expect("a folder");
    std::fs::hard_link(folder.path("short.toml"), folder.path("out/samples.csv")).expect("a link");
    let complaint = folder.refuse(&["export", "short.toml", "out", "--format", "wav"]);
    assert!(complaint.contains("this is also an input file"), "{complaint}");
    assert_eq!(folder.read("short.toml"), SHORT.as_bytes());
}
