//! `presets compare` on recordings that the test makes: what is a convincing stroke, what is not, and faults of the map.

use std::f64::consts::TAU;

use serde_json::Value;
use urto_physics::random::SplitMix64;

use crate::support::midi_writer::{C4_OFF, C4_ON, song};
use crate::support::program::Folder;

const RATE: u32 = 22_050;
const SECONDS: f64 = 0.6;

/// A struck body: 40 decaying partials from 300 Hz to 7.5 kHz, whose levels and phases depend on `stroke`, after silence of 10 ms.
fn struck_body(stroke: u64) -> Vec<f64> {
    let (mut body, mut hand) = (SplitMix64::new(7), SplitMix64::new(100 + stroke));
    let mut sound = vec![0.0; (SECONDS * f64::from(RATE)) as usize];
    for partial in 0..40 {
        let hertz = 300.0 * 25_f64.powf((f64::from(partial) + 0.6 * body.uniform()) / 40.0);
        let (decay, level) = (6.0 + 1e-3 * hertz, 10_f64.powf(-1.2 * body.uniform()));
        let amplitude = level * 10_f64.powf(0.3 * (hand.uniform() - 0.5));
        let phase = hand.uniform();
        for (n, sample) in sound.iter_mut().enumerate().skip(RATE as usize / 100) {
            let time = n as f64 / f64::from(RATE) - 0.01;
            *sample += amplitude * (-decay * time).exp() * (TAU * hertz * time + phase).sin();
        }
    }
    sound
}

/// Writes `sound` at the peak `peak`.
fn write_wav(folder: &Folder, name: &str, sound: &[f64], peak: f64) {
    let spec = hound::WavSpec { channels: 1, sample_rate: RATE, bits_per_sample: 32, sample_format: hound::SampleFormat::Float };
    let mut writer = hound::WavWriter::create(folder.path(name), spec).expect("a WAV file");
    let largest = sound.iter().fold(0.0_f64, |largest, sample| largest.max(sample.abs()));
    sound.iter().for_each(|sample| writer.write_sample((sample / largest * peak) as f32).expect("a sample"));
    writer.finalize().expect("a WAV file");
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// Of two strokes of one body, one is convincing beside the other. Noise with its band envelopes is not, nor is the stroke 50 cents higher.
#[test]
fn another_stroke_is_accepted_and_controls_are_rejected() {
    let folder = Folder::new("compare-controls");
    for stroke in 0..2 {
        write_wav(&folder, &format!("{stroke}.wav"), &struck_body(stroke), 0.5);
    }
    // a copy at another gain is no third stroke
    write_wav(&folder, "copy.wav", &struck_body(0), 0.05);
    folder.write(
        "map.toml",
        "[[instruments]]\nkind = \"plate\"\nkey = 60\ntakes = [{ file = \"0.wav\", velocity = 90 }, { file = \"1.wav\" }, { file = \"copy.wav\", velocity = 110 }]",
    );
    let pairs = json(&folder.succeed(&["presets", "compare", "map.toml", "--calibrate", "--json"]));
    let of = |partner: &str| -> Vec<&Value> {
        pairs.as_array().expect("pairs").iter().filter(|pair| pair["partner"] == partner).collect()
    };
    assert_eq!([of("same_instrument").len(), of("noise").len(), of("moved").len()], [2; 3], "the copy does not count");
    for pair in of("same_instrument") {
        assert_eq!(pair["verdict"]["is_convincing"], true, "{pair}");
    }
    for pair in of("noise") {
        let beyond = pair["verdict"]["beyond"].as_array().expect("a list");
        assert!(beyond.iter().any(|name| name == "noisiness"), "{pair}");
        // the distance alone hears no grain
        assert!(pair["in_room"].as_f64() < Some(5.0), "{pair}");
    }
    for pair in of("moved") {
        assert_eq!(pair["verdict"]["beyond"], Value::from(["tuning"].map(String::from).to_vec()), "{pair}");
        assert_eq!(pair["tuning"]["cents"].as_f64(), Some(50.0), "{pair}");
    }
    let table = folder.succeed(&["presets", "compare", "map.toml", "--calibrate"]);
    assert!(table.starts_with("1 kinds, 1 of them judged") && table.contains("noisiness"), "{table}");
}

/// A preset beside its own rendering at another gain is convincing; beside another preset it is not. The page holds everything it names.
#[test]
fn a_preset_is_convincing_beside_its_own_rendering() {
    let folder = Folder::new("compare-own");
    folder.write("song.mid", song(&[(0, C4_ON), (600, C4_OFF)]));
    for (file, level) in [("own.wav", "-9"), ("other.wav", "-9")] {
        let body = if file == "own.wav" { "body=marimba" } else { "body=handbell" };
        let set = format!("level={level}");
        folder.succeed(&["render", "song.mid", file, "--set", body, "--set", &set, "--rate", "22050", "--tail", "0"]);
    }
    folder.write("bar.toml", "schema = 2\n[body]\nkind = \"marimba\"\n");
    folder.write(
        "map.toml",
        "[[instruments]]\nkind = \"bar\"\npreset = \"bar.toml\"\nkey = \"C4\"\nshift = 0\nstrokes = [{ file = \"own.wav\", velocity = 100 }]\nothers = [\"other.wav\"]\n\
         [[instruments]]\nkind = \"bell\"\npreset = \"bar.toml\"\nkey = 60\nshift = 0\nstrokes = [{ file = \"other.wav\", velocity = 100 }]\n",
    );
    let report = json(&folder.succeed(&["presets", "compare", "map.toml", "--json", "--page", "page"]));
    let [bar, bell] = [0, 1].map(|place| &report["instruments"][place]);
    let [own, other] = [bar, bell].map(|instrument| &instrument["strokes"][0]);
    assert_eq!(own["verdict"]["is_convincing"], true, "{own}");
    assert!(own["distance"]["all"].as_f64() < Some(0.1) && own["real"].as_f64() > Some(3.0), "{own}");
    assert_eq!(other["verdict"]["is_convincing"], false, "{other}");
    assert_eq!([&bar["is_judged"], &bell["is_judged"]], [&Value::from(true), &Value::from(false)], "one recording is not judged");
    let page = String::from_utf8(folder.read("page/index.html")).expect("UTF-8");
    let named: Vec<&str> = page.split("src=\"").skip(1).map(|rest| rest.split('"').next().expect("a name")).collect();
    assert_eq!(named.len(), 8, "two players and two pictures for each stroke");
    named.iter().for_each(|name| assert!(folder.path("page").join(name).is_file(), "{name}"));
    let size = |name: &str| {
        let picture = folder.read(&format!("spectrograms/{name}"));
        assert!(picture.starts_with(b"\x89PNG") && picture.len() < 60_000, "{} bytes", picture.len());
        u32::from_be_bytes(picture[16..20].try_into().expect("four bytes"))
    };
    let draw = ["presets", "compare", "map.toml", "--spectrograms", "spectrograms"];
    folder.succeed(&draw);
    assert_eq!(size("bar.png"), 542, "two panels");
    let [before, only] = [["--before", "page"], ["--only", "bar"]];
    std::fs::remove_file(folder.path("page").join("bar-toml-bell-100-0-preset.wav")).expect("a sound of the page");
    let said = folder.run(&[&draw[..], &before].concat());
    let notes = String::from_utf8(said.stderr).expect("UTF-8").replace('\\', "/");
    assert!(notes.contains("bell: there is no page/bar-toml-bell-100-0-preset.wav; its picture has two panels."), "{notes}");
    assert_eq!([size("bar.png"), size("bell.png")], [790, 542], "three panels, two panels");
    folder.write(
        "strokes.toml",
        "[[instruments]]\nkind = \"bars\"\npreset = \"bar.toml\"\nkey = 60\nshift = 0\nstrokes = [{ file = \"other.wav\", velocity = 50 }, { file = \"own.wav\", velocity = 100 }]\n",
    );
    let every = ["presets", "compare", "strokes.toml", "--spectrograms", "spectrograms", "--every-stroke"];
    for (call, height) in [(&every[..5], 246), (&every[..], 492)] {
        folder.succeed(call);
        let picture = folder.read("spectrograms/bars.png");
        assert_eq!(u32::from_be_bytes(picture[20..24].try_into().expect("four bytes")), height, "one row for each stroke");
    }
    let both = folder.succeed(&[&draw[..3], &only, &["--only", "bell"]].concat());
    assert!(both.contains("own.wav") && both.contains("other.wav"), "{both}");
    assert_eq!(folder.run(&["presets", "compare", "map.toml", "--before", "page"]).status.code(), Some(2));
    let table = folder.succeed(&["presets", "compare", "map.toml", "--only", "bell"]);
    assert!(table.contains("not judged") && !table.contains("own.wav"), "{table}");
}

/// Faults of the map and missing recordings name file, place and remedy.
#[test]
fn faults_of_the_map_are_named() {
    let folder = Folder::new("compare-faults");
    write_wav(&folder, "0.wav", &struck_body(0), 0.5);
    folder.write("noise.flac", [0; 100]);
    let head = "[[instruments]]\nkind = \"bar\"\n";
    let cases = [
        ("", "instruments: missing; add a section"),
        ("[[instruments]]\nkey = 60", "line 1, instruments[0].kind: missing; give a name"),
        ("[[instruments]]\nkind = \"bar\"\nsample = 1", "strokes: missing; add strokes"),
        ("KIND\nstrokes = [{ file = \"0.wav\" }]\nsample = 1", "line 4, instruments[0].sample: unknown key; the keys here are"),
        ("KIND\nstrokes = [{ file = \"0.wav\", velocity = 0 }]", "velocity: 0 is out of range; give a whole number"),
        ("KIND\nkey = 200\nstrokes = [{ file = \"0.wav\" }]", "key: 200 is not a key; give a key"),
        ("KIND\nmatch = \"ear\"\nstrokes = [{ file = \"0.wav\" }]", "match: \"ear\" is no way to match"),
        ("KIND\npreset = \"Claves\"\nstrokes = [{ file = \"0.wav\" }]", "key: missing; give the key"),
        ("KIND\nneighbour = \"bell\"\nstrokes = [{ file = \"0.wav\" }]", "names the neighbour \"bell\""),
        ("KIND\nstrokes = [{ file = \"0.wav\" }]", "map.toml: no instrument has a preset; add preset"),
        ("KIND\nkey = 60\npreset = \"Clave\"\nstrokes = [{ file = \"0.wav\" }]", "no preset \"Clave\""),
        ("KIND\nkey = 60\npreset = \"Claves\"\nstrokes = [{ file = \"1.wav\" }]", "1.wav: no such file"),
        ("KIND\nkey = 60\npreset = \"Claves\"\nstrokes = [{ file = \"noise.flac\" }]", "noise.flac: not a FLAC file, or damaged"),
        ("KIND\nkey = 60\npreset = \"Claves\"\nstrokes = [{ file = \"0.aiff\" }]", "0.aiff: not a format that is read; give WAV"),
        (
            "KIND\nkey = 60\npreset = \"Claves\"\nset = [\"mass=1\"]\nstrokes = [{ file = \"0.wav\" }]",
            "--set mass=1: no parameter",
        ),
    ];
    for (map, message) in cases {
        folder.write("map.toml", map.replace("KIND\n", head));
        let said = folder.refuse(&["presets", "compare", "map.toml"]);
        assert!(said.contains(message), "{map}: {said}");
    }
    folder.write("map.toml", format!("{head}key = 60\npreset = \"Claves\"\nstrokes = [{{ file = \"0.wav\" }}]"));
    let said = folder.refuse(&["presets", "compare", "map.toml", "--only", "bell"]);
    assert!(said.contains("--only bell: map.toml has no such instrument; the kinds are bar"), "{said}");
}
