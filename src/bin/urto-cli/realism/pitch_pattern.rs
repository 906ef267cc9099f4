//! The pattern of a stroke's partials on a logarithmic scale, which shows by how many cents another stroke of the same body is higher.
//!
//! Two bodies whose partials lie elsewhere, such as two crash cymbals, have no shift at which their patterns agree.

use crate::realism::fourier::{padded_spectrum, part, rise_and_fall, windowed};

/// Part of the sound [s].
const PART: (f64, f64) = (0.05, 1.05);
/// Frames of the transform.
const FRAMES: usize = 1 << 17;
/// Lowest frequency [Hz], steps in an octave, number of steps: up to 10 kHz, 5 cents each.
const SCALE: (f64, usize, usize) = (80.0, 240, 1680);
/// Half width of the mean that is subtracted [steps]: a third of an octave.
const SMOOTH: usize = 40;
/// Most steps by which patterns are shifted: 100 cents.
const MOST: isize = 20;
/// Range below the strongest partial [dB].
const RANGE: f64 = 50.0;

/// By how much a level rises above the mean around it [dB], by steps of 5 cents.
#[derive(Clone, Debug, PartialEq)]
pub struct PitchPattern(Vec<f64>);

/// The shift at which two patterns agree best.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Agreement {
    /// By how much the second is higher [cents].
    pub cents: f64,
    /// Correlation at this shift, 0 to 1.
    pub best: f64,
    /// Mean correlation over all shifts.
    pub mean: f64,
}

impl PitchPattern {
    /// The pattern of `mono`.
    pub fn of(mono: &[f64], rate: f64) -> Self {
        let part = part(mono, rate, PART);
        let largest = part.iter().fold(0.0_f64, |largest, sample| largest.max(sample.abs()));
        let end = part.iter().rposition(|sample| sample.abs() > 0.001 * largest).unwrap_or(0);
        let part = &part[..end];
        if part.len() < 256 {
            return Self(vec![0.0; SCALE.2]);
        }
        let frames = FRAMES.max(part.len().next_power_of_two());
        let power: Vec<f64> = padded_spectrum(windowed(part, &rise_and_fall((0.01 * rate) as usize, part.len())), frames)
            .iter()
            .map(|bin| bin.norm_sqr())
            .collect();
        let edge = |n: f64| SCALE.0 * 2_f64.powf(n / SCALE.1 as f64) * frames as f64 / rate;
        let level = |n: usize| {
            let from = (edge(n as f64 - 0.5) as usize).min(power.len() - 1);
            let to = (edge(n as f64 + 0.5) as usize).clamp(from, power.len() - 1);
            10.0 * (power[from..=to].iter().copied().fold(0.0, f64::max) + 1e-20).log10()
        };
        let levels: Vec<f64> = (0..SCALE.2).map(level).collect();
        let top = levels.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let cut: Vec<f64> = levels.iter().map(|level| (level - top + RANGE).max(0.0)).collect();
        let around = |n: usize| {
            let window = &cut[n.saturating_sub(SMOOTH)..(n + SMOOTH + 1).min(cut.len())];
            window.iter().sum::<f64>() / window.len() as f64
        };
        Self((0..cut.len()).map(|n| (cut[n] - around(n)).max(0.0)).collect())
    }

    /// The shift at which `other` agrees best with this pattern.
    pub fn agreement(&self, other: &Self) -> Agreement {
        let (own, other) = (&self.0, &other.0);
        let energy = |pattern: &Vec<f64>| pattern.iter().map(|rise| rise * rise).sum::<f64>();
        let norm = (energy(own) * energy(other)).sqrt() + 1e-9;
        let correlation = |shift: isize| {
            let at =
                |n: usize| usize::try_from(n as isize + shift).ok().and_then(|place| other.get(place)).copied().unwrap_or(0.0);
            own.iter().enumerate().map(|(n, rise)| rise * at(n)).sum::<f64>() / norm
        };
        let all: Vec<(isize, f64)> = (-MOST..=MOST).map(|shift| (shift, correlation(shift))).collect();
        let best = all.iter().copied().fold((0, f64::NEG_INFINITY), |best, next| if next.1 > best.1 { next } else { best });
        let mean = all.iter().map(|(_, value)| value).sum::<f64>() / all.len() as f64;
        Agreement { cents: best.0 as f64 * 1200.0 / SCALE.1 as f64, best: best.1, mean }
    }
}
