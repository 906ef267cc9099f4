//! One hit as the instrument plays it: force pulse and phase portrait, at three velocities.

use super::RATE;
use crate::plots::{self, Hit};
use anyhow::{Context, Result, ensure};
use std::path::Path;
use urto_engine::event::{Event, NoteId};
use urto_engine::patch::patch::Patch;
use urto_engine::{Config, Engine, HitPulse};

const KEY: u8 = 69;
/// Velocities from hard to soft.
const VELOCITIES: [u8; 3] = [127, 90, 40];
/// Longest wait for the end of the contact [s].
const PATIENCE: f64 = 0.2;

/// Strikes the same bar three times from rest and draws the contacts.
pub fn draw(path: &Path, patch: &Patch, font: &Path) -> Result<()> {
    let mut hits = Vec::new();
    for velocity in VELOCITIES {
        let pulse = strike(patch, velocity)?;
        ensure!(pulse.peak_force > 0.0 && pulse.velocity_out < 0.0, "the hit at velocity {velocity} does not come back");
        let label = format!(
            "{:.2} m/s in, {:.2} m/s out, {:.2} ms, {:.1} N",
            pulse.velocity_in,
            pulse.velocity_out,
            1e3 * pulse.duration,
            pulse.peak_force
        );
        println!("{}, velocity {velocity}: {label}", patch.name);
        let points = pulse.points().iter().map(|p| [p.time, p.compression, p.velocity, p.force].map(f64::from)).collect();
        hits.push(Hit { points, label });
    }
    plots::hits(path, &format!("One hit on {}: force pulse and phase portrait", patch.name), &hits, font)
}

fn strike(patch: &Patch, velocity: u8) -> Result<HitPulse> {
    let mut engine = Engine::new(Config::at(RATE), patch);
    let note = NoteId { key: KEY, ..NoteId::default() };
    engine.event(&Event::NoteOn { note, velocity: f64::from(velocity) / 127.0 });
    let (mut left, mut right) = ([0.0; 48], [0.0; 48]);
    for _ in 0..(PATIENCE * RATE) as usize / left.len() {
        engine.render(&mut left, &mut right, [&[]; 2]);
        if let Some(hit) = engine.take_hit() {
            return Ok(hit);
        }
    }
    None.with_context(|| format!("no contact has ended {PATIENCE} s after a note of velocity {velocity}"))
}
