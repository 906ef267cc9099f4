//! Newton's method on all contacts together, for forces on which sweeps of scalar solves do not agree.
//!
//! ```text
//! u = uf + B l          l: minus the forces, explicit; F(u) = -l at the solution
//! (1 + D B) z = -(l + F(u)),  D = diag F'        then l += t z,  u += t B z
//! ```
//!
//! B is symmetric and positive semidefinite and every F_a grows with u_a, so that the solution is the minimum of a convex function; t is such
//! that this function does not rise.

use crate::solver::limits::MAX_HAMMERS;
use nalgebra::{SMatrix, SVector};

/// Maximum number of steps.
const MAX_STEPS: u32 = 48;
/// Maximum number of halvings of a step.
pub(crate) const MAX_HALVINGS: u32 = 30;

/// Compliances B_ab of all contacts [m/N]; 0 where there is no contact.
pub(crate) type ContactMatrix = SMatrix<f64, MAX_HAMMERS, MAX_HAMMERS>;
/// One number a contact.
pub(crate) type ContactVector = SVector<f64, MAX_HAMMERS>;

/// Coupled equations of contacts: compliances, the unknowns without forces, and the laws' forces with their derivatives at given unknowns.
pub(crate) struct CoupledEquations<'a, F> {
    pub compliance: &'a ContactMatrix,
    pub free: ContactVector,
    pub forces_at: F,
}

/// Where the method ended.
pub(crate) struct CoupledSolution {
    pub u: ContactVector,
    pub l: ContactVector,
    pub forces: ContactVector,
    pub converged: bool,
}

impl<F: Fn(&ContactVector) -> (ContactVector, ContactVector)> CoupledEquations<'_, F> {
    /// The method from the forces `-l`; `may_step` is asked before every step. None where a matrix has no inverse.
    pub fn solve(&self, mut l: ContactVector, mut may_step: impl FnMut() -> bool) -> Option<CoupledSolution> {
        let (b, free) = (self.compliance, &self.free);
        let mut u = free + b * l;
        let (mut forces, mut slopes) = (self.forces_at)(&u);
        for _ in 0..MAX_STEPS {
            if !may_step() {
                break;
            }
            let residual = l + forces;
            let mut matrix = ContactMatrix::identity();
            for a in 0..MAX_HAMMERS {
                let row = b.row(a) * slopes[a];
                matrix.set_row(a, &(matrix.row(a) + row));
            }
            let z = matrix.lu().solve(&-residual)?;
            let p = b * z;
            let step = self.step_length(&l, &u, &z, &p);
            l += z * step;
            u += p * step;
            (forces, slopes) = (self.forces_at)(&u);
            let still = |step: f64| (0..MAX_HAMMERS).all(|a| (step * p[a]).abs() <= 4e-16 * free[a].abs().max(u[a].abs()));
            if still(1.0) {
                return Some(CoupledSolution { u, l, forces, converged: true });
            }
            // not converged, but the step is cut to nothing at a jump of a force
            if still(step) {
                break;
            }
        }
        Some(CoupledSolution { u, l, forces, converged: false })
    }

    /// 1, halved until the convex function falls along the step: its slope p.(l + t z + F(u + t p)) at the end is not yet
    /// positive, or much smaller than at the start.
    fn step_length(&self, l: &ContactVector, u: &ContactVector, z: &ContactVector, p: &ContactVector) -> f64 {
        let slope = |t: f64| p.dot(&(l + z * t + (self.forces_at)(&(u + p * t)).0));
        let start = slope(0.0).abs();
        let mut t = 1.0;
        for _ in 0..MAX_HALVINGS {
            if slope(t) <= 0.5 * start {
                break;
            }
            t *= 0.5;
        }
        t
    }
}
