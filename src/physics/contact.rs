//! The contact law of Hunt and Crossley, its energy, and the force of one substep.
//!
//! Over a substep of dt in which the compression goes from x0 to x1 the force is constant, and chosen such that its work is
//! exactly the change of the contact's energy plus a loss that is never negative (a discrete gradient, Gonzalez 1996):
//!
//! ```text
//! F  = max(0, D1 + D2 + (mu/dt)(x1 - x0)(D1 + 2 D2))
//! D1 = [U(x1) - U(x0)]/(x1 - x0)              U = k x^(alpha+1)/(alpha+1), 0 for x <= 0
//! D2 = beta [U'(x1)^2 - U'(x0)^2]/(x1 - x0)   beta = b/6; makes the contact accurate to 4th order in dt for small mu v
//! u  = uf - b F                               u = x1 - max(x0, 0); uf: what it would be without F; b: compliance over dt
//! ```
//!
//! F does not fall when u grows (divided differences of convex functions) and b > 0, so there is exactly one solution, between
//! uf - b F(uf) and uf. The unknown u is the change of compression in a contact and the compression itself at its onset:
//! either may be small beside the other and beside uf, and the digits that x1 = xf - b F would lose show in the ledger.

use std::f64::consts::PI;

/// Most iterations of the scalar equation; random resolved and unresolved solves need at most 26.
pub const MOST_ITERATIONS: u32 = 32;

/// Step over gap at which Newton has converged: quadratic convergence then leaves 1e-16.
const CONVERGED_STEP: f64 = 1e-8;

/// f = k x^alpha (1 + mu x') for x > 0, else 0 ([PAR] equation 1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HuntCrossley {
    k: f64,
    alpha: f64,
    mu: f64,
    /// C(alpha), contact time over x_max/v of an undamped hit.
    duration_factor: f64,
}

/// Change of compression over a substep, and the force.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Solution {
    /// Compression at the end [m].
    pub x1: f64,
    /// Its change [m], with more digits than x1 - x0.
    pub d: f64,
    /// Force over the substep [N], >= 0.
    pub force: f64,
    /// Newton and bisection steps taken, <= [`MOST_ITERATIONS`].
    pub iterations: u32,
    /// Stopped at a cap: force and compression are passive, but not those of the law; the difference is lost in the contact.
    pub capped: bool,
}

/// Data of one substep's scalar equation.
#[derive(Clone, Copy, Debug)]
pub struct Equation {
    /// Compression at the start [m].
    pub x0: f64,
    /// Change of compression if no force acted [m].
    pub df: f64,
    /// Compliance over the substep [m/N], > 0.
    pub b: f64,
    /// Length of the substep [s].
    pub dt: f64,
    /// Coefficient of the correction [m/N]: b/6, or 0 for the plain 2nd-order scheme.
    pub beta: f64,
}

impl Equation {
    /// Compression at the end and its change for an unknown u.
    pub(super) fn place(&self, u: f64) -> (f64, f64) {
        if self.x0 > 0.0 { (self.x0 + u, u) } else { (u, u - self.x0) }
    }

    /// The unknown if no force acted.
    pub(super) fn free(&self) -> f64 {
        if self.x0 > 0.0 { self.df } else { self.x0 + self.df }
    }
}

/// A divided difference of k x^(alpha+1)/(alpha+1) from x0 to x1 = x0 + d, and its derivative by x1.
fn divided_difference(x0: f64, (x1, d): (f64, f64), k: f64, alpha: f64) -> (f64, f64) {
    if x0 <= 0.0 && x1 <= 0.0 {
        return (0.0, 0.0);
    }
    if x0 > 0.0 && x1 > 0.0 && d.abs() < 0.5 * x0 {
        return if d.abs() < 0.02 * x0 { midpoint_series(x0, d, k, alpha) } else { power_ratio(x0, d, k, alpha) };
    }
    let energy = |x: f64| if x > 0.0 { k * x.powf(alpha) * x / (alpha + 1.0) } else { 0.0 };
    let slope = if x1 > 0.0 { k * x1.powf(alpha) } else { 0.0 };
    let difference = (slope * x1.max(0.0) / (alpha + 1.0) - energy(x0)) / d;
    (difference, (slope - difference) / d)
}

/// Series around the midpoint m in r = d/2m; error below 1e-17 for |d| < 0.02 x0.
fn midpoint_series(x0: f64, d: f64, k: f64, alpha: f64) -> (f64, f64) {
    let m = x0 + 0.5 * d;
    let r = 0.5 * d / m;
    let r2 = r * r;
    let c2 = alpha * (alpha - 1.0) / 6.0;
    let c4 = c2 * (alpha - 2.0) * (alpha - 3.0) / 20.0;
    let c6 = c4 * (alpha - 4.0) * (alpha - 5.0) / 42.0;
    let force = k * m.powf(alpha);
    (
        force * (1.0 + r2 * (c2 + r2 * (c4 + r2 * c6))),
        force / m * (0.5 * alpha + r * (c2 + r * (0.5 * (alpha - 2.0) * c2 + r * 2.0 * c4))),
    )
}

/// U(x0) expm1((alpha+1) log1p(d/x0))/d; no cancellation for |d| < x0/2.
fn power_ratio(x0: f64, d: f64, k: f64, alpha: f64) -> (f64, f64) {
    let growth = (d / x0).ln_1p();
    let force = k * x0.powf(alpha);
    let difference = force * x0 / (alpha + 1.0) * ((alpha + 1.0) * growth).exp_m1() / d;
    (difference, (force * (alpha * growth).exp() - difference) / d)
}

impl HuntCrossley {
    /// The law with stiffness k [N/m^alpha] > 0, exponent alpha 1 to 5 and loss mu [s/m] >= 0.
    pub fn new(stiffness: f64, exponent: f64, damping: f64) -> Self {
        let part = 1.0 / (exponent + 1.0);
        let duration_factor = 2.0 * PI.sqrt() * libm::tgamma(1.0 + part) / libm::tgamma(0.5 + part);
        Self { k: stiffness, alpha: exponent, mu: damping, duration_factor }
    }

    /// Stiffness k [N/m^alpha].
    pub fn stiffness(&self) -> f64 {
        self.k
    }

    /// Exponent alpha.
    pub fn exponent(&self) -> f64 {
        self.alpha
    }

    /// Loss mu [s/m].
    pub fn damping(&self) -> f64 {
        self.mu
    }

    /// Force [N] at compression x [m] and compression velocity v [m/s].
    pub fn force(&self, x: f64, v: f64) -> f64 {
        if x > 0.0 { self.k * x.powf(self.alpha) * (1.0 + self.mu * v) } else { 0.0 }
    }

    /// Energy U [J] stored at compression x [m].
    pub fn potential(&self, x: f64) -> f64 {
        self.corrected_potential(x, 0.0)
    }

    /// Energy U + beta U'^2 [J] that a substep conserves.
    pub fn corrected_potential(&self, x: f64, beta: f64) -> f64 {
        if x <= 0.0 {
            return 0.0;
        }
        let force = self.k * x.powf(self.alpha);
        force * x / (self.alpha + 1.0) + beta * force * force
    }

    /// The compression [m] that stores U + beta U'^2 = `energy` [J], never more; 0 for energy <= 0.
    pub fn compression_storing(&self, energy: f64, beta: f64) -> f64 {
        if energy <= 0.0 {
            return 0.0;
        }
        // without the correction the root is explicit, with it the root is below; Newton on a convex function comes from above
        let mut x = ((self.alpha + 1.0) * energy / self.k).powf(1.0 / (self.alpha + 1.0));
        if beta > 0.0 {
            x = x.min((energy / beta).sqrt().powf(1.0 / self.alpha) * self.k.powf(-1.0 / self.alpha));
        }
        for _ in 0..60 {
            let force = self.k * x.powf(self.alpha);
            let slope = force * (1.0 + 2.0 * beta * self.alpha * force / x);
            let step = (force * x / (self.alpha + 1.0) + beta * force * force - energy) / slope;
            if !(step.abs() > 1e-15 * x) {
                break;
            }
            x = (x - step).max(0.5 * x);
        }
        for _ in 0..64 {
            if self.corrected_potential(x, beta) <= energy {
                return x;
            }
            x *= 1.0 - f64::EPSILON;
        }
        0.0
    }

    /// Contact time [s] of an undamped hit at closing speed v [m/s] with `mobility` = sum W^2 [1/kg], from the compression that
    /// the damped hit reaches ([PAR] equation 4).
    pub fn contact_time(&self, mobility: f64, v: f64) -> f64 {
        if v <= 0.0 {
            return f64::INFINITY;
        }
        let z = self.mu * v;
        let work = if z < 1e-4 { 0.5 * v * v * (1.0 - z * (2.0 / 3.0)) } else { (z - z.ln_1p()) / (self.mu * self.mu) };
        let deepest = ((self.alpha + 1.0) * work / (self.k * mobility)).powf(1.0 / (self.alpha + 1.0));
        self.duration_factor * deepest / v
    }

    /// D1 and D2 of the module's head, each with its derivative by x1.
    fn gradients(&self, x0: f64, to: (f64, f64), beta: f64) -> ((f64, f64), (f64, f64)) {
        let first = divided_difference(x0, to, self.k, self.alpha);
        let second = if beta > 0.0 {
            divided_difference(x0, to, 2.0 * self.alpha * self.k * self.k * beta, 2.0 * self.alpha - 1.0)
        } else {
            (0.0, 0.0)
        };
        (first, second)
    }

    /// The substep's force [N] as a function of u, and its derivative [N/m].
    pub(super) fn substep_force(&self, e: &Equation, u: f64) -> (f64, f64) {
        let to = e.place(u);
        let ((d1, s1), (d2, s2)) = self.gradients(e.x0, to, e.beta);
        let (rate, d) = (self.mu / e.dt, to.1);
        let force = d1 + d2 + rate * d * (d1 + 2.0 * d2);
        if force <= 0.0 {
            return (0.0, 0.0);
        }
        (force, s1 + s2 + rate * (d1 + 2.0 * d2 + d * (s1 + 2.0 * s2)))
    }

    /// Energy [J] that the contact loses in a substep; >= 0. By the law, mu/dt (D1 + 2 D2) d^2, and not as a difference of
    /// energies, except where the solution stopped at a cap.
    pub fn loss(&self, e: &Equation, solution: &Solution) -> f64 {
        let Solution { x1, d, force, capped, .. } = *solution;
        let ((d1, _), (d2, _)) = self.gradients(e.x0, (x1, d), e.beta);
        if capped {
            force * (e.df - e.b * force) - (d1 + d2) * d
        } else if force <= 0.0 {
            -(d1 + d2) * d
        } else {
            self.mu / e.dt * (d1 + 2.0 * d2) * d * d
        }
    }

    /// The one root of u = uf - b F(u), by Newton inside a bracket. At the cap the end of the bracket that loses energy is
    /// taken, so that the step is passive whatever happens.
    pub fn solve(&self, e: &Equation) -> Solution {
        let Some(mut bracket) = Bracket::around(self, e) else {
            return Solution { x1: e.x0 + e.df, d: e.df, ..Solution::default() };
        };
        let free = e.free();
        let mut u = self.first_guess(e, &bracket);
        let mut last_residual = f64::INFINITY;
        for iterations in 1..MOST_ITERATIONS {
            let (mut force, slope) = self.substep_force(e, u);
            let residual = u - free + e.b * force;
            let mut done = residual.abs() <= 4.5e-16 * u.abs().max(free.abs());
            if !done {
                bracket.tighten(u, residual);
                let newton = u - residual / (1.0 + e.b * slope);
                if newton < bracket.low || newton > bracket.high || residual.abs() > 0.5 * last_residual {
                    u = bracket.bisect();
                    last_residual = f64::INFINITY;
                    if bracket.is_closed() {
                        // both ends are neighbouring numbers: take the force there
                        force = self.substep_force(e, u).0;
                        done = true;
                    }
                } else {
                    let step = newton - u;
                    u = newton;
                    last_residual = residual.abs();
                    force += slope * step;
                    let (x1, d) = e.place(u);
                    done = step.abs() <= CONVERGED_STEP * d.abs().min(x1.abs());
                }
            }
            if done {
                let (x1, d) = e.place(u);
                // of the two expressions for the force the one that rounds less: the law's own cancels when a stiff contact lets go
                let force = if e.b * slope > 1.0 { (free - u) / e.b } else { force };
                return Solution { x1, d, force: force.max(0.0), iterations, capped: false };
            }
        }
        self.capped(e, &bracket)
    }

    /// The end of the bracket that loses energy: the lower one when loading, the upper one when unloading, since the bracket
    /// never straddles x1 = x0.
    fn capped(&self, e: &Equation, bracket: &Bracket) -> Solution {
        let (_, low) = e.place(bracket.low);
        let u = if low >= 0.0 { bracket.low } else { bracket.high };
        let (x1, d) = e.place(u);
        Solution { x1, d, force: (e.free() - u) / e.b, iterations: MOST_ITERATIONS, capped: true }
    }

    /// Where Newton starts: a linearised step from inside the contact, the power law's own solution from outside.
    fn first_guess(&self, e: &Equation, bracket: &Bracket) -> f64 {
        if e.x0 > 0.0 {
            let (force, slope) = self.substep_force(e, 0.0);
            let guess = (e.df - e.b * force) / (1.0 + e.b * slope);
            if guess > bracket.low && guess < bracket.high {
                return guess;
            }
        } else if bracket.low >= 0.0 {
            let stiff = e.b * self.k * (1.0 - self.mu / e.dt * e.x0);
            let guess = ((self.alpha + 1.0) * e.free() / stiff).powf(1.0 / self.alpha);
            return guess.min(bracket.high);
        }
        0.5 * (bracket.low + bracket.high)
    }
}

/// Interval of u that holds the root; `zero` is the u at which the compression is 0.
struct Bracket {
    low: f64,
    high: f64,
    zero: f64,
}

impl Bracket {
    /// [uf - b F(uf), uf], tightened where x = x0 and where x = 0; None when no force acts.
    fn around(law: &HuntCrossley, e: &Equation) -> Option<Self> {
        let high = e.free();
        if e.x0 <= 0.0 && high <= 0.0 {
            return None;
        }
        let (largest, _) = law.substep_force(e, high);
        if largest <= 0.0 {
            return None;
        }
        let zero = -e.x0.max(0.0);
        let mut bracket = Self { low: high - e.b * largest, high, zero };
        for u in [0.0, zero] {
            if bracket.low < u && u < bracket.high {
                let force = if e.x0 > 0.0 { law.substep_force(e, u).0 } else { 0.0 };
                bracket.tighten(u, u - high + e.b * force);
            }
        }
        Some(bracket)
    }

    fn tighten(&mut self, u: f64, residual: f64) {
        if residual < 0.0 {
            self.low = u;
        } else {
            self.high = u;
        }
    }

    /// Middle of the bracket: geometric in the compression where both ends have the same sign and differ widely, since the
    /// force is a power of it.
    fn bisect(&self) -> f64 {
        let (low, high) = (self.low - self.zero, self.high - self.zero);
        let middle = if low > 0.0 && high > 4.0 * low {
            (low * high).sqrt()
        } else if low == 0.0 && high > 0.0 {
            0.05 * high
        } else if high == 0.0 && low < 0.0 {
            0.05 * low
        } else if high < 0.0 && low < 4.0 * high {
            -(low * high).sqrt()
        } else {
            return 0.5 * (self.low + self.high);
        };
        (middle + self.zero).clamp(self.low, self.high)
    }

    fn is_closed(&self) -> bool {
        self.high - self.low <= 4e-16 * self.high.abs().max(self.low.abs())
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
        for alpha in [1.0, 1.1, 1.5, 2.8, 4.0, 5.0] {
            for share in [0.02, -0.02, 0.5, -0.5] {
                let at = |s: f64| divided_difference(1e-4, (1e-4 * (1.0 + s), 1e-4 * s), 1e8, alpha);
                let (inside, outside) = (at(share * (1.0 - 1e-12)), at(share * (1.0 + 1e-12)));
                assert_relative_eq!(inside.0, outside.0, max_relative = 1e-11);
                assert_relative_eq!(inside.1, outside.1, max_relative = 1e-8);
            }
        }
    }

    #[test]
    fn the_solution_satisfies_its_equation_and_never_gains_energy() {
        for x0 in [-1e-4, -1e-9, 0.0, 1e-9, 1e-5, 1e-3] {
            for df in [-2e-3, -1e-5, -1e-8, 1e-8, 1e-5, 2e-3] {
                for b in [1e-12, 1e-9, 1e-6] {
                    let e = Equation { x0, df, b, dt: 1e-5, beta: b / 6.0 };
                    let s = law().solve(&e);
                    assert!(s.iterations < MOST_ITERATIONS && s.force >= 0.0);
                    assert!((s.d - df + b * s.force).abs() <= 4e-15 * df.abs().max(b * s.force), "{e:?} {s:?}");
                    let (before, after) = (law().corrected_potential(x0, e.beta), law().corrected_potential(s.x1, e.beta));
                    assert!(after <= before + s.force * s.d + 1e-15 * before.max(after), "{e:?} {s:?}");
                    assert!(law().loss(&e, &s) >= 0.0);
                }
            }
        }
    }

    /// No equation that was tried needs the cap, so the bound is driven there: a bracket left at any width ends passively.
    #[test]
    fn an_end_of_the_bracket_is_passive_loading_and_unloading() {
        for (x0, df) in [(1e-4, 1e-3), (1e-4, -3e-5), (0.0, 1e-3), (-1e-5, 1e-4)] {
            let e = Equation { x0, df, b: 1e-7, dt: 1e-5, beta: 0.0 };
            let s = law().capped(&e, &Bracket::around(&law(), &e).unwrap());
            assert!(s.capped && s.force >= 0.0);
            let stored = law().potential(s.x1) - law().potential(x0);
            assert!(stored <= s.force * s.d * (1.0 + 1e-12) + 1e-18, "{e:?} {s:?} {stored}");
            assert!(law().loss(&e, &s) >= -1e-18);
        }
    }

    #[test]
    fn the_compression_that_stores_an_energy_never_stores_more() {
        for energy in [1e-15, 1e-6, 1.0, 1e4] {
            for beta in [0.0, 1e-9, 1e-4] {
                let x = law().compression_storing(energy, beta);
                let stored = law().corrected_potential(x, beta);
                assert!(stored <= energy);
                assert_relative_eq!(stored, energy, max_relative = 1e-14);
            }
        }
    }

    #[test]
    fn a_linear_spring_has_the_contact_time_of_half_a_period() {
        let spring = HuntCrossley::new(2e5, 1.0, 0.0);
        assert_relative_eq!(spring.contact_time(1.0 / 0.008, 1.2), PI * (0.008_f64 / 2e5).sqrt(), max_relative = 1e-14);
    }
}
