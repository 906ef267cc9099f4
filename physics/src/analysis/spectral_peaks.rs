//! Partials that stand out of the spectrum of the first second: for dense and noisy sounds, whose partials no fit can tell apart.
//!
//! A peak is at least 14 dB above the higher of the valleys beside it. Its decay is the line through the level of the signal around
//! its frequency (Hann window of 30 ms).

use std::f64::consts::{PI, TAU};

use nalgebra::Complex;
use urto_fourier::transform;

use crate::analysis::known_partials::{exponent, fit};
use crate::analysis::types::{C, Found, Partial};

/// Analysed part after the onset [s].
const PART: (f64, f64) = (0.02, 1.02);
/// Transformed duration over the analysed one.
const PADDING: f64 = 2.7;
/// Least height over the valleys, and most distance from the loudest level [dB].
const PROMINENCE: f64 = 14.0;
const RANGE: f64 = 45.0;
/// Least distance of two peaks [Hz].
const SPACING: f64 = 8.0;
/// Lowest frequency [Hz], and the highest over the rate.
const LIMITS: (f64, f64) = (40.0, 0.45);
/// Window of a decay [s], its longest duration [s], and range of its line [dB].
const WINDOW: f64 = 0.03;
const LONGEST: f64 = 1.5;
const FITTED: f64 = 30.0;
/// Most by which a line starts above the loudest level [dB].
const MOST_ABOVE: f64 = 4.0;
/// Decays [dB/s]: slowest, fastest, and that of a rising level.
const SLOPES: (f64, f64) = (2.0, 3000.0);
const RISING: f64 = 4.0;
/// Deviation of a decay rate, over the rate.
const DECAY_DEVIATION: f64 = 0.3;

/// At most `most` partials of `signal`, which begins at the onset, at `rate` [Hz], lowest first; `loudest` is the level of the strongest of
/// the whole sound as of [`loudest_level`]. Amplitudes are those at the onset, phases 0.
fn spectral_peaks(signal: &[f64], rate: f64, loudest: f64, most: usize) -> Vec<Partial> {
    let levels = levels(signal, rate);
    let width = bin_width(&levels, rate);
    let mut found: Vec<usize> = peaks(&levels, loudest - RANGE, (SPACING / width) as usize);
    let inside = |bin: usize| (LIMITS.0..LIMITS.1 * rate).contains(&(bin as f64 * width));
    found.retain(|&bin| inside(bin));
    found.truncate(most);
    found.sort_unstable();
    found.into_iter().map(|bin| decaying(signal, rate, bin as f64 * width)).collect()
}

/// The same as [`Found`], with phases. Frequencies count as known to 1 Hz, decays to 30 %.
pub fn standing_out(signal: &[f64], rate: f64, loudest: f64, most: usize) -> Vec<Found> {
    let mut partials = spectral_peaks(signal, rate, loudest, most);
    let exponents: Vec<C> = partials.iter().map(|partial| exponent(partial, rate)).collect();
    let part = &signal[..signal.len().min((LONGEST * rate) as usize)];
    if let Some([fitted, _]) = fit(&exponents, [part; 2]) {
        for (partial, c) in partials.iter_mut().zip(fitted) {
            // the fit explains the most energy; the line hears its neighbours as well
            (partial.amplitude, partial.phase) = (partial.amplitude.min(c.norm()), c.arg());
        }
    }
    let found = |partial: Partial| Found {
        partial,
        over_noise_db: PROMINENCE,
        cents: 1200.0 * (1.0 / partial.hertz).ln_1p() / std::f64::consts::LN_2,
        decay: DECAY_DEVIATION,
    };
    partials.into_iter().map(found).collect()
}

/// The loudest level in the spectrum of `signal` [dB].
pub fn loudest_level(signal: &[f64], rate: f64) -> f64 {
    levels(signal, rate).into_iter().fold(f64::NEG_INFINITY, f64::max)
}

fn bin_width(levels: &[f64], rate: f64) -> f64 {
    0.5 * rate / levels.len().max(1) as f64
}

/// Levels of the bins from 0 to half the rate [dB].
fn levels(signal: &[f64], rate: f64) -> Vec<f64> {
    let frame = |seconds: f64| ((seconds * rate) as usize).min(signal.len());
    let part = &signal[frame(PART.0)..frame(PART.1)];
    let size = ((PADDING * PART.1 * rate) as usize).next_power_of_two();
    let fall = |n: usize| (0.5 * PI * n as f64 / part.len() as f64).cos().powi(2);
    let mut values: Vec<C> = part.iter().enumerate().map(|(n, x)| Complex::new(x * fall(n), 0.0)).collect();
    values.resize(size, Complex::new(0.0, 0.0));
    transform(&mut values);
    values[..size / 2].iter().map(|bin| 20.0 * (bin.norm() + 1e-12).log10()).collect()
}

/// Bins that are maxima above `least` [dB] and prominent, at least `spacing` apart, loudest first.
fn peaks(levels: &[f64], least: f64, spacing: usize) -> Vec<usize> {
    let is_peak = |&i: &usize| levels[i] >= least && levels[i] > levels[i - 1] && levels[i] >= levels[i + 1];
    let mut maxima: Vec<usize> = (1..levels.len().saturating_sub(1)).filter(is_peak).collect();
    maxima.sort_by(|&a, &b| levels[b].total_cmp(&levels[a]));
    let mut taken: Vec<usize> = Vec::new();
    for i in maxima {
        if taken.iter().all(|&other| other.abs_diff(i) > spacing) && is_prominent(levels, i) {
            taken.push(i);
        }
    }
    taken
}

/// Whether the level falls by [`PROMINENCE`] on both sides of bin `i` before it rises higher.
fn is_prominent(levels: &[f64], i: usize) -> bool {
    let falls = |mut side: Box<dyn Iterator<Item = &f64> + '_>| {
        side.find(|&&level| level > levels[i] || level <= levels[i] - PROMINENCE).is_some_and(|&level| level < levels[i])
    };
    falls(Box::new(levels[i + 1..].iter())) && falls(Box::new(levels[..i].iter().rev()))
}

/// The decaying partial of `hertz` [Hz].
fn decaying(signal: &[f64], rate: f64, hertz: f64) -> Partial {
    let window = ((WINDOW * rate) as usize).max(4);
    let step = window / 4;
    let weights: Vec<f64> = (0..window).map(|n| (PI * (n as f64 + 0.5) / window as f64).sin().powi(2)).collect();
    let sum: f64 = weights.iter().sum();
    let length = signal.len().min((LONGEST * rate) as usize);
    let turn = Complex::from_polar(1.0, -TAU * hertz / rate);
    let level = |from: usize| {
        let mut now = Complex::new(1.0, 0.0);
        let mut total = Complex::new(0.0, 0.0);
        for (x, weight) in signal[from..from + window].iter().zip(&weights) {
            total += now * (x * weight);
            now *= turn;
        }
        20.0 * (2.0 * total.norm() / sum + 1e-12).log10()
    };
    let count = if length < window { 0 } else { (length - window) / step + 1 };
    let levels: Vec<f64> = (0..count).map(|k| level(k * step)).collect();
    let (start, slope) = line(&levels, (0.5 * window as f64 / rate, step as f64 / rate));
    Partial { hertz, decay: slope / (20.0 * std::f64::consts::LOG10_E), amplitude: 10_f64.powf(start / 20.0), phase: 0.0 }
}

/// Level at 0 [dB] and fall [dB/s] of the line from the loudest of `levels` down; the first is at `start`, the next `step` later [s].
fn line(levels: &[f64], (start, step): (f64, f64)) -> (f64, f64) {
    let first = levels.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0))).map_or(0, |(i, _)| i);
    let Some(&top) = levels.get(first) else { return (-240.0, SLOPES.1) };
    let end = levels[first..].iter().position(|&level| level < top - FITTED).map_or(levels.len(), |n| first + n);
    let points: Vec<(f64, f64)> = (first..end).map(|i| (start + i as f64 * step, levels[i])).collect();
    if points.len() < 3 {
        return (top, (FITTED / (3.0 * step)).min(SLOPES.1));
    }
    let count = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0 / count, y + point.1 / count));
    let (square, product) =
        points.iter().fold((0.0, 0.0), |(a, b), point| (a + (point.0 - x).powi(2), b + (point.0 - x) * (point.1 - y)));
    let slope = product / square;
    if slope >= 0.0 {
        return (top, RISING);
    }
    ((y - slope * x).min(top + MOST_ABOVE), (-slope).clamp(SLOPES.0, SLOPES.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix64;

    const RATE: f64 = 48e3;

    #[test]
    fn partials_in_noise_are_found_with_level_and_decay() {
        let mut random = SplitMix64::new(5);
        let truth: [(f64, f64, f64); 3] = [(240.0, 0.2, 5.0), (1234.0, 0.05, 12.0), (5000.0, 0.1, 20.0)];
        let value = |n: usize| {
            let t = n as f64 / RATE;
            let sum: f64 = truth.iter().map(|(hertz, a, decay)| a * (-decay * t).exp() * (TAU * hertz * t).cos()).sum();
            sum + 1e-3 * (random.uniform() - 0.5)
        };
        let signal: Vec<f64> = (0..72_000).map(value).collect();
        let found = spectral_peaks(&signal, RATE, loudest_level(&signal, RATE), 40);
        assert_eq!(found.len(), 3, "{found:?}");
        for (partial, (hertz, amplitude, decay)) in found.iter().zip(truth) {
            assert!((partial.hertz - hertz).abs() < 1.0 && (partial.decay / decay - 1.0).abs() < 0.1, "{partial:?}");
            assert!((20.0 * (partial.amplitude / amplitude).log10()).abs() < 1.0, "{partial:?}");
        }
    }

    #[test]
    fn noise_alone_and_short_signals_do_not_panic() {
        let mut random = SplitMix64::new(6);
        let signal: Vec<f64> = (0..48_000).map(|_| random.uniform() - 0.5).collect();
        assert!(spectral_peaks(&signal, RATE, loudest_level(&signal, RATE), 40).len() <= 40);
        assert!(spectral_peaks(&[0.0; 10], RATE, loudest_level(&[0.0; 10], RATE), 40).is_empty());
    }
}
