//! The forces of all contacts of a network over one step.
//!
//! Each contact's unknown obeys u_a = uf_a - sum_b B_ab F_b(u_b), as that of a hammer on a single body (`solver::gauss_seidel`): cyclic scalar
//! solves, then Newton's method on all contacts together. At the cap the forces are passive, and the energy difference is lost.

use crate::connections::contact_point::ContactPoint;
use crate::connections::port_matrix::PortMatrix;
use crate::contact::{ContactState, Solution};
use crate::solver::{ContactMatrix, ContactVector, CoupledEquations, MAX_HALVINGS};

/// Maximum number of sweeps.
const MAX_SWEEPS: u32 = 24;

/// Change of a displacement by force, relative to the largest one, at which the sweeps have converged.
const CONVERGED_SWEEP: f64 = 1e-15;

/// Contacts at ports of a network.
pub(crate) struct PortContacts<'a> {
    /// The contacts and their ports.
    pub list: &'a mut [(usize, ContactPoint)],
    /// B_ab of the bodies' ports [m/N], springs in place.
    pub compliance: &'a PortMatrix,
    /// Part of B that the step feels.
    pub share: f64,
}

impl PortContacts<'_> {
    /// Solves the equations that are set. False at the cap.
    pub fn solve(&mut self) -> bool {
        if self.list.iter().all(|(_, contact)| contact.equation.x0.max(contact.equation.x0 + contact.equation.df) <= 0.0) {
            for (_, contact) in self.list.iter_mut() {
                let e = &contact.equation;
                contact.solution = Solution { x1: e.x0 + e.df, d: e.df, ..Solution::default() };
            }
            return true;
        }
        if let [(_, only)] = self.list {
            only.solution = only.law.solve(&only.equation);
            return true;
        }
        self.list.iter_mut().for_each(|(_, contact)| contact.solution.force = 0.0);
        let converged = self.sweep() || self.newton();
        if !converged {
            self.weaken();
        }
        self.add_displacement_by_others();
        if !converged {
            self.list.iter_mut().for_each(|(_, contact)| contact.limit_compression());
        }
        converged
    }

    /// B_ab [m/N] of the bodies' ports over the step.
    fn coupling(&self, a: usize, b: usize) -> f64 {
        self.share * self.compliance.at(self.list[a].0, self.list[b].0)
    }

    /// Displacement [m] by which the other forces reduce the compression of contact a.
    fn displacement_by_others(&self, a: usize) -> f64 {
        let others = (0..self.list.len()).filter(|&b| b != a);
        others.map(|b| self.coupling(a, b) * self.list[b].1.solution.force).sum()
    }

    fn sweep(&mut self) -> bool {
        for _ in 0..MAX_SWEEPS {
            let (mut change, mut largest) = (0.0_f64, 0.0_f64);
            for a in 0..self.list.len() {
                let others = self.displacement_by_others(a);
                let contact = &mut self.list[a].1;
                let last = contact.solution.force;
                let mut equation = contact.equation;
                equation.df -= others;
                if last > 0.0 {
                    equation.expected = last;
                }
                contact.solution = contact.law.solve(&equation);
                let force = contact.solution.force;
                change = change.max(equation.b * (force - last).abs());
                largest = largest.max(equation.b * force);
            }
            if change <= CONVERGED_SWEEP * largest {
                return true;
            }
        }
        false
    }

    fn newton(&mut self) -> bool {
        let n = self.list.len();
        let compliance = ContactMatrix::from_fn(|a, b| match (a < n && b < n, a == b) {
            (true, true) => self.list[a].1.equation.b,
            (true, false) => self.coupling(a, b),
            _ => 0.0,
        });
        let gather = |of: fn(&ContactPoint) -> f64| ContactVector::from_fn(|a, _| self.list.get(a).map_or(0.0, |(_, c)| of(c)));
        let forces_at = |u: &ContactVector| {
            let (mut forces, mut slopes) = (ContactVector::zeros(), ContactVector::zeros());
            for (a, (_, contact)) in self.list.iter().enumerate() {
                (forces[a], slopes[a]) = contact.law.substep_force(&contact.equation, u[a]);
            }
            (forces, slopes)
        };
        let equations = CoupledEquations { compliance: &compliance, free: gather(|c| c.equation.free()), forces_at };
        let Some(found) = equations.solve(gather(|c| -c.solution.force), || true) else { return false };
        for (a, (_, contact)) in self.list.iter_mut().enumerate() {
            let (x1, d) = contact.equation.place(found.u[a]);
            let force = if found.forces[a] > 0.0 { (-found.l[a]).max(0.0) } else { 0.0 };
            contact.solution = Solution { x1, d, force, ..contact.solution };
        }
        found.converged
    }

    /// Adds the displacement by the other contacts to every equation, which makes it that of a single contact.
    fn add_displacement_by_others(&mut self) {
        for a in 0..self.list.len() {
            self.list[a].1.equation.df -= self.displacement_by_others(a);
        }
    }

    /// At the cap: halves all forces until none gives the bodies more energy than its contact stores; without forces none does.
    fn weaken(&mut self) {
        for _ in 0..MAX_HALVINGS {
            let overdraws = |(a, (_, contact)): (usize, &(usize, ContactPoint))| {
                let Solution { force, .. } = contact.solution;
                let way = contact.equation.df - self.displacement_by_others(a) - contact.equation.b * force;
                contact.law.stored(contact.x, contact.memory, 0.0) + force * way < 0.0
            };
            if !self.list.iter().enumerate().any(overdraws) {
                return;
            }
            self.list.iter_mut().for_each(|(_, contact)| contact.solution.force *= 0.5);
        }
        self.list.iter_mut().for_each(|(_, contact)| contact.solution.force = 0.0);
    }
}

impl ContactPoint {
    /// At the cap: the compression follows the force; it is limited where it would store more than the work done.
    fn limit_compression(&mut self) {
        let way = self.equation.df - self.equation.b * self.solution.force;
        let start = ContactState { x: self.x, memory: self.memory, beta: 0.0 };
        self.solution = self.law.limited(self.solution, start, way, self.law.stored(self.x, self.memory, 0.0));
    }
}
