//! A power-law spring that returns the share R of its energy (Stronge's energetic restitution, [Woodhouse]).
//!
//! The recipe in words, "replace k by R k when the force begins to fall", does not define a contact that is loaded again before
//! its end, and taken literally adds energy there. The same loss as a convex work function adds none:
//!
//! ```text
//! W(x) = S(x) + L(max(x, m))     m: deepest compression since the contact began
//! S = R U + beta (R U')^2        stored energy: the spring R k
//! L = (U + beta U'^2) - S        energy that is not returned; grows with m only
//! F = [W(x1) - W(x0)]/(x1 - x0)  does not fall when x1 grows
//! ```
//!
//! First loading follows the spring k, unloading and loading again up to m the spring R k. On a rigid wall v_out = -sqrt(R) v_in.

use crate::contact::hunt_crossley::HuntCrossley;
use crate::contact::newton::{GenericStep, InContactStep, SubstepSolver, only_root};
use crate::contact::step_equation::{Equation, Solution, SubstepForce};
use crate::contact::wall_impact::RigidImpact;

/// Distance from the deepest compression over compression up to which F changes mainly by the turn there.
const NEAR: f64 = 1e-6;

/// f = k x^alpha where x is deeper than ever in this contact, else R k x^alpha.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Restitution {
    /// The spring k.
    forth: HuntCrossley,
    /// The spring R k.
    back: HuntCrossley,
    share: f64,
}

impl Restitution {
    /// Stiffness k [N/m^alpha] > 0, exponent alpha 1 to 5, share R of the energy that comes back, above 0 and up to 1.
    pub fn new(stiffness: f64, exponent: f64, share: f64) -> Self {
        Self {
            forth: HuntCrossley::new(stiffness, exponent, 0.0),
            back: HuntCrossley::new(share * stiffness, exponent, 0.0),
            share,
        }
    }

    /// Stiffness k [N/m^alpha] of the first loading.
    pub fn stiffness(&self) -> f64 {
        self.forth.stiffness()
    }

    /// Exponent alpha.
    pub fn exponent(&self) -> f64 {
        self.forth.exponent()
    }

    /// Share R of the energy that comes back.
    pub fn share(&self) -> f64 {
        self.share
    }

    /// Force [N] at compression x [m], moving at v [m/s], with the deepest compression m [m].
    pub fn force(&self, x: f64, v: f64, deepest: f64) -> f64 {
        let spring = if x > deepest || (x == deepest && v >= 0.0) { self.forth } else { self.back };
        spring.force(x, 0.0)
    }

    /// Derivative of that force by x [N/m].
    pub fn slope(&self, x: f64, v: f64, deepest: f64) -> f64 {
        let spring = if x > deepest || (x == deepest && v >= 0.0) { self.forth } else { self.back };
        spring.slopes(x, 0.0).0
    }

    /// Energy S [J] stored at compression x [m].
    pub fn corrected_potential(&self, x: f64, beta: f64) -> f64 {
        self.back.corrected_potential(x, beta)
    }

    /// The compression [m] that stores `energy` [J], never more.
    pub fn compression_storing(&self, energy: f64, beta: f64) -> f64 {
        self.back.compression_storing(energy, beta)
    }

    /// Contact time [s] without loss, the shorter one: see [`HuntCrossley::contact_time`].
    pub fn contact_time(&self, mobility: f64, v: f64) -> f64 {
        self.forth.contact_time(mobility, v)
    }

    /// Deepest compression [m], v_out [m/s] and contact time [s] of a point mass [kg] at v [m/s] > 0 on a rigid wall: loading follows
    /// the spring k, unloading the spring R k.
    pub fn rigid_impact(&self, mass: f64, velocity: f64) -> (f64, f64, f64) {
        let elastic = RigidImpact { mass, stiffness: self.stiffness(), exponent: self.exponent(), damping: 0.0, velocity };
        let root = self.share.sqrt();
        (elastic.max_compression(), -root * velocity, 0.5 * elastic.duration() * (1.0 + 1.0 / root))
    }

    /// Compression and deepest compression of a contact at `place` after a change of parameters: a larger R keeps the energy, a
    /// smaller one loses its share.
    pub(crate) fn taking_over(&self, last: &Self, last_beta: f64, (x, deepest): (f64, f64), beta: f64) -> (f64, f64) {
        if x <= 0.0 {
            return (x, deepest);
        }
        let kept = (self.share / last.share).min(1.0);
        let moved = |x: f64| self.back.compression_storing(kept * last.back.corrected_potential(x, last_beta), beta);
        let x1 = moved(x);
        (x1, if deepest == x { x1 } else { moved(deepest).max(x1) })
    }

    /// The deepest compression after one at x1 [m]; reset when the contact ends.
    pub(crate) fn remembering(&self, deepest: f64, x1: f64) -> f64 {
        if x1 > 0.0 { deepest.max(x1) } else { 0.0 }
    }

    /// Distance beyond the deepest compression [m], accurate also for a start close to it.
    fn beyond(e: &Equation, (x1, d): (f64, f64)) -> f64 {
        if e.x0 > 0.0 { d - (e.memory - e.x0) } else { x1 - e.memory }
    }

    /// Divided difference of L over the way from the deepest compression to x1, and its derivative.
    fn new_loss(&self, e: &Equation, x1: f64, way: f64) -> (f64, f64) {
        let from = Equation { x0: e.memory, ..*e };
        let ((forth, rise), (back, fall)) =
            (self.forth.elastic_force(&from, (x1, way)), self.back.elastic_force(&from, (x1, way)));
        (forth - back, rise - fall)
    }

    /// Energy [J] that the contact loses in a substep; >= 0.
    pub fn loss(&self, e: &Equation, solution: &Solution) -> f64 {
        let Solution { x1, d, force, capped, .. } = *solution;
        if let Some(way) = capped {
            return force * way - self.back.elastic_force(e, (x1, d)).0 * d;
        }
        let way = Self::beyond(e, (x1, d));
        if way <= 0.0 || x1 <= 0.0 {
            return 0.0;
        }
        self.new_loss(e, x1, way).0 * way
    }
}

impl SubstepForce for Restitution {
    fn substep_force(&self, e: &Equation, u: f64) -> (f64, f64) {
        let (x1, d) = e.place(u);
        let (mut force, mut slope) = self.back.elastic_force(e, (x1, d));
        let way = Self::beyond(e, (x1, d));
        if way > 0.0 && x1 > 0.0 {
            let (loss, rise) = self.new_loss(e, x1, way);
            let share = way / d;
            force += loss * share;
            slope += rise * share + loss * (1.0 - share) / d;
        }
        (force, slope)
    }

    fn stored(&self, x: f64, _: f64, beta: f64) -> f64 {
        self.corrected_potential(x, beta)
    }

    fn onset_guess(&self, e: &Equation) -> f64 {
        self.forth.onset_guess(e)
    }

    #[inline(always)]
    fn remembering(&self, deepest: f64, x1: f64) -> f64 {
        Restitution::remembering(self, deepest, x1)
    }
}

impl SubstepSolver for Restitution {
    /// With the deepest compression nearby, F grows there from R to the full spring force: the root of u = uf - b (forth - loss
    /// turn/u), both as they are at the turn.
    fn inner_guess(&self, e: &Equation) -> f64 {
        let turn = e.memory - e.x0;
        if turn > NEAR * e.x0 {
            return GenericStep { law: self, e }.guess();
        }
        let (forth, back) = (self.forth.substep_force(e, turn), self.back.substep_force(e, turn));
        let ease = 1.0 + e.b * forth.1;
        let (short, product) = (e.b * (forth.0 - forth.1 * turn) - e.df, e.b * (forth.0 - back.0) * turn);
        let root = (short * short + 4.0 * ease * product).sqrt();
        if short > 0.0 { 2.0 * product / (short + root) } else { (root - short) / (2.0 * ease) }
    }

    fn solve_lasting(&self, e: &Equation) -> Option<Solution> {
        Some(self.solve(e)).filter(|solution| solution.x1 > 0.0)
    }

    /// The one root of u = uf - b F(u). At the deepest compression F jumps at u = 0 from R to the full spring force, and the root
    /// may be on that jump.
    fn solve(&self, e: &Equation) -> Solution {
        if e.x0 <= 0.0 {
            return self.forth.solve(e);
        }
        let turn = e.memory - e.x0;
        let (give, _) = self.back.substep_force(e, turn);
        if e.df <= turn + e.b * give {
            return self.back.solve(e);
        }
        if turn > 0.0 {
            return only_root(self, e);
        }
        let (resist, _) = self.forth.substep_force(e, 0.0);
        if e.df > e.b * resist {
            return self.forth.solve(e);
        }
        Solution { x1: e.x0, d: 0.0, force: e.df / e.b, iterations: 1, capped: None, bracketed: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law() -> Restitution {
        Restitution::new(1e8, 1.5, 0.4)
    }

    /// A contact so light that the reciprocal of its compression overflows: energies stay finite.
    #[test]
    fn a_contact_of_next_to_nothing_loses_a_number() {
        let law = Restitution::new(3e14, 3.2, 0.78);
        let x0 = 1.8756820487897e-311;
        let e = Equation { x0, df: 5.9e-317, b: 1.6e-4, dt: 2e-5, beta: 2.7e-5, memory: x0, expected: f64::NAN };
        let way = e.df - e.b * 3.6e-313;
        for (x1, capped) in [(x0, Some(way)), (x0, None), (2.0 * x0, None), (0.5 * x0, None), (1e-9, None)] {
            let solution = Solution { x1, d: x1 - x0, force: 3.6e-313, iterations: 1, capped, bracketed: false };
            assert!(law.loss(&e, &solution) >= 0.0, "{x1:e}: {}", law.loss(&e, &solution));
        }
        let solution = law.solve(&e);
        assert!(solution.force >= 0.0 && law.loss(&e, &solution).is_finite(), "{solution:?}");
    }

    #[test]
    fn the_force_never_falls_and_its_derivative_is_right() {
        for (x0, memory) in [(-1e-4, 0.0), (0.0, 0.0), (1e-4, 1e-4), (1e-5, 1e-4)] {
            let e = Equation { x0, df: 0.0, b: 1e-9, dt: 1e-5, beta: 1e-10, memory, expected: f64::NAN };
            let mut last = 0.0;
            for i in -400..400 {
                let u = (f64::from(i) + 0.5) * 1e-6;
                let (force, slope) = law().substep_force(&e, u);
                assert!(force >= last, "from {x0} by {u}: {force} after {last}");
                let difference = (law().substep_force(&e, u + 1e-10).0 - law().substep_force(&e, u - 1e-10).0) / 2e-10;
                assert!((difference - slope).abs() <= 1e-4 * slope.abs() + 1e-2, "from {x0} by {u}: {slope} {difference}");
                last = force;
            }
        }
    }

    #[test]
    fn the_solution_satisfies_its_equation_and_balances_energy() {
        for (x0, memory) in [(-1e-4, 0.0), (0.0, 0.0), (1e-4, 1e-4), (1e-5, 1e-4), (9.9e-5, 1e-4)] {
            for df in [-2e-3, -1e-5, 1e-8, 1e-6, 1e-5, 2e-5, 5e-5, 2e-4, 2e-3] {
                for b in [1e-9, 1e-7, 1e-6] {
                    let e = Equation { x0, df, b, dt: 1e-5, beta: b / 6.0, memory, expected: f64::NAN };
                    let s = law().solve(&e);
                    assert!(s.force >= 0.0 && (s.d - df + b * s.force).abs() <= 4e-15 * df.abs().max(b * s.force), "{e:?} {s:?}");
                    let held = law().corrected_potential(s.x1, e.beta) - law().corrected_potential(x0, e.beta);
                    let loss = law().loss(&e, &s);
                    let scale = law().corrected_potential(s.x1.max(memory), e.beta);
                    assert!(loss >= 0.0 && (s.force * s.d - held - loss).abs() <= 1e-13 * scale, "{e:?} {s:?}: {held} {loss}");
                }
            }
        }
    }

    /// A contact at rest is at its deepest compression but for rounding: any force between loading and unloading is possible.
    #[test]
    fn the_turn_is_found_however_near_it_is() {
        let x0 = 1.28e-5;
        let law = Restitution::new(2.3e14, 2.53, 0.18);
        for turn in [2e-21, 1.4e-19, 1e-16, 1e-13, 1e-11] {
            let memory = x0 + turn;
            let b = 1.9e-6;
            let e = Equation { x0, df: 0.0, b, dt: 2e-5, beta: b / 6.0, memory, expected: f64::NAN };
            let [give, resist] = [law.back, law.forth].map(|spring| spring.substep_force(&e, 0.0).0);
            for part in [0.0, 0.1, 0.5, 0.9, 0.999] {
                let e = Equation { df: b * (give + part * (resist - give)), ..e };
                let s = law.solve(&e);
                assert!(s.capped.is_none() && (s.d - e.df + b * s.force).abs() <= 4e-16 * e.df, "{turn:e} {part}: {s:?}");
                let held = law.back.elastic_force(&e, (s.x1, s.d)).0 * s.d;
                let loss = law.loss(&e, &s);
                assert!(
                    loss >= 0.0 && (s.force * s.d - held - loss).abs() <= 1e-9 * s.force * s.d.abs(),
                    "{turn:e} {part}: {s:?}"
                );
            }
        }
    }
}
