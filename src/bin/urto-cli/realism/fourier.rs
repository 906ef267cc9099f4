//! Fourier transforms, parts of signals, windows, and what follows from them: filters without phase, resampling, convolution.

use urto_fourier::{Complex64, signal, spectrum};

/// A symmetric Hann window of `frames` frames, zero at both ends.
pub fn hann(frames: usize) -> Vec<f64> {
    let step = std::f64::consts::TAU / frames.saturating_sub(1).max(1) as f64;
    (0..frames).map(|n| 0.5 - 0.5 * (step * n as f64).cos()).collect()
}

/// A window that rises in `rise` frames and falls until `frames`, each half of a Hann window.
pub fn rise_and_fall(rise: usize, frames: usize) -> Vec<f64> {
    let rise = rise.min(frames);
    let fall = frames - rise;
    hann(2 * rise)[..rise].iter().chain(&hann(2 * fall)[fall..]).copied().collect()
}

/// The samples between two times [s].
pub fn part(mono: &[f64], rate: f64, (from, to): (f64, f64)) -> &[f64] {
    let frame = |seconds: f64| ((seconds * rate) as usize).min(mono.len());
    &mono[frame(from)..frame(to)]
}

/// `signal` under `window`, as long as the shorter of both.
pub fn windowed(signal: &[f64], window: &[f64]) -> Vec<f64> {
    signal.iter().zip(window).map(|(sample, weight)| sample * weight).collect()
}

/// The spectrum of `signal`, continued by zeros up to `frames`.
pub fn padded_spectrum(mut signal: Vec<f64>, frames: usize) -> Vec<Complex64> {
    signal.resize(frames, 0.0);
    spectrum(&signal)
}

/// The least length, at least `frames`, whose transform is quick: a power of two, or three times one.
pub fn quick_length(frames: usize) -> usize {
    let power = frames.next_power_of_two();
    if frames <= 3 * power / 4 && power >= 4 { 3 * power / 4 } else { power }
}

/// Power response of a Butterworth band pass of second order, made by the bilinear transform at `rate` [Hz].
pub fn butterworth_power((low, high): (f64, f64), rate: f64) -> impl Fn(f64) -> f64 {
    let warped = move |hertz: f64| (std::f64::consts::PI * (hertz / rate).min(0.4999)).tan();
    let (low, high) = (warped(low), warped(high));
    move |hertz| {
        let place = warped(hertz);
        if place <= 0.0 {
            return 0.0;
        }
        let detuning = (place * place - low * high) / (place * (high - low));
        1.0 / (1.0 + detuning.powi(4))
    }
}

/// The first frames of `signal_in` convolved with `response`, as many as `signal_in` has.
pub fn convolved(signal_in: &[f64], response: &[f64]) -> Vec<f64> {
    let frames = quick_length(signal_in.len() + response.len());
    let response = padded_spectrum(response.to_vec(), frames);
    let mut bins = padded_spectrum(signal_in.to_vec(), frames);
    bins.iter_mut().zip(&response).for_each(|(bin, factor)| *bin *= factor);
    let mut output = signal(bins, frames);
    output.truncate(signal_in.len());
    output
}

/// `signal_in` with `frames` frames in place of its own, by its Fourier series; its sound is higher by the ratio of both lengths.
pub fn resampled(signal_in: &[f64], frames: usize) -> Vec<f64> {
    let own = signal_in.len();
    if frames == own || frames == 0 || own == 0 {
        return signal_in.to_vec();
    }
    // silence behind the signal makes both lengths quick ones in nearly the same ratio
    let long = quick_length(own + own / 8);
    let other = (long as f64 * frames as f64 / own as f64).round() as usize;
    let bins = padded_spectrum(signal_in.to_vec(), long);
    let kept = bins.into_iter().take(other / 2 + 1).map(|bin| bin * (other as f64 / long as f64)).collect();
    let mut output = signal(kept, other);
    output.truncate(frames);
    output
}
