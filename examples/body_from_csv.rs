//! A body from a table of measured modes, struck once on its home key. Writes `body_from_csv.wav`.
//!
//! `cargo run --release --no-default-features --features import --example body_from_csv [-- MODES.csv]`

use std::error::Error;
use urto::engine::{Engine, EngineConfig, Event, NoteId};
use urto::patch::{from_mode_table, param, set_param};

const RATE: u32 = 48_000;
/// Frequency [Hz], T60 [s] and modal mass [kg] of a wine glass.
const GLASS: &str = "frequency,t60,mass\n671,2.6,0.06\n1508,1.7,0.05\n2664,1.1,0.04\n4074,0.7,0.04\n5703,0.5,0.03\n";

fn main() -> Result<(), Box<dyn Error>> {
    let table = std::env::args().nth(1).map_or(Ok(GLASS.into()), std::fs::read_to_string)?;
    let mut patch = from_mode_table(&table, "csv").map_err(|fault| fault.to_string())?;
    set_param(&mut patch, "stiffness", 300.0)?;
    let mut engine = Engine::new(EngineConfig::at(f64::from(RATE)), &patch);
    let key = param(&patch, "home_key").unwrap_or(60.0) as u8;
    engine.event(&Event::NoteOn { note: NoteId { key, ..NoteId::default() }, velocity: 0.8 });

    let [mut left, mut right] = [(); 2].map(|()| vec![0.0; 3 * RATE as usize]);
    engine.render(&mut left, &mut right, [&[], &[]]);
    let spec = hound::WavSpec { channels: 2, sample_rate: RATE, bits_per_sample: 32, sample_format: hound::SampleFormat::Float };
    let mut wav = hound::WavWriter::create("body_from_csv.wav", spec)?;
    left.iter().zip(&right).flat_map(|(left, right)| [left, right]).try_for_each(|sample| wav.write_sample(*sample))?;
    wav.finalize()?;
    println!("{} modes on key {key}; wrote body_from_csv.wav", patch.modes.len());
    Ok(())
}
