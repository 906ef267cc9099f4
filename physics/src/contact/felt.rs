//! Felt with a memory: the hysteretic hammer of Stulov (J. Acoust. Soc. Am. 97, 1995), to which [AR] compare theirs.
//!
//! ```text
//! f(t) = k [x^p - (epsilon/tau) integral x(s)^p exp((s - t)/tau) ds] = k (x^p - epsilon y),  >= 0
//! y' = (x^p - y)/tau                                               y: memory of x^p
//! ```
//!
//! The law is passive. It stores the energy
//!
//! ```text
//! S(x, y) = k [x^(p+1)/(p+1) - epsilon x y + epsilon p/(p+1) y^(1+1/p)] >= (1 - epsilon) k x^(p+1)/(p+1)       (Young)
//! dS/dt = f x' - epsilon k (x - y^(1/p)) (x^p - y)/tau
//! ```
//!
//! and the last product has two factors of one sign. Where f is cut off at 0, the felt's surface has separated from the hammer; S
//! is then that at the free surface a = (epsilon y)^(1/p), and still falls when y does.
//!
//! A substep first moves x at fixed y, where S is convex in x and its divided difference the force; then y relaxes exactly at
//! fixed x. Begun from y = 0 this is Strang's splitting, of second order.

use crate::contact::hunt_crossley::HuntCrossley;
use crate::contact::hunt_crossley_step::divided_difference;
use crate::contact::newton::SubstepSolver;
use crate::contact::step_equation::{Equation, Solution, SubstepForce};

/// Longest substep over tau.
const LONGEST_STEP: f64 = 0.25;

/// f = k (x^p - epsilon y), not below 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Felt {
    spring: HuntCrossley,
    epsilon: f64,
    tau: f64,
}

impl Felt {
    /// Instantaneous stiffness k [N/m^p] > 0, exponent p 1 to 5, share epsilon 0 to below 1 of the force that relaxes, relaxation
    /// time tau [s] > 0.
    pub fn new(stiffness: f64, exponent: f64, epsilon: f64, tau: f64) -> Self {
        Self { spring: HuntCrossley::new(stiffness, exponent, 0.0), epsilon, tau }
    }

    /// Instantaneous stiffness k [N/m^p].
    pub fn stiffness(&self) -> f64 {
        self.spring.stiffness()
    }

    /// Exponent p.
    pub fn exponent(&self) -> f64 {
        self.spring.exponent()
    }

    /// Share epsilon of the force that relaxes, and relaxation time tau [s].
    pub fn relaxation(&self) -> (f64, f64) {
        (self.epsilon, self.tau)
    }

    /// Force [N] at compression x [m] and memory y [m^p].
    pub fn force(&self, x: f64, y: f64) -> f64 {
        if x > 0.0 { (self.spring.force(x, 0.0) - self.relaxed(y)).max(0.0) } else { 0.0 }
    }

    /// Derivative of that force by x [N/m].
    pub fn slope(&self, x: f64, y: f64) -> f64 {
        if self.force(x, y) > 0.0 { self.spring.slopes(x, 0.0).0 } else { 0.0 }
    }

    /// k epsilon y [N], by which the force has relaxed.
    fn relaxed(&self, y: f64) -> f64 {
        self.stiffness() * self.epsilon * y
    }

    /// Place a [m] of the felt's free surface.
    fn surface(&self, y: f64) -> f64 {
        if y > 0.0 { (self.epsilon * y).powf(1.0 / self.exponent()) } else { 0.0 }
    }

    /// Energy [J] of the felt alone, its surface free: it keeps so much, however far it moves away.
    pub(crate) fn at_rest(&self, y: f64) -> f64 {
        self.lone_stiffness() * self.memory_energy(y)
    }

    /// Energy at rest over p/(p+1) y^(1+1/p).
    fn lone_stiffness(&self) -> f64 {
        self.stiffness() * (self.epsilon - self.epsilon.powf(1.0 + 1.0 / self.exponent()))
    }

    /// p/(p+1) y^(1+1/p).
    fn memory_energy(&self, y: f64) -> f64 {
        let p = self.exponent();
        if y > 0.0 { p / (p + 1.0) * y * y.powf(1.0 / p) } else { 0.0 }
    }

    /// Energy S [J] at compression x [m] and memory y [m^p].
    pub fn stored(&self, x: f64, y: f64) -> f64 {
        if x <= self.surface(y) {
            return self.at_rest(y);
        }
        self.spring.potential(x) - self.relaxed(y) * x + self.stiffness() * self.epsilon * self.memory_energy(y)
    }

    /// The compression [m] that stores `energy` [J] at memory y, never more; the free surface where there is none.
    pub fn compression_storing(&self, energy: f64, y: f64) -> f64 {
        let surface = self.surface(y);
        if energy <= self.at_rest(y) {
            return surface;
        }
        let order = self.exponent() + 1.0;
        let mut x = (order * energy / ((1.0 - self.epsilon) * self.stiffness())).powf(1.0 / order).max(surface);
        // S - energy is convex in x, so Newton comes from above
        for _ in 0..100 {
            let step = (self.stored(x, y) - energy) / self.force(x, y);
            if step.is_nan() || step.abs() <= 1e-15 * x {
                break;
            }
            x = (x - step).max(surface);
        }
        for _ in 0..64 {
            if self.stored(x, y) <= energy {
                return x;
            }
            x *= 1.0 - f64::EPSILON;
        }
        surface
    }

    /// Contact time [s] if nothing relaxed.
    pub fn contact_time(&self, mobility: f64, v: f64) -> f64 {
        self.spring.contact_time(mobility, v)
    }

    /// Longest substep [s] that follows the relaxation.
    pub fn longest_step(&self) -> f64 {
        LONGEST_STEP * self.tau
    }

    /// Memory after dt [s] at the compression x [m].
    pub fn relaxing(&self, y: f64, x: f64, dt: f64) -> f64 {
        let target = if x > 0.0 { x.powf(self.exponent()) } else { 0.0 };
        y - (y - target) * -(-dt / self.tau).exp_m1()
    }

    /// Compression and memory of a contact at `place` after a change of parameters: the remembered compression is kept as far as
    /// the energy allows, then the compression follows from the energy.
    pub(crate) fn taking_over(&self, last: &Self, (x, y): (f64, f64)) -> (f64, f64) {
        if last == self || (x <= 0.0 && y == 0.0) {
            return (x, y);
        }
        let energy = last.stored(x, y);
        let p = self.exponent();
        let mut y1 = y.powf(p / last.exponent());
        if self.at_rest(y1) > energy {
            y1 = ((p + 1.0) / p * energy / self.lone_stiffness()).powf(p / (p + 1.0)) * (1.0 - 4.0 * f64::EPSILON);
        }
        let pressed = x > last.surface(y);
        (if pressed { self.compression_storing(energy, y1) } else { x.min(self.surface(y1)) }, y1)
    }

    /// Energy [J] that the contact loses while x moves: none, unless the solution stopped at a cap.
    pub fn loss(&self, e: &Equation, solution: &Solution) -> f64 {
        let Solution { x1, d, force, capped, .. } = *solution;
        capped.map_or(0.0, |way| force * way - self.difference(e, (x1, d)).0 * d)
    }

    /// Divided difference of S at fixed y [N], and its derivative by x1 [N/m].
    fn difference(&self, e: &Equation, (x1, d): (f64, f64)) -> (f64, f64) {
        let (k, p) = (self.stiffness(), self.exponent());
        let surface = self.surface(e.memory);
        if e.x0 <= surface && x1 <= surface {
            return (0.0, 0.0);
        }
        let relaxed = self.relaxed(e.memory);
        if e.x0 > surface && x1 > surface {
            let (mean, slope) = divided_difference(e.x0, (x1, d), k, p);
            return (mean - relaxed, slope);
        }
        let (from, to) = (e.x0.max(surface), x1.max(surface));
        let way = if surface == 0.0 && e.x0 <= 0.0 { x1 } else { to - from };
        let (mean, slope) = divided_difference(from, (to, way), k, p);
        let (share, force) = (way / d, mean - relaxed);
        let rise = if x1 > surface { slope * share + force / d } else { 0.0 };
        (force * share, rise - force * share / d)
    }
}

impl SubstepSolver for Felt {}

impl SubstepForce for Felt {
    fn substep_force(&self, e: &Equation, u: f64) -> (f64, f64) {
        let (force, slope) = self.difference(e, e.place(u));
        if force > 0.0 { (force, slope) } else { (0.0, 0.0) }
    }

    fn stored(&self, x: f64, memory: f64, _: f64) -> f64 {
        Felt::stored(self, x, memory)
    }

    fn onset_guess(&self, e: &Equation) -> f64 {
        self.spring.onset_guess(e)
    }

    fn relaxing(&self, memory: f64, x: f64, dt: f64) -> (f64, f64) {
        if x <= 0.0 && memory == 0.0 {
            return (memory, 0.0);
        }
        let later = Felt::relaxing(self, memory, x, dt);
        (later, Felt::stored(self, x, memory) - Felt::stored(self, x, later))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law() -> Felt {
        Felt::new(1e10, 2.5, 0.9, 1e-4)
    }

    #[test]
    fn the_energy_is_that_of_the_force_and_never_below_that_of_the_relaxed_spring() {
        for y in [0.0, 1e-12, 1e-10, 1e-8] {
            for x in [1e-6, 1e-5, 1e-4, 1e-3] {
                let felt = law();
                let step = 1e-5 * x;
                let force = (felt.stored(x + step, y) - felt.stored(x - step, y)) / (2.0 * step);
                let largest = felt.spring.force(x, 0.0).max(felt.relaxed(y));
                assert!((force - felt.force(x, y)).abs() <= 1e-5 * largest, "{x} {y}: {force} {}", felt.force(x, y));
                assert!(felt.stored(x, y) >= (1.0 - felt.epsilon) * felt.spring.potential(x) * (1.0 - 1e-9));
            }
        }
    }

    #[test]
    fn compression_of_a_stored_energy_stores_no_more() {
        for y in [0.0, 1e-12, 1e-10, 1e-8] {
            for i in 0..400 {
                let felt = law();
                let energy = felt.at_rest(y) * 1.01 + 1e-9 * 1.05_f64.powi(i);
                let x = felt.compression_storing(energy, y);
                let stored = felt.stored(x, y);
                assert!(stored <= energy && stored >= energy * (1.0 - 1e-12), "{energy} {y}: {x} stores {stored}");
            }
        }
    }

    #[test]
    fn within_a_contact_a_substep_needs_no_bracket() {
        for (x0, df) in [(1e-4, 2e-6), (1e-4, -2e-6), (3e-5, 1e-6), (1e-3, 5e-5)] {
            let e = Equation { x0, df, b: 1e-10, dt: 1e-5, beta: 0.0, memory: 1e-12, expected: f64::NAN };
            let quick = law().quick(&e).expect("Newton's method converges");
            let bracketed = law().solve(&e);
            assert!(!quick.bracketed && (quick.d - bracketed.d).abs() <= 1e-12 * df.abs(), "{quick:?} {bracketed:?}");
        }
    }

    #[test]
    fn relaxing_never_brings_energy() {
        for y in [0.0, 1e-13, 1e-11, 1e-10, 1e-8] {
            for x in [-1e-4, 0.0, 1e-6, 1e-5, 1e-4, 1e-3] {
                for dt in [1e-8, 1e-6, 1e-4, 1e-2] {
                    let (before, after) = (law().stored(x, y), law().stored(x, law().relaxing(y, x, dt)));
                    assert!(after <= before * (1.0 + 1e-15), "{x} {y} {dt}: {before} {after}");
                }
            }
        }
    }

    #[test]
    fn the_force_never_falls_and_its_derivative_is_right() {
        for (x0, y) in [(-1e-4, 0.0), (0.0, 1e-12), (1e-4, 1e-10), (1e-5, 1e-10), (1e-4, 1e-11)] {
            let e = Equation { x0, df: 0.0, b: 1e-9, dt: 1e-5, beta: 0.0, memory: y, expected: f64::NAN };
            let mut last = 0.0;
            for i in -400..400 {
                let u = (f64::from(i) + 0.5) * 1e-6;
                let (force, slope) = law().substep_force(&e, u);
                assert!(force >= last, "from {x0} by {u}: {force} after {last}");
                let difference = (law().substep_force(&e, u + 1e-10).0 - law().substep_force(&e, u - 1e-10).0) / 2e-10;
                let kink = (x0.max(0.0) + u - law().surface(y)).abs() < 2e-10;
                assert!(
                    kink || (difference - slope).abs() <= 1e-4 * slope.abs() + 1e-2,
                    "from {x0} by {u}: {slope} {difference}"
                );
                last = force;
            }
        }
    }
}
