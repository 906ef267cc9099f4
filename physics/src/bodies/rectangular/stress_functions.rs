//! Stress functions of a rectangular plate, and the potential of its bending by them.
//!
//! ```text
//! V    = max over phi of  integral of (phi_yy w_x^2 + phi_xx w_y^2 - 2 phi_xy w_x w_y)/2 - its own energy     = l.B^-1 l/2
//! l_a  = integral of (chi_a,yy w_x^2 + chi_a,xx w_y^2 - 2 chi_a,xy w_x w_y)/2                                  phi = sum c_a chi_a
//! B_ab = integral of lap chi_a lap chi_b - (1 + nu) (chi_a,xx chi_b,yy + chi_a,yy chi_b,xx - 2 chi_a,xy chi_b,xy)
//! ```
//!
//! (Castigliano's principle, with stresses phi_yy, phi_xx and -phi_xy.) Edges that are free in the plane bear no stress: chi vanishes there with
//! its slope, and the terms with nu integrate to 0. At edges that are held, no condition applies to chi. Every choice of functions gives a
//! lower bound of V.
//!
//! chi are products of functions of x and of y, even or odd each, so that there are four classes that do not meet. Lengths are in units of
//! the root of the area, E h is 1.

use crate::bodies::modal_shape::Grid;
use crate::bodies::rectangular::polynomials::{Basis, gauss};
use nalgebra::DMatrix;

/// Number of classes: (even, even), (even, odd), (odd, even), (odd, odd) in x and y.
pub(super) const CLASSES: usize = 4;

/// Class of even or odd in x and in y.
pub(super) fn class_of([x, y]: [usize; 2]) -> usize {
    2 * (x % 2) + y % 2
}

/// Functions along one side on half of it, even ones and odd ones, and a rule of integration.
#[derive(Clone, Debug)]
pub(super) struct AxisFunctions {
    /// Places from 0 to 1.
    pub places: Vec<f64>,
    /// Weights of an even function for the integral over the whole side.
    pub weights: Vec<f64>,
    /// Value and two derivatives of the even ones and of the odd ones: a row for every function, a column for every place.
    pub tables: [[DMatrix<f64>; 3]; 2],
}

impl AxisFunctions {
    /// The polynomials `basis` on a side of this length, with a rule of `points` points on half of it.
    pub fn polynomials(basis: Basis, points: usize, length: f64) -> Self {
        let rule: Vec<(f64, f64)> = gauss(2 * points).into_iter().take(points).collect();
        let jets: Vec<_> = rule.iter().map(|(x, _)| basis.jets(*x)).collect();
        let table = |parity: usize, order: usize| {
            let scale = (2.0 / length).powi(order as i32);
            DMatrix::from_fn(basis.alike(parity), points, |n, i| scale * jets[i][2 * n + parity][order])
        };
        Self {
            places: rule.iter().map(|(x, _)| 0.5 * (x + 1.0)).collect(),
            weights: rule.iter().map(|(_, weight)| weight * length).collect(),
            tables: [0, 1].map(|parity| [0, 1, 2].map(|order| table(parity, order))),
        }
    }

    /// Integrals of derivatives `orders` of the functions `picked` of one parity.
    fn integrals(&self, parity: usize, orders: [usize; 2], picked: &[usize]) -> DMatrix<f64> {
        let [a, b] = orders.map(|order| self.tables[parity][order].select_rows(picked));
        let weighted = DMatrix::from_fn(a.nrows(), a.ncols(), |n, i| a[(n, i)] * self.weights[i]);
        weighted * b.transpose()
    }
}

/// Products of slopes of pairs of modes, times the weight of every place: a matrix of the grid after the other.
pub(super) struct SlopeProducts {
    /// Number of pairs.
    pub pairs: usize,
    /// w_x of one and w_x of the other, w_y and w_y, and the mean of w_x w_y both ways.
    pub along: DMatrix<f64>,
    pub across: DMatrix<f64>,
    pub mixed: DMatrix<f64>,
}

/// The stress functions of a plate.
#[derive(Clone, Debug)]
pub(super) struct StressFunctions {
    /// Along and across.
    pub axes: [AxisFunctions; 2],
    /// By class: which functions along and across make products.
    pub products: [[Vec<usize>; 2]; CLASSES],
    /// Poisson's ratio where edges are held.
    pub poisson: Option<f64>,
}

impl StressFunctions {
    /// With these `degrees` of polynomials and points of half a side along and across. `poisson`: of a plate whose edges are held; None if
    /// they are free.
    pub fn polynomials(aspect: f64, poisson: Option<f64>, degrees: [usize; 2], points: [usize; 2]) -> Self {
        let lengths = [aspect.sqrt(), 1.0 / aspect.sqrt()];
        let exponent = if poisson.is_some() { 0 } else { 2 };
        let bases = degrees.map(|degrees| Basis { exponent, degrees });
        let axis = |side: usize| AxisFunctions::polynomials(bases[side], points[side], lengths[side]);
        let products = |x: usize, y: usize| {
            let mut picked = [Vec::new(), Vec::new()];
            for i in 0..bases[0].alike(x) {
                for j in 0..bases[1].alike(y) {
                    // linear functions bear no stress
                    if exponent > 0 || 2 * (i + j) + x + y > 1 {
                        picked[0].push(i);
                        picked[1].push(j);
                    }
                }
            }
            picked
        };
        Self { axes: [axis(0), axis(1)], products: [products(0, 0), products(0, 1), products(1, 0), products(1, 1)], poisson }
    }

    /// The grid on a quarter of the plate where slopes are needed.
    pub fn grid(&self) -> Grid<'_> {
        Grid { along: &self.axes[0].places, across: &self.axes[1].places }
    }

    /// B of a class.
    fn energies(&self, class: usize) -> DMatrix<f64> {
        let [i, j] = &self.products[class];
        let [x, y] = [class / 2, class % 2];
        let part = |along: [usize; 2], across: [usize; 2]| {
            self.axes[0].integrals(x, along, i).component_mul(&self.axes[1].integrals(y, across, j))
        };
        let crossed = part([2, 0], [0, 2]);
        let crossed = &crossed + crossed.transpose();
        let laplacians = part([2, 2], [0, 0]) + part([0, 0], [2, 2]) + &crossed;
        match self.poisson {
            Some(poisson) => laplacians - (crossed - part([1, 1], [1, 1]) * 2.0) * (1.0 + poisson),
            None => laplacians,
        }
    }

    /// Weights of the grid for the integral over the plate.
    pub fn weights(&self) -> DMatrix<f64> {
        let [along, across] = self.axes.each_ref().map(|axis| &axis.weights);
        DMatrix::from_fn(along.len(), across.len(), |row, column| along[row] * across[column])
    }

    /// l of every pair of modes, one a column.
    fn loads(&self, class: usize, slopes: &SlopeProducts) -> DMatrix<f64> {
        let [x, y] = [&self.axes[0].tables[class / 2], &self.axes[1].tables[class % 2]];
        let y = y.each_ref().map(|table| table.transpose());
        let parts =
            [(&x[0] * &slopes.along, &y[2], 0.5), (&x[2] * &slopes.across, &y[0], 0.5), (&x[1] * &slopes.mixed, &y[1], -1.0)];
        let [i, j] = &self.products[class];
        let places = y[0].nrows();
        let mut loads = DMatrix::zeros(i.len(), slopes.pairs);
        let mut all = DMatrix::zeros(x[0].nrows(), y[0].ncols());
        for (pair, mut column) in loads.column_iter_mut().enumerate() {
            all.fill(0.0);
            for (along, across, factor) in &parts {
                all.gemm(*factor, &along.columns(pair * places, places), across, 1.0);
            }
            column.iter_mut().zip(i.iter().zip(j)).for_each(|(load, (i, j))| *load = all[(*i, *j)]);
        }
        loads
    }

    /// h of pairs of modes whose products are of a class, one a column: V = |h|^2/2. None if the energies are not positive, as for sizes that are not finite.
    pub fn forms(&self, class: usize, slopes: &SlopeProducts) -> Option<DMatrix<f64>> {
        let (mut energies, mut loads) = (self.energies(class), self.loads(class, slopes));
        // units of the functions
        let units: Vec<f64> = energies.diagonal().iter().map(|energy| 1.0 / energy.sqrt()).collect();
        for (row, unit) in units.iter().enumerate() {
            energies.row_mut(row).iter_mut().zip(&units).for_each(|(energy, other)| *energy *= unit * other);
            loads.row_mut(row).iter_mut().for_each(|load| *load *= *unit);
        }
        energies.cholesky()?.l().solve_lower_triangular(&loads)
    }
}
