//! Rectangular plates by Rayleigh and Ritz, with polynomials.
//!
//! phi = sum c_ij g_i(x) g_j(y), x and y from -1 to 1, where g_i = (1 - x^2)^e G_i with polynomials G_i orthonormal for the
//! weight (1 - x^2)^2e: Legendre's for free edges (e = 0), Gegenbauer's that vanish with their slope for clamped ones (e = 2).
//! Free edges impose no condition on a trial function, and unlike the shapes of free bars these polynomials do not satisfy the
//! end conditions of bars, which differ from those of a plate: they converge faster than any power of their number. With s = a/b,
//! A = integral of g_i'' g_j'', C of g_i g_j'', E of g_i' g_j'
//!
//! ```text
//! K = 16 (A x 1/s^2 + s^2 1 x A + nu (C x C' + C' x C) + 2 (1 - nu) E x E),   K c = Omega^2 c,   Omega = omega a b sqrt(rho h/D)
//! ```
//!
//! The mass matrix is the unit matrix, so |c| = 1 gives mean square 1/4, and modes are orthogonal. Modes even and odd in x and in y
//! separate: four problems of a quarter of the size.

use crate::bodies::position::EdgeSupport;
use crate::bodies::rectangular::beam_products::Strip;
use nalgebra::{DMatrix, SymmetricEigen};
use std::collections::BTreeSet;

/// Maximum number of polynomials along a side of one parity, and of both.
const MAX_POLYNOMIALS_PER_PARITY: usize = 64;
const MAX_DEGREES: usize = 2 * MAX_POLYNOMIALS_PER_PARITY;

/// Polynomials beyond those needed for the shortest wave. The error of the highest mode is then 1e-8 for a square plate, 2e-6 for
/// one 4 times as long as wide.
const SPARE_DEGREES: f64 = 9.0;

/// Overlaps that differ by less are equal.
const SAME_OVERLAP: f64 = 1e-6;

/// Polynomials along a side: free or clamped at both ends.
#[derive(Clone, Copy, Debug)]
struct Basis {
    /// e.
    exponent: i32,
    /// Number of polynomials.
    degrees: usize,
}

impl Basis {
    /// Number of polynomials of a parity: 0 even, 1 odd.
    fn alike(&self, parity: usize) -> usize {
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
    fn values(&self, x: f64, scale: f64, out: &mut [f64]) {
        let (mut before, mut now) = (0.0, self.first() * scale * (1.0 - x * x).powi(self.exponent));
        let mut step = 0.0;
        for (n, value) in out.iter_mut().enumerate() {
            *value = now;
            let next = self.step(n + 1);
            (before, now, step) = (now, (x * now - step * before) / next, next);
        }
    }

    /// g_i, g_i' and g_i'' at x.
    fn jets(&self, x: f64) -> Vec<[f64; 3]> {
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
fn gauss(points: usize) -> Vec<(f64, f64)> {
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

/// Integrals along a side.
struct Side {
    basis: Basis,
    /// A, C, E.
    bend: DMatrix<f64>,
    mixed: DMatrix<f64>,
    slope: DMatrix<f64>,
    /// Overlap of g_j with the i-th shape of a strip.
    strips: DMatrix<f64>,
}

impl Side {
    fn new(basis: Basis, strip: &Strip) -> Self {
        let n = basis.degrees;
        let zero = || DMatrix::zeros(n, n);
        let mut side = Self { basis, bend: zero(), mixed: zero(), slope: zero(), strips: zero() };
        let mut shapes = vec![0.0; n];
        for (x, weight) in gauss(n + 2 * basis.exponent as usize + 8) {
            let jets = basis.jets(x);
            strip.shapes_at(0.5 * (x + 1.0), &mut shapes);
            for i in 0..n {
                for j in 0..n {
                    side.bend[(i, j)] += weight * jets[i][2] * jets[j][2];
                    side.mixed[(i, j)] += weight * jets[i][0] * jets[j][2];
                    side.slope[(i, j)] += weight * jets[i][1] * jets[j][1];
                    side.strips[(i, j)] += weight * shapes[i] * jets[j][0] * 0.5_f64.sqrt();
                }
            }
        }
        side
    }
}

/// A solved mode: Omega, parity in x and y, and c_ij of the polynomials of that parity, j running fastest.
struct Solved {
    omega: f64,
    parity: (usize, usize),
    terms: Vec<f64>,
}

/// Modes of a plate by their terms.
#[derive(Clone, Debug)]
pub(crate) struct Ritz {
    x: Basis,
    y: Basis,
    /// Parity and first term of each mode.
    modes: Vec<((usize, usize), usize)>,
    /// 2 c_ij, mode after mode.
    terms: Vec<f64>,
}

/// Frequency and name of a mode.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub omega: f64,
    /// The product of strips' shapes that it is most like.
    pub nearest: (usize, usize),
}

impl Ritz {
    /// The lowest `modes` without rigid ones of a free or clamped plate of `aspect` a/b, rising.
    pub(crate) fn new(rim: EdgeSupport, strip: &Strip, aspect: f64, poisson: f64, modes: usize) -> (Self, Vec<Found>) {
        Self::refined(rim, strip, aspect, poisson, modes, SPARE_DEGREES)
    }

    fn refined(rim: EdgeSupport, strip: &Strip, aspect: f64, poisson: f64, modes: usize, spare: f64) -> (Self, Vec<Found>) {
        let exponent = if rim == EdgeSupport::Free { 0 } else { 2 };
        let wave = shortest_wave(rim, aspect, modes);
        let basis = |length: f64| {
            let degrees = (0.5 * wave * length + spare).ceil() as usize;
            Basis { exponent, degrees: degrees.min(MAX_DEGREES) }
        };
        let sides = [Side::new(basis(aspect.sqrt()), strip), Side::new(basis(1.0 / aspect.sqrt()), strip)];
        let mut solved = Vec::new();
        for parity in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let rigid = usize::from(rim == EdgeSupport::Free && parity != (1, 1));
            solved.extend(solve(&sides, parity, aspect, poisson).skip(rigid).take(modes));
        }
        solved.sort_by(|a: &Solved, b| a.omega.total_cmp(&b.omega));
        solved.truncate(modes);
        let found = name(&solved, &sides);
        let mut ritz = Self { x: sides[0].basis, y: sides[1].basis, modes: Vec::new(), terms: Vec::new() };
        for mode in solved {
            ritz.modes.push((mode.parity, ritz.terms.len()));
            ritz.terms.extend(mode.terms.iter().map(|c| 2.0 * c));
        }
        (ritz, found)
    }

    /// Values of the polynomials at a place, for [`Ritz::shape`].
    pub(crate) fn values(&self, along: f64, across: f64) -> Values {
        let sorted = |basis: &Basis, place: f64| {
            let (mut all, mut alike) = ([0.0; MAX_DEGREES], [[0.0; MAX_POLYNOMIALS_PER_PARITY]; 2]);
            basis.values(2.0 * place - 1.0, 1.0, &mut all[..basis.degrees]);
            (0..basis.degrees).for_each(|n| alike[n % 2][n / 2] = all[n]);
            alike
        };
        Values { x: sorted(&self.x, along), y: sorted(&self.y, across) }
    }

    /// phi of a mode.
    pub(crate) fn shape(&self, mode: usize, values: &Values) -> f64 {
        let ((px, py), first) = self.modes[mode];
        let (rows, columns) = (self.x.alike(px), self.y.alike(py));
        let mut sums = [0.0; MAX_POLYNOMIALS_PER_PARITY];
        let sums = &mut sums[..columns];
        for (terms, x) in self.terms[first..first + rows * columns].chunks_exact(columns).zip(&values.x[px]) {
            sums.iter_mut().zip(terms).for_each(|(sum, c)| *sum += x * c);
        }
        sums.iter().zip(&values.y[py]).map(|(sum, y)| sum * y).sum()
    }
}

/// The even and the odd polynomials at one place.
pub(crate) struct Values {
    x: [[f64; MAX_POLYNOMIALS_PER_PARITY]; 2],
    y: [[f64; MAX_POLYNOMIALS_PER_PARITY]; 2],
}

/// k of the highest mode of a plate of area 1 by Weyl: 4 pi N = k^2 - c L k with the rim's length L; c = 1.763 clamped, < 0 free.
fn shortest_wave(rim: EdgeSupport, aspect: f64, modes: usize) -> f64 {
    let rim = if rim == EdgeSupport::Free { 0.0 } else { 1.763 * (aspect.sqrt() + 1.0 / aspect.sqrt()) };
    rim + (rim * rim + 4.0 * std::f64::consts::PI * (modes + 3) as f64).sqrt()
}

/// The modes of one parity in x and y, rising.
fn solve(sides: &[Side; 2], parity: (usize, usize), aspect: f64, poisson: f64) -> impl Iterator<Item = Solved> {
    let [x, y] = sides;
    let indices: Vec<(usize, usize)> = (parity.0..x.basis.degrees)
        .step_by(2)
        .flat_map(|i| (parity.1..y.basis.degrees).step_by(2).map(move |j| (i, j)))
        .collect();
    let square = aspect * aspect;
    let stiffness = DMatrix::from_fn(indices.len(), indices.len(), |row, column| {
        let ((i, k), (j, l)) = (indices[row], indices[column]);
        let own = |same: bool, value: f64| if same { value } else { 0.0 };
        let bend = own(k == l, x.bend[(i, j)]) / square + own(i == j, y.bend[(k, l)]) * square;
        let mixed = x.mixed[(i, j)] * y.mixed[(l, k)] + x.mixed[(j, i)] * y.mixed[(k, l)];
        16.0 * (bend + poisson * mixed + 2.0 * (1.0 - poisson) * x.slope[(i, j)] * y.slope[(k, l)])
    });
    let eigen = SymmetricEigen::new(stiffness);
    let mut order: Vec<usize> = (0..indices.len()).collect();
    order.sort_by(|&a, &b| eigen.eigenvalues[a].total_cmp(&eigen.eigenvalues[b]));
    let mode = move |column: usize| {
        let vector = eigen.eigenvectors.column(column);
        let largest = vector.iter().fold(0.0_f64, |most, c| if c.abs() > most.abs() { *c } else { most });
        let terms = vector.iter().map(|c| c * largest.signum()).collect();
        Solved { omega: eigen.eigenvalues[column].max(0.0).sqrt(), parity, terms }
    };
    order.into_iter().map(mode)
}

/// Names each mode, lowest first, by the product of strips' shapes with the largest overlap that no lower mode has.
fn name(solved: &[Solved], sides: &[Side; 2]) -> Vec<Found> {
    let mut assigned = BTreeSet::new();
    let [x, y] = sides;
    let named = |mode: &Solved| {
        let mut matrix = DMatrix::zeros(x.basis.degrees, y.basis.degrees);
        let columns = y.basis.alike(mode.parity.1);
        for (k, &c) in mode.terms.iter().enumerate() {
            matrix[(2 * (k / columns) + mode.parity.0, 2 * (k % columns) + mode.parity.1)] = c;
        }
        let overlap = &x.strips * matrix * y.strips.transpose();
        let mut nearest = ((0, 0), 0.0);
        for p in 0..x.basis.degrees {
            for q in 0..y.basis.degrees {
                if overlap[(p, q)].abs() > nearest.1 + SAME_OVERLAP && !assigned.contains(&(p, q)) {
                    nearest = ((p, q), overlap[(p, q)].abs());
                }
            }
        }
        assigned.insert(nearest.0);
        Found { omega: mode.omega, nearest: nearest.0 }
    };
    solved.iter().map(named).collect()
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

    /// All hundred modes have converged: more polynomials keep the first five digits.
    #[test]
    fn frequencies_have_converged() {
        for rim in [EdgeSupport::Free, EdgeSupport::Clamped] {
            for aspect in [1.0, 1.0 / 1.6, 4.0] {
                let strip = Strip::new(rim);
                let coarse = Ritz::new(rim, &strip, aspect, 0.3, 100).1;
                let fine = Ritz::refined(rim, &strip, aspect, 0.3, 100, SPARE_DEGREES + 6.0).1;
                let off = coarse.iter().zip(&fine).map(|(a, b)| (a.omega / b.omega - 1.0).abs());
                let worst = off.fold(0.0, f64::max);
                assert!(worst < 1e-5, "{rim:?} {aspect}: {worst:e}");
            }
        }
    }
}
