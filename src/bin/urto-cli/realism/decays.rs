//! How long a preset rings in each octave, beside all recorded strokes of an instrument.

use std::fmt::Write as _;

use serde::Serialize;

use crate::realism::comparison::{Comparison, longer_decays};
use crate::realism::distance::median;
use crate::realism::portrait::OCTAVES;

/// Largest factor of two times to -60 dB that counts as agreement.
pub const AGREEING: f64 = 1.3;

/// Times to -60 dB of a preset over those of the recordings.
#[derive(Clone, Debug, Serialize)]
pub struct Decays {
    /// Longer time over the shorter one: median of all octaves of all strokes. `None` without a common octave.
    pub factor: Option<f64>,
    /// Time of the preset over that of the recording in the octaves around 63, 125, .. 16000 Hz: median of the strokes.
    pub by_octave: [Option<f64>; OCTAVES.len()],
}

impl Decays {
    /// The decays of the strokes of an instrument.
    pub fn of(strokes: &[&Comparison]) -> Self {
        let longer: Vec<_> = strokes.iter().map(|stroke| longer_decays(&stroke.t60)).collect();
        let of_some = |octaves: Vec<f64>| (!octaves.is_empty()).then(|| median(octaves).exp2());
        Self {
            factor: of_some(longer.iter().flatten().flatten().map(|octaves| octaves.abs()).collect()),
            by_octave: std::array::from_fn(|place| of_some(longer.iter().filter_map(|stroke| stroke[place]).collect())),
        }
    }

    /// Whether the factor is at most [`AGREEING`].
    pub fn agree(&self) -> bool {
        self.factor.is_some_and(|factor| factor <= AGREEING)
    }

    /// One line of a report. `None` without a common octave.
    pub fn line(&self) -> Option<String> {
        let mut text = format!("  T60: factor {:.2}; preset over recording", self.factor?);
        for (centre, ratio) in OCTAVES.iter().zip(self.by_octave) {
            if let Some(ratio) = ratio {
                let _ = write!(text, " {centre}:{ratio:.2}");
            }
        }
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::Sound;
    use crate::realism::comparison::Stroke;
    use std::f64::consts::TAU;

    /// Partials of 1000 and 4000 Hz with these times to -60 dB [s], which begin within 20 ms.
    fn partials(t60: [f64; 2]) -> Stroke {
        let rate = 32_000;
        let sample = |n: u32| {
            let time = f64::from(n) / f64::from(rate);
            let rise = (0.25 * TAU * (time / 0.02).min(1.0)).sin().powi(2);
            let partial = |(hertz, t60): (f64, f64)| (TAU * hertz * time).sin() * 10_f64.powf(-3.0 * time / t60);
            rise * [1000.0, 4000.0].into_iter().zip(t60).map(partial).sum::<f64>()
        };
        Stroke::new(Sound { rate, channels: vec![(0..rate).map(sample).collect()] })
    }

    /// The factor is the median of all octaves of all strokes, whichever side rings longer; the ratios keep the side.
    #[test]
    fn times_of_partials_are_found() {
        let strokes = [[0.9, 0.4], [0.6, 0.4]].map(|t60| Comparison::of(&partials([0.6; 2]), &partials(t60), 50.0));
        let decays = Decays::of(&strokes.each_ref());
        for (octave, ratio) in [(4, 1.5_f64.sqrt()), (6, 2.0 / 3.0)] {
            let found = decays.by_octave[octave].expect("both have this octave");
            assert!((found / ratio - 1.0).abs() < 0.005, "{octave}: {found} for {ratio}");
        }
        // of 1, 1.5, 1.5 and 1.5
        let factor = decays.factor.expect("common octaves");
        assert!((factor / 1.5 - 1.0).abs() < 0.005 && !decays.agree(), "{factor}");
    }
}
