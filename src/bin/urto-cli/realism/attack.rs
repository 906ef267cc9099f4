//! The first 20 ms of a stroke: its spectrum by third octaves, and its envelope by milliseconds.

use crate::realism::distance::median;
use crate::realism::fourier::{hann, padded_spectrum, part, windowed};

/// Duration, with the 2 ms before the onset [s].
const DURATION: f64 = 0.022;
/// Frames of the transform.
const FRAMES: usize = 4096;
/// Lowest band edge [Hz], number of bands, bands in an octave.
const BANDS: (f64, usize, f64) = (100.0, 21, 3.0);
/// Steps of the envelope.
const STEPS: usize = 22;
/// Levels further below the largest do not count [dB].
const RANGE: f64 = 40.0;

/// The figures of an attack.
#[derive(Clone, Debug, PartialEq)]
pub struct Attack {
    /// Level by third octaves [dB].
    spectrum: Vec<f64>,
    /// Level by milliseconds [dB].
    envelope: Vec<f64>,
}

impl Attack {
    /// The attack of `mono`, which starts 2 ms before its onset.
    pub fn of(mono: &[f64], rate: f64) -> Self {
        let start = part(mono, rate, (0.0, DURATION));
        let window = hann(2 * start.len());
        let frames = FRAMES.max(start.len().next_power_of_two());
        let power: Vec<f64> =
            padded_spectrum(windowed(start, &window[start.len()..]), frames).iter().map(|bin| bin.norm_sqr()).collect();
        let edge = |n: usize| ((BANDS.0 * 2_f64.powf(n as f64 / BANDS.2) * frames as f64 / rate) as usize).min(power.len() - 1);
        let band = |n: usize| decibels(power[edge(n)..=edge(n + 1)].iter().sum());
        let step = |n: usize| {
            let width = 0.001;
            decibels(part(mono, rate, (n as f64 * width, (n + 1) as f64 * width)).iter().map(|sample| sample * sample).sum())
        };
        Self { spectrum: (0..BANDS.1).map(band).collect(), envelope: (0..STEPS).map(step).collect() }
    }

    /// Mean differences of spectrum and envelope, each at equal mean level [dB].
    pub fn differences(&self, other: &Self) -> [f64; 2] {
        [difference(&self.spectrum, &other.spectrum), difference(&self.envelope, &other.envelope)]
    }
}

fn decibels(power: f64) -> f64 {
    10.0 * (power + 1e-20).log10()
}

/// Mean difference of two lists of levels, both cut 40 dB below their maximum.
fn difference(a: &[f64], b: &[f64]) -> f64 {
    let cut = |levels: &[f64]| -> Vec<f64> {
        let top = levels.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        levels.iter().map(|level| (level - top).max(-RANGE)).collect()
    };
    let differences: Vec<f64> = cut(a).iter().zip(cut(b)).map(|(a, b)| a - b).collect();
    let middle = median(differences.clone());
    differences.iter().map(|difference| (difference - middle).abs()).sum::<f64>() / differences.len() as f64
}
