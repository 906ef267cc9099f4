//! Polynomials along a side of a rectangle, x from -1 to 1, and the quadrature for them.
//!
//! g_i = (1 - x^2)^e G_i with polynomials G_i orthonormal for the weight (1 - x^2)^2e: Legendre's where nothing holds the ends (e = 0),
//! Gegenbauer's that vanish with their slope at both ends (e = 2). Even numbers are even functions.

/// The lowest of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Basis {
    /// e.
    pub exponent: i32,
    /// Number of polynomials.
    pub degrees: usize,
}

impl Basis {
    /// Number of polynomials of a parity: 0 even, 1 odd.
    pub fn alike(&self, parity: usize) -> usize {
        (self.degrees + 1 - parity) / 2
    }

    /// The b_n of x G_n = b_{n+1} G_{n+1} + b_n G_{n-1}.
    fn step(&self, n: usize) -> f64 {
        let (n, l) = (n as f64, 2.0 * f64::from(self.exponent) + 0.5);
        (n * (n + 2.0 * l - 1.0) / (4.0 * (n + l) * (n + l - 1.0))).sqrt()
    }

    /// 1 over the root of the integral of (1 - x^2)^2e: 2, and 256/315 for e = 2.
    fn first(&self) -> f64 {
        if self.exponent == 0 { 0.5_f64.sqrt() } else { (315.0_f64 / 256.0).sqrt() }
    }

    /// g_i(x), times `scale`.
    pub fn values(&self, x: f64, scale: f64, out: &mut [f64]) {
        let (mut before, mut now) = (0.0, self.first() * scale * (1.0 - x * x).powi(self.exponent));
        let mut step = 0.0;
        for (n, value) in out.iter_mut().enumerate() {
            *value = now;
            let next = self.step(n + 1);
            (before, now, step) = (now, (x * now - step * before) / next, next);
        }
    }

    /// g_i, g_i' and g_i'' at x.
    pub fn jets(&self, x: f64) -> Vec<[f64; 3]> {
        let (mut before, mut now, mut step) = ([0.0; 3], [self.first(), 0.0, 0.0], 0.0);
        let u = 1.0 - x * x;
        let held = match self.exponent {
            0 => [1.0, 0.0, 0.0],
            _ => [u * u, -4.0 * x * u, 8.0 * x * x - 4.0 * u],
        };
        let jet = |n: usize| {
            let [f, f1, f2] = held;
            let [g, g1, g2] = now;
            let next = self.step(n + 1);
            let above = [x * g - step * before[0], g + x * g1 - step * before[1], 2.0 * g1 + x * g2 - step * before[2]];
            (before, now, step) = (now, above.map(|value| value / next), next);
            [f * g, f1 * g + f * g1, f2 * g + 2.0 * f1 * g1 + f * g2]
        };
        (0..self.degrees).map(jet).collect()
    }
}

/// Points and weights of Gauss's quadrature on [-1, 1].
pub(super) fn gauss(points: usize) -> Vec<(f64, f64)> {
    let legendre = |x: f64| {
        let (mut before, mut now) = (1.0, x);
        for n in 2..=points {
            let n = n as f64;
            (before, now) = (now, ((2.0 * n - 1.0) * x * now - (n - 1.0) * before) / n);
        }
        (now, points as f64 * (x * now - before) / (x * x - 1.0))
    };
    let point = |i: usize| {
        let mut x = (std::f64::consts::PI * (i as f64 + 0.75) / (points as f64 + 0.5)).cos();
        for _ in 0..8 {
            let (value, slope) = legendre(x);
            x -= value / slope;
        }
        let (_, slope) = legendre(x);
        (x, 2.0 / ((1.0 - x * x) * slope * slope))
    };
    (0..points).map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_are_orthonormal_and_their_derivatives_right() {
        for exponent in [0, 2] {
            let basis = Basis { exponent, degrees: 40 };
            let mut sums = vec![0.0; 40 * 40];
            for (x, weight) in gauss(48) {
                let (jets, mut values) = (basis.jets(x), [0.0; 40]);
                basis.values(x, 1.0, &mut values);
                for i in 0..40 {
                    assert!((jets[i][0] - values[i]).abs() < 1e-12);
                    (0..40).for_each(|j| sums[40 * i + j] += weight * values[i] * values[j]);
                }
            }
            for (i, sum) in sums.into_iter().enumerate() {
                assert!((sum - f64::from(u8::from(i / 40 == i % 40))).abs() < 1e-12, "{i}: {sum}");
            }
            let (x, h) = (0.37, 1e-5);
            let (left, here, right) = (basis.jets(x - h), basis.jets(x), basis.jets(x + h));
            for n in 0..12 {
                let slope = (right[n][0] - left[n][0]) / (2.0 * h);
                let bend = (right[n][1] - left[n][1]) / (2.0 * h);
                assert!((here[n][1] - slope).abs() < 1e-6 && (here[n][2] - bend).abs() < 1e-4, "{n}");
            }
        }
    }
}
