//! The forces of several contacts on one body at once.
//!
//! d_a = df_a - sum_b B_ab F_b with F_a = Phi_a(x_a, x_a + d_a) is the optimality condition of a convex problem (B is positive
//! definite, Phi monotone), so cyclic scalar solves converge to its one solution.

use super::collision::{Collision, Effort};

/// Most sweeps; resolved contacts need at most 8, unresolved ones at most 27.
const MOST_SWEEPS: u32 = 64;
/// Change of compression, relative to the compressions, at which the sweeps have converged.
const CONVERGED_SWEEP: f64 = 2e-16;

impl Collision {
    /// Forces of all contacts: scalar solves, swept until they agree (the dual of a convex problem, so the sweeps converge).
    pub(super) fn solve(&mut self, dt: f64, effort: &mut Effort) {
        let n = self.strikers.len();
        let active = self.strikers.iter().filter(|s| s.active).count();
        for striker in self.strikers.iter_mut().filter(|s| s.active) {
            striker.solution.force = 0.0;
            striker.equation.x0 = striker.x;
            striker.equation.b = striker.b;
            striker.equation.beta = striker.beta;
            striker.equation.dt = dt;
        }
        for sweep in 1..=MOST_SWEEPS {
            let mut settled = true;
            for a in 0..n {
                if !self.strikers[a].active {
                    continue;
                }
                let others = self.pushed_by_others(a);
                let striker = &mut self.strikers[a];
                let mut equation = striker.equation;
                equation.df -= others;
                let last = striker.solution.force;
                striker.solution = striker.law.solve(&equation);
                effort.most_iterations = effort.most_iterations.max(striker.solution.iterations);
                let change = striker.b * (striker.solution.force - last).abs();
                settled &= change <= CONVERGED_SWEEP * equation.df.abs();
            }
            effort.most_sweeps = effort.most_sweeps.max(sweep);
            if settled || active == 1 {
                break;
            }
            if sweep == MOST_SWEEPS {
                self.strikers.iter_mut().filter(|s| s.active).for_each(|s| s.solution.capped = true);
            }
        }
        if active > 1 {
            self.settle_sweeps();
        }
    }

    /// Displacement [m] that the other hammers' forces take from the compression of hammer a.
    fn pushed_by_others(&self, a: usize) -> f64 {
        let n = self.strikers.len();
        let others = self.strikers.iter().enumerate().filter(|(b, s)| *b != a && s.active && s.solution.force != 0.0);
        others.map(|(b, s)| self.coupling[a * n + b] * s.solution.force).sum()
    }

    /// Books the others' push into every equation. At the cap the compressions follow from the forces, and where that would
    /// store more than was put in, the compression gives way.
    fn settle_sweeps(&mut self) {
        for a in 0..self.strikers.len() {
            if !self.strikers[a].active {
                continue;
            }
            let others = self.pushed_by_others(a);
            let striker = &mut self.strikers[a];
            striker.equation.df -= others;
            if !striker.solution.capped {
                continue;
            }
            let force = striker.solution.force;
            striker.solution.d = striker.equation.df - striker.b * force;
            striker.solution.x1 = striker.x + striker.solution.d;
            let given = striker.booked_contact_energy() + force * striker.solution.d;
            if striker.law.corrected_potential(striker.solution.x1, striker.beta) > given {
                striker.solution.x1 = striker.law.compression_storing(given, striker.beta);
                striker.solution.d = striker.solution.x1 - striker.x;
            }
        }
    }
}
