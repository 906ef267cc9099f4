//! Partials from peaks of the spectrum and straight lines through their levels, to compare with the estimator.

use std::f64::consts::TAU;
use urto_fourier::spectrum;

/// Frames of a window, and between windows.
const WINDOW: usize = 8192;
const HOP: usize = 1024;
/// Peaks this much below the highest are none, in levels (base 10).
const FLOOR: f64 = -5.0;

/// Power spectra of Hann windows from `from` on.
fn spectra(signal: &[f64]) -> Vec<Vec<f64>> {
    let window: Vec<f64> = (0..WINDOW).map(|n| 0.5 - 0.5 * (TAU * n as f64 / WINDOW as f64).cos()).collect();
    let one = |from: usize| {
        let input: Vec<f64> = signal[from..from + WINDOW].iter().zip(&window).map(|(x, w)| x * w).collect();
        spectrum(&input).iter().map(|y| y.norm_sqr().max(1e-300)).collect()
    };
    (0..signal.len().saturating_sub(WINDOW)).step_by(HOP).map(one).collect()
}

/// Frequency [Hz] and decay rate [1/s] of what decays in `signal`: parabolas through the peaks of the first spectrum (Smith, Serra 1987), and
/// straight lines through their levels in the following ones while they stand clear of the noise.
pub fn partials(signal: &[f64], rate: f64) -> Vec<(f64, f64)> {
    let spectra = spectra(signal);
    let first: Vec<f64> = spectra[0].iter().map(|power| power.log10()).collect();
    let highest = first.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut sorted = spectra[spectra.len() - 1].clone();
    sorted.sort_by(f64::total_cmp);
    let noise = 30.0 * sorted[sorted.len() / 2];
    let mut found = Vec::new();
    for bin in 2..first.len() - 2 {
        let [a, b, c] = [first[bin - 1], first[bin], first[bin + 1]];
        if b < a || b <= c || b < highest + 2.0 * FLOOR || spectra[0][bin] < noise {
            continue;
        }
        let place = bin as f64 + 0.5 * (a - c) / (a - 2.0 * b + c);
        let clear = spectra.iter().take_while(|spectrum| spectrum[bin] > noise);
        let levels: Vec<f64> = clear.map(|spectrum| 0.5 * spectrum[bin].ln()).collect();
        if levels.len() < 2 {
            continue;
        }
        let middle = 0.5 * (levels.len() - 1) as f64;
        let (mut up, mut down) = (0.0, 0.0);
        for (i, level) in levels.iter().enumerate() {
            up += (i as f64 - middle) * level;
            down += (i as f64 - middle).powi(2);
        }
        found.push((place * rate / WINDOW as f64, -up / down * rate / HOP as f64));
    }
    found
}
