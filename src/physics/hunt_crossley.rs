//! The contact law of Hunt and Crossley, its energy, and its force over one substep.
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

use super::equation::{Equation, Solution, Spring};
use std::f64::consts::PI;

/// f = k x^alpha (1 + mu x') for x > 0, else 0 ([PAR] equation 1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HuntCrossley {
    k: f64,
    alpha: f64,
    mu: f64,
    /// C(alpha), contact time over x_max/v of an undamped hit.
    duration_factor: f64,
}

/// x^a for x >= 0: by a root where a is a half or whole number up to 3, as of the usual exponents and what follows from them.
#[inline]
fn power(x: f64, a: f64) -> f64 {
    if a == 1.5 {
        x * x.sqrt()
    } else if a == 2.0 {
        x * x
    } else if a == 1.0 {
        x
    } else if a == 3.0 {
        x * x * x
    } else if a == 2.5 {
        x * x * x.sqrt()
    } else {
        x.powf(a)
    }
}

/// A divided difference of k x^(alpha+1)/(alpha+1) from x0 to x1 = x0 + d, and its derivative by x1.
#[inline]
pub(super) fn divided_difference(x0: f64, (x1, d): (f64, f64), k: f64, alpha: f64) -> (f64, f64) {
    if x0 <= 0.0 && x1 <= 0.0 {
        return (0.0, 0.0);
    }
    if x0 > 0.0 && x1 > 0.0 && d.abs() < 0.5 * x0 {
        return if d.abs() < 0.02 * x0 { midpoint_series(x0, d, k, alpha) } else { power_ratio(x0, d, k, alpha) };
    }
    let energy = |x: f64| if x > 0.0 { k * power(x, alpha) * x / (alpha + 1.0) } else { 0.0 };
    let slope = if x1 > 0.0 { k * power(x1, alpha) } else { 0.0 };
    let difference = (slope * x1.max(0.0) / (alpha + 1.0) - energy(x0)) / d;
    (difference, (slope - difference) / d)
}

/// Series around the midpoint m in r = d/2m; error below 1e-17 for |d| < 0.02 x0.
#[inline]
fn midpoint_series(x0: f64, d: f64, k: f64, alpha: f64) -> (f64, f64) {
    let m = x0 + 0.5 * d;
    let r = 0.5 * d / m;
    let r2 = r * r;
    let c2 = alpha * (alpha - 1.0) * (1.0 / 6.0);
    let c4 = c2 * (alpha - 2.0) * (alpha - 3.0) * (1.0 / 20.0);
    let c6 = c4 * (alpha - 4.0) * (alpha - 5.0) * (1.0 / 42.0);
    let force = k * power(m, alpha);
    (
        force * (1.0 + r2 * (c2 + r2 * (c4 + r2 * c6))),
        force / m * (0.5 * alpha + r * (c2 + r * (0.5 * (alpha - 2.0) * c2 + r * 2.0 * c4))),
    )
}

/// U(x0) expm1((alpha+1) log1p(d/x0))/d; no cancellation for |d| < x0/2.
fn power_ratio(x0: f64, d: f64, k: f64, alpha: f64) -> (f64, f64) {
    let growth = (d / x0).ln_1p();
    let force = k * power(x0, alpha);
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
        if x > 0.0 { self.k * power(x, self.alpha) * (1.0 + self.mu * v) } else { 0.0 }
    }

    /// Derivatives of the force by compression [N/m] and by compression velocity [N s/m].
    pub fn slopes(&self, x: f64, v: f64) -> (f64, f64) {
        if x <= 0.0 {
            return (0.0, 0.0);
        }
        let steepness = self.k * self.alpha * x.powf(self.alpha - 1.0);
        (steepness * (1.0 + self.mu * v), self.mu * self.k * power(x, self.alpha))
    }

    /// Energy U [J] stored at compression x [m].
    pub fn potential(&self, x: f64) -> f64 {
        self.corrected_potential(x, 0.0)
    }

    /// Energy U + beta U'^2 [J] that a substep conserves.
    #[inline]
    pub fn corrected_potential(&self, x: f64, beta: f64) -> f64 {
        if x <= 0.0 {
            return 0.0;
        }
        let force = self.k * power(x, self.alpha);
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
            let force = self.k * power(x, self.alpha);
            let slope = force * (1.0 + 2.0 * beta * self.alpha * force / x);
            let step = (force * x / (self.alpha + 1.0) + beta * force * force - energy) / slope;
            if step.abs() <= 1e-15 * x || step.is_nan() {
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

    /// Substeps that a hit at closing speed v [m/s] needs over those of an undamped one.
    pub fn crowding(&self, v: f64) -> f64 {
        1.0 + 0.5 * (self.mu * v).min(2.0)
    }

    /// D1 and D2 of the module's head, each with its derivative by x1.
    #[inline]
    fn gradients(&self, x0: f64, to: (f64, f64), beta: f64) -> ((f64, f64), (f64, f64)) {
        let first = divided_difference(x0, to, self.k, self.alpha);
        let second = if beta > 0.0 {
            divided_difference(x0, to, 2.0 * self.alpha * self.k * self.k * beta, 2.0 * self.alpha - 1.0)
        } else {
            (0.0, 0.0)
        };
        (first, second)
    }

    /// D1 + D2 [N] and its derivative [N/m]: the force without loss.
    pub(super) fn elastic_force(&self, e: &Equation, to: (f64, f64)) -> (f64, f64) {
        let ((d1, s1), (d2, s2)) = self.gradients(e.x0, to, e.beta);
        (d1 + d2, s1 + s2)
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
}

impl Spring for HuntCrossley {
    #[inline]
    fn substep_force(&self, e: &Equation, u: f64) -> (f64, f64) {
        let to = e.place(u);
        let ((d1, s1), (d2, s2)) = self.gradients(e.x0, to, e.beta);
        let (rate, d) = (self.mu / e.dt, to.1);
        let force = d1 + d2 + rate * d * (d1 + 2.0 * d2);
        if force <= 0.0 {
            return (0.0, 0.0);
        }
        (force, s1 + s2 + rate * (d1 + 2.0 * d2 + d * (s1 + 2.0 * s2)))
    }

    /// The power law's own solution.
    fn onset_guess(&self, e: &Equation) -> f64 {
        let stiff = e.b * self.stiffness() * (1.0 - self.damping() / e.dt * e.x0);
        ((self.exponent() + 1.0) * e.free() / stiff).powf(1.0 / self.exponent())
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
    fn powers_are_powers() {
        for a in [1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0] {
            for x in [1e-12, 3.3e-7, 1e-4, 0.02, 1.0] {
                assert_relative_eq!(power(x, a), x.powf(a), max_relative = 4e-16);
            }
        }
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
