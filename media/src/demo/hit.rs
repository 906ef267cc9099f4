//! Force pulses and phase portraits of one hit at three velocities, calculated by the engine.

use crate::plots::{self, ContactCurve, ContactPoint};
use anyhow::{Context, Result, ensure};
use std::path::Path;
use urto_engine::event::{Event, NoteId};
use urto_engine::patch::Patch;
use urto_engine::{Engine, EngineConfig, HitPulse};

/// Key of the hits, A4.
const KEY: u8 = 69;
/// MIDI velocities, from hard to soft.
const VELOCITIES: [u8; 3] = [127, 90, 40];
/// Longest time between the note and the end of the contact [s].
const TIMEOUT: f64 = 0.2;

/// Strikes the body of `patch` three times from rest and draws the contacts. `rate`: sample rate [Hz].
pub fn draw(path: &Path, patch: &Patch, rate: f64, font: &Path) -> Result<()> {
    let mut contacts = Vec::new();
    for velocity in VELOCITIES {
        let pulse = strike(patch, velocity, rate)?;
        ensure!(
            pulse.peak_force > 0.0 && pulse.velocity_out < 0.0,
            "{}: the hammer does not rebound at MIDI velocity {velocity}",
            patch.name
        );
        let label = format!(
            "{:.2} m/s in, {:.2} m/s out, {:.2} ms, {:.1} N",
            pulse.velocity_in,
            pulse.velocity_out,
            1e3 * pulse.duration,
            pulse.peak_force
        );
        println!("{}, velocity {velocity}: {label}", patch.name);
        let points = pulse.points().iter().map(|point| ContactPoint {
            time: f64::from(point.time),
            compression: f64::from(point.compression),
            velocity: f64::from(point.velocity),
            force: f64::from(point.force),
        });
        contacts.push(ContactCurve { points: points.collect(), label });
    }
    let title = format!("One hit on {}: force pulse and phase portrait", patch.name);
    plots::contacts(path, &title, &contacts, font)
}

/// The contact of one note.
fn strike(patch: &Patch, velocity: u8, rate: f64) -> Result<HitPulse> {
    let mut engine = Engine::new(EngineConfig::at(rate), patch);
    let note = NoteId { key: KEY, ..NoteId::default() };
    engine.event(&Event::NoteOn { note, velocity: f64::from(velocity) / 127.0 });
    let (mut left, mut right) = ([0.0; 48], [0.0; 48]);
    for _ in 0..(TIMEOUT * rate) as usize / left.len() {
        engine.render(&mut left, &mut right, [&[]; 2]);
        if let Some(hit) = engine.take_hit() {
            return Ok(hit);
        }
    }
    None.with_context(|| format!("{}: the contact lasts longer than {TIMEOUT} s at MIDI velocity {velocity}", patch.name))
}
