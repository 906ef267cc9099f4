//! Fourier transforms of real and complex signals.
//!
//! ```text
//! X_k = sum over n of x_n e^(-2 pi i k n/N)
//! ```
//!
//! A crate of its own: the transforms are compiled once, and not again in every crate and test program that needs a spectrum. Plans are kept for
//! the life of the program, one for each length. Not for the audio thread: the functions allocate and lock.

use std::sync::{LazyLock, Mutex, PoisonError};

use realfft::RealFftPlanner;
pub use realfft::num_complex::Complex64;
use rustfft::FftPlanner;

static REAL_PLANS: LazyLock<Mutex<RealFftPlanner<f64>>> = LazyLock::new(|| Mutex::new(RealFftPlanner::new()));
static COMPLEX_PLANS: LazyLock<Mutex<FftPlanner<f64>>> = LazyLock::new(|| Mutex::new(FftPlanner::new()));

/// The spectrum of a real signal of N samples: bins 0 to N/2, not scaled.
pub fn spectrum(signal: &[f64]) -> Vec<Complex64> {
    if signal.is_empty() {
        return Vec::new();
    }
    let plan = REAL_PLANS.lock().unwrap_or_else(PoisonError::into_inner).plan_fft_forward(signal.len());
    let (mut input, mut bins) = (signal.to_vec(), plan.make_output_vec());
    // the lengths are those of the plan
    let _ = plan.process(&mut input, &mut bins);
    bins
}

/// The real signal of `frames` samples with the bins `spectrum`, as [`spectrum`] returns them; missing bins are zero. The imaginary parts at 0 and
/// at half the rate are left out.
pub fn signal(mut spectrum: Vec<Complex64>, frames: usize) -> Vec<f64> {
    if frames == 0 {
        return Vec::new();
    }
    let plan = REAL_PLANS.lock().unwrap_or_else(PoisonError::into_inner).plan_fft_inverse(frames);
    spectrum.resize(frames / 2 + 1, Complex64::ZERO);
    spectrum[0].im = 0.0;
    if frames.is_multiple_of(2) {
        spectrum[frames / 2].im = 0.0;
    }
    let mut output = plan.make_output_vec();
    // the lengths are those of the plan, and the two bins that have to be real are
    let _ = plan.process(&mut spectrum, &mut output);
    output.iter_mut().for_each(|sample| *sample /= frames as f64);
    output
}

/// Replaces complex `values` by their transform, not scaled.
pub fn transform(values: &mut [Complex64]) {
    COMPLEX_PLANS.lock().unwrap_or_else(PoisonError::into_inner).plan_fft_forward(values.len()).process(values);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    /// By the definition.
    fn slow(values: &[Complex64]) -> Vec<Complex64> {
        let count = values.len() as f64;
        let term = |k: usize| move |(n, x): (usize, &Complex64)| x * Complex64::from_polar(1.0, -TAU * (k * n) as f64 / count);
        (0..values.len()).map(|k| values.iter().enumerate().map(term(k)).sum()).collect()
    }

    #[test]
    fn transforms_are_those_of_the_definition_and_come_back() {
        for frames in [1, 2, 7, 48, 125] {
            let real: Vec<f64> = (0..frames).map(|n| (1.3 * (n * n) as f64).sin()).collect();
            let exact = slow(&real.iter().map(|x| Complex64::new(*x, 0.0)).collect::<Vec<_>>());
            let bins = spectrum(&real);
            assert_eq!(bins.len(), frames / 2 + 1);
            assert!(bins.iter().zip(&exact).all(|(bin, exact)| (bin - exact).norm() < 1e-13 * frames as f64), "{frames}");
            let back = signal(bins, frames);
            assert!(back.iter().zip(&real).all(|(back, x)| (back - x).abs() < 1e-14), "{frames}");
            let turned: Vec<Complex64> = real.iter().map(|x| Complex64::from_polar(1.0, 3.0 * x)).collect();
            let (exact, mut values) = (slow(&turned), turned);
            transform(&mut values);
            assert!(values.iter().zip(&exact).all(|(value, exact)| (value - exact).norm() < 1e-13 * frames as f64), "{frames}");
        }
    }

    #[test]
    fn nothing_has_no_spectrum() {
        assert!(spectrum(&[]).is_empty() && signal(Vec::new(), 0).is_empty());
        assert_eq!(signal(Vec::new(), 3), [0.0; 3]);
        transform(&mut []);
    }
}
