//! Heavy modes: the many modes of a large structure that a hammer drives and does not feel, as the frame under a bar or the shell of a
//! drum.
//!
//! ```text
//! W_i = s/sqrt(M)                              M = 1e6 kg: sum W_i^2 stays far below 1/m of any hammer
//! l_i, r_i = g a_i sqrt(M) sqrt2 cos(psi_i), .. cos(psi_i + w d_i)         a_i = (f_i/1 kHz)^(slope/6.02 dB), sum of squares 1
//! f_i even from low to high, jittered; sigma_i by the losses
//! ```
//!
//! They are modes as all others: exact steps, two-way contact, energy balance. The large mass makes their reaction negligible, the pickup
//! gain makes up for it, so that the sound does not depend on M. psi_i and d_i are angles around the structure, random: w = 0 is one place
//! for both pickups, w = 1 two places far apart.

use std::f64::consts::{PI, SQRT_2, TAU};

use crate::bodies::field::ladder::{Stream, random_of};
use crate::bodies::material::Losses;
use crate::modal::Mode;

/// Modal mass M [kg].
const MASS: f64 = 1e6;

/// Frequency [Hz] at which a slope has the factor 1.
const PIVOT: f64 = 1e3;

/// Spread of a frequency around its place, over the distance of two.
const JITTER: f64 = 0.74;

/// One mode that does not react noticeably. Modes of this kind follow those of the body they belong to, and are always held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeavyMode {
    /// Damped frequency [Hz].
    pub frequency: f64,
    /// Frequency [Hz] of the ratio 1 of the body at which it has this frequency, and which it follows; None: whatever the pitch of the
    /// body.
    pub reference: Option<f64>,
    /// Decay rate of the amplitude [1/s].
    pub decay_rate: f64,
    /// Weight for hammers at any place [kg^-1/2].
    pub struck: f64,
    /// Weights for the left and the right pickup [kg^-1/2], of a body of 1 kg; for others, over their mass.
    pub heard: [f64; 2],
}

impl HeavyMode {
    /// The mode itself on a body whose ratio 1 has the frequency `lowest` [Hz], its frequency at most `limit` [Hz].
    pub fn mode(&self, lowest: f64, limit: f64) -> Mode {
        Mode::heard_at(self.frequency_at(lowest).min(limit), self.decay_rate)
    }

    /// Its damped frequency [Hz] on a body whose ratio 1 has the frequency `lowest` [Hz].
    pub fn frequency_at(&self, lowest: f64) -> f64 {
        self.reference.map_or(1.0, |reference| lowest / reference) * self.frequency
    }
}

/// A structure with many heavy modes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeavyField {
    /// Number of modes.
    pub modes: usize,
    /// Lowest and highest frequency [Hz], both > 0.
    pub range: [f64; 2],
    /// Decay rates.
    pub losses: Losses,
    /// Level of all modes together at a pickup, over one mode of the body of mean square 1.
    pub level: f64,
    /// Slope of the level with frequency [dB per octave].
    pub slope: f64,
    /// How far the pickups are apart, 0 (one place) to 1.
    pub width: f64,
    /// Seed: the specimen.
    pub seed: u64,
}

impl HeavyField {
    /// Its modes, of rising frequency. Allocates.
    pub fn modes(&self) -> Vec<HeavyMode> {
        let [low, high] = self.range;
        let step = (high - low).max(0.0) / self.modes.max(1) as f64;
        let slope = self.slope / (20.0 * 2_f64.log10());
        let mut modes: Vec<HeavyMode> = (0..self.modes).map(|i| self.mode(i, low, step)).collect();
        modes.sort_by(|a, b| a.frequency.total_cmp(&b.frequency));
        let amplitude = |mode: &HeavyMode| (mode.frequency / PIVOT).powf(slope);
        let sum: f64 = modes.iter().map(|mode| amplitude(mode).powi(2)).sum();
        let scale = self.level / sum.sqrt().max(f64::MIN_POSITIVE);
        for mode in &mut modes {
            let gain = scale * amplitude(mode);
            mode.heard = mode.heard.map(|heard| gain * heard);
        }
        modes
    }

    /// Mode `i` with unit gain at the pickups.
    fn mode(&self, i: usize, low: f64, step: f64) -> HeavyMode {
        let (mut place, mut angles) =
            (random_of(self.seed, i as u64, Stream::Frequency), random_of(self.seed, i as u64, Stream::Waves));
        let frequency = low + step * (i as f64 + 0.5 + JITTER * (place.uniform() - 0.5));
        let (first, apart) = (TAU * angles.uniform(), PI * (2.0 * angles.uniform() - 1.0));
        let heard = [first, first + self.width * apart].map(|angle| MASS.sqrt() * SQRT_2 * angle.cos());
        let sign = if angles.uniform() < 0.5 { -1.0 } else { 1.0 };
        HeavyMode { frequency, reference: None, decay_rate: self.losses.sigma(frequency), struck: sign / MASS.sqrt(), heard }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOCK: HeavyField = HeavyField {
        modes: 400,
        range: [120.0, 9e3],
        losses: Losses { constant: 36.0, structural: 1.5e-3, viscous: 0.0 },
        level: 0.5,
        slope: 0.0,
        width: 0.0,
        seed: 7,
    };

    /// Root of the sum of squares of all modes at a pickup after an impulse of 1 Ns on a body of 1 kg.
    fn level(modes: &[HeavyMode], side: usize) -> f64 {
        modes.iter().map(|mode| (mode.struck * mode.heard[side]).powi(2)).sum::<f64>().sqrt()
    }

    #[test]
    fn the_mobility_is_small_and_the_level_is_the_given_one() {
        for (width, slope) in [(0.0, 0.0), (1.0, -6.0), (1.0, 6.0)] {
            let modes = HeavyField { width, slope, ..KNOCK }.modes();
            let mobility: f64 = modes.iter().map(|mode| mode.struck * mode.struck).sum();
            assert!(mobility < 5e-4, "{mobility} of a hammer's 1/m");
            for side in 0..2 {
                assert!((level(&modes, side) / 0.5 - 1.0).abs() < 0.15, "{width} {slope}: {}", level(&modes, side));
            }
            assert!(modes.windows(2).all(|pair| pair[0].frequency <= pair[1].frequency));
            assert!(modes.iter().all(|mode| (100.0..9.02e3).contains(&mode.frequency)));
        }
    }

    /// Without width both pickups hear the same, with it nothing in common.
    #[test]
    fn the_width_separates_the_pickups() {
        let correlation = |width| {
            let modes = HeavyField { width, ..KNOCK }.modes();
            let both: f64 = modes.iter().map(|mode| mode.struck.powi(2) * mode.heard[0] * mode.heard[1]).sum();
            both / (level(&modes, 0) * level(&modes, 1))
        };
        assert!((correlation(0.0) - 1.0).abs() < 1e-12 && correlation(1.0).abs() < 0.15, "{}", correlation(1.0));
        assert!((0.3..0.9).contains(&correlation(0.5)), "{}", correlation(0.5));
    }

    #[test]
    fn a_slope_raises_or_lowers_the_high_modes() {
        let modes = HeavyField { slope: -6.020_599_913_279_624, ..KNOCK }.modes();
        let part = |from: f64, to: f64| {
            let some = modes.iter().filter(|mode| (from..to).contains(&mode.frequency));
            some.map(|mode| (mode.struck * mode.heard[0]).powi(2) * mode.frequency * mode.frequency).sum::<f64>() / (to - from)
        };
        assert!((part(500.0, 3e3) / part(5e3, 9e3) - 1.0).abs() < 0.3, "{}", part(500.0, 3e3) / part(5e3, 9e3));
    }
}
