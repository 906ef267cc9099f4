//! Discrete Fourier transforms of powers of two, for spectra of recordings.

use std::f64::consts::TAU;

use nalgebra::Complex;

use crate::analysis::types::C;

/// X_k = sum x_n e^(-2 pi i k n/N), in place; N is a power of two (Cooley and Tukey 1965).
pub fn transform(values: &mut [C]) {
    let size = values.len();
    debug_assert!(size.is_power_of_two());
    let shift = usize::BITS - size.trailing_zeros();
    for i in 0..size {
        let j = if size > 1 { i.reverse_bits() >> shift } else { 0 };
        if i < j {
            values.swap(i, j);
        }
    }
    let turns: Vec<C> = (0..size / 2).map(|k| Complex::from_polar(1.0, -TAU * k as f64 / size as f64)).collect();
    let mut half = 1;
    while half < size {
        for block in values.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for ((a, b), turn) in low.iter_mut().zip(high).zip(turns.iter().step_by(size / (2 * half))) {
                let turned = *b * turn;
                (*a, *b) = (*a + turned, *a - turned);
            }
        }
        half *= 2;
    }
}

/// One frequency of two real signals.
#[derive(Clone, Copy, Debug, Default)]
pub struct SideBin {
    /// Powers |L|^2 and |R|^2.
    pub powers: [f64; 2],
    /// Real part of L R*.
    pub common: f64,
}

/// The spectra of two real signals given as `left` + i `right`, bins 0 to N/2. Overwrites `values`.
pub fn sides(values: &mut [C], bins: &mut [SideBin]) {
    transform(values);
    let size = values.len();
    for (k, bin) in bins.iter_mut().enumerate().take(size / 2 + 1) {
        let (z, mirrored) = (values[k], values[(size - k) % size].conj());
        let (left, right) = ((z + mirrored) * 0.5, (z - mirrored) * Complex::new(0.0, -0.5));
        *bin = SideBin { powers: [left.norm_sqr(), right.norm_sqr()], common: (left * right.conj()).re };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transform_is_the_sum_that_defines_it() {
        let signal: Vec<C> = (0..16).map(|n| Complex::new((n as f64 * 1.3).sin(), (n as f64 * 0.7).cos())).collect();
        let mut transformed = signal.clone();
        transform(&mut transformed);
        for (k, value) in transformed.iter().enumerate() {
            let turn = |n: usize| Complex::from_polar(1.0, -TAU * (k * n) as f64 / 16.0);
            let sum: C = signal.iter().enumerate().map(|(n, x)| x * turn(n)).sum();
            assert!((value - sum).norm() < 1e-12, "{k}: {value} instead of {sum}");
        }
    }

    #[test]
    fn two_real_signals_are_separated() {
        let mut values: Vec<C> = (0..64)
            .map(|n| Complex::new((TAU * 5.0 * n as f64 / 64.0).cos(), -0.5 * (TAU * 5.0 * n as f64 / 64.0).cos()))
            .collect();
        let mut bins = vec![SideBin::default(); 33];
        sides(&mut values, &mut bins);
        let SideBin { powers, common } = bins[5];
        assert!((powers[0] - 1024.0).abs() < 1e-9 && (powers[1] - 256.0).abs() < 1e-9 && (common + 512.0).abs() < 1e-9);
        assert!(bins[6].powers[0] < 1e-20);
    }
}
