//! Partials of a recording as a patch.
//!
//! A recording does not tell how heavy a body is, nor where it was struck and heard. The patch has the conventions of gains
//! ([`super`]): struck at one end and heard at the other, and a shape that ends at the sign with which the partial set in. A hammer
//! of the force f(t) brings a mode to the amplitude
//!
//! ```text
//! a_i = |F(f_i)|/m_i,  F = integral of f(t) e^(-i 2 pi f_i t)
//! ```
//!
//! so that m_i is in proportion to |F(f_i)|/a_i, the lightest the body's mass. The force depends on the masses: it is that of the default
//! hammer at velocity 100, made harder until the highest strong partial lies below its first gap, and found again after each change.

use std::f64::consts::TAU;

use crate::engine::{Engine, EngineConfig};
use crate::event::{Event, NoteId};
use crate::import::finish;
use crate::params::ParamId;
use crate::patch::ListedMode;
use crate::patch::Patch;
use crate::telemetry::HitPulse;
use urto_physics::analysis::{Estimate, Found};

/// A partial that is this much weaker than the strongest one is not yet the one that names the pitch.
const NAMES_THE_PITCH: f64 = 0.25;
/// A partial above this part of the strongest one counts for the hardness of the hammer.
const STRONG: f64 = 0.03;
/// Frequency times contact time up to which a pulse has no gap: that of half a sine is at 1.5.
const BEFORE_THE_GAP: f64 = 0.9;
/// Factor by which the hammer is made harder, and most times.
const HARDER: (f64, usize) = (2.0, 14);
/// Longest time over which amplitudes are followed back [s].
const BACK: f64 = 0.05;
/// Times that the masses are found from the force.
const ROUNDS: usize = 6;
/// Least force of a frequency over that of the lowest: weaker ones are not made up for by lighter modes.
const LEAST_FORCE: f64 = 0.01;
/// Velocity of the trial, and the peak that it is to have.
const TRIAL: (f64, f64) = (100.0 / 127.0, 0.35);
/// Rate of the trial [Hz], frames of a block, and blocks: 50 ms.
const RATE: f64 = 48e3;
const BLOCK: usize = 96;
const BLOCKS: usize = 25;

/// The patch of the partials that were found; the lowest strong one is that of the home key. None if there are none.
pub fn from_estimate(estimate: &Estimate) -> Option<Patch> {
    let back = (estimate.start - estimate.onset).clamp(0.0, BACK);
    let heard: Vec<f64> = estimate.found.iter().map(|found| at_onset(found, back)).collect();
    let strongest = heard.iter().copied().fold(0.0, f64::max);
    let first = estimate.found.iter().zip(&heard).find(|(_, level)| **level >= NAMES_THE_PITCH * strongest)?.0;
    let reference = first.partial.hertz;
    let mut patch = Patch::default();
    for (knob, place) in [(ParamId::StrikePosition, 0.0), (ParamId::PickupLeft, 1.0), (ParamId::PickupRight, 1.0)] {
        patch.settings.set(knob, place);
    }
    let mode = |(found, level): (&Found, &f64)| {
        let phase = found.partial.phase - TAU * found.partial.hertz * back;
        ListedMode {
            ratio: found.partial.hertz / reference,
            decay: Some(found.partial.decay),
            mass: strongest / level,
            shape: vec![1.0, if phase.cos() < 0.0 { -1.0 } else { 1.0 }].into(),
        }
    };
    patch.modes = estimate.found.iter().zip(&heard).map(mode).collect();
    finish(&mut patch, reference);
    let strong = estimate.found.iter().zip(&heard).filter(|(_, level)| **level > STRONG * strongest);
    let highest = strong.map(|(found, _)| found.partial.hertz).fold(0.0, f64::max);
    harden(&mut patch, highest);
    for _ in 0..ROUNDS {
        let Some((pulse, _)) = trial(&patch) else { break };
        weigh(&mut patch, reference, &heard, &pulse);
    }
    if let Some((_, peak)) = trial(&patch).filter(|(_, peak)| *peak > 0.0) {
        let level = patch.settings.get(ParamId::Level) + 20.0 * (TRIAL.1 / peak).log10();
        patch.settings.set(ParamId::Level, level);
    }
    Some(patch)
}

/// Amplitude at the onset, `back` [s] before the start.
fn at_onset(found: &Found, back: f64) -> f64 {
    found.partial.amplitude * (found.partial.decay * back).exp()
}

/// Makes the hammer harder until its force has no gap up to `highest` [Hz].
fn harden(patch: &mut Patch, highest: f64) {
    for _ in 0..HARDER.1 {
        let Some((pulse, _)) = trial(patch) else { return };
        if pulse.duration * highest < BEFORE_THE_GAP {
            return;
        }
        let stiffness = patch.settings.get(ParamId::Stiffness);
        patch.settings.set(ParamId::Stiffness, HARDER.0 * stiffness);
    }
}

/// Gives the modes the masses with which the force of `pulse` brings them to the amplitudes `heard`.
fn weigh(patch: &mut Patch, reference: f64, heard: &[f64], pulse: &HitPulse) {
    let lowest = force(pulse, 0.0);
    for (mode, level) in patch.modes.iter_mut().zip(heard) {
        mode.mass = force(pulse, mode.ratio * reference).max(LEAST_FORCE * lowest) / level;
    }
    let lightest = patch.modes.iter().map(|mode| mode.mass).fold(f64::INFINITY, f64::min);
    patch.modes.iter_mut().for_each(|mode| mode.mass /= lightest);
}

/// |F| of a pulse at `hertz` [N s], by trapezia.
fn force(pulse: &HitPulse, hertz: f64) -> f64 {
    let (mut re, mut im) = (0.0, 0.0);
    for pair in pulse.points().windows(2) {
        let [a, b] = [pair[0], pair[1]].map(|point| (f64::from(point.time), f64::from(point.force)));
        for (time, force) in [a, b] {
            let (sin, cos) = (TAU * hertz * time).sin_cos();
            re += 0.5 * (b.0 - a.0) * force * cos;
            im += 0.5 * (b.0 - a.0) * force * sin;
        }
    }
    re.hypot(im)
}

/// The first contact of a stroke on the home key, and the peak of its sound; none without a contact.
fn trial(patch: &Patch) -> Option<(HitPulse, f64)> {
    let mut engine = Engine::new(EngineConfig { voices: 1, ..EngineConfig::at(RATE) }, patch);
    let key = patch.settings.get(ParamId::HomeKey) as u8;
    engine.event(&Event::NoteOn { note: NoteId { voice: None, channel: 0, key }, velocity: TRIAL.0 });
    let (mut left, mut right) = ([0.0; BLOCK], [0.0; BLOCK]);
    let mut first = None;
    for _ in 0..BLOCKS {
        engine.render(&mut left, &mut right, [&[]; 2]);
        first = first.or(engine.take_hit());
    }
    let peak = engine.take_meters().peaks[0];
    first.map(|pulse| (pulse, f64::from(peak)))
}
