//! Inputs that could be read in another sense than meant are refused, or named in a note.

use crate::support::midi_writer::{C4_OFF, C4_ON, header, song, track};
use crate::support::program::Folder;

const CASE: &str = "[contact]\nstiffness = 1e7\nexponent = 1.1\n[striker]\nmass = 0.01\nvelocity = 0.3\n";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("in.mid", song(&[(0, C4_ON), (240, C4_OFF)]));
    folder
}

fn assert_refused(folder: &Folder, arguments: &[&str], message: &str) {
    let complaint = folder.refuse(arguments);
    assert!(complaint.contains(message), "{arguments:?}: {message:?} missing in: {complaint}");
}

#[test]
fn a_tempo_of_a_wrong_size_gives_a_note() {
    let folder = folder("wrong-tempo");
    let events = track(&[(0, &[0xff, 0x51, 2, 7, 0xa1]), (0, C4_ON), (240, C4_OFF)]);
    folder.write("tempo.mid", [header(0, 1, 480), events].concat());
    let output = folder.run(&["render", "tempo.mid", "o.wav", "--tail", "0"]);
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    let note = "note: tempo.mid: the tempo in track 1, byte 0, has 2 bytes instead of 3 and is ignored; export it again";
    assert!(output.status.success() && said.contains(note), "{said}");
}

#[test]
fn a_drive_signal_is_mono_or_stereo() {
    let folder = folder("drive-channels");
    let spec = hound::WavSpec { channels: 3, sample_rate: 48_000, bits_per_sample: 16, sample_format: hound::SampleFormat::Int };
    let mut writer = hound::WavWriter::create(folder.path("three.wav"), spec).expect("a WAV file");
    (0..3_000).for_each(|n| writer.write_sample((n % 100) as i16).expect("a sample"));
    writer.finalize().expect("a WAV file");
    let drive = ["render", "in.mid", "o.wav", "--drive", "three.wav"];
    assert_refused(&folder, &drive, "three.wav: 3 channels are neither mono nor stereo; save it with one or two channels");
}

#[test]
fn a_body_of_modes_needs_modes() {
    let folder = folder("no-modes");
    folder.write("p.toml", "schema = 2\n[body]\nkind = \"modes\"\n");
    folder.write("kit.toml", "schema = 2\n[[zone]]\nname = \"Tom\"\nkeys = [60, 60]\n[zone.body]\nkind = \"modes\"\n");
    let message = "the body type modes needs a list of modes, and there is none; give a preset with sections [[modes]]";
    for arguments in [
        &["render", "in.mid", "o.wav", "--preset", "p.toml"][..],
        &["render", "in.mid", "o.wav", "--set", "body=modes"],
        &["modes", "modes"],
        &["modes", "p.toml"],
        &["presets", "check", "p.toml"],
    ] {
        assert_refused(&folder, arguments, message);
    }
    assert_refused(&folder, &["render", "in.mid", "o.wav", "--preset", "kit.toml"], &format!("Tom: {message}"));
}

#[test]
fn ranges_of_modes_are_checked() {
    let folder = folder("mode-ranges");
    for (line, message) in [
        ("ratio = 1e300", "p.toml, line 5, modes[0].ratio: the ratio 1e300 is out of range; give a ratio from 1e-9 to 1e9"),
        ("ratio = 1.0\ndecay = 1e300", "p.toml, line 6, modes[0].decay: a decay rate of 1e300 1/s is out of range; give a decay"),
    ] {
        folder.write("p.toml", format!("schema = 2\n[body]\nkind = \"modes\"\n[[modes]]\n{line}\n"));
        assert_refused(&folder, &["render", "in.mid", "o.wav", "--preset", "p.toml"], message);
    }
    for (line, message) in [
        ("ratio = 1e300", "m.toml, line 2, modes[0].ratio: 1e300 is out of range; give a ratio from 1e-9 to 1e9"),
        ("frequency = 440.0\nt60 = 1e-300", "m.toml, line 3, modes[0].t60: a decay rate of 6.907755278982137e300 1/s is out of"),
        ("frequency = 440.0\nq = 1e-300", "m.toml, line 3, modes[0].q: a decay rate of 1.38230076757950"),
    ] {
        folder.write("m.toml", format!("[[modes]]\n{line}\n"));
        assert_refused(&folder, &["modes", "from-file", "m.toml", "--out", "p2.toml"], message);
    }
    folder.write("m.toml", "reference = 1e-300\n[[modes]]\nfrequency = 440.0\n");
    assert_refused(&folder, &["modes", "from-file", "m.toml"], "line 1, reference: 1e-300 Hz is not the frequency of a partial");
}

#[test]
fn a_case_is_checked_for_what_its_scheme_does_not_use() {
    let folder = Folder::new("case-scheme");
    let refuse = |from: &str, to: &str, message: &str| {
        folder.write("c.toml", CASE.replacen(from, to, 1));
        assert_refused(&folder, &["strike", "c.toml", "--trace", "t.csv"], message);
    };
    for scheme in ["heun", "piecewise"] {
        let head = format!("scheme = \"{scheme}\"\nsubsteps_per_contact = 32\n[contact]");
        let message = "line 2, substeps_per_contact: only the edg scheme has substeps; remove it, or choose scheme = \"edg\"";
        refuse("[contact]", &head, message);
    }
    refuse("mass = 0.01", "mass = 1e-300", "striker.mass: 1e-300 is out of range; give a mass from 1e-12 to 1e12 kg");
    refuse("[contact]", "scheme = \"hune\"\n[contact]", "scheme: \"hune\" is unknown (did you mean \"heun\"?); possible values");
    refuse("[contact]", "[contact]\nlaw = \"hunt-crosley\"", "is unknown (did you mean \"hunt-crossley\"?)");
    folder.write("c.toml", format!("substeps_per_contact = 32\n{CASE}"));
    folder.succeed(&["strike", "c.toml"]);
}

#[test]
fn a_short_row_and_an_empty_line_are_refused() {
    let folder = Folder::new("short-rows");
    for (text, message) in [
        (
            "frequency,t60\n440\n",
            "m.csv, line 2, modes[0]: 1 values under 2 column names; give 2 values, and leave a place empty",
        ),
        ("frequency,t60\n440,1\n880", "m.csv, line 3, modes[1]: 1 values under 2 column names"),
        ("440.0,1.0\n880.0,0.5\n", "m.csv, line 1: the names of the columns are missing; begin with a row of them, for example"),
    ] {
        folder.write("m.csv", text);
        assert_refused(&folder, &["modes", "from-file", "m.csv"], message);
    }
    folder.write("m.csv", "frequency,t60\n440,\n880,1\n");
    folder.succeed(&["modes", "from-file", "m.csv"]);
    folder.write("t.kbm", "! a\n12\n0\n127\n60\n69\n\n12\n0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n");
    let message = "t.kbm, line 7: the reference frequency is empty; a key map has one line for each of these: size, first";
    assert_refused(&folder, &["tune", "check", "t.kbm"], message);
    folder.write("t.kbm", "! a\n\n0\n0\n127\n60\n69\n440\n12\n\n\n");
    folder.succeed(&["tune", "check", "t.kbm"]);
}

#[test]
fn units_and_names_are_suggested() {
    let folder = folder("suggested");
    for (text, message) in [
        (
            "[hammer]\nmass = \"12 lb\"",
            "hammer.mass: expected a number, found text; write it as 1.0, or with a unit (mg, g, kg or t)",
        ),
        ("[stage]\nhome_key = \"H9\"", "write it as 60, or as a note from \"C-1\" to \"G9\", for example \"C4\""),
        (
            "[body]\nkind = \"marmba\"",
            "body.kind: \"marmba\" is not an allowed value (did you mean \"marimba\"?); give string or",
        ),
        ("[tuning]\nreference = 1e300", "tuning.reference: 1e300 is out of range; give a frequency"),
        ("[[zone]]\npreset = \"Clavs\"", "there is no factory preset \"Clavs\" (did you mean \"Claves\"?); give the name"),
        ("[drive]\nsample = \"nowhere.wav\"", "drive.sample: nowhere.wav: no such file; check the name"),
        ("[drive]\nsample = \".\"", "drive.sample: .: this is a folder; give the name of a file in it"),
    ] {
        folder.write("p.toml", format!("schema = 2\n{text}\n"));
        assert_refused(&folder, &["render", "in.mid", "o.wav", "--preset", "p.toml"], message);
    }
    folder.write("c.toml", CASE.replace("0.01", "\"12 lb\""));
    assert_refused(
        &folder,
        &["strike", "c.toml"],
        "striker.mass: expected a number, found text; write it as 1.0, or with a unit (mg, g",
    );
    folder.write("m.csv", "frequency,t60\n440 Hz,1\n");
    assert_refused(&folder, &["modes", "from-file", "m.csv"], "expected a number, found text; write it as 1.0, without a unit");
}

#[test]
fn what_is_no_preset_is_named_so() {
    let folder = folder("no-preset");
    let damaged =
        "damaged, or neither a preset nor a saved state of Urto; give a preset in TOML as UTF-8 text, or save the state";
    for name in ["s.vstpreset", "s.bin"] {
        folder.succeed(&["presets", "export", "Claves", name]);
        let whole = folder.read(name);
        for length in [1, 3, 20, 49, 500, whole.len() - 1] {
            folder.write(name, &whole[..length]);
            let complaint = folder.refuse(&["presets", "show", name]);
            // of a state without a name that ends in .vstpreset the first bytes may be text
            let is_short = name == "s.bin" && length < 8;
            assert!(complaint.contains(damaged) || is_short, "{name}, {length} bytes: {complaint}");
        }
    }
    folder.write("p.toml", b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR");
    assert_refused(&folder, &["render", "in.mid", "o.wav", "--preset", "p.toml"], &format!("p.toml: {damaged}"));
    for command in ["show", "save", "check"] {
        assert_refused(
            &folder,
            &["presets", command, ""],
            "the name of the preset is empty; give a name from urto-cli presets list",
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_bad_file_among_the_presets_of_the_user_is_named() {
    let folder = folder("bad-user-file");
    std::fs::create_dir_all(folder.path("home/urto/presets")).expect("a folder");
    folder.write("home/urto/presets/Bad.toml", b"\x89PNG\xff\0");
    let message = "Bad.toml: damaged, or not a preset: it is not text; give a preset in TOML.";
    assert_refused(&folder, &["presets", "show", "bad"], message);
    assert!(folder.succeed(&["presets", "list"]).contains("cannot be read: "), "it is listed");
}

#[test]
fn usage_that_is_nearly_right_is_explained() {
    let folder = folder("usage");
    let render = ["render", "in.mid", "o.wav"];
    let wav_32 = "\"wav-32\" is not an allowed value (did you mean wav-float?)";
    assert_refused(&folder, &[&render[..], &["--format", "wav-32"]].concat(), wav_32);
    assert_refused(&folder, &["modes", "bar", "disc"], "\"disc\" cannot be used with <SHAPE>; leave one of them out");
    let key = "--key 36: the zone \"Snare\" of \"Studio Kit\" is not on this key; leave out --key, or give its own: \"Snare\" on key 38";
    assert_refused(&folder, &["modes", "Studio Kit", "--zone", "Snare", "--key", "36"], key);
    let escaped = "--set \\u{1b}[31m\\u{202e}=1: no parameter \"\\u{1b}[31m\\u{202e}\"";
    assert_refused(&folder, &[&render[..], &["--set", "\x1b[31m\u{202e}=1"]].concat(), escaped);
}

#[test]
fn a_truncated_song_and_recording_are_named_so() {
    let folder = folder("truncated");
    folder.write("cut.mid", [&header(1, 2, 480)[..], &track(&[])].concat());
    let message = "cut.mid: no notes, and 1 of 2 tracks are present; the file may be truncated; give a MIDI file with notes";
    assert_refused(&folder, &["render", "cut.mid", "o.wav"], message);
    folder.succeed(&["render", "in.mid", "x.flac", "--tail", "0.2"]);
    let whole = folder.read("x.flac");
    folder
        .write("map.toml", "[[instruments]]\nkind = \"bar\"\npreset = \"Claves\"\nkey = 60\nstrokes = [{ file = \"x.flac\" }]\n");
    for length in [0, 4, whole.len() / 2] {
        folder.write("x.flac", &whole[..length]);
        let complaint = folder.refuse(&["presets", "compare", "map.toml"]);
        let place = "map.toml, line 5, instruments[0].strokes[0].file: x.flac: not a FLAC file, or damaged (it ends too early)";
        assert!(complaint.contains(place), "{length} bytes: {complaint}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn names_of_files_need_not_be_utf_8() {
    use std::os::unix::ffi::OsStrExt;
    let folder = folder("other-names");
    let name = |ending: &[u8]| std::ffi::OsStr::from_bytes(&[b"\xff\xfe", ending].concat()).to_owned();
    let (preset, scale) = (name(b".toml"), name(b".scl"));
    std::fs::write(folder.path(".").join(&preset), "schema = 2\n").expect("a file");
    std::fs::write(folder.path(".").join(&scale), "a\n 1\n 2/1\n").expect("a file");
    let run = |arguments: &[&str], file: &std::ffi::OsStr, rest: &[&str]| {
        let output = folder.command(arguments).arg(file).args(rest).output().expect("the program runs");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    };
    run(&["render", "in.mid", "o.wav", "--tail", "0", "--preset"], &preset, &[]);
    run(&["render", "in.mid", "o.wav", "--tail", "0", "--scale"], &scale, &[]);
    run(&["modes"], &preset, &[]);
    run(&["presets", "show"], &preset, &[]);
    run(&["presets", "export"], &preset, &["state"]);
    run(&["tune", "check"], &scale, &[]);
    run(&["tune", "check"], &preset, &[]);
}
