//! What is claimed of whatever stands in a file or comes from a host: a function for each kind. They panic where the claim fails.
//! The tests run them over spoiled files, the fuzzer over what it can think of.

use std::str::from_utf8;

use arbitrary::Unstructured;
use urto_engine::formats::WavFile;
use urto_engine::patch::TextError;
use urto_engine::patch::patch_toml;
use urto_engine::tuning::{FREQUENCIES, KEYS};
use urto_engine::tuning::{KeyMap, Scale};
use urto_engine::{Engine, EngineConfig, Event, NoteId};
use urto_physics::analysis::{Options, estimate};
use urto_physics::lab::Method;

use crate::careless;
use crate::careless::Listener;
use crate::case_file;
use crate::io::midi_file;

/// Longest recording whose partials are estimated [frames].
const MOST_FRAMES: usize = 4096;
/// Most samples and modes of an experiment that is run, and finest steps.
const EXPERIMENT: (f64, usize, f64) = (2_000.0, 8, 64.0);
/// Largest imbalance of the ledger, of what there was.
pub const BALANCE: f64 = 1e-12;

/// A fault names problem and remedy in one line, and no line that is not there.
fn assert_told(fault: &TextError, text: &str) {
    assert!(!fault.problem.is_empty() && !fault.remedy.is_empty(), "{fault:?}");
    assert!(!fault.to_string().contains('\n'), "{fault:?}");
    let lines = text.split('\n').count();
    assert!(fault.line.is_none_or(|line| (1..=lines).contains(&line)), "{fault:?} of {lines} lines");
}

/// A preset is refused with a reason, or means the same when it is written and read again, and plays.
pub fn preset(data: &[u8]) {
    let Ok(text) = from_utf8(data) else { return };
    let patch = match patch_toml::read(text) {
        Ok((patch, _)) => patch,
        Err(fault) => return assert_told(&fault, text),
    };
    let written = patch_toml::to_toml(&patch);
    assert_eq!(patch_toml::from_toml(&written).as_ref(), Ok(&patch), "{written}");
    let mut listener = Listener::new(Engine::new(EngineConfig { voices: 2, ..EngineConfig::at(48e3) }, &patch));
    listener.tell(&Event::NoteOn { note: NoteId { key: 60, ..NoteId::default() }, velocity: 1.0 });
    listener.hear(256, 0.5);
}

/// A scale and a key map, divided by a zero, are refused with a reason, or give every key a frequency in range or none.
pub fn scala(data: &[u8]) {
    let (scale, map) = data.split_at(data.iter().position(|&byte| byte == 0).unwrap_or(data.len()));
    let [scale, map] = [scale, map.get(1..).unwrap_or(&[])].map(String::from_utf8_lossy);
    let read = Scale::read(&scale).map_err(|fault| assert_told(&fault, &scale));
    let mapped =
        if map.is_empty() { Ok(KeyMap::linear()) } else { KeyMap::read(&map).map_err(|fault| assert_told(&fault, &map)) };
    let (Ok(scale), Ok(map)) = (read, mapped) else { return };
    match map.tuning(&scale, map.reference()) {
        Ok(tuning) => {
            let mut hertz = (0..KEYS as u8).filter_map(|key| tuning.hertz(key));
            assert!(hertz.all(|hertz| FREQUENCIES.contains(&hertz)), "{tuning:?}");
        }
        Err(fault) => assert_told(&fault, ""),
    }
}

/// A MIDI file is refused with a reason, or is a song in the order of its frames whose beginning can be played.
pub fn midi(data: &[u8]) {
    let song = match midi_file::from_bytes(data, 48_000) {
        Ok(song) => song,
        Err(error) => return assert!(!error.problem.is_empty() && !error.remedy.is_empty()),
    };
    assert!(song.events.is_sorted_by_key(|timed| timed.frame));
    assert!(song.programs.iter().all(|program| program.after <= song.events.len() && program.number < 128));
    let mut listener = Listener::new(Engine::new(
        EngineConfig { voices: 4, ..EngineConfig::at(48e3) },
        &patch_toml::built_in().next().expect("one"),
    ));
    for timed in song.events.iter().take(64) {
        listener.tell(&timed.event);
        listener.hear(7, 0.0);
    }
}

/// A WAV file is refused with a reason, or holds whole frames of finite samples; what is estimated of it is finite.
pub fn wav(data: &[u8]) {
    let wave = match WavFile::from_reader(data) {
        Ok(wave) => wave,
        Err(flaw) => return assert!(!flaw.to_string().contains('\n')),
    };
    assert!(wave.samples.iter().all(|sample| sample.is_finite()) && wave.channels > 0 && wave.rate > 0);
    let mono: Vec<f64> = wave.mono().iter().take(MOST_FRAMES).map(|&sample| f64::from(sample)).collect();
    let Some(found) = estimate(&mono, f64::from(wave.rate), &Options { most: 16, ..Options::default() }) else { return };
    assert!(found.found.len() <= 16 && found.onset <= found.start && found.start <= found.end);
}

/// A case is refused with a reason, or is an experiment that ends; the instrument's own scheme keeps its books.
pub fn case(data: &[u8]) {
    let Ok(text) = from_utf8(data) else { return };
    let mut experiment = match case_file::from_text(text) {
        Ok(experiment) => experiment,
        Err(fault) => return assert_told(&fault, text),
    };
    let (samples, modes, substeps) = EXPERIMENT;
    if experiment.body.len() > modes || experiment.striker.modes.len() > modes {
        return;
    }
    let longest = samples / experiment.sample_rate;
    experiment.duration = Some(experiment.duration.unwrap_or(longest).min(longest));
    experiment.substeps_per_contact = experiment.substeps_per_contact.min(substeps);
    let report = experiment.run(&mut |_| ());
    if experiment.method == Method::Edg && report.energy.largest > f64::MIN_POSITIVE {
        let worst = report.energy.largest_balance_residual / report.energy.largest;
        assert!(worst <= BALANCE, "{worst:e} in\n{text}");
    }
}

/// Whatever a host sends to whatever patch: sound below the ceiling, and books that balance.
pub fn events(data: &[u8]) {
    let mut chance = Unstructured::new(data);
    // out of bytes: nothing more happens
    let _ = careless::host(&mut chance);
}
