//! The contact law of Hunt and Crossley (1975) and its energy.
//!
//! ```text
//! f = k x^alpha (1 + mu x') for x > 0, else 0          U = k x^(alpha+1)/(alpha+1)
//! ```

use crate::contact::power::power;
use std::f64::consts::PI;

/// f = k x^alpha (1 + mu x') for x > 0, else 0 ([PAR] equation 1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HuntCrossley {
    pub(super) k: f64,
    pub(super) alpha: f64,
    pub(super) mu: f64,
    /// 1/(alpha + 1).
    part: f64,
    /// C(alpha), contact time over x_max/v of an undamped hit.
    duration_factor: f64,
}

impl HuntCrossley {
    /// The law with stiffness k [N/m^alpha] > 0, exponent alpha 1 to 5 and loss mu [s/m] >= 0.
    pub fn new(stiffness: f64, exponent: f64, damping: f64) -> Self {
        let part = 1.0 / (exponent + 1.0);
        let duration_factor = 2.0 * PI.sqrt() * libm::tgamma(1.0 + part) / libm::tgamma(0.5 + part);
        Self { k: stiffness, alpha: exponent, mu: damping, part, duration_factor }
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
        let (potential, correction) = self.energies(x, beta);
        potential + correction
    }

    /// U and beta U'^2 [J].
    #[inline]
    pub(crate) fn energies(&self, x: f64, beta: f64) -> (f64, f64) {
        if x <= 0.0 {
            return (0.0, 0.0);
        }
        let force = self.k * power(x, self.alpha);
        (self.part * force * x, beta * force * force)
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
    pub fn substep_factor(&self, v: f64) -> f64 {
        1.0 + 0.5 * (self.mu * v).min(2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    fn law() -> HuntCrossley {
        HuntCrossley::new(1e8, 1.5, 0.3)
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
