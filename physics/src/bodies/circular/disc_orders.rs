//! Modes of a disc by their number of nodal diameters: flat, or under a dome, which mixes those with the same number.
//!
//! ```text
//! (diag(lambda^4) + 12 (1 - nu^2) (H/h)^2/pi^2 sum_k b_k b_k^T) u = lambda'^4 u       w0 = -H r^2,  b_k = 2 H_k w0
//! ```
//!
//! Asymmetric modes without nodal circles bend a cap without much stretching and keep their frequencies; the others rise towards
//! omega^2 + E/(rho R_c^2), R_c the radius of curvature.

use crate::bodies::circular::circular_plate::{Profile, lowest_waves};
use crate::bodies::circular::disc_fields::{OrderRule, RadialField, RadialRule, StressFunction};
use crate::bodies::position::EdgeSupport;
use nalgebra::{DMatrix, DVector, SymmetricEigen};
use std::f64::consts::PI;

/// Stress functions, beyond the number of modes, against which a dome stretches.
const MORE_STRESSES: usize = 6;

/// Rim, Poisson's ratio, and height of a dome over the thickness.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cap {
    pub rim: EdgeSupport,
    pub poisson: f64,
    pub height: f64,
}

impl Cap {
    /// 12 (1 - nu^2)/pi^2: factor of the stiffness of a rest shape in thicknesses.
    pub fn stiffness(&self) -> f64 {
        12.0 * (1.0 - self.poisson * self.poisson) / (PI * PI)
    }

    /// Upper bound of the growth of lambda^4: 12 (1 - nu^2) (2 H/h)^2.
    pub fn most_growth(&self) -> f64 {
        self.stiffness() * (2.0 * PI * self.height).powi(2)
    }
}

/// The modes with one number of nodal diameters.
#[derive(Clone, Debug)]
pub(super) struct DiscOrder {
    /// Wave numbers and profiles of the flat disc.
    pub waves: Vec<f64>,
    pub profiles: Vec<Profile>,
    /// lambda^4 of every mode, rising.
    pub squares: Vec<f64>,
    /// Shares of the flat modes in every mode, one mode a column; None of a flat disc.
    pub mixture: Option<DMatrix<f64>>,
}

impl DiscOrder {
    /// The lowest `count` modes with m diameters.
    pub fn new(cap: &Cap, m: usize, count: usize) -> Self {
        let waves = lowest_waves(cap.rim, cap.poisson, m, count);
        let profiles: Vec<Profile> = waves.iter().map(|&wave| Profile::new(cap.rim, cap.poisson, m, wave)).collect();
        let squares: Vec<f64> = waves.iter().map(|wave| wave.powi(4)).collect();
        let flat = Self { waves, profiles, squares, mixture: None };
        if cap.height == 0.0 { flat } else { flat.domed(cap, m) }
    }

    fn domed(self, cap: &Cap, m: usize) -> Self {
        let count = self.waves.len();
        let highest = self.waves.last().copied().unwrap_or(0.0);
        let rule = RadialRule::new(2.0 * highest + PI * MORE_STRESSES as f64 + PI);
        let dome = RadialField::paraboloid(&rule);
        let fields: Vec<_> = self.profiles.iter().map(|profile| RadialField::new(&rule, m, profile)).collect();
        let mut matrix = DMatrix::from_diagonal(&DVector::from_vec(self.squares));
        for stress in StressFunction::lowest(&rule, m, count + MORE_STRESSES) {
            let meet = |field| 2.0 * cap.height * stress.meet([&dome, field], OrderRule::Difference);
            let slopes = DVector::from_iterator(count, fields.iter().map(meet));
            matrix.ger(cap.stiffness(), &slopes, &slopes, 1.0);
        }
        let rising = Rising::of(matrix);
        Self { squares: rising.values, mixture: Some(rising.vectors), ..self }
    }

    /// Number of modes.
    pub fn len(&self) -> usize {
        self.squares.len()
    }

    /// Shares of the flat modes in mode i: (mode, share).
    pub fn shares(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + Clone + '_ {
        (0..self.len()).filter_map(move |j| match &self.mixture {
            Some(mixture) => Some((j, mixture[(j, i)])),
            None => (i == j).then_some((j, 1.0)),
        })
    }

    /// Second derivatives of the modes, of which there are m diameters.
    pub fn fields(&self, m: usize, rule: &RadialRule, count: usize) -> Vec<RadialField> {
        let flat: Vec<_> = self.profiles.iter().map(|profile| RadialField::new(rule, m, profile)).collect();
        let mixed = |i| RadialField::mixed(self.shares(i).map(|(j, share)| (share, &flat[j])), m, rule);
        (0..count.min(self.len())).map(mixed).collect()
    }
}

/// Eigenvalues, rising, and eigenvectors with positive largest part.
pub(super) struct Rising {
    pub values: Vec<f64>,
    pub vectors: DMatrix<f64>,
}

impl Rising {
    pub fn of(matrix: DMatrix<f64>) -> Self {
        let SymmetricEigen { eigenvalues, eigenvectors } = SymmetricEigen::new(matrix);
        let mut order: Vec<usize> = (0..eigenvalues.len()).collect();
        order.sort_by(|&a, &b| eigenvalues[a].total_cmp(&eigenvalues[b]));
        let column = |&i: &usize| {
            let vector = eigenvectors.column(i);
            vector * 1.0_f64.copysign(vector[vector.icamax()])
        };
        let columns: Vec<DVector<f64>> = order.iter().map(column).collect();
        let vectors = if columns.is_empty() { DMatrix::zeros(0, 0) } else { DMatrix::from_columns(&columns) };
        Self { values: order.iter().map(|&i| eigenvalues[i]).collect(), vectors }
    }
}
