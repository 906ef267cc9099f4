//! How the pitch of a struck body falls: the strongest low partial over the first 300 ms.

use urto_fourier::Complex64;

use crate::realism::fourier::{butterworth_power, quick_length};
use crate::realism::partials::Partial;

/// Times at which the pitch is compared [s].
pub const TIMES: [f64; 4] = [0.02, 0.05, 0.1, 0.15];
/// Part whose pitch is the reference [s].
const REFERENCE: (f64, f64) = (0.25, 0.35);
/// Frequencies of the partial [Hz].
const LOW: (f64, f64) = (40.0, 1200.0);
/// Half width of the band around the partial, relative to its frequency.
const BAND: f64 = 0.3;
/// How much stronger the partial is than any other in its band, and how much weaker than the strongest at most [dB].
const DISTINCT: (f64, f64) = (12.0, 20.0);
/// Largest ratio of the frequencies of partials whose glides can be compared.
const SAME: f64 = 1.3;
/// Half width of the part around each time [s]; periods that it has at least.
const PART: (f64, f64) = (0.01, 1.0);
/// Amplitude at the end below which there is no pitch to compare with, relative to the largest.
const AUDIBLE: f64 = 0.003;

/// Pitch relative to that at 300 ms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Glide {
    /// Frequency of the partial [Hz].
    pub hertz: f64,
    /// Cents at 20, 50, 100 and 150 ms.
    pub cents: [f64; 4],
}

impl Glide {
    /// The glide of the strongest partial from 40 to 1200 Hz; `None` if there is none, if it ends within 300 ms,
    /// or if others are beside it.
    pub fn of(mono: &[f64], rate: f64, partials: &[Partial]) -> Option<Self> {
        let low = partials.iter().filter(|partial| (LOW.0..LOW.1).contains(&partial.hertz));
        let Partial { hertz, level, .. } = *low.max_by(|a, b| a.level.total_cmp(&b.level))?;
        let is_beside = |other: &&Partial| other.hertz != hertz && (other.hertz / hertz - 1.0).abs() < BAND;
        let beside = partials.iter().filter(is_beside).map(|other| other.level).fold(f64::NEG_INFINITY, f64::max);
        if beside > level - DISTINCT.0 || level < -DISTINCT.1 {
            return None;
        }
        let used = &mono[..mono.len().min((0.5 * rate) as usize)];
        if (used.len() as f64) < (REFERENCE.1 + 0.01) * rate {
            return None;
        }
        let analytic = analytic(used, rate, hertz);
        let amplitude = |n: usize| analytic[n].norm();
        let largest = (0..used.len()).map(amplitude).fold(0.0, f64::max);
        if amplitude((REFERENCE.0 * rate) as usize) < AUDIBLE * largest {
            return None;
        }
        // mean of the instantaneous frequency, weighted by the power
        let frequency = |from: f64, to: f64| {
            let frames = (from.max(0.0) * rate) as usize..((to * rate) as usize).min(used.len() - 1);
            let turn: Complex64 = frames.map(|n| analytic[n + 1] * analytic[n].conj()).sum();
            turn.arg() * rate / std::f64::consts::TAU
        };
        let reference = frequency(REFERENCE.0, REFERENCE.1);
        let half = PART.0.max(PART.1 / hertz);
        let cents = TIMES.map(|time| 1200.0 * (frequency(time - half, time + half).max(1.0) / reference.max(1.0)).log2());
        Some(Self { hertz, cents })
    }

    /// The largest difference of two glides [cents]; `None` if they are those of different partials.
    pub fn difference(&self, other: &Self) -> Option<f64> {
        let largest = self.cents.iter().zip(other.cents).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        (self.hertz.max(other.hertz) <= SAME * self.hertz.min(other.hertz)).then_some(largest)
    }
}

/// The analytic signal of the band around `hertz`.
fn analytic(mono: &[f64], rate: f64, hertz: f64) -> Vec<Complex64> {
    use crate::realism::fourier::padded_spectrum;
    use urto_fourier::signal;
    let frames = quick_length(2 * mono.len());
    let gain = butterworth_power((hertz * (1.0 - BAND), hertz * (1.0 + BAND)), rate);
    let mut bins = padded_spectrum(mono.to_vec(), frames);
    bins.iter_mut().enumerate().for_each(|(bin, value)| *value *= gain(bin as f64 * rate / frames as f64));
    let turned = bins.iter().map(|bin| bin * Complex64::new(0.0, -1.0)).collect();
    let (real, imaginary) = (signal(bins, frames), signal(turned, frames));
    real.into_iter().zip(imaginary).take(mono.len()).map(|(re, im)| Complex64::new(re, im)).collect()
}
