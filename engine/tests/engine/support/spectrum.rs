//! Windows and spectra of rendered sound.

use std::f64::consts::TAU;

/// Modified Bessel function I0 by its series.
fn bessel(x: f64) -> f64 {
    let mut term = 1.0;
    (1..400).fold(1.0, |sum, n| {
        term *= (0.5 * x / f64::from(n)).powi(2);
        sum + term
    })
}

/// Kaiser window of `n` frames.
pub fn kaiser(n: usize, beta: f64) -> Vec<f64> {
    let at = |i: usize| 2.0 * (i as f64 + 0.5) / n as f64 - 1.0;
    (0..n).map(|i| bessel(beta * (1.0 - at(i).powi(2)).sqrt()) / bessel(beta)).collect()
}

/// Complex amplitude of the partial at `frequency`, phase counted from frame 0.
fn partial(sound: &[f32], start: usize, window: &[f64], frequency: f64, rate: f64) -> (f64, f64) {
    let mut sum = (0.0, 0.0);
    for (i, w) in window.iter().enumerate() {
        let (sin, cos) = (TAU * (frequency * (start + i) as f64 / rate).fract()).sin_cos();
        sum.0 += w * f64::from(sound[start + i]) * cos;
        sum.1 -= w * f64::from(sound[start + i]) * sin;
    }
    sum
}

/// Measures a partial with two windows that are `frames` apart: deviation from `frequency` [cents] and loss of level [dB].
pub fn compare(sound: &[f32], start: usize, frames: usize, window: &[f64], frequency: f64, rate: f64) -> (f64, f64) {
    let (a, b) = (partial(sound, start, window, frequency, rate), partial(sound, start + frames, window, frequency, rate));
    let turned = (b.1 * a.0 - b.0 * a.1).atan2(b.0 * a.0 + b.1 * a.1) / TAU;
    let deviation = turned * rate / frames as f64;
    let fall = 10.0 * ((a.0 * a.0 + a.1 * a.1) / (b.0 * b.0 + b.1 * b.1)).log10();
    (1200.0 * (1.0 + deviation / frequency).log2(), fall)
}

/// Frames of [`spectrum`]: one second at 48 kHz.
pub const LENGTH: usize = 48_000;

/// Magnitudes of the spectrum of one second [dB below the highest].
pub fn spectrum(sound: &[f32]) -> Vec<f64> {
    let window = kaiser(LENGTH, 24.0);
    let samples: Vec<f64> = sound[..LENGTH].iter().zip(window).map(|(x, w)| f64::from(*x) * w).collect();
    let bins = urto_fourier::spectrum(&samples);
    let top = bins.iter().map(|x| x.norm()).fold(0.0, f64::max);
    bins.iter().map(|x| 20.0 * (x.norm() / top).log10()).collect()
}

/// Amplitudes of a sound over frequency, with a window whose side lobes are 120 dB down at a distance of 12 bins.
pub struct Spectrum {
    lines: Vec<f64>,
    step: f64,
}

impl Spectrum {
    /// The spectrum of a whole sound at `rate` [Hz].
    pub fn new(sound: &[f32], rate: f64) -> Self {
        let window = kaiser(sound.len(), 16.0);
        let input: Vec<f64> = sound.iter().zip(&window).map(|(x, w)| f64::from(*x) * w).collect();
        Self { lines: urto_fourier::spectrum(&input).iter().map(|line| line.norm()).collect(), step: rate / sound.len() as f64 }
    }

    /// The largest amplitude between two frequencies [Hz].
    pub fn loudest(&self, from: f64, to: f64) -> f64 {
        let lines = self.lines.iter().enumerate().filter(|(i, _)| (from..to).contains(&(*i as f64 * self.step)));
        lines.map(|(_, line)| *line).fold(0.0, f64::max)
    }

    /// Mean frequency [Hz], weighted by amplitude squared.
    pub fn centroid(&self) -> f64 {
        let power: f64 = self.lines.iter().map(|line| line * line).sum();
        self.lines.iter().enumerate().map(|(i, line)| i as f64 * self.step * line * line).sum::<f64>() / power
    }
}
