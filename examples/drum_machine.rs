//! A drum machine: `KEY=STEPS` a drum, sixteen steps to a bar of four beats, played twice by a built-in kit. Writes `drum_machine.wav`.
//!
//! `cargo run --release --no-default-features --example drum_machine -- 36=x.....x...x..... 38=....x.......x..o 42=x.o.x.o.x.o.x.o.`

use std::error::Error;
use urto_engine::patch::factory_presets;
use urto_engine::{Engine, EngineConfig, Event, NoteId};

const RATE: u32 = 48_000;
const STEP: usize = RATE as usize * 60 / (110 * 4);
/// Bass drum, snare and closed hi-hat of General MIDI.
const GROOVE: [&str; 3] = ["36=x.....x...x.....", "38=....x.......x..o", "42=x.o.x.o.x.o.x.o."];

fn main() -> Result<(), Box<dyn Error>> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let lines = if given.is_empty() { GROOVE.map(String::from).to_vec() } else { given };
    let mut drums: Vec<(u8, &str)> = Vec::new();
    for line in &lines {
        let drum = line.split_once('=').and_then(|(key, steps)| Some((key.parse().ok()?, steps)));
        drums.push(drum.filter(|(key, _)| *key < 128).ok_or(format!("{line}: give key and steps, as in {}", GROOVE[0]))?);
    }
    let kit = factory_presets::kits().next().ok_or("no kit is built in")?;
    let mut engine = Engine::new(EngineConfig::at(f64::from(RATE)), &kit);
    let spec = hound::WavSpec { channels: 2, sample_rate: RATE, bits_per_sample: 32, sample_format: hound::SampleFormat::Float };
    let mut wav = hound::WavWriter::create("drum_machine.wav", spec)?;
    let [mut left, mut right] = [[0.0; STEP]; 2];
    // two bars, and one in which the last stroke dies away
    for step in 0..48 {
        for (key, steps) in drums.iter().filter(|_| step < 32) {
            let velocity = match steps.as_bytes().get(step % 16) {
                Some(b'x') => 0.9,
                Some(b'o') => 0.5,
                _ => continue,
            };
            engine.event(&Event::NoteOn { note: NoteId { key: *key, ..NoteId::default() }, velocity });
        }
        engine.render(&mut left, &mut right, [&[], &[]]);
        for sample in left.iter().zip(&right).flat_map(|(left, right)| [left, right]) {
            wav.write_sample(*sample)?;
        }
    }
    wav.finalize()?;
    println!("{} drums of the {}; wrote drum_machine.wav", drums.len(), kit.name);
    Ok(())
}
