//! Modes from a recorded strike.

use serde_json::Value;
use std::f64::consts::TAU;

use crate::support::program::Folder;

/// Frequency [Hz], T60 [s], amplitude, phase.
const PARTIALS: [(f64, f64, f64, f64); 3] = [(330.0, 1.2, 0.3, 0.0), (911.0, 0.6, 0.2, 1.0), (2044.0, 0.3, 0.1, 4.0)];

/// A stroke after 50 ms of silence, as a WAV file of the form `spec`.
fn stroke(folder: &Folder, name: &str, spec: hound::WavSpec) {
    let rate = f64::from(spec.sample_rate);
    let mut writer = hound::WavWriter::create(folder.path(name), spec).expect("a WAV file");
    for n in 0..(2.0 * rate) as i64 {
        let t = n as f64 / rate - 0.05;
        let partial = |&(hertz, t60, a, phase): &(f64, f64, f64, f64)| {
            a * (-1000_f64.ln() / t60 * t).exp() * (TAU * hertz * t + phase).cos()
        };
        let x = if t < 0.0 { 0.0 } else { PARTIALS.iter().map(partial).sum::<f64>() };
        for _ in 0..spec.channels {
            match spec.sample_format {
                hound::SampleFormat::Float => writer.write_sample(x as f32).expect("a sample"),
                hound::SampleFormat::Int => {
                    let full = 2_f64.powi(i32::from(spec.bits_per_sample) - 1);
                    writer.write_sample((x * full).round() as i32).expect("a sample");
                }
            }
        }
    }
    writer.finalize().expect("a WAV file");
}

fn spec(sample_rate: u32, channels: u16, bits_per_sample: u16) -> hound::WavSpec {
    let sample_format = if bits_per_sample == 32 { hound::SampleFormat::Float } else { hound::SampleFormat::Int };
    hound::WavSpec { channels, sample_rate, bits_per_sample, sample_format }
}

fn column(report: &Value, key: &str) -> Vec<f64> {
    report["partials"].as_array().expect("an array").iter().map(|row| row[key].as_f64().expect("a number")).collect()
}

#[test]
fn partials_are_found_in_files_of_any_format() {
    let folder = Folder::new("from-wav-forms");
    for (rate, channels, bits) in [(48_000, 1, 32), (44_100, 2, 16), (96_000, 1, 24), (22_050, 1, 16)] {
        stroke(&folder, "stroke.wav", spec(rate, channels, bits));
        let said = folder.succeed(&["modes", "from-wav", "stroke.wav", "--json"]);
        let report: Value = serde_json::from_str(&said).expect("one JSON value");
        assert_eq!(report["rate"].as_u64(), Some(u64::from(rate)));
        assert!((report["onset"].as_f64().expect("a number") - 0.05).abs() < 2e-3, "{report}");
        let (hertz, t60) = (column(&report, "hertz"), column(&report, "t60"));
        assert_eq!(hertz.len(), 3, "{rate} Hz, {bits} bits: {hertz:?}");
        for ((hertz, t60), wanted) in hertz.iter().zip(&t60).zip(PARTIALS) {
            assert!((1200.0 * (hertz / wanted.0).log2()).abs() < 0.1, "{rate} Hz, {bits} bits: {hertz} for {}", wanted.0);
            assert!((t60 / wanted.1 - 1.0).abs() < 0.01, "{rate} Hz, {bits} bits: {t60} s for {}", wanted.1);
        }
    }
}

#[test]
fn the_strongest_partials_make_a_playable_patch() {
    let folder = Folder::new("from-wav-patch");
    stroke(&folder, "glass.wav", spec(48_000, 1, 24));
    let said = folder.succeed(&["modes", "from-wav", "glass.wav", "--modes", "2", "--out", "patch.toml"]);
    assert!(said.contains("left out, weaker than the --modes strongest: 1\n"), "{said}");
    assert!(said.contains("residual: ") && said.contains(" Hz: signal "), "{said}");
    let shown = folder.succeed(&["modes", "patch.toml", "--key", "64", "--json"]);
    let table: Value = serde_json::from_str(&shown).expect("one JSON value");
    let rows = table["modes"].as_array().expect("an array");
    assert_eq!(rows.len(), 2);
    for (row, wanted) in rows.iter().zip(PARTIALS) {
        assert!((row["hertz"].as_f64().expect("a number") / wanted.0 - 1.0).abs() < 1e-4, "{row}");
    }
    assert!(String::from_utf8(folder.read("patch.toml")).expect("a text").contains("name = \"glass\""));
}

#[test]
fn a_recording_without_a_strike_is_rejected() {
    let folder = Folder::new("from-wav-bad");
    let silent = hound::WavWriter::create(folder.path("silent.wav"), spec(48_000, 1, 16)).expect("a WAV file");
    silent.finalize().expect("a WAV file");
    let mut short = hound::WavWriter::create(folder.path("short.wav"), spec(48_000, 1, 16)).expect("a WAV file");
    (0..100).for_each(|n| short.write_sample(n * 100).expect("a sample"));
    short.finalize().expect("a WAV file");
    folder.write("text.wav", "no sound");
    for (name, message) in [
        ("silent.wav", "silent.wav: the recording is silent or too short; give a recording of one strike"),
        ("short.wav", "short.wav: the recording is silent or too short"),
        ("text.wav", "text.wav: not a WAV file, or damaged"),
        ("none.wav", "none.wav: no such file"),
    ] {
        let complaint = folder.refuse(&["modes", "from-wav", name, "--out", "patch.toml"]);
        assert!(complaint.contains(message), "{complaint}");
    }
    stroke(&folder, "a.wav", spec(48_000, 1, 16));
    assert!(folder.refuse(&["modes", "from-wav", "a.wav", "--out", "a.wav"]).contains("this is also an input file"));
    assert_eq!(folder.run(&["modes", "from-wav", "a.wav", "--modes", "0"]).status.code(), Some(2));
}
