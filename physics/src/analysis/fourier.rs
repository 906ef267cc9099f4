//! The spectra of two real signals from one transform.

use nalgebra::Complex;
use urto_fourier::transform;

use crate::analysis::types::C;

/// One frequency of two real signals.
#[derive(Clone, Copy, Debug, Default)]
pub struct SideBin {
    /// Powers |L|^2 and |R|^2.
    pub powers: [f64; 2],
    /// Real part of L R*.
    pub common: f64,
}

/// The spectra of two real signals given as `left` + i `right`, N values to bins 0 to N/2. Overwrites `values`.
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
    use std::f64::consts::TAU;

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
