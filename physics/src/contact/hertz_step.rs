//! A substep inside a contact after Hertz, alpha = 3/2: with the roots s of the compressions, Q = s0 + s1, instead of powers.
//!
//! ```text
//! D1 = N/Q       N = 2/5 k (s0^4 + s0^3 s1 + s0^2 s1^2 + s0 s1^3 + s1^4)
//! D1' = M/Q^2    M = k/5 (s1 (3 x1 + 4 x0) + s0 (6 x1 + 2 x0))        derivatives by x1
//! D1" = L/Q^3    L = k/10 (3 x1 + 9 s0 s1 + 8 x0)
//! D2 = beta k^2 (x0^2 + x0 x1 + x1^2)
//! F  = (1 + r) D1 + (1 + 2 r) D2       r = mu u/dt
//! ```
//!
//! Nothing cancels for any distance of x1 from x0. Newton's step is that of Q^2 times the equation, which needs one division in
//! sequence instead of two.

use crate::contact::hunt_crossley::HuntCrossley;
use crate::contact::newton::{InContactStep, Iterate, Trial, further_iterations, quick_then};
use crate::contact::step_equation::{Equation, Solution};

/// F'" is at most F"/x, so that a sixth of its step remains of that of F".
const SIXTH: f64 = 1.0 / 6.0;

/// The exponent.
pub(crate) const HERTZ: f64 = 1.5;

/// Divisions and roots of a substep that depend on its start only.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ready {
    /// k, mu of the law; x0, dt, b, beta of the equation.
    from: [f64; 6],
    root: f64,
    rate: f64,
    aim: Aim,
}

impl Ready {
    /// For a substep from x0 [m] > 0, otherwise as `e`.
    #[inline(always)]
    pub fn new(law: &HuntCrossley, x0: f64, e: &Equation) -> Self {
        let e = &Equation { x0, ..*e };
        let Hertz { root, fifth, squared, rate, .. } = Hertz::new(law, e);
        Self { from: Self::from(law, e), root, rate, aim: Aim::new(e.b, (x0, root), (fifth, squared), rate) }
    }

    #[inline(always)]
    fn from(law: &HuntCrossley, e: &Equation) -> [f64; 6] {
        [law.stiffness(), law.damping(), e.x0, e.dt, e.b, e.beta]
    }

    #[inline(always)]
    pub fn is_for(&self, law: &HuntCrossley, e: &Equation) -> bool {
        self.from == Self::from(law, e)
    }

    #[inline(always)]
    pub fn of<'a>(&self, law: &HuntCrossley, e: &'a Equation) -> Hertz<'a> {
        Hertz::of(law, e, (self.root, self.rate), Some(self.aim))
    }
}

/// Chebyshev's step from u = 0: the part independent of the free displacement.
#[derive(Clone, Copy, Debug, Default)]
struct Aim {
    /// b F [m].
    pulled: f64,
    /// 1/(1 + b F').
    ease: f64,
    /// b F"/2 (1 + b F') [1/m].
    curl: f64,
}

impl Aim {
    /// With the limits of the divided differences at u = 0: f = k x0^(3/2), f/2 3/(2 x0) and so on.
    #[inline(always)]
    fn new(b: f64, (x0, root): (f64, f64), (fifth, squared): (f64, f64), rate: f64) -> Self {
        let (steep, bent) = (5.0 * fifth * root, 3.0 * squared * x0);
        let (force, second) = (steep * x0, bent * x0);
        let slope = 0.75 * steep + bent + rate * (force + 2.0 * second);
        let bend = 1.25 * fifth / root + 2.0 * squared + 2.0 * rate * (0.75 * steep + 2.0 * bent);
        let ease = 1.0 / (1.0 + b * slope);
        Self { pulled: b * (force + second), ease, curl: 0.5 * b * bend * ease }
    }

    #[inline(always)]
    fn at(&self, df: f64) -> f64 {
        let newton = (df - self.pulled) * self.ease;
        let turn = self.curl * newton;
        if turn.abs() < 0.5 { newton * (1.0 - turn) } else { newton }
    }
}

/// A substep from x0 > 0.
pub(crate) struct Hertz<'a> {
    e: &'a Equation,
    x0: f64,
    /// s0.
    root: f64,
    /// k/5.
    fifth: f64,
    /// beta k^2.
    squared: f64,
    /// mu/dt.
    rate: f64,
    /// The guess, if it is known.
    aim: Option<Aim>,
}

/// Parts of the force at the end x1 that need no division.
pub(crate) struct Parts {
    q: f64,
    n: f64,
    m: f64,
    l: f64,
    d2: f64,
    slope2: f64,
}

impl Parts {
    /// From x0 and its root; `fifth` is k/5, `squared` beta k^2.
    #[inline(always)]
    pub fn new((x0, root): (f64, f64), x1: f64, fifth: f64, squared: f64) -> Self {
        let end = x1.sqrt();
        let (all, both) = (x0 * x0 + x0 * x1 + x1 * x1, root * end);
        Self {
            q: root + end,
            n: 2.0 * fifth * (all + both * (x0 + x1)),
            l: 0.5 * fifth * (3.0 * x1 + 9.0 * both + 8.0 * x0),
            m: fifth * (end * (3.0 * x1 + 4.0 * x0) + root * (6.0 * x1 + 2.0 * x0)),
            d2: squared * all,
            slope2: squared * (x0 + 2.0 * x1),
        }
    }

    /// D1 and D2, each with its derivative by x1.
    #[inline(always)]
    pub fn gradients(&self) -> ((f64, f64), (f64, f64)) {
        let part = 1.0 / self.q;
        ((self.n * part, self.m * (part * part)), (self.d2, self.slope2))
    }
}

impl<'a> Hertz<'a> {
    /// For alpha = 3/2.
    #[inline(always)]
    pub fn new(law: &HuntCrossley, e: &'a Equation) -> Self {
        Self::of(law, e, (e.x0.sqrt(), law.damping() / e.dt), None)
    }

    /// The root as by [`quick`](crate::contact::newton::quick), where one iteration suffices for most substeps: in a finely resolved contact.
    #[inline(always)]
    pub fn solve_once(&self) -> Option<Solution> {
        let &Self { e, x0, root, fifth, squared, rate, .. } = self;
        quick_then(self, e, |near| further((x0, root), (fifth, squared), rate, *e, near))
    }

    #[inline(always)]
    fn of(law: &HuntCrossley, e: &'a Equation, (root, rate): (f64, f64), aim: Option<Aim>) -> Self {
        let k = law.stiffness();
        Self { e, x0: e.x0, root, fifth: 0.2 * k, squared: e.beta * k * k, rate, aim }
    }
}

/// End of Chebyshev's step from u = 0. Scalar arguments stay in registers: pairs read from memory would stall on store
/// forwarding.
#[inline(never)]
fn chebyshev((df, b): (f64, f64), from: (f64, f64), stiffness: (f64, f64), rate: f64) -> f64 {
    Aim::new(b, from, stiffness, rate).at(df)
}

/// [`further_iterations`] for [`Hertz`]. A separate function with copies of its arguments, so that the only iteration of most substeps keeps its values
/// in registers.
#[cold]
#[inline(never)]
fn further((x0, root): (f64, f64), (fifth, squared): (f64, f64), rate: f64, e: Equation, near: Iterate) -> Option<Solution> {
    further_iterations(&Hertz { e: &e, x0, root, fifth, squared, rate, aim: None }, &e, near)
}

impl InContactStep for Hertz<'_> {
    #[inline(always)]
    fn force(&self, u: f64) -> (f64, f64) {
        let Trial { force, slope, .. } = self.trial(self.e, u);
        (force, slope)
    }

    #[inline(always)]
    fn guess(&self) -> f64 {
        let &Self { e, x0, root, fifth, squared, rate, aim } = self;
        aim.map_or_else(|| chebyshev((e.df, e.b), (x0, root), (fifth, squared), rate), |aim| aim.at(e.df))
    }

    #[inline(always)]
    fn trial(&self, e: &Equation, u: f64) -> Trial {
        let parts = Parts::new((self.x0, self.root), self.x0 + u, self.fifth, self.squared);
        let Parts { q, n, m, l, d2, slope2 } = parts;
        let (rate, r) = (self.rate, self.rate * u);
        let (one, two) = (1.0 + r, 1.0 + 2.0 * r);
        let (q2, way) = (q * q, u - e.df + e.b * (two * d2));
        // the equation and its derivative, Q^2 times
        let residual = q * (q * way + e.b * (one * n));
        let growth = q2 * (1.0 + e.b * (two * slope2 + 2.0 * rate * d2)) + e.b * (one * m + rate * (n * q));
        let ease = 1.0 / growth;
        let part = 1.0 / q;
        let (d1, slope1) = (n * part, m * (part * part));
        let force = one * d1 + two * d2;
        let slope = one * slope1 + two * slope2 + rate * (d1 + 2.0 * d2);
        let bend = one * (l * part * (part * part)) + two * (2.0 * self.squared) + 2.0 * rate * (slope1 + 2.0 * slope2);
        let (newton, residual) = (-residual * ease, u - e.df + e.b * force);
        Trial { force, slope, bend, doubt: Some(newton * SIXTH), residual, newton, ease: q2 * ease }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::hunt_crossley_step::Substep;
    use crate::contact::step_equation::SubstepForce;

    /// Roots and powers give the same substep.
    #[test]
    fn roots_agree_with_powers() {
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-12 * a.abs().max(b.abs());
        for mu in [0.0, 0.3, 5.0] {
            let law = HuntCrossley::new(1e8, 1.5, mu);
            for u in [-0.999e-4, -3e-5, -1e-9, 1e-6, 1e-4, 7e-4] {
                let e = Equation { x0: 1e-4, df: 0.9 * u, b: 1e-9, dt: 1e-5, beta: 1.7e-10, memory: 0.0, expected: f64::NAN };
                let (force, slope) = law.substep_force(&e, u);
                let hertz = Hertz::new(&law, &e);
                let Trial { force: by_roots, slope: its_slope, bend, residual, newton, ease, .. } = hertz.trial(&e, u);
                if force > 0.0 {
                    assert!(near(force, by_roots) && near(slope, its_slope), "{u}: {force} {by_roots}, {slope} {its_slope}");
                }
                let rise = hertz.force(u + 1e-9).1 - hertz.force(u - 1e-9).1;
                assert!((bend - rise / 2e-9).abs() <= 1e-5 * bend.abs(), "{u}: {bend} {}", rise / 2e-9);
                assert!(near(ease, 1.0 / (1.0 + e.b * its_slope)), "{u}: {ease}");
                assert!((newton + residual * ease).abs() <= 1e-14 * (u.abs() + e.b * by_roots.abs()), "{u}: {newton} {residual}");
            }
            let e = Equation { x0: 1e-4, df: 0.0, b: 1e-9, dt: 1e-5, beta: 1.7e-10, memory: 0.0, expected: f64::NAN };
            let Trial { force, slope, bend, .. } = Hertz::new(&law, &e).trial(&e, 0.0);
            let powers = Substep::new(&law, &e);
            assert!(near(Hertz::new(&law, &e).guess(), powers.guess()));
            let (its_force, its_slope, its_bend) = powers.at_start();
            assert!(near(force, its_force) && near(slope, its_slope) && near(bend, its_bend));
        }
    }
}
