//! The bands of a recording's noise as the residual of a patch.
//!
//! ```text
//! level of a band = sqrt(2 P)/F_rms        P: its mean square at the onset, F_rms: rms of the reference force's spectrum in the band
//! modes of a band = bandwidth times T60/0.75, from 3 to 160
//! ```
//!
//! so that the reference stroke gives the noise of the recording, and another force its own spectrum. Force spectra below -100 dB are
//! not compensated.

use crate::import::reference_stroke::ReferenceStroke;
use crate::patch::{MAX_RESIDUAL_MODES, ResidualBand};
use urto_physics::analysis::NoiseBand;

/// Modes of a band over bandwidth times T60, and their bounds.
const OVERLAP: f64 = 0.75;
const FEWEST: f64 = 3.0;
const MOST: f64 = 160.0;
/// Minimum force of a band relative to 0 Hz: -100 dB.
const MIN_FORCE: f64 = 1e-5;
/// Frequencies of a band at which the force is evaluated.
const POINTS: usize = 8;
/// Digits of written figures.
const DIGITS: i32 = 4;

/// The amplitude of a band's noise at its louder side.
pub fn amplitude(band: &NoiseBand) -> f64 {
    (2.0 * band.power[0].max(band.power[1])).sqrt()
}

/// The residual with the noise `noise` under the force of `stroke`, for a body whose ratio 1 has the frequency `reference` [Hz]; `unit` is the
/// amplitude over the force of a mode of mass 1.
pub fn residual_bands(noise: &[NoiseBand], stroke: &ReferenceStroke, reference: f64, unit: f64) -> Vec<ResidualBand> {
    let lowest = stroke.force(0.0);
    let wanted = |band: &NoiseBand| {
        let t60 = 1000_f64.ln() / band.decay;
        ((band.range.1 - band.range.0) * t60 / OVERLAP).clamp(FEWEST, MOST)
    };
    let total: f64 = noise.iter().map(wanted).sum();
    let spare = FEWEST * noise.len() as f64;
    let share = ((MAX_RESIDUAL_MODES as f64 - spare) / (total - spare).max(1.0)).min(1.0);
    let row = |band: &NoiseBand| {
        let force = rms_force(band, stroke).max(MIN_FORCE * lowest);
        ResidualBand {
            from: rounded(band.range.0 / reference),
            to: rounded(band.range.1 / reference),
            modes: (FEWEST + share * (wanted(band) - FEWEST)) as usize,
            decay: rounded(band.decay),
            sides: band.power.map(|power| rounded((2.0 * power).sqrt() / (force * unit))),
            correlation: rounded(band.correlation),
        }
    };
    noise.iter().map(row).collect()
}

/// Root of the mean square of the force's spectrum in a band [N s].
fn rms_force(band: &NoiseBand, stroke: &ReferenceStroke) -> f64 {
    let (from, to) = band.range;
    let at = |i: usize| stroke.force(from + (to - from) * (i as f64 + 0.5) / POINTS as f64);
    ((0..POINTS).map(|i| at(i).powi(2)).sum::<f64>() / POINTS as f64).sqrt()
}

/// The value with [`DIGITS`] digits.
fn rounded(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return 0.0;
    }
    let scale = 10_f64.powi(DIGITS - 1 - value.abs().log10().floor() as i32);
    (value * scale).round() / scale
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_rounded_to_four_digits() {
        assert_eq!([1234.56, 0.000123456, -0.98765, 0.0].map(rounded), [1235.0, 0.0001235, -0.9877, 0.0]);
    }
}
