//! Invalid input: one sentence with file, place and fix, exit code 2, no file written.

use crate::support::midi_writer::{C4_ON, header, song, tempo, track};
use crate::support::program::Folder;

const CASE: &str = "[contact]\nstiffness = 1e7\nexponent = 1.1\ndamping = 0.1\n[striker]\nmass = 0.01\nvelocity = 0.3\n";

fn assert_holds(complaint: &str, parts: &[&str]) {
    assert!(parts.iter().all(|part| complaint.contains(part)), "{parts:?} missing in: {complaint}");
}

/// The complaint about a case in which `from` is replaced by `to`.
fn strike(folder: &Folder, from: &str, to: &str) -> String {
    assert!(CASE.contains(from));
    folder.write("case.toml", CASE.replacen(from, to, 1));
    folder.refuse(&["strike", "case.toml", "--json", "--trace", "trace.csv", "--plot", "plot.svg"])
}

#[test]
fn an_invalid_case_is_rejected_with_line_key_and_fix() {
    let folder = Folder::new("bad-case");
    for (from, to, parts) in [
        (
            "mass = 0.01",
            "mass = -0.01",
            ["case.toml, line 6, striker.mass: -0.01 is out of range", "a mass from 1e-12 to 1e12 kg"],
        ),
        ("mass = 0.01", "masss = 0.01", ["line 5, striker.mass: missing", "give a mass"]),
        ("mass = 0.01", "mass = 0.01\nmasss = 1", ["line 7, striker.masss: unknown key", "the keys here are mass, velocity"]),
        ("mass = 0.01", "mass = \"heavy\"", ["line 6, striker.mass: expected a number, found text", "write it as"]),
        ("mass = 0.01", "mass = inf", ["line 6, striker.mass: not a finite number", "give a number"]),
        ("exponent = 1.1", "exponent = 0.9", ["line 3, contact.exponent: 0.9 is out of range", "from 1 to 5"]),
        ("exponent = 1.1", "exponent = 5.1", ["contact.exponent", "from 1 to 5"]),
        ("stiffness = 1e7", "stiffness = 0", ["line 2, contact.stiffness", "above 0"]),
        ("damping = 0.1", "damping = -0.1", ["line 4, contact.damping", ">= 0"]),
        ("damping = 0.1", "law = \"hooke\"", ["contact.law: \"hooke\" is unknown", "\"restitution\" or \"felt\""]),
        ("damping = 0.1", "law = \"restitution\"", ["contact.restitution: missing", "the returned fraction of the energy"]),
        ("damping = 0.1", "law = \"felt\"\nrelaxation = 1.0", ["contact.relaxation: 1 is out of range", "to 0.9999"]),
        ("damping = 0.1", "damping = 0.1\nlaw = \"felt\"", ["contact.relaxation: missing", "relaxing fraction of the force"]),
        ("[contact]", "scheme = \"euler\"\n[contact]", ["line 1, scheme: \"euler\" is unknown", "\"edg\" or \"k-method\" or "]),
        (
            "[contact]",
            "scheme = \"offset\"\n[contact]",
            ["line 1, scheme: this scheme does not support this law", "\"k-method\" or "],
        ),
        ("[contact]", "segments = 8\n[contact]", ["line 1, segments: only the piecewise scheme has segments", "\"piecewise\""]),
        ("[contact]", "duration = 0.0\n[contact]", ["line 1, duration", "above 0 and up to 600 s"]),
        ("[contact]", "duration = 1e6\n[contact]", ["line 1, duration", "up to 600 s"]),
        ("[contact]", "sample_rate = -1\n[contact]", ["line 1, sample_rate", "1000 to 1e7 Hz"]),
        ("[contact]", "substeps_per_contact = 0\n[contact]", ["line 1, substeps_per_contact", "from 1"]),
        ("[contact]", "[kontact]\n[contact]", ["line 1, kontact: unknown key", "contact, striker, body"]),
        (
            "velocity = 0.3",
            "velocity = 0.3\nposition = 1e-3",
            ["line 8, striker.position: 0.001", "0 (touching) or a negative compression"],
        ),
        ("mass = 0.01", "mass = 1e300", ["striker.mass: 1e300 is out of range", "to 1e12 kg, for example 0.012 or \"12 g\""]),
        ("mass = 0.01", "mass = \"12 s\"", ["line 6, striker.mass: expected a number, found text", "write it as 1.0"]),
        ("mass = 0.01", "mass = \"12\" # kg\nvelocity = 0\n[body]\nx = 1\n#", ["line 9, body.x: unknown key", "modes"]),
        ("[contact]", "duration = \"900 s\"\n[contact]", ["a duration of 900 s", "for example 0.01 or \"10 ms\", or remove it"]),
        ("velocity = 0.3", "velocity = ", ["line 7: not valid TOML", "correct the line"]),
        ("velocity = 0.3", "velocity = 0.3\nvelocity = 0.4", ["line 8", "duplicate"]),
    ] {
        assert_holds(&strike(&folder, from, to), &parts);
    }
    let mode = |mode: &str| {
        format!("velocity = 0.3\n[body]\nmodes = [\n  {{ frequency = 220.0, decay = 2.0, mass = 0.05 }},\n  {{ {mode} }} ]")
    };
    for (bad, parts) in [
        ("frequency = 21169.0, decay = 1, mass = 1", ["line 11, body.modes[1].frequency: 21169 is out of range", "to 21168 Hz"]),
        ("frequency = 220.0, decay = -1, mass = 1", ["line 11, body.modes[1].decay", ">= 0"]),
        ("frequency = 220.0, decay = 1, mass = 0", ["line 11, body.modes[1].mass", "from 1e-12"]),
        ("frequency = 220.0, decay = 1, mass = 1, shap = 1", ["line 11, body.modes[1].shap: unknown key", "shape"]),
        ("frequency = 220.0, decay = 1", ["line 11, body.modes[1].mass: missing", "from 1e-12"]),
    ] {
        assert_holds(&strike(&folder, "velocity = 0.3", &mode(bad)), &parts);
    }
    assert_holds(&strike(&folder, "[contact]", "[other]"), &["contact: missing", "add a section [contact]"]);
}

#[test]
fn missing_and_binary_files_are_named() {
    let folder = Folder::new("bad-files");
    assert_holds(&folder.refuse(&["strike", "none.toml"]), &["none.toml: no such file", "check the name"]);
    folder.write("latin.toml", b"# \xe4");
    assert_holds(&folder.refuse(&["strike", "latin.toml"]), &["latin.toml", "UTF-8"]);
    assert_holds(&folder.refuse(&["render", "none.mid", "out.wav"]), &["none.mid: no such file"]);
    folder.write("in.mid", song(&[(0, C4_ON)]));
    assert_holds(&folder.refuse(&["render", "in.mid", "out.wav", "--drive", "none.wav"]), &["none.wav: no such file"]);
    assert_holds(&folder.refuse(&["render", "in.mid", "out.wav", "--drive", "in.mid"]), &["in.mid: not a WAV file", "PCM"]);
    assert_holds(&folder.refuse(&["render", "in.mid", "none/out.wav"]), &["none/out.wav", "create the folder first"]);
    assert_holds(&folder.refuse(&["render", "in.mid", "."]), &["folder", "give the name of a file"]);
    let trace = folder.refuse(&["render", "in.mid", "out.wav", "--trace", "none/trace.csv"]);
    assert_holds(&trace, &["none/trace.csv", "create the folder first"]);
    let over = folder.refuse(&["render", "in.mid", "./in.mid"]);
    assert_holds(&over, &["this is also an input file", "choose another name"]);
    folder.write("case.toml", CASE);
    let plot = folder.refuse(&["strike", "case.toml", "--trace", "trace.csv", "--plot", "none/p.svg"]);
    assert_holds(&plot, &["none/p.svg", "create the folder first"]);
}

#[test]
fn an_invalid_midi_file_is_rejected() {
    let folder = Folder::new("bad-midi");
    let whole = song(&[(0, C4_ON)]);
    let stray = track(&[(0, C4_ON), (0, &[0xc0, 0]), (10, &[0xf4])]);
    for (bytes, parts) in [
        (Vec::new(), ["in.mid: the file is empty", "standard MIDI file"]),
        (b"RIFF, or what you will".to_vec(), ["not a MIDI file", "export it again"]),
        (whole[..10].to_vec(), ["not a MIDI file", "export it again"]),
        (song(&[]), ["no notes", "with notes"]),
        (song(&[(0, &[0x90, 60, 0])]), ["no notes", "with notes"]),
        (header(1, 0, 480), ["no notes", "with notes"]),
        ([header(2, 1, 480), track(&[(0, C4_ON)])].concat(), ["format 2 contains several songs", "save one song"]),
        ([header(0, 1, 0), track(&[(0, C4_ON)])].concat(), ["no ticks per beat", "export it again"]),
        ([header(0, 1, 0x8028), track(&[(0, C4_ON)])].concat(), ["no frame rate", "export it again"]),
        ([header(0, 1, 0xf328), track(&[(0, C4_ON)])].concat(), ["not a MIDI file", "export it again"]),
        (song(&[(0, C4_ON), (7, &tempo(0)), (7, C4_ON)]), ["the tempo at tick 7", "give a beat of at least 1 µs"]),
        (song(&[(0, &[60, 100])]), ["damaged in track 1, byte 0", "export it again"]),
        ([header(0, 1, 480), stray].concat(), ["damaged in track 1, byte 7", "export it again"]),
        (song(&[(0x0fff_ffff, C4_ON)]), ["longer than a WAV file can hold", "shorten the song"]),
    ] {
        folder.write("in.mid", bytes);
        assert_holds(&folder.refuse(&["render", "in.mid", "out.wav"]), &parts);
    }
}

#[test]
fn invalid_presets_and_settings_are_rejected() {
    let folder = Folder::new("bad-preset");
    folder.write("in.mid", song(&[(0, C4_ON)]));
    for (text, parts) in [
        ("schema = 1\n[hammer]\nmasss = 1", ["p.toml, line 3, hammer.masss: unknown key", "the keys here are striker, mass"]),
        ("schema = 1\n[hammer]\nmass = -1", ["p.toml, line 3, hammer.mass: -1 is out of range", "from 0.0001 to 200 kg"]),
        ("schema = 1\n[contact]\nalpha = 0.5", ["p.toml, line 3, contact.alpha: 0.5", "from 1 to 5"]),
        ("schema = 1\n[[modes]]\nratio = 0", ["p.toml, line 3, modes[0].ratio", "above zero"]),
        ("schema = 1\n[[modes]]\nratio = 1\nmass = -1", ["p.toml, line 4, modes[0].mass", "above zero"]),
        ("[hammer]", ["p.toml, schema: missing", "write schema = 2"]),
        (
            "schema = \"2\"",
            ["p.toml, line 1, schema: expected a number, found text", "write schema = 2, without quotation marks"],
        ),
        ("schema = 2\n[hammer]\nmass = 1e300", ["hammer.mass: 1e300 is out of range", "from 0.0001 to 200 kg"]),
        ("schema = 1\n[hammer", ["p.toml, line 2: not valid TOML", "correct the line"]),
    ] {
        folder.write("p.toml", text);
        assert_holds(&folder.refuse(&["render", "in.mid", "out.wav", "--preset", "p.toml"]), &parts);
    }
    for (arguments, parts) in [
        (["--preset", "tuba"], ["no preset \"tuba\"", "the presets are \"Rosewood Marimba\""]),
        (["--preset", "none.toml"], ["none.toml: no such file", "check the name"]),
        (["--set", "hammer_mass=-1"], ["hammer_mass=-1: -1 is out of range", "0.0001 to 200 kg"]),
        (["--set", "hammer_mass=nan"], ["hammer_mass=nan", "0.0001 to 200 kg"]),
        (["--set", "hammer=1"], ["no parameter \"hammer\"", "urto-cli params lists them"]),
        (["--set", "hammer_mass"], ["no value", "id=value"]),
        (["--set", "body=brick"], ["\"brick\" is not an allowed value", "string or bar or modes"]),
        (["--set", "modes=1.5"], ["1.5 is out of range", "whole number"]),
    ] {
        let complaint = folder.refuse(&[&["render", "in.mid", "out.wav"], &arguments[..]].concat());
        assert_holds(&complaint, &parts);
    }
    assert_holds(&folder.refuse(&["presets", "show", "tuba"]), &["no preset \"tuba\"", "the presets are \"Rosewood Marimba\""]);
}

#[test]
fn arguments_out_of_range_are_rejected() {
    let folder = Folder::new("bad-arguments");
    folder.write("in.mid", song(&[(0, C4_ON)]));
    let rate = "give a whole number from 4000 to 1000000 Hz, for example 48000 or 44.1 kHz";
    let block = "give a whole number from 1 to 1048576, for example 512";
    let time = "give a time from 0 to 86400 s, for example 2 or 500 ms, or auto";
    for (arguments, parts) in [
        (["--rate", "0"], ["--rate 0: 0 is out of range", rate]),
        (["--rate", "-5"], ["--rate -5: -5 is out of range", rate]),
        (["--rate", "3.7"], ["--rate 3.7: 3.7 is out of range", rate]),
        (["--rate", "44100.5"], ["--rate 44100.5: 44100.5 is not a whole number", rate]),
        (["--rate", "44.1 V"], ["--rate 44.1 V: \"44.1 V\" is not a sample rate", rate]),
        (["--rate", "1e300"], ["--rate 1e300: 1e300 is out of range", rate]),
        (["--block", "0"], ["--block 0: 0 is out of range", block]),
        (["--bits", "20"], ["--bits 20: \"20\" is not an allowed value", "give 16 or 24 or 32"]),
        (["--format", "mp3"], ["--format mp3: \"mp3\" is not an allowed value", "flac-24"]),
        (["--block", "-1"], ["--block -1: -1 is out of range", block]),
        (["--tail", "-1"], ["--tail -1: -1 is out of range", time]),
        (["--tail", "nan"], ["--tail nan: \"nan\" is not a time", time]),
        (["--tail", "3 Hz"], ["--tail 3 Hz: \"3 Hz\" is not a time", time]),
        (["--reference", "H4=440"], ["--reference H4=440: give a key from 0 to 127", "as in 69=440 or A4=440 Hz"]),
        (["--reference", "4.4 Hz"], ["--reference 4.4 Hz: 4.4 is out of range", "from 380 to 500 Hz, for example 440.0 Hz"]),
        (
            ["--stretch", "-1 V"],
            ["--stretch -1 V: \"-1 V\" is not an allowed value", "from -100 to 100 cents, for example 0.0 cents"],
        ),
        (["--set", "hammer_mass=12 s"], ["\"12 s\" is not an allowed value", "0.0001 to 200 kg, for example 20.0 g"]),
        (["--set", "hammer_mass=1e300"], ["1e300 is out of range", "0.0001 to 200 kg, for example 20.0 g"]),
        (["--set", "home_key=H2"], ["\"H2\" is not an allowed value", "give a whole number from 0 to 127, or a note such as C4"]),
    ] {
        assert_holds(&folder.refuse(&[&["render", "in.mid", "out.wav"], &arguments[..]].concat()), &parts);
    }
}

/// What the program was not told, or told twice, or does not know: one sentence, with the nearest name if one is near.
#[test]
fn errors_of_usage_are_one_sentence_with_the_nearest_name() {
    let folder = Folder::new("bad-usage");
    folder.write("in.mid", song(&[(0, C4_ON)]));
    for (arguments, message) in [
        (&["rendr"][..], "urto-cli: no command \"rendr\" (did you mean render?); urto-cli --help lists what is possible.\n"),
        (&["render", "in.mid"], "urto-cli: missing: <OUT.wav|OUT.flac>...; urto-cli render --help lists what is possible.\n"),
        (&["render", "in.mid", "o.wav", "--rat", "8000"], "no option --rat (did you mean --rate?); urto-cli render --help lists"),
        (&["render", "in.mid", "o.wav", "--what"], "no option --what; urto-cli render --help lists what is possible"),
        (&["render", "in.mid", "o.wav", "--rate"], "--rate: its value is missing; --help lists what is possible"),
        (&["render", "in.mid", "o.wav", "--bits", "33"], "--bits 33: \"33\" is not an allowed value"),
        (&["modes", "bar", "--key", "3", "--hertz", "5"], "cannot be used with --"),
        (
            &["presets", "show", "Rosewod Marimba"],
            "no preset \"Rosewod Marimba\" (did you mean \"Rosewood Marimba\"?); urto-cli presets",
        ),
        (
            &["presets", "show", "timpano"],
            "no preset \"timpano\" (did you mean \"Timpano A2\"?); urto-cli presets list lists all",
        ),
        (&["modes", "marimbo"], "no body \"marimbo\" (did you mean \"marimba\"?); the body types are string, bar"),
        (
            &["modes", "bar", "--set", "hamer_mass=1"],
            "no parameter \"hamer_mass\" (did you mean \"hammer_mass\"?); urto-cli params",
        ),
        (
            &["modes", "bar", "--set", "body=suported bar"],
            "is not an allowed value (did you mean \"supported bar\"?); give string or",
        ),
        (&["tune", "check", "jsut"], "no scale \"jsut\" (did you mean \"just\"?); the built-in scales are equal, just"),
    ] {
        let complaint = folder.refuse(arguments);
        assert!(complaint.contains(message), "{arguments:?}: {complaint}");
    }
    // help is not an error
    assert!(folder.succeed(&["render", "--help"]).contains("--rate <HZ>"));
}
