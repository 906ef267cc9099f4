//! A linear spring in parallel with a linear damper, as in [Rath], but without tension: the force is cut off at 0.
//!
//! Over a substep from x0 to x1 = x0 + d, with x+ = max(x, 0):
//!
//! ```text
//! F = max(0, D1 + D2 + (c/dt) (x1+ - x0+)^2/d)        D1, D2 as for Hunt and Crossley with alpha = 1, mu = 0
//! ```

use crate::contact::hunt_crossley::HuntCrossley;
use crate::contact::newton::SubstepSolver;
use crate::contact::step_equation::{Equation, Solution, SubstepForce};

/// f = max(0, k x + c x') for x > 0, else 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Linear {
    spring: HuntCrossley,
    damping: f64,
}

impl Linear {
    /// Stiffness k [N/m] > 0, damping c [N s/m] >= 0.
    pub fn new(stiffness: f64, damping: f64) -> Self {
        Self { spring: HuntCrossley::new(stiffness, 1.0, 0.0), damping }
    }

    /// Stiffness k [N/m].
    pub fn stiffness(&self) -> f64 {
        self.spring.stiffness()
    }

    /// Damping c [N s/m].
    pub fn damping(&self) -> f64 {
        self.damping
    }

    /// Force [N] at compression x [m] and compression velocity v [m/s].
    pub fn force(&self, x: f64, v: f64) -> f64 {
        if x > 0.0 { (self.stiffness() * x + self.damping * v).max(0.0) } else { 0.0 }
    }

    /// Derivatives of the force by compression [N/m] and by compression velocity [N s/m].
    pub fn slopes(&self, x: f64, v: f64) -> (f64, f64) {
        if self.force(x, v) > 0.0 { (self.stiffness(), self.damping) } else { (0.0, 0.0) }
    }

    /// Energy U + beta U'^2 [J] at compression x [m].
    pub fn corrected_potential(&self, x: f64, beta: f64) -> f64 {
        self.spring.corrected_potential(x, beta)
    }

    /// The compression [m] that stores `energy` [J], never more.
    pub fn compression_storing(&self, energy: f64, beta: f64) -> f64 {
        self.spring.compression_storing(energy, beta)
    }

    /// Half a period of the undamped spring [s], whatever the speed.
    pub fn contact_time(&self, mobility: f64, v: f64) -> f64 {
        self.spring.contact_time(mobility, v)
    }

    /// The damper's force [N] and its derivative [N/m].
    fn drag(&self, e: &Equation, (x1, d): (f64, f64)) -> (f64, f64) {
        let rate = self.damping / e.dt;
        if e.x0 > 0.0 && x1 > 0.0 {
            return (rate * d, rate);
        }
        let way = x1.max(0.0) - e.x0.max(0.0);
        if way == 0.0 {
            return (0.0, 0.0);
        }
        let share = way / d;
        let growth = if x1 > 0.0 { 2.0 * share } else { 0.0 };
        (rate * way * share, rate * (growth - share * share))
    }

    /// Energy [J] that the contact loses in a substep; >= 0.
    pub fn loss(&self, e: &Equation, solution: &Solution) -> f64 {
        let Solution { x1, d, force, capped, .. } = *solution;
        let (elastic, _) = self.spring.elastic_force(e, (x1, d));
        if let Some(way) = capped {
            force * way - elastic * d
        } else if force <= 0.0 {
            -elastic * d
        } else {
            self.drag(e, (x1, d)).0 * d
        }
    }
}

impl SubstepSolver for Linear {}

impl SubstepForce for Linear {
    fn substep_force(&self, e: &Equation, u: f64) -> (f64, f64) {
        let to = e.place(u);
        let (elastic, stiffness) = self.spring.elastic_force(e, to);
        let (drag, resistance) = self.drag(e, to);
        if elastic + drag <= 0.0 {
            return (0.0, 0.0);
        }
        (elastic + drag, stiffness + resistance)
    }

    fn stored(&self, x: f64, _: f64, beta: f64) -> f64 {
        self.spring.corrected_potential(x, beta)
    }

    fn onset_guess(&self, e: &Equation) -> f64 {
        let stiff = e.b * (0.5 * self.stiffness() + self.damping / e.dt);
        // u = uf - stiff u^2/(u - x0), as if from x0 = 0
        e.free() / (1.0 + stiff)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_force_never_falls_and_its_derivative_is_right() {
        let law = Linear::new(1e5, 3.0);
        for x0 in [-1e-4, 0.0, 1e-6, 1e-4] {
            let e = Equation { x0, df: 0.0, b: 1e-9, dt: 1e-5, beta: 1e-10, memory: 0.0, expected: f64::NAN };
            let mut last = 0.0;
            for i in -400..400 {
                let u = (f64::from(i) + 0.5) * 1e-6;
                let (force, slope) = law.substep_force(&e, u);
                assert!(force >= last, "from {x0} by {u}: {force} after {last}");
                let difference = (law.substep_force(&e, u + 1e-10).0 - law.substep_force(&e, u - 1e-10).0) / 2e-10;
                assert!((difference - slope).abs() <= 1e-4 * slope.abs() + 1e-3, "from {x0} by {u}: {slope} {difference}");
                last = force;
            }
        }
    }

    #[test]
    fn work_is_stored_or_lost() {
        let law = Linear::new(1e5, 3.0);
        for x0 in [-1e-5, 0.0, 1e-6, 1e-4] {
            for df in [-3e-4, -1e-6, 1e-6, 3e-4] {
                let e = Equation { x0, df, b: 1e-6, dt: 1e-5, beta: 1e-7, memory: 0.0, expected: f64::NAN };
                let s = law.solve(&e);
                let stored = law.corrected_potential(s.x1, e.beta) - law.corrected_potential(x0, e.beta);
                let loss = law.loss(&e, &s);
                assert!(loss >= 0.0 && (s.force * s.d - stored - loss).abs() <= 1e-14 * stored.abs().max(loss), "{e:?} {s:?}");
            }
        }
    }
}
