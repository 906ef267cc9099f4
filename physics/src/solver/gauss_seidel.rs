//! The forces of several contacts on one body at once.
//!
//! Each contact's unknown u_a obeys u_a = uf_a - sum_b B_ab F_b(u_b). B is symmetric and positive definite and every F_a grows
//! with u_a, so the solution is the minimum of a strictly convex function: there is exactly one. A sweep of scalar solves
//! (nonlinear Gauss-Seidel) comes near it. From there, for resolved contacts, Newton's method on those with a force
//! (`coupled_newton`) needs two or three steps; otherwise more sweeps follow. Where these do not converge (hammers of very
//! different mass on a light body), a slower Newton's method on all contacts together finishes (`contact_newton`).

use crate::contact::ContactState;
use crate::solver::collision::Collision;
use crate::solver::contact_newton::{ContactMatrix, ContactVector, CoupledEquations, MAX_HALVINGS};
use crate::solver::cost_budget::SolvedEquations;
use crate::solver::hammer::Hammer;
use crate::solver::limits::StepCost;

/// Sweeps before Newton takes over; resolved contacts need at most 8.
const MAX_SWEEPS: u32 = 16;
/// Change of compression, relative to its change without forces, at which the sweeps have converged.
const CONVERGED_SWEEP: f64 = 2e-16;

impl Collision {
    /// Forces of all contacts over a substep of dt [s]. At the cap the forces are passive, and the energy difference is lost in
    /// the contact.
    pub(crate) fn solve(&mut self, dt: f64, effort: &mut StepCost) {
        let mut active = 0;
        for hammer in self.hammers.iter_mut() {
            hammer.substep.solution.force = 0.0;
            hammer.set_up_equation(dt, hammer.substep.equation.df);
            active += 1;
        }
        if active == 1 {
            let Self { hammers, budget, .. } = self;
            return hammers.iter_mut().for_each(|hammer| {
                hammer.solve(effort);
                budget.charge_law(&hammer.contact.law, SolvedEquations::of(&hammer.substep.solution));
            });
        }
        if self.sweep(effort) {
            self.add_displacement_by_others();
            return;
        }
        let converged = !self.budget.is_spent() && self.newton(effort);
        if !converged {
            self.budget.charge_force_limit(active);
            self.weaken();
        }
        if converged {
            self.add_displacement_by_others();
        } else {
            self.keep_forces();
        }
    }

    /// Keeps forces that are not those of the laws: the compressions follow them.
    pub(crate) fn keep_forces(&mut self) {
        self.add_displacement_by_others();
        self.hammers
            .iter_mut()
            .for_each(|s| s.limit_compression(s.substep.equation.df - s.fit.compliance * s.substep.solution.force));
    }

    /// Cyclic scalar solves. False when they have not converged.
    fn sweep(&mut self, effort: &mut StepCost) -> bool {
        for sweep in 1..=MAX_SWEEPS {
            effort.most_sweeps = effort.most_sweeps.max(sweep);
            let mut settled = true;
            for a in 0..self.hammers.end() {
                if !self.hammers.is_active(a) {
                    continue;
                }
                let others = self.displacement_by_others(a);
                let hammer = &mut self.hammers[a];
                let mut equation = hammer.substep.equation;
                equation.df -= others;
                let last = hammer.substep.solution.force;
                equation.expected = if last > 0.0 { last } else { hammer.contact.trend.next() };
                hammer.substep.solution = hammer.contact.law.solve(&equation);
                effort.most_iterations = effort.most_iterations.max(hammer.substep.solution.iterations);
                self.budget.charge_scalar(&hammer.contact.law, &hammer.substep.solution);
                let change = hammer.fit.compliance * (hammer.substep.solution.force - last).abs();
                settled &= change <= CONVERGED_SWEEP * equation.df.abs();
            }
            if settled || (sweep == 1 && self.solve_coupled(effort)) {
                return true;
            }
            if self.budget.is_spent() {
                break;
            }
        }
        false
    }

    /// Adds the displacement by the other hammers to every equation, which makes it that of a single contact.
    fn add_displacement_by_others(&mut self) {
        for a in 0..self.hammers.end() {
            if self.hammers.is_active(a) {
                self.hammers[a].substep.equation.df -= self.displacement_by_others(a);
            }
        }
    }

    /// Newton's method on all contacts together, from the result of the sweeps. False when it has not converged.
    fn newton(&mut self, effort: &mut StepCost) -> bool {
        let compliance = self.couplings();
        let free = self.gather(|s| s.substep.equation.free());
        let start = self.gather(|s| -s.substep.solution.force);
        let Self { hammers, budget, .. } = self;
        let forces_at = |u: &ContactVector| {
            let (mut forces, mut slopes) = (ContactVector::zeros(), ContactVector::zeros());
            for (a, hammer) in hammers.numbered() {
                (forces[a], slopes[a]) = hammer.contact.law.substep_force(&hammer.substep.equation, u[a]);
            }
            (forces, slopes)
        };
        let may_step = || {
            let left = !budget.is_spent();
            if left {
                effort.newton_steps += 1;
                budget.charge_newton();
            }
            left
        };
        let Some(found) = (CoupledEquations { compliance: &compliance, free, forces_at }).solve(start, may_step) else {
            return false;
        };
        self.scatter(&found.u, &found.l, &found.forces);
        found.converged
    }

    fn couplings(&self) -> ContactMatrix {
        let n = self.hammers.len();
        ContactMatrix::from_fn(|a, b| {
            let both = self.active(a) && self.active(b);
            match (both, a == b) {
                (true, true) => self.hammers[a].fit.compliance,
                (true, false) => self.coupling[a * n + b],
                _ => 0.0,
            }
        })
    }

    fn gather(&self, of: impl Fn(&Hammer) -> f64) -> ContactVector {
        ContactVector::from_fn(|a, _| if self.active(a) { of(&self.hammers[a]) } else { 0.0 })
    }

    /// Takes over the result; where the law has no force, a rounding residue of one is dropped.
    fn scatter(&mut self, u: &ContactVector, l: &ContactVector, forces: &ContactVector) {
        for (a, hammer) in self.hammers.numbered_mut() {
            let (x1, d) = hammer.substep.equation.place(u[a]);
            hammer.substep.solution.x1 = x1;
            hammer.substep.solution.d = d;
            hammer.substep.solution.force = if forces[a] > 0.0 { (-l[a]).max(0.0) } else { 0.0 };
        }
    }

    /// At the cap: halves all forces until none gives its modes more energy than its contact stores; without forces none does.
    fn weaken(&mut self) {
        for _ in 0..MAX_HALVINGS {
            if !self.any_contact_overdraws() {
                return;
            }
            self.hammers.iter_mut().for_each(|s| s.substep.solution.force *= 0.5);
        }
        self.hammers.iter_mut().for_each(|s| s.substep.solution.force = 0.0);
    }

    /// Whether any contact would give more energy than it stores under the present forces. A felt that has relaxed keeps a part of it.
    pub(crate) fn any_contact_overdraws(&self) -> bool {
        self.hammers.numbered().any(|(a, s)| {
            let d = s.substep.equation.df - self.displacement_by_others(a) - s.fit.compliance * s.substep.solution.force;
            let available = (s.corrected_contact_energy() - s.contact.law.kept(s.contact.memory)).max(0.0);
            available + s.substep.solution.force * d < 0.0
        })
    }
}

impl Hammer {
    /// At the cap: the compression follows the force, which acts over the displacement `way` [m]; it is limited where it would
    /// store more than the work done.
    pub(crate) fn limit_compression(&mut self, way: f64) {
        let start = ContactState { x: self.contact.x, memory: self.contact.memory, beta: self.fit.beta };
        let stored = self.corrected_contact_energy();
        self.substep.solution = self.contact.law.limited(self.substep.solution, start, way, stored);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{ContactLaw, Equation, Solution};
    use crate::modal::Mode;
    use crate::solver::hammer_control::PointHammerSpec;
    use crate::solver::limits::Capacity;

    /// Two stiff stops and a hammer that rests before the turn at which its force jumps, found by a soak test: where the steps of
    /// Newton's method are cut to nothing, the forces are not yet those of the laws.
    #[test]
    fn newton_converges_to_forces_of_the_laws_or_not_at_all() {
        let stop = ContactLaw::hunt_crossley(8.595482844045627e16, 3.8889939316755613, 0.2);
        let hammer = ContactLaw::restitution(369882576.630511, 1.3, 0.5757245907181138);
        let (x0, free) =
            ([1.2430042236561203e-4, 2.9744319927873353e-5, 3.2753034348237685e-6], [0.0882816228639583, 0.0885086810743594]);
        let couplings = [5.0516639719535905e-5, 1.713167796276228e-6, 5.051463789375123e-5];
        let mut collision = Collision::new(48e3, Capacity { modes: 1, held: 0, hammers: 3, hammer_modes: 1, levels: 1 });
        collision.set_body([Mode::heard_at(100.0, 1.0)]);
        for (a, law) in [stop, stop, hammer].into_iter().enumerate() {
            let number =
                collision.strike(PointHammerSpec { law, mass: 1.0, velocity: 1.0, tether: Mode::RIGID, weights: &[1.0] });
            assert_eq!(number, Some(a), "there is room");
            let (b, df) = if a < 2 { (couplings[0], free[0]) } else { (couplings[2], free[1]) };
            let memory = if a < 2 { 0.0 } else { x0[2] };
            let hammer = &mut collision.hammers[a];
            hammer.substep.equation = Equation { x0: x0[a], df, b, dt: 1.0 / 48e3, beta: b / 6.0, memory, expected: f64::NAN };
            hammer.fit.compliance = b;
            hammer.substep.solution.force = [1689.7835894114671, 0.3150176804443389, 1694.8207913165843][a];
        }
        let n = collision.hammers.len();
        for (a, b) in [(0, 1), (0, 2), (1, 2)] {
            let coupling = if b == 1 { couplings[0] } else { couplings[1] };
            (collision.coupling[a * n + b], collision.coupling[b * n + a]) = (coupling, coupling);
        }
        let converged = collision.newton(&mut StepCost::default());
        for hammer in collision.hammers.iter() {
            let Solution { d, force, .. } = hammer.substep.solution;
            let law = hammer.contact.law.substep_force(&hammer.substep.equation, d).0;
            assert!(!converged || (force - law).abs() <= 1e-6 * law, "{force} N where the law has {law} N");
        }
    }
}
