//! Claims about any content of files and any host: a short, repeatable run of the claims of the fuzzer.

mod careless_host;
#[path = "../../src/bin/urto-cli/arguments/case_file.rs"]
#[allow(dead_code)]
mod case_file;
mod claims;
#[path = "../support/corrupted_files.rs"]
mod corrupted_files;
mod io;
mod regressions;
#[cfg(feature = "plugin")]
mod state;
#[path = "../support/tier.rs"]
mod tier;

use corrupted_files::{dice, spoil};
use tier::size;
use urto_engine::patch::factory_texts;
use urto_engine::tuning::SCALES;

const CASE: &str = include_str!("../../fuzz/seeds/felt.toml");
const SONG: &[u8] = include_bytes!("../../assets/demo/first_strike.mid");
const MAP: &str = "12\n0\n127\n60\n60\n250.0\n7\n0\nx\n1\nx\n2\n3\nx\n4\nx\n5\nx\n6\n";

/// `count` copies of `whole`, each with up to eight bytes changed and perhaps cut short.
fn damaged(whole: &[u8], count: u32, seed: u64, claim: impl Fn(&[u8])) {
    let mut next = dice(seed);
    for _ in 0..count {
        let mut bytes = whole.to_vec();
        for _ in 0..next() % 8 {
            let place = next() as usize % bytes.len();
            bytes[place] = next() as u8;
        }
        if next().is_multiple_of(4) {
            bytes.truncate(next() as usize % bytes.len());
        }
        claim(&bytes);
    }
}

#[test]
fn any_preset_is_loaded_or_rejected() {
    let mut next = dice(1);
    for text in factory_texts::texts() {
        for _ in 0..size(1, 4) {
            claims::preset(spoil(text, &mut next).as_bytes());
        }
    }
}

#[test]
fn any_scale_and_key_map_is_read_or_rejected() {
    let mut next = dice(2);
    for i in 0..400 {
        let (scale, map) = (SCALES[i % SCALES.len()].1, MAP);
        let [scale, map] =
            [scale, map].map(|text| if next().is_multiple_of(2) { text.to_owned() } else { spoil(text, &mut next) });
        claims::scala(format!("{scale}\0{map}").as_bytes());
    }
}

#[test]
fn any_midi_file_is_played_or_rejected() {
    damaged(SONG, size(100, 400), 3, claims::midi);
}

#[test]
fn any_recording_is_read_or_rejected() {
    let spec = hound::WavSpec { channels: 2, sample_rate: 8_000, bits_per_sample: 32, sample_format: hound::SampleFormat::Float };
    let mut file = std::io::Cursor::new(Vec::new());
    let mut writer = hound::WavWriter::new(&mut file, spec).expect("a memory can be written");
    for i in 0..1_200_i32 {
        let tone = 0.6 * (f64::from(i) * 0.3).sin() * (-f64::from(i) * 0.004).exp();
        writer.write_sample(tone as f32).expect("there is room");
    }
    writer.finalize().expect("a memory can be written");
    damaged(&file.into_inner(), size(100, 400), 4, claims::wav);
}

#[test]
fn any_case_is_run_or_rejected() {
    let mut next = dice(5);
    for _ in 0..400 {
        claims::case(spoil(CASE, &mut next).as_bytes());
    }
}

#[cfg(feature = "plugin")]
#[test]
fn any_state_is_loaded_or_rejected() {
    let mut next = dice(7);
    for text in factory_texts::BUILT_IN.iter().step_by(8) {
        let field = serde_json::Value::from(spoil(text, &mut next)).to_string();
        let state = serde_json::json!({ "version": "", "params": { "decay": { "f32": 2.0 } }, "fields": { "patch": field } });
        state::state(state.to_string().as_bytes());
        damaged(state.to_string().as_bytes(), 10, 8, state::state);
    }
}

#[test]
fn any_events_keep_the_output_bounded() {
    let mut next = dice(6);
    for _ in 0..size(12, 60) {
        let bytes: Vec<u8> = (0..2_000).map(|_| next() as u8).collect();
        claims::events(&bytes);
    }
}
