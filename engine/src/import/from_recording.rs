//! A patch from the partials of a recording.
//!
//! A recording contains neither the mass of the body nor the positions of strike and pickup. The patch follows the conventions of gains
//! ([`crate::import::patch_builder`]): the strike at one end, the pickups at the other, and a shape that ends at the sign of the partial's
//! onset. In stereo the left pickup is in the middle, and the shape there and at the end gives both sides their own levels. A hammer with
//! the force f(t) gives a mode the amplitude
//!
//! ```text
//! a_i = |F(f_i)|/m_i,  F = integral of f(t) e^(-i 2 pi f_i t)
//! ```
//!
//! so that m_i is proportional to |F(f_i)|/a_i; the smallest one is the mass of the body. The force depends on the masses: it is that of
//! the default hammer at velocity 100, hardened until the highest strong partial is below the first zero of its spectrum, and it is
//! measured again after each change of the masses. The noise between the partials becomes the residual
//! ([`crate::import::residual_bands`]).

use std::f64::consts::TAU;

use crate::import::home_pitch::home_pitch;
use crate::import::patch_builder::{select_modes, set_opposite_ends};
use crate::import::reference_stroke::ReferenceStroke;
use crate::import::residual_bands::{amplitude, residual_bands};
use crate::params::ParamId;
use crate::patch::{ListedMode, Patch};
use urto_physics::analysis::{Estimate, Found, NoiseBand, Recording, SideLevels, noise_bands, side_levels, without_partials};

/// Partials above this share of the strongest one determine the hardness of the hammer.
const STRONG: f64 = 0.03;
/// The same for bands of noise: between the zeros of a longer pulse their spectrum would have gaps.
const STRONG_NOISE: f64 = 0.01;
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
/// Decay [Np] between onset and start of the estimate above which a partial belongs to the noise of the attack: 40 dB.
const MAX_GROWTH: f64 = 4.6;
/// Number of times that the masses are computed from the force.
const ROUNDS: usize = 6;
/// Minimum force of a frequency relative to 0 Hz: weaker ones are not compensated by lighter modes.
const MIN_FORCE: f64 = 0.01;
/// Peak of the sound of the trial note; full scale is 1.
const TRIAL_PEAK: f64 = 0.35;

/// The patch of `recording` with the partials of `estimate`, that of the mean of its channels; one of them is the pitch of the home key
/// ([`home_pitch`]). `None` if there are no partials.
pub fn from_recording(estimate: &Estimate, recording: &Recording) -> Option<Patch> {
    let reference = home_pitch(estimate)?;
    let strikes = struck_partials(estimate, recording);
    if strikes.is_empty() {
        return None;
    }
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
    let noise = noise_bands(without_partials(estimate, recording).each_ref().map(Vec::as_slice), recording.rate);
    harden(&mut patch, highest_strong(&strikes, &noise));
    let mut stroke = None;
    for _ in 0..ROUNDS {
        let Some(latest) = ReferenceStroke::on(&patch) else { break };
        let unit = set_masses(&mut patch, reference, &amplitudes, &latest);
        stroke = Some((latest, unit));
    }
    if let Some((stroke, unit)) = stroke {
        patch.residual = residual_bands(&noise, &stroke, reference, unit);
    }
    if let Some(stroke) = ReferenceStroke::on(&patch).filter(|stroke| stroke.peak > 0.0) {
        let level = patch.settings.get(ParamId::Level) + 20.0 * (TRIAL_PEAK / stroke.peak).log10();
        patch.settings.set(ParamId::Level, level);
    }
    Some(patch)
}

/// The highest frequency [Hz] of a strong partial, or of a band of noise that is not much weaker than the strongest partial.
fn highest_strong(strikes: &[StruckPartial], noise: &[NoiseBand]) -> f64 {
    let strongest = strikes.iter().map(StruckPartial::amplitude).fold(0.0, f64::max);
    let partials = strikes.iter().filter(|partial| partial.amplitude() > STRONG * strongest).map(|partial| partial.hertz);
    let bands = noise.iter().filter(|band| amplitude(band) > STRONG_NOISE * strongest).map(|band| band.range.0);
    partials.chain(bands).fold(0.0, f64::max)
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
    let levels = side_levels(estimate, recording);
    let lasting = estimate.found.iter().zip(levels).filter(|(found, _)| found.partial.decay * back < MAX_GROWTH);
    lasting.map(struck).filter(|partial| partial.amplitude() > 0.0).collect()
}

/// Hardens the hammer until the spectrum of its force has no zero up to `highest` [Hz].
fn harden(patch: &mut Patch, highest: f64) {
    for _ in 0..MAX_HARDENINGS {
        let Some(stroke) = ReferenceStroke::on(patch) else { return };
        if stroke.pulse.duration * highest < BELOW_FIRST_ZERO {
            return;
        }
        let stiffness = patch.settings.get(ParamId::Stiffness);
        patch.settings.set(ParamId::Stiffness, HARDENING_FACTOR * stiffness);
    }
}

/// Sets the masses with which the force of `stroke` results in the amplitudes `amplitudes`; returns the amplitude over the force of a mode
/// of mass 1.
fn set_masses(patch: &mut Patch, reference: f64, amplitudes: &[f64], stroke: &ReferenceStroke) -> f64 {
    let lowest = stroke.force(0.0);
    for (mode, level) in patch.modes.iter_mut().zip(amplitudes) {
        mode.mass = stroke.force(mode.ratio * reference).max(MIN_FORCE * lowest) / level;
    }
    let lightest = patch.modes.iter().map(|mode| mode.mass).fold(f64::INFINITY, f64::min);
    patch.modes.iter_mut().for_each(|mode| mode.mass /= lightest);
    1.0 / lightest
}
