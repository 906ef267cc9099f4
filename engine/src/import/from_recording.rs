//! A patch from the partials of a recording.
//!
//! A recording contains neither the mass of the body nor the positions of strike and pickup. The patch follows the conventions of gains
//! ([`crate::import::patch_builder`]): the strike at one end, the pickups at the other, and a shape that ends at the sign of the partial's
//! onset. In stereo the left pickup is in the middle, and the shape there and at the end gives both sides their own levels. A hammer with the force f(t) gives a mode the amplitude
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
use urto_physics::analysis::{Estimate, Found, Recording, SideLevels, side_levels};

/// Partials above this share of the strongest one determine the hardness of the hammer.
const STRONG: f64 = 0.03;
/// Frequency times contact time below which the spectrum of a pulse has no zero; that of half a sine is at 1.5.
const BELOW_FIRST_ZERO: f64 = 0.9;
/// Factor of the stiffness in one step of hardening.
const HARDENING_FACTOR: f64 = 2.0;
/// Maximum number of steps of hardening.
const MAX_HARDENINGS: usize = 14;
/// Position of the left pickup in stereo: the strike is at 0, the right pickup at 1.
const LEFT_PICKUP: f64 = 0.5;
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

/// The patch of `recording` with the partials of `estimate`, that of the mean of its channels; one of them is the pitch of the home key
/// ([`home_pitch`]). `None` if there are no partials.
pub fn from_recording(estimate: &Estimate, recording: &Recording) -> Option<Patch> {
    let reference = home_pitch(estimate)?;
    let strikes = struck_partials(estimate, recording);
    let amplitudes: Vec<f64> = strikes.iter().map(StruckPartial::amplitude).collect();
    let strongest = amplitudes.iter().copied().fold(0.0, f64::max);
    let mut patch = Patch::default();
    set_opposite_ends(&mut patch.settings);
    let is_stereo = recording.channels.len() > 1;
    if is_stereo {
        patch.settings.set(ParamId::PickupLeft, LEFT_PICKUP);
    }
    let mode = |partial: &StruckPartial| ListedMode {
        ratio: partial.hertz / reference,
        decay: Some(partial.decay),
        mass: strongest / partial.amplitude(),
        shape: partial.shape(is_stereo).into(),
    };
    patch.modes = strikes.iter().map(mode).collect();
    select_modes(&mut patch, reference);
    let strong = strikes.iter().filter(|partial| partial.amplitude() > STRONG * strongest);
    let highest = strong.map(|partial| partial.hertz).fold(0.0, f64::max);
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

/// A partial at the onset.
struct StruckPartial {
    hertz: f64,
    decay: f64,
    /// Amplitudes left and right, with the signs of the displacement.
    sides: [f64; 2],
}

impl StruckPartial {
    /// The larger amplitude.
    fn amplitude(&self) -> f64 {
        self.sides[0].abs().max(self.sides[1].abs())
    }

    /// The shape 1 at the strike, and at the pickups the sign, or in stereo the share of each side.
    fn shape(&self, is_stereo: bool) -> Vec<f64> {
        let share = self.sides.map(|side| side / self.amplitude());
        if is_stereo { vec![1.0, share[0], share[1]] } else { vec![1.0, share[0]] }
    }
}

/// The partials of `estimate` at the onset of the strike.
fn struck_partials(estimate: &Estimate, recording: &Recording) -> Vec<StruckPartial> {
    let back = (estimate.start - estimate.onset).clamp(0.0, MAX_EXTRAPOLATION);
    let struck = |(found, levels): (&Found, SideLevels)| {
        let partial = found.partial;
        let phase = partial.phase - TAU * partial.hertz * back;
        let growth = (partial.decay * back).exp() * if phase.cos() < 0.0 { -1.0 } else { 1.0 };
        StruckPartial { hertz: partial.hertz, decay: partial.decay, sides: levels.sides.map(|side| growth * side) }
    };
    let strikes = estimate.found.iter().zip(side_levels(estimate, recording)).map(struck);
    strikes.filter(|partial| partial.amplitude() > 0.0).collect()
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
    let peaks = engine.take_meters().peaks;
    first.map(|pulse| (pulse, f64::from(peaks[0].max(peaks[1]))))
}
