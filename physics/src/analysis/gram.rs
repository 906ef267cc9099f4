//! Sums of products of exponentials in closed form.

use nalgebra::Complex;

use crate::analysis::C;

/// |lambda| N below which the closed form would cancel.
const NEAR: f64 = 1.0;
/// Terms of the series there: 1/24! is far below 1e-16.
const TERMS: u32 = 24;

/// sum over n = 0..`count` of n^p e^(`lambda` n) for p = 0, 1, 2. Where |lambda| `count` < 1 the integral stands for the sum, within
/// 1/`count`.
pub fn sums(lambda: C, count: f64) -> [C; 3] {
    if (lambda * count).norm() < NEAR {
        return integrals(lambda * count).map_with_powers(count);
    }
    // S0 = (1 - q^N)/(1 - q); the next ones by d/d lambda of S (1 - q)
    let (q, end) = (lambda.exp(), (lambda * count).exp());
    let gap = Complex::new(1.0, 0.0) - q;
    let s0 = (Complex::new(1.0, 0.0) - end) / gap;
    let s1 = (q * s0 - end * count) / gap;
    let s2 = (q * (s0 + s1 * 2.0) - end * (count * count)) / gap;
    [s0, s1, s2]
}

/// Integrals of t^p e^(x t) over [0, 1].
fn integrals(x: C) -> Moments {
    let mut term = Complex::new(1.0, 0.0);
    let mut sums = [Complex::new(0.0, 0.0); 3];
    for m in 0..TERMS {
        for (p, sum) in sums.iter_mut().enumerate() {
            *sum += term / (f64::from(m) + p as f64 + 1.0);
        }
        term *= x / (f64::from(m) + 1.0);
    }
    Moments(sums)
}

struct Moments([C; 3]);

impl Moments {
    fn map_with_powers(self, count: f64) -> [C; 3] {
        let [a, b, c] = self.0;
        [a * count, b * count.powi(2), c * count.powi(3)]
    }
}
