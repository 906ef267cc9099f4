//! A drum machine: plays sixteen steps to a bar with a built-in kit, twice. Writes `drum_machine.wav`.
//!
//! `cargo run --release --no-default-features --example drum_machine`

use std::error::Error;
use urto::engine::{Engine, EngineConfig, Event, NoteId};

const RATE: u32 = 48_000;
/// Frames of a sixteenth at 110 beats per minute.
const STEP: usize = RATE as usize * 60 / (110 * 4);
/// Keys of bass drum, snare and closed hi-hat in General MIDI; x is loud, o is soft.
const PATTERN: [(u8, &[u8; 16]); 3] = [(36, b"x.....x...x....."), (38, b"....x.......x..o"), (42, b"x.o.x.o.x.o.x.o.")];

fn main() -> Result<(), Box<dyn Error>> {
    let kit = urto::patch::kits().next().ok_or("no kit is built in")?;
    let mut engine = Engine::new(EngineConfig::at(f64::from(RATE)), &kit);
    let spec = hound::WavSpec { channels: 2, sample_rate: RATE, bits_per_sample: 32, sample_format: hound::SampleFormat::Float };
    let mut wav = hound::WavWriter::create("drum_machine.wav", spec)?;
    let [mut left, mut right] = [[0.0; STEP]; 2];
    // two bars, and one for the last strike to ring out
    for step in 0..48 {
        for (key, steps) in PATTERN.iter().filter(|_| step < 32) {
            let velocity = match steps[step % 16] {
                b'x' => 0.9,
                b'o' => 0.5,
                _ => continue,
            };
            engine.event(&Event::NoteOn { note: NoteId { key: *key, ..NoteId::default() }, velocity });
        }
        engine.render(&mut left, &mut right, [&[], &[]]);
        left.iter().zip(&right).flat_map(|(left, right)| [left, right]).try_for_each(|sample| wav.write_sample(*sample))?;
    }
    wav.finalize()?;
    println!("{} drums of the {}; wrote drum_machine.wav", PATTERN.len(), kit.name);
    Ok(())
}
