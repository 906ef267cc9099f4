//! Forces of several resolved contacts, by Newton's method on those that have a force.
//!
//! ```text
//! r_a = u_a - uf_a + sum_b B_ab F_b(u_b)      (1 + B D) z = -r,  D = diag F'      u += z,  F += D z at the last step
//! ```
//!
//! 1 + B D is a positive definite matrix times a diagonal one: elimination needs no pivots.

use crate::contact::{CONVERGED_STEP, Solution};
use crate::solver::collision::Collision;
use crate::solver::limits::{MAX_HAMMERS, StepCost};

/// Maximum number of steps before sweeps take over; resolved contacts need two or three.
const MAX_STEPS: u32 = 5;

type Column = [f64; MAX_HAMMERS];

/// Number of contacts up to which a smaller matrix is used: clearing a large one takes longer than its elimination.
const FEW: usize = 4;

/// The contacts that have a force: their numbers, and u, F and F' of each.
struct CoupledContacts {
    numbers: [usize; MAX_HAMMERS],
    count: usize,
    u: Column,
    force: Column,
    slope: Column,
}

impl Collision {
    /// Newton's method from the result of a sweep. False, without any effect, if it does not converge at once, if a contact
    /// begins or ends, or if one is so stiff that its force would lose digits.
    pub(crate) fn solve_coupled(&mut self, effort: &mut StepCost) -> bool {
        let mut contacts = self.gather_forces();
        if contacts.count < 2 {
            return self.accept(&contacts);
        }
        let mut last = f64::INFINITY;
        for _ in 0..MAX_STEPS {
            effort.newton_steps += 1;
            let hammers = &self.hammers;
            self.budget.charge_coupled_step(contacts.numbers[..contacts.count].iter().map(|&a| &hammers[a].contact.law));
            let Some(step) = self.approach_together(&mut contacts).filter(|step| *step < 0.25 * last) else { return false };
            if step <= CONVERGED_STEP {
                return self.all_soft(&contacts) && self.accept(&contacts);
            }
            last = step;
        }
        false
    }

    fn gather_forces(&self) -> CoupledContacts {
        let zero = [0.0; MAX_HAMMERS];
        let mut contacts = CoupledContacts { numbers: [0; MAX_HAMMERS], count: 0, u: zero, force: zero, slope: zero };
        for (a, hammer) in self.hammers.numbered().filter(|(_, s)| s.substep.solution.force > 0.0) {
            let Solution { x1, d, .. } = hammer.substep.solution;
            let i = contacts.count;
            (contacts.numbers[i], contacts.u[i]) = (a, if hammer.substep.equation.x0 > 0.0 { d } else { x1 });
            (contacts.force[i], contacts.count) = (hammer.substep.solution.force, i + 1);
        }
        contacts
    }

    /// One step; its largest length relative to displacement and compression of a contact. None where a contact has no force.
    fn approach_together(&self, contacts: &mut CoupledContacts) -> Option<f64> {
        if contacts.count <= FEW { self.approach_among::<FEW>(contacts) } else { self.approach_among::<MAX_HAMMERS>(contacts) }
    }

    /// The same for at most `MOST` contacts.
    fn approach_among<const MOST: usize>(&self, contacts: &mut CoupledContacts) -> Option<f64> {
        let CoupledContacts { numbers, count, u, force, slope } = contacts;
        let n = *count;
        for i in 0..n {
            let hammer = &self.hammers[numbers[i]];
            (force[i], slope[i]) = hammer.contact.law.substep_force(&hammer.substep.equation, u[i]);
            if force[i] <= 0.0 || force[i].is_nan() {
                return None;
            }
        }
        let (mut matrix, mut step) = ([[0.0; MOST]; MOST], [0.0; MOST]);
        for i in 0..n {
            let mut residual = u[i] - self.hammers[numbers[i]].substep.equation.free();
            for j in 0..n {
                let b = self.compliance(numbers[i], numbers[j]);
                residual += b * force[j];
                matrix[i][j] = b * slope[j];
            }
            matrix[i][i] += 1.0;
            step[i] = -residual;
        }
        eliminate(&mut matrix, &mut step, n);
        let mut longest = 0.0_f64;
        for i in 0..n {
            u[i] += step[i];
            force[i] += slope[i] * step[i];
            let (x1, d) = self.hammers[numbers[i]].substep.equation.place(u[i]);
            let length = step[i].abs() / d.abs().min(x1.abs());
            if x1 <= 0.0 || length.is_nan() {
                return None;
            }
            longest = longest.max(length);
        }
        Some(longest)
    }

    /// B_ab, also of a hammer with itself.
    fn compliance(&self, a: usize, b: usize) -> f64 {
        if a == b { self.hammers[a].fit.compliance } else { self.coupling[a * self.hammers.len() + b] }
    }

    /// Whether no contact is so stiff that F + D z cancels.
    fn all_soft(&self, contacts: &CoupledContacts) -> bool {
        let soft =
            |i: usize| contacts.force[i] > 0.0 && self.hammers[contacts.numbers[i]].fit.compliance * contacts.slope[i] <= 1.0;
        (0..contacts.count).all(soft)
    }

    /// Adopts the forces, unless they would start another contact.
    fn accept(&mut self, CoupledContacts { numbers, count, u, force, .. }: &CoupledContacts) -> bool {
        let takes_part = |a: usize| numbers[..*count].contains(&a);
        let pushed = |a: usize| (0..*count).map(|i| self.compliance(a, numbers[i]) * force[i]).sum::<f64>();
        let goes_to = |a: usize| self.hammers[a].substep.equation.x0 + self.hammers[a].substep.equation.df - pushed(a);
        let others = || self.hammers.numbered().filter(|(a, _)| !takes_part(*a));
        if others().any(|(a, s)| s.substep.equation.x0.max(goes_to(a)) > 0.0) {
            return false;
        }
        for i in 0..*count {
            let hammer = &mut self.hammers[numbers[i]];
            let (x1, d) = hammer.substep.equation.place(u[i]);
            hammer.substep.solution = Solution { x1, d, force: force[i], ..hammer.substep.solution };
        }
        for a in (0..self.hammers.end()).filter(|&a| !takes_part(a)) {
            if self.hammers.is_active(a) {
                let d = self.hammers[a].substep.equation.df - self.displacement_by_others(a);
                let hammer = &mut self.hammers[a];
                hammer.substep.solution = Solution { x1: hammer.substep.equation.x0 + d, d, ..Solution::default() };
            }
        }
        true
    }
}

/// Solves the first n rows for `right` in place.
fn eliminate<const MOST: usize>(matrix: &mut [[f64; MOST]; MOST], right: &mut [f64; MOST], n: usize) {
    for i in 0..n {
        let (above, below) = matrix.split_at_mut(i + 1);
        let pivot = &above[i];
        for (k, row) in below[..n - i - 1].iter_mut().enumerate() {
            let factor = row[i] / pivot[i];
            for j in i + 1..n {
                row[j] -= factor * pivot[j];
            }
            right[i + 1 + k] -= factor * right[i];
        }
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| matrix[i][j] * right[j]).sum();
        right[i] = (right[i] - known) / matrix[i][i];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elimination_solves() {
        let mut matrix = [[0.0; MAX_HAMMERS]; MAX_HAMMERS];
        let rows = [[2.0, -1.0, 0.5], [0.25, 3.0, 1.0], [-0.5, 0.75, 1.5]];
        for (row, from) in matrix.iter_mut().zip(rows) {
            row[..3].copy_from_slice(&from);
        }
        let x = [1.5, -2.0, 0.25];
        let mut right = [0.0; MAX_HAMMERS];
        for i in 0..3 {
            right[i] = (0..3).map(|j| rows[i][j] * x[j]).sum();
        }
        eliminate(&mut matrix, &mut right, 3);
        assert!((0..3).all(|i| (right[i] - x[i]).abs() < 1e-14), "{right:?}");
    }
}
