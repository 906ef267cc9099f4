//! One band of a signal: demodulated, low-passed and decimated, so that an exponential remains one.
//!
//! ```text
//! y_m = sum_n h_n e^(-i w0 (m D + n)) x_(m D + n)        n = 0..taps: only later samples, none before the first
//! x_n = z^n  gives  y_m = G(z) (z e^(-i w0))^(m D),      G(z) = sum_n h_n (z e^(-i w0))^n
//! ```
//!
//! h is a Kaiser window's low-pass (Kaiser 1974): within 1e-6 of 1 up to a quarter of the new rate, below 1e-6 from three
//! quarters on, so that aliasing is outside the middle half.

use nalgebra::Complex;

use crate::analysis::types::C;

/// Taps over the decimation: a transition band of half the new rate at 120 dB.
const TAPS: usize = 16;
/// Kaiser's beta for 120 dB.
const BETA: f64 = 12.265;

/// Half the usable width of the band over the new rate.
pub const USABLE: f64 = 0.25;

/// The filter of one band.
#[derive(Clone, Debug)]
pub struct Zoom {
    /// Angular frequency of the middle of the band [rad/sample].
    centre: f64,
    step: usize,
    /// h_n e^(-i w0 n).
    taps: Vec<C>,
}

impl Zoom {
    /// The band around `centre` [rad/sample], one sample out of `step`.
    pub fn new(centre: f64, step: usize) -> Self {
        let count = TAPS * step + 1;
        let middle = 0.5 * (count - 1) as f64;
        let cutoff = std::f64::consts::PI / step as f64;
        let low_pass = |n: usize| {
            let t = n as f64 - middle;
            let sinc = if t == 0.0 { cutoff } else { (cutoff * t).sin() / t };
            sinc * bessel_i0(BETA * (1.0 - (t / middle).powi(2)).max(0.0).sqrt())
        };
        let sum: f64 = (0..count).map(low_pass).sum();
        let taps = (0..count).map(|n| Complex::from_polar(low_pass(n) / sum, -centre * n as f64)).collect();
        Self { centre, step, taps }
    }

    /// Samples of the signal that `count` samples of the band need.
    pub fn reach(&self, count: usize) -> usize {
        if count == 0 { 0 } else { (count - 1) * self.step + self.taps.len() }
    }

    /// Samples of the band that `length` samples of the signal give.
    pub fn count(&self, length: usize) -> usize {
        if length < self.taps.len() { 0 } else { (length - self.taps.len()) / self.step + 1 }
    }

    /// The first `count` samples of the band of a real signal, or as many as there are.
    pub fn real(&self, signal: &[f64], count: usize) -> Vec<C> {
        self.run(signal.len(), count, |from, n| (signal[from + n], 0.0))
    }

    /// The same of a complex signal.
    pub fn complex(&self, signal: &[C], count: usize) -> Vec<C> {
        self.run(signal.len(), count, |from, n| (signal[from + n].re, signal[from + n].im))
    }

    fn run(&self, length: usize, count: usize, sample: impl Fn(usize, usize) -> (f64, f64)) -> Vec<C> {
        let one = |m: usize| {
            let from = m * self.step;
            let (mut re, mut im) = (0.0, 0.0);
            for (n, tap) in self.taps.iter().enumerate() {
                let (x, y) = sample(from, n);
                re += tap.re * x - tap.im * y;
                im += tap.re * y + tap.im * x;
            }
            Complex::new(re, im) * Complex::from_polar(1.0, -self.centre * from as f64)
        };
        (0..count.min(self.count(length))).map(one).collect()
    }

    /// G(z) of z = e^`lambda`.
    pub fn gain(&self, lambda: C) -> C {
        let ratio = lambda.exp();
        self.taps.iter().rev().fold(Complex::new(0.0, 0.0), |sum, tap| sum * ratio + tap)
    }

    /// Exponent per sample of the signal of what has the exponent `lambda` per sample of the band.
    pub fn outside(&self, lambda: C) -> C {
        lambda / self.step as f64 + Complex::new(0.0, self.centre)
    }

    /// Variance of a band of white noise of variance 1.
    pub fn noise_gain(&self) -> f64 {
        self.taps.iter().map(|tap| tap.norm_sqr()).sum()
    }
}

/// Modified Bessel function I0 by its series.
fn bessel_i0(x: f64) -> f64 {
    let (mut sum, mut term, mut k) = (1.0, 1.0, 1.0);
    while term > 1e-17 * sum {
        term *= (0.5 * x / k).powi(2);
        sum += term;
        k += 1.0;
    }
    sum
}
