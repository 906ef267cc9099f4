//! Rectangular plates by Rayleigh and Ritz, with polynomials.
//!
//! phi = sum c_ij g_i(x) g_j(y), x and y from -1 to 1, with the polynomials g_i of `polynomials` for free (e = 0) or clamped edges (e = 2).
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

use crate::bodies::modal_shape::{Grid, GridSlopes};
use crate::bodies::position::EdgeSupport;
use crate::bodies::rectangular::beam_products::Strip;
use crate::bodies::rectangular::polynomials::{Basis, gauss};
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

impl Ritz {
    /// The polynomials on a grid, for [`Ritz::slopes`].
    pub(crate) fn tables(&self, grid: Grid) -> GridTables {
        let table = |basis: &Basis, places: &[f64]| {
            let jets: Vec<_> = places.iter().map(|place| basis.jets(2.0 * place - 1.0)).collect();
            let alike = |parity: usize, order: usize| {
                // d/dx of the place from 0 to 1
                let scale = f64::from(1 << order);
                DMatrix::from_fn(places.len(), basis.alike(parity), |i, n| scale * jets[i][2 * n + parity][order])
            };
            [0, 1].map(|parity| [0, 1].map(|order| alike(parity, order)))
        };
        GridTables { x: table(&self.x, grid.along), y: table(&self.y, grid.across) }
    }

    /// Slopes of a mode on the grid of `tables`.
    pub(crate) fn slopes(&self, mode: usize, tables: &GridTables) -> GridSlopes {
        let ((px, py), first) = self.modes[mode];
        let (rows, columns) = (self.x.alike(px), self.y.alike(py));
        let terms = DMatrix::from_row_slice(rows, columns, &self.terms[first..first + rows * columns]);
        let (x, y) = (&tables.x[px], &tables.y[py]);
        GridSlopes { along: &x[1] * &terms * y[0].transpose(), across: &x[0] * &terms * y[1].transpose() }
    }
}

/// Even and odd polynomials and their derivatives on a grid: by parity and derivative, a row for every place.
pub(crate) struct GridTables {
    x: [[DMatrix<f64>; 2]; 2],
    y: [[DMatrix<f64>; 2]; 2],
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
