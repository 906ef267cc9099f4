//! A patch from the partials of a recording.
//!
//! A recording contains neither the mass of the body nor the positions of strike and pickup. The patch follows the conventions of gains
//! ([`crate::import::patch_builder`]): the strike at one end, the pickups at the other, and a shape that ends at the sign of the partial's
//! onset. A hammer with the force f(t) gives a mode the amplitude
//!
//! ```text
//! a_i = |F(f_i)|/m_i,  F = integral of f(t) e^(-i 2 pi f_i t)
//! ```
//!
//! so that m_i is proportional to |F(f_i)|/a_i; the smallest one is the mass of the body. The force depends on the masses: it is that of
//! the default hammer at velocity 100, hardened until the highest strong partial is below the first zero of its spectrum, and it is
//! measured again after each change of the masses.

use std::f64::consts::TAU;

use crate::engine::{Engine, EngineConfig};
use crate::event::{Event, NoteId};
use crate::import::home_pitch::home_pitch;
use crate::import::patch_builder::{select_modes, set_opposite_ends};
use crate::params::ParamId;
use crate::patch::{ListedMode, Patch};
use crate::telemetry::HitPulse;
use urto_physics::analysis::{Estimate, Found};

/// Partials above this share of the strongest one determine the hardness of the hammer.
const STRONG: f64 = 0.03;
/// Frequency times contact time below which the spectrum of a pulse has no zero; that of half a sine is at 1.5.
const BELOW_FIRST_ZERO: f64 = 0.9;
/// Factor of the stiffness in one step of hardening.
const HARDENING_FACTOR: f64 = 2.0;
/// Maximum number of steps of hardening.
const MAX_HARDENINGS: usize = 14;
/// Maximum time over which amplitudes are extrapolated back [s].
const MAX_EXTRAPOLATION: f64 = 0.05;
/// Number of times that the masses are computed from the force.
const ROUNDS: usize = 6;
/// Minimum force of a frequency relative to 0 Hz: weaker ones are not compensated by lighter modes.
const MIN_FORCE: f64 = 0.01;
/// Velocity of the trial note.
const TRIAL_VELOCITY: f64 = 100.0 / 127.0;
/// Peak of the sound of the trial note; full scale is 1.
const TRIAL_PEAK: f64 = 0.35;
/// Sample rate of the trial note [Hz], frames of a block, and number of blocks: 50 ms.
const RATE: f64 = 48e3;
const BLOCK: usize = 96;
const BLOCKS: usize = 25;

/// The patch of the estimated partials; one of them is the pitch of the home key ([`home_pitch`]). `None` if there are none.
pub fn from_estimate(estimate: &Estimate) -> Option<Patch> {
    let back = (estimate.start - estimate.onset).clamp(0.0, MAX_EXTRAPOLATION);
    let amplitudes: Vec<f64> = estimate.found.iter().map(|found| at_onset(found, back)).collect();
    let strongest = amplitudes.iter().copied().fold(0.0, f64::max);
    let reference = home_pitch(estimate)?;
    let mut patch = Patch::default();
    set_opposite_ends(&mut patch.settings);
    let mode = |(found, level): (&Found, &f64)| {
        let phase = found.partial.phase - TAU * found.partial.hertz * back;
        ListedMode {
            ratio: found.partial.hertz / reference,
            decay: Some(found.partial.decay),
            mass: strongest / level,
            shape: vec![1.0, if phase.cos() < 0.0 { -1.0 } else { 1.0 }].into(),
        }
    };
    patch.modes = estimate.found.iter().zip(&amplitudes).map(mode).collect();
    select_modes(&mut patch, reference);
    let strong = estimate.found.iter().zip(&amplitudes).filter(|(_, level)| **level > STRONG * strongest);
    let highest = strong.map(|(found, _)| found.partial.hertz).fold(0.0, f64::max);
    harden(&mut patch, highest);
    for _ in 0..ROUNDS {
        let Some((pulse, _)) = trial(&patch) else { break };
        set_masses(&mut patch, reference, &amplitudes, &pulse);
    }
    if let Some((_, peak)) = trial(&patch).filter(|(_, peak)| *peak > 0.0) {
        let level = patch.settings.get(ParamId::Level) + 20.0 * (TRIAL_PEAK / peak).log10();
        patch.settings.set(ParamId::Level, level);
    }
    Some(patch)
}

/// Amplitude at the onset, `back` [s] before the start of the estimate.
fn at_onset(found: &Found, back: f64) -> f64 {
    found.partial.amplitude * (found.partial.decay * back).exp()
}

/// Hardens the hammer until the spectrum of its force has no zero up to `highest` [Hz].
fn harden(patch: &mut Patch, highest: f64) {
    for _ in 0..MAX_HARDENINGS {
        let Some((pulse, _)) = trial(patch) else { return };
        if pulse.duration * highest < BELOW_FIRST_ZERO {
            return;
        }
        let stiffness = patch.settings.get(ParamId::Stiffness);
        patch.settings.set(ParamId::Stiffness, HARDENING_FACTOR * stiffness);
    }
}

/// Sets the masses with which the force of `pulse` results in the amplitudes `amplitudes`.
fn set_masses(patch: &mut Patch, reference: f64, amplitudes: &[f64], pulse: &HitPulse) {
    let lowest = force(pulse, 0.0);
    for (mode, level) in patch.modes.iter_mut().zip(amplitudes) {
        mode.mass = force(pulse, mode.ratio * reference).max(MIN_FORCE * lowest) / level;
    }
    let lightest = patch.modes.iter().map(|mode| mode.mass).fold(f64::INFINITY, f64::min);
    patch.modes.iter_mut().for_each(|mode| mode.mass /= lightest);
}

/// |F| of a pulse at `hertz` [N s], by the trapezoidal rule.
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

/// The first contact of a strike on the home key, and the peak of its sound; `None` without a contact.
fn trial(patch: &Patch) -> Option<(HitPulse, f64)> {
    let mut engine = Engine::new(EngineConfig { voices: 1, ..EngineConfig::at(RATE) }, patch);
    let key = patch.settings.get(ParamId::HomeKey) as u8;
    engine.event(&Event::NoteOn { note: NoteId { voice: None, channel: 0, key }, velocity: TRIAL_VELOCITY });
    let (mut left, mut right) = ([0.0; BLOCK], [0.0; BLOCK]);
    let mut first = None;
    for _ in 0..BLOCKS {
        engine.render(&mut left, &mut right, [&[]; 2]);
        first = first.or(engine.take_hit());
    }
    let peak = engine.take_meters().peaks[0];
    first.map(|pulse| (pulse, f64::from(peak)))
}
