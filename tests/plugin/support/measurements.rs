//! Measurements of pitch, decay, partials and brightness.

use std::f64::consts::TAU;

use crate::support::timed_events::RATE;

/// Length of a window, and the distance of two [frames].
const WINDOW: usize = 2400;
const APART: usize = 1200;

/// Complex amplitude of the partial at `hertz` about `start`, its phase counted from frame 0.
fn partial(sound: &[f32], start: usize, hertz: f64) -> (f64, f64) {
    let mut sum = (0.0, 0.0);
    for i in 0..WINDOW {
        // Blackman and Harris: side lobes 92 dB down
        let x = TAU * (i as f64 + 0.5) / WINDOW as f64;
        let window = 0.35875 - 0.48829 * x.cos() + 0.14128 * (2.0 * x).cos() - 0.01168 * (3.0 * x).cos();
        let (sin, cos) = (TAU * (hertz * (start + i) as f64 / RATE).fract()).sin_cos();
        let sample = window * f64::from(sound[start + i]) / WINDOW as f64;
        sum = (sum.0 + sample * cos, sum.1 - sample * sin);
    }
    sum
}

/// Strength of the partial at `hertz` in the 50 ms from `start`.
pub fn level(sound: &[f32], start: usize, hertz: f64) -> f64 {
    let (re, im) = partial(sound, start, hertz);
    re.hypot(im)
}

/// How far the partial near `hertz` is from it, in the 75 ms from `start` [cents].
pub fn cents(sound: &[f32], start: usize, hertz: f64) -> f64 {
    let (a, b) = (partial(sound, start, hertz), partial(sound, start + APART, hertz));
    let turned = (b.1 * a.0 - b.0 * a.1).atan2(b.0 * a.0 + b.1 * a.1) / TAU;
    1200.0 * (1.0 + turned * RATE / APART as f64 / hertz).log2()
}

/// Time to -60 dB of the partial at `hertz`, from the 75 ms from `start` [s].
pub fn t60(sound: &[f32], start: usize, hertz: f64) -> f64 {
    let fall = 20.0 * (level(sound, start, hertz) / level(sound, start + APART, hertz)).log10();
    60.0 / fall * APART as f64 / RATE
}

/// Amplitudes of the bins of the first quarter of a second, windowed at its end, and their distance [Hz].
fn spectrum(sound: &[f32]) -> (Vec<f64>, f64) {
    const LENGTH: usize = 12_000;
    let fade = |i: usize| 0.5 + 0.5 * (0.5 * TAU * i as f64 / LENGTH as f64).cos();
    let samples: Vec<f64> = (0..LENGTH).map(|i| f64::from(sound[i]) * fade(i)).collect();
    (urto_fourier::spectrum(&samples).iter().map(|bin| bin.norm()).collect(), RATE / LENGTH as f64)
}

/// Centroid of the amplitudes of the first quarter of a second [Hz].
pub fn centroid(sound: &[f32]) -> f64 {
    let (amplitudes, step) = spectrum(sound);
    let sum: f64 = amplitudes.iter().sum();
    amplitudes.iter().enumerate().map(|(bin, amplitude)| bin as f64 * step * amplitude).sum::<f64>() / sum
}

/// The loudest of a slide from `low` to `high` [Hz] beside it, over the loudest of it [dB]: in windows of 2400 frames, from a third beyond.
pub fn beside(sound: &[f32], low: f64, high: f64) -> f64 {
    let (mut inside, mut outside) = (0.0_f64, 0.0_f64);
    for start in (0..sound.len() - WINDOW).step_by(WINDOW / 4) {
        let window = |i: usize| {
            let x = TAU * (i as f64 + 0.5) / WINDOW as f64;
            0.35875 - 0.48829 * x.cos() + 0.14128 * (2.0 * x).cos() - 0.01168 * (3.0 * x).cos()
        };
        let samples: Vec<f64> = (0..WINDOW).map(|i| f64::from(sound[start + i]) * window(i)).collect();
        for (bin, amplitude) in urto_fourier::spectrum(&samples).iter().map(|bin| bin.norm()).enumerate() {
            let hertz = bin as f64 * RATE / WINDOW as f64;
            if (low / 1.34..high * 1.34).contains(&hertz) {
                inside = inside.max(amplitude);
            } else {
                outside = outside.max(amplitude);
            }
        }
    }
    20.0 * (outside / inside).log10()
}
