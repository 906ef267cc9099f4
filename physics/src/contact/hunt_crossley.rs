//! The contact law of Hunt and Crossley (1975), its energy, and powers of the compression.
//!
//! ```text
//! f = k x^alpha (1 + mu x') for x > 0, else 0          U = k x^(alpha+1)/(alpha+1)
//! ```
//!
//! Powers of the compression and their growth over a substep are computed without cancellation:
//!
//! ```text
//! G(r) = ((1 + r)^a - 1)/r      r = d/x0 > -1: displacement over the compression before it
//! ```
//!
//! Every divided difference of powers from x0 to x0 + d follows from G, and where a is a half or whole number G is a polynomial in
//! the root of 1 + r.

use std::f64::consts::PI;

/// |r| in G up to which log1p and expm1 are more accurate than a power.
const CLOSE: f64 = 0.5;
/// The same up to which the derivative of G is its series: its closed form cancels.
const VERY_CLOSE: f64 = 1e-4;

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
        let (part, duration_factor) = (1.0 / (exponent + 1.0), undamped_duration_factor(exponent));
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

/// Whether [`power`] and [`growth`] compute powers of this exponent with roots and products.
#[inline]
pub(crate) fn has_roots(a: f64) -> bool {
    [1.0, 1.5, 2.0, 2.5, 3.0].contains(&a)
}

/// x^a for x >= 0: with a square root for half and whole a up to 3, as of the usual exponents.
#[inline]
pub(crate) fn power(x: f64, a: f64) -> f64 {
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
        any_power(x, a)
    }
}

/// Not inlined: the compiler would compute it in advance for every power.
#[inline(never)]
fn any_power(x: f64, a: f64) -> f64 {
    x.powf(a)
}

/// G(r) and its derivative; `ratio` is 1 + r > 0.
#[inline]
pub(crate) fn growth(ratio: f64, r: f64, a: f64) -> (f64, f64) {
    if a == 1.5 {
        let root = ratio.sqrt();
        let part = 1.0 / (1.0 + root);
        (root + part, 0.5 * part * (1.0 + part))
    } else if a == 2.0 {
        (2.0 + r, 1.0)
    } else if a == 1.0 {
        (1.0, 0.0)
    } else if a == 3.0 {
        (3.0 + r * (3.0 + r), 3.0 + 2.0 * r)
    } else if a == 2.5 {
        let root = ratio.sqrt();
        let part = 1.0 / (1.0 + root);
        (root * (ratio + 1.0) + part, 1.5 * root + 0.5 * part * (1.0 + part))
    } else {
        any_growth(ratio, r, a)
    }
}

/// [`growth`] of any power.
#[inline(never)]
fn any_growth(ratio: f64, r: f64, a: f64) -> (f64, f64) {
    let half = 0.5 * a * (a - 1.0);
    if r.abs() < VERY_CLOSE {
        let third = (a - 2.0) * r * (1.0 / 3.0);
        let g = a + half * r * (1.0 + third * (1.0 + 0.25 * (a - 3.0) * r * (1.0 + 0.2 * (a - 4.0) * r)));
        let slope = 1.0 + third * (2.0 + (a - 3.0) * r * (0.75 + 0.2 * (a - 4.0) * r));
        return (g, half * slope);
    }
    let grown = if r.abs() < CLOSE { (a * r.ln_1p()).exp_m1() } else { ratio.powf(a) - 1.0 };
    let g = grown / r;
    (g, (a * (1.0 + grown) / ratio - g) / r)
}

/// C(3/2), of the most frequent exponent.
const HERTZ_DURATION_FACTOR: f64 = 2.943_275_184_324_706;

/// C(alpha) = 2 sqrt(pi) Gamma(1 + 1/(alpha+1))/Gamma(1/2 + 1/(alpha+1)): contact time over x_max/v_in without damping.
pub fn undamped_duration_factor(exponent: f64) -> f64 {
    if exponent == 1.5 {
        return HERTZ_DURATION_FACTOR;
    }
    let part = 1.0 / (exponent + 1.0);
    2.0 * PI.sqrt() * libm::tgamma(1.0 + part) / libm::tgamma(0.5 + part)
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

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

    #[test]
    fn powers_are_powers() {
        for a in [1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0] {
            for x in [1e-12, 3.3e-7, 1e-4, 0.02, 1.0] {
                assert_relative_eq!(power(x, a), x.powf(a), max_relative = 4e-16);
            }
        }
    }

    /// Nodes and weights of Gauss's rule of eight points on [0, 1].
    const GAUSS: [(f64, f64); 8] = [
        (0.019_855_071_751_231_9, 0.050_614_268_145_188_1),
        (0.101_666_761_293_186_6, 0.111_190_517_226_687_2),
        (0.237_233_795_041_835_5, 0.156_853_322_938_943_6),
        (0.408_282_678_752_175_1, 0.181_341_891_689_181),
        (0.591_717_321_247_825, 0.181_341_891_689_181),
        (0.762_766_204_958_164_5, 0.156_853_322_938_943_6),
        (0.898_333_238_706_813_4, 0.111_190_517_226_687_2),
        (0.980_144_928_248_768_1, 0.050_614_268_145_188_1),
    ];

    /// G is the mean slope of the power: the integral of a (1 + s r)^(a-1) over s from 0 to 1; its derivative likewise.
    #[test]
    fn growth_is_the_mean_slope() {
        for a in [1.0, 1.1, 1.5, 2.0, 2.3, 2.5, 3.0, 4.5] {
            for r in [-0.4, -0.02, -1.01e-4, -0.99e-4, -1e-9, 0.0, 1e-13, 0.99e-4, 1.01e-4, 3e-3, 0.1, 0.49, 0.51] {
                let mean = |of: &dyn Fn(f64) -> f64| GAUSS.iter().map(|(s, weight)| weight * of(*s)).sum::<f64>();
                let (g, slope) = growth(1.0 + r, r, a);
                assert_relative_eq!(g, mean(&|s| a * (1.0 + s * r).powf(a - 1.0)), max_relative = 3e-13);
                let bend = mean(&|s| a * (a - 1.0) * s * (1.0 + s * r).powf(a - 2.0));
                assert_relative_eq!(slope, bend, max_relative = 1e-7, epsilon = 1e-12);
            }
        }
    }

    #[test]
    fn duration_factor_of_hertz_is_that_of_the_formula() {
        let beside = undamped_duration_factor(1.5 + 1e-13);
        assert_relative_eq!(undamped_duration_factor(1.5), beside, max_relative = 1e-12);
    }
}
