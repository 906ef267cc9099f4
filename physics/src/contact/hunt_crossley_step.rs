//! The force of Hunt and Crossley's law over one substep.
//!
//! Over a substep of dt in which the compression goes from x0 to x1 = x0 + d the force is constant, and chosen such that its
//! work is exactly the change of the contact's energy plus a loss that is never negative (a discrete gradient, Gonzalez 1996):
//!
//! ```text
//! F  = max(0, D1 + D2 + (mu/dt) d (D1 + 2 D2))
//! D1 = [U(x1) - U(x0)]/d              U = k x^(alpha+1)/(alpha+1), 0 for x <= 0
//! D2 = beta [U'(x1)^2 - U'(x0)^2]/d   beta = b/6; makes the contact accurate to 4th order in dt for small mu v
//! ```
//!
//! F does not fall when x1 grows: divided differences of convex functions.

use crate::contact::hertz_step::{HERTZ, Hertz, Parts, Ready};
use crate::contact::hunt_crossley::{HuntCrossley, growth, power};
use crate::contact::newton::{InContactStep, SubstepSolver, quick, root};
use crate::contact::step_equation;
use crate::contact::step_equation::{Equation, Solution, SubstepForce};

/// Displacement over compression up to which a divided difference cancels, so that [`growth`] is used.
const NEAR: f64 = 8.0;

/// Terms of a substep's force that depend on its start x0 > 0 only. With r = d/x0 and G of [`growth`]: D1 = f0 (1 + (1 + r)
/// G)/(alpha + 1), D2 = beta f0^2/x0 G (2 + r G), f0 = k x0^alpha.
struct Start {
    /// k x0^alpha [N].
    force: f64,
    x0: f64,
    per_x0: f64,
    alpha: f64,
    /// f0/(alpha + 1) [N].
    share: f64,
    /// beta f0^2/x0 [N].
    correction: f64,
    /// Root of x0, k, and beta k^2.
    root: f64,
    stiffness: f64,
    squared: f64,
}

/// Compression [m] that counts as 0: its reciprocal may overflow, and its energy is negligible.
const LEAST: f64 = 1e-150;

impl Start {
    #[inline]
    fn new(x0: f64, k: f64, alpha: f64, beta: f64) -> Self {
        let (force, per_x0) = (k * power(x0, alpha), 1.0 / x0);
        Self {
            force,
            x0,
            per_x0,
            alpha,
            share: force / (alpha + 1.0),
            correction: beta * force * force * per_x0,
            root: x0.sqrt(),
            stiffness: k,
            squared: beta * k * k,
        }
    }

    /// Whether x1 is near enough.
    #[inline]
    fn reaches(&self, (x1, d): (f64, f64)) -> bool {
        x1 > 0.0 && d < NEAR * self.x0
    }

    /// D1 and D2, each with its derivative by x1.
    #[inline]
    fn gradients(&self, (x1, d): (f64, f64)) -> ((f64, f64), (f64, f64)) {
        let Self { per_x0, alpha, share, correction, .. } = *self;
        if alpha == HERTZ {
            return Parts::new((self.x0, self.root), x1, 0.2 * self.stiffness, self.squared).gradients();
        }
        let (ratio, r) = (x1 * per_x0, d * per_x0);
        let (g, slope) = growth(ratio, r, alpha);
        (
            (share * (1.0 + ratio * g), share * per_x0 * (g + ratio * slope)),
            (correction * g * (2.0 + r * g), correction * per_x0 * (2.0 * slope + g * (g + 2.0 * r * slope))),
        )
    }
}

/// A divided difference of k x^(alpha+1)/(alpha+1) from x0 to x1 = x0 + d, and its derivative by x1.
#[inline]
pub(crate) fn divided_difference(x0: f64, to: (f64, f64), k: f64, alpha: f64) -> (f64, f64) {
    if x0 >= LEAST {
        let start = Start::new(x0, k, alpha, 0.0);
        if start.reaches(to) {
            return start.gradients(to).0;
        }
    }
    apart(x0, to, (k, alpha, 0.0)).0
}

/// [`Start::gradients`] where the compressions are far from each other or one of them is 0.
#[inline(never)]
fn apart(x0: f64, (x1, d): (f64, f64), (k, alpha, beta): (f64, f64, f64)) -> ((f64, f64), (f64, f64)) {
    let some = |x: f64| if x >= LEAST { x } else { 0.0 };
    let (x0, x1) = (some(x0), some(x1));
    if x0 == 0.0 && x1 == 0.0 {
        return ((0.0, 0.0), (0.0, 0.0));
    }
    let force = |x: f64| if x > 0.0 { k * power(x, alpha) } else { 0.0 };
    let (f0, f1) = (force(x0), force(x1));
    let first = (f1 * x1 - f0 * x0) / (alpha + 1.0) / d;
    let second = beta * (f1 * f1 - f0 * f0) / d;
    let steepness = if x1 > 0.0 { 2.0 * beta * alpha * f1 * (f1 / x1) } else { 0.0 };
    ((first, (f1 - first) / d), (second, (steepness - second) / d))
}

impl HuntCrossley {
    /// D1 and D2 of the module's head, each with its derivative by x1.
    #[inline]
    fn gradients(&self, x0: f64, to: (f64, f64), beta: f64) -> ((f64, f64), (f64, f64)) {
        if x0 >= LEAST {
            let start = Start::new(x0, self.k, self.alpha, beta);
            if start.reaches(to) {
                return start.gradients(to);
            }
        }
        apart(x0, to, (self.k, self.alpha, beta))
    }

    /// The force over a substep of dt along d from its gradients, and its derivative.
    #[inline]
    fn force_of(&self, dt: f64, d: f64, ((d1, s1), (d2, s2)): ((f64, f64), (f64, f64))) -> (f64, f64) {
        let (rate, loading) = (self.mu / dt, d1 + 2.0 * d2);
        let force = d1 + d2 + rate * d * loading;
        if force <= 0.0 {
            return (0.0, 0.0);
        }
        (force, s1 + s2 + rate * (loading + d * (s1 + 2.0 * s2)))
    }

    /// D1 + D2 [N] and its derivative [N/m]: the force without loss.
    pub(crate) fn elastic_force(&self, e: &Equation, to: (f64, f64)) -> (f64, f64) {
        let ((d1, s1), (d2, s2)) = self.gradients(e.x0, to, e.beta);
        (d1 + d2, s1 + s2)
    }

    /// [`SubstepSolver::solve`] where [`SubstepSolver::quick`] has no result: the contact begins or ends, or is hard to resolve.
    #[inline(never)]
    pub(crate) fn solve_at_edge(&self, e: &Equation) -> Solution {
        let found = if e.x0 > 0.0 { step_equation::last(self, e) } else { step_equation::first(self, e) };
        found.unwrap_or_else(|| root(self, e))
    }

    /// [`SubstepSolver::quick`] for exponents other than 3/2.
    #[inline(never)]
    fn quick_by_powers(&self, e: &Equation) -> Option<Solution> {
        quick(&Substep::new(self, e), e)
    }

    /// Energy [J] that the contact loses in a substep; >= 0. Computed by the law, mu/dt (D1 + 2 D2) d^2; as a difference of
    /// energies only where the solution stopped at a cap.
    pub fn loss(&self, e: &Equation, solution: &Solution) -> f64 {
        let Solution { x1, d, force, capped, .. } = *solution;
        let ((d1, _), (d2, _)) = self.gradients(e.x0, (x1, d), e.beta);
        if let Some(way) = capped {
            force * way - (d1 + d2) * d
        } else if force <= 0.0 {
            -(d1 + d2) * d
        } else {
            self.mu / e.dt * (d1 + 2.0 * d2) * d * d
        }
    }
}

/// A substep from x0 > 0 whatever the exponent.
pub(crate) struct Substep<'a> {
    law: &'a HuntCrossley,
    e: &'a Equation,
    start: Start,
    rate: f64,
    /// Coefficients of the powers of u in D1 and D2 about u = 0, where all derivatives have closed forms: f = k x^alpha and its slope
    /// f' = alpha f/x give D1 = f + f' u/2 + ..., D2 = 2 beta f f' + ..., the same power with 2 alpha - 1.
    first: [f64; 3],
    second: [f64; 3],
}

impl<'a> Substep<'a> {
    #[inline(always)]
    pub fn new(law: &'a HuntCrossley, e: &'a Equation) -> Self {
        let start = Start::new(e.x0, law.k, law.alpha, e.beta);
        let Start { force, per_x0, .. } = start;
        let grade = |force: f64, a: f64| {
            let slope = a * force * per_x0;
            [force, 0.5 * slope, (1.0 / 3.0) * (a - 1.0) * slope * per_x0]
        };
        let first = grade(force, law.alpha);
        let second = grade(2.0 * law.alpha * start.correction, 2.0 * law.alpha - 1.0);
        Self { law, e, start, rate: law.mu / e.dt, first, second }
    }

    /// Force [N] at u = 0, its derivative [N/m] and the second one [N/m^2].
    #[inline(always)]
    pub fn at_start(&self) -> (f64, f64, f64) {
        let &Self { first, second, rate, .. } = self;
        (
            first[0] + second[0],
            first[1] + second[1] + rate * (first[0] + 2.0 * second[0]),
            first[2] + second[2] + 2.0 * rate * (first[1] + 2.0 * second[1]),
        )
    }
}

impl InContactStep for Substep<'_> {
    #[inline(always)]
    fn force(&self, u: f64) -> (f64, f64) {
        let Self { law, e, start, .. } = self;
        let to = e.place(u);
        let gradients = if start.reaches(to) { start.gradients(to) } else { apart(e.x0, to, (law.k, law.alpha, e.beta)) };
        law.force_of(e.dt, u, gradients)
    }

    /// Chebyshev's step from u = 0.
    fn guess(&self) -> f64 {
        let (e, (force, slope, bend)) = (self.e, self.at_start());
        let ease = 1.0 / (1.0 + e.b * slope);
        let newton = (e.df - e.b * force) * ease;
        let turn = 0.5 * e.b * bend * newton * ease;
        if turn.abs() < 0.5 { newton * (1.0 - turn) } else { newton }
    }

    #[inline(always)]
    fn slope(&self) -> f64 {
        self.at_start().1
    }
}

impl SubstepForce for HuntCrossley {
    #[inline]
    fn substep_force(&self, e: &Equation, u: f64) -> (f64, f64) {
        let to = e.place(u);
        self.force_of(e.dt, to.1, self.gradients(e.x0, to, e.beta))
    }

    #[inline]
    fn stored(&self, x: f64, _: f64, beta: f64) -> f64 {
        self.corrected_potential(x, beta)
    }

    /// The power law's own solution.
    fn onset_guess(&self, e: &Equation) -> f64 {
        let stiff = e.b * self.stiffness() * (1.0 - self.damping() / e.dt * e.x0);
        ((self.exponent() + 1.0) * e.free() / stiff).powf(1.0 / self.exponent())
    }
}

impl SubstepSolver for HuntCrossley {
    fn inner_guess(&self, e: &Equation) -> f64 {
        Substep::new(self, e).guess()
    }

    #[inline(always)]
    fn quick(&self, e: &Equation) -> Option<Solution> {
        if e.x0 <= 0.0 {
            None
        } else if self.alpha == HERTZ {
            quick(&Hertz::new(self, e), e)
        } else {
            self.quick_by_powers(e)
        }
    }

    #[inline]
    fn solve(&self, e: &Equation) -> Solution {
        self.quick(e).unwrap_or_else(|| self.solve_at_edge(e))
    }
}

/// A law of exponent 3/2, known at compile time in a loop.
pub(crate) struct ByRoots<'a>(pub &'a HuntCrossley);

impl SubstepForce for ByRoots<'_> {
    fn substep_force(&self, e: &Equation, u: f64) -> (f64, f64) {
        self.0.substep_force(e, u)
    }

    fn onset_guess(&self, e: &Equation) -> f64 {
        self.0.onset_guess(e)
    }

    /// U + beta U'^2 at x > 0, as by the law.
    #[inline(always)]
    fn stored(&self, x: f64, _: f64, beta: f64) -> f64 {
        let force = self.0.stiffness() * (x * x.sqrt());
        1.0 / (HERTZ + 1.0) * force * x + beta * force * force
    }
}

impl SubstepSolver for ByRoots<'_> {
    #[inline(always)]
    fn quick(&self, e: &Equation) -> Option<Solution> {
        quick(&Hertz::new(self.0, e), e)
    }

    #[inline(always)]
    fn solve_lasting(&self, e: &Equation) -> Option<Solution> {
        Hertz::new(self.0, e).solve_once()
    }
}

impl ByRoots<'_> {
    /// [`SubstepSolver::quick`] with terms that may be known in advance. x0 > 0.
    #[inline(always)]
    pub fn quick_from(&self, ready: &Ready, e: &Equation) -> Option<Solution> {
        let hertz = if ready.is_for(self.0, e) { ready.of(self.0, e) } else { Hertz::new(self.0, e) };
        quick(&hertz, e)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    const LAW: (f64, f64, f64) = (1e8, 1.5, 0.3);

    fn law() -> HuntCrossley {
        HuntCrossley::new(LAW.0, LAW.1, LAW.2)
    }

    #[test]
    fn the_potential_is_the_integral_of_the_elastic_force() {
        let elastic = HuntCrossley::new(LAW.0, LAW.1, 0.0);
        let n = 2000;
        let sum: f64 = (0..n).map(|i| elastic.force((f64::from(i) + 0.5) * 1e-4 / f64::from(n), 0.0)).sum();
        assert_relative_eq!(sum * 1e-4 / f64::from(n), elastic.potential(1e-4), max_relative = 1e-6);
    }

    #[test]
    fn divided_differences_agree_where_their_forms_meet() {
        for alpha in [1.0, 1.1, 1.5, 2.0, 2.5, 2.8, 3.0, 4.0, 5.0] {
            for d in [-0.999e-4, -3e-5, 1e-6, 1e-4, NEAR * 1e-4] {
                let (near, far) = (Start::new(1e-4, 1e8, alpha, 1e-9), (1e8, alpha, 1e-9));
                let to = (1e-4 + d, d);
                let ((d1, s1), (d2, s2)) = near.gradients(to);
                let ((far1, slope1), (far2, slope2)) = apart(1e-4, to, far);
                assert_relative_eq!(d1, far1, max_relative = 1e-12);
                assert_relative_eq!(d2, far2, max_relative = 1e-12);
                assert_relative_eq!(s1, slope1, max_relative = 1e-8);
                assert_relative_eq!(s2, slope2, max_relative = 1e-8);
            }
        }
    }

    /// Error of the guess: the cube of the displacement.
    #[test]
    fn the_guess_inside_a_contact_is_of_third_order() {
        let error = |df: f64| {
            let e = Equation { x0: 1e-4, df, b: 1e-9, dt: 1e-5, beta: 1.7e-10, memory: 0.0, expected: f64::NAN };
            (law().inner_guess(&e) - law().solve(&e).d).abs()
        };
        let free = 1e-9 * law().force(1e-4, 0.0);
        let (long, short) = (error(free + 2e-5), error(free + 1e-5));
        assert!(long > 5.0 * short && long < 1e-3 * 2e-5, "{long:e} {short:e}");
    }
}
