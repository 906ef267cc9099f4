//! Amplitudes of partials with known frequencies and decays: linear least squares.
//!
//! ```text
//! x_n ~ Re sum_k c_k z_k^n        with the known z_k
//! ```

use std::f64::consts::TAU;

use nalgebra::{Cholesky, Complex, DMatrix, DVector};

use crate::analysis::least_squares::sums;
use crate::analysis::types::{C, Partial};

/// Keeps the normal equations of partials of equal frequency from being singular, relative to a diagonal element.
const RIDGE: f64 = 1e-9;

/// Exponent per sample of a partial at `rate` [Hz].
pub fn exponent(partial: &Partial, rate: f64) -> C {
    Complex::new(-partial.decay / rate, TAU * partial.hertz / rate)
}

/// Amplitudes of known exponentials in two signals of the same length; None if they cannot be told apart.
pub fn fit(exponents: &[C], signals: [&[f64]; 2]) -> Option<[Vec<C>; 2]> {
    let (count, length) = (exponents.len(), signals[0].len() as f64);
    if count == 0 || signals[0].is_empty() {
        return None;
    }
    let mut matrix = DMatrix::zeros(2 * count, 2 * count);
    for j in 0..count {
        for k in 0..=j {
            let (with, other) =
                (sums(exponents[j] + exponents[k].conj(), length)[0], sums(exponents[j] + exponents[k], length)[0]);
            matrix[(2 * j, 2 * k)] = with.re + other.re;
            matrix[(2 * j, 2 * k + 1)] = with.im - other.im;
            matrix[(2 * j + 1, 2 * k)] = -with.im - other.im;
            matrix[(2 * j + 1, 2 * k + 1)] = with.re - other.re;
        }
    }
    (0..2 * count).for_each(|i| matrix[(i, i)] = matrix[(i, i)] * (1.0 + RIDGE) + f64::MIN_POSITIVE.sqrt());
    let solver = Cholesky::new(matrix)?;
    let solved = signals.map(|signal| {
        let mut right = DVector::zeros(2 * count);
        for (k, exponent) in exponents.iter().enumerate() {
            let (turn, mut now, mut sum) = (exponent.exp(), Complex::new(1.0, 0.0), Complex::new(0.0, 0.0));
            for x in signal {
                sum += now * *x;
                now *= turn;
            }
            (right[2 * k], right[2 * k + 1]) = (2.0 * sum.re, -2.0 * sum.im);
        }
        let solved = solver.solve(&right);
        (0..count).map(|k| Complex::new(solved[2 * k], solved[2 * k + 1])).collect()
    });
    Some(solved)
}
