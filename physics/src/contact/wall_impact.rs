//! A point mass on a rigid wall under the Hunt-Crossley law: closed forms.
//!
//! Equation numbers are those of [PAR]. With u = mu v, z = mu v_in and G(u) = u - ln(1 + u):
//!
//! ```text
//! x(v)^(alpha+1) = m (alpha+1)/(k mu^2) [G(z) - G(u)]                                   (3)
//! x_max = x(0)                                                                          (4)
//! G(mu v_out) = G(z), the other root:  mu v_out = -W0(-(1+z) e^-(1+z)) - 1              (6)
//! tau = (m/k)^(1/(alpha+1)) (mu^2/(alpha+1))^a / mu  int du / {(1+u) [G(z) - G(u)]^a}   (9), a = alpha/(alpha+1)
//! ```
//!
//! Nothing here subtracts nearly equal numbers: G is computed from u^2, differences of G as sums of positive terms, and the
//! end-point singularities of (9) are removed by substitution. Good for mu v from 0 (exactly) to 1000.

use crate::contact::hunt_crossley::undamped_duration_factor;
use std::f64::consts::PI;

/// Maximum number of Newton steps to the second root of (6); 5 are needed.
const MAX_STEPS: u32 = 40;
/// mu v below which damping changes no digit of the contact time.
const UNDAMPED: f64 = 1e-15;
/// Relative change between two step lengths of the quadrature at which it has converged (quadratically: the finer one is exact).
const CONVERGED: f64 = 1e-9;
/// Maximum number of halvings of the quadrature's step.
const MAX_HALVINGS: u32 = 9;

/// A hit on a rigid wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidImpact {
    /// Mass [kg], > 0.
    pub mass: f64,
    /// Stiffness k [N/m^alpha], > 0.
    pub stiffness: f64,
    /// Exponent alpha, 1 to 5.
    pub exponent: f64,
    /// Loss mu [s/m], >= 0.
    pub damping: f64,
    /// Velocity before, v_in [m/s], > 0.
    pub velocity: f64,
}

/// A point of the phase portrait.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PhasePoint {
    /// Compression [m].
    pub compression: f64,
    /// Compression velocity [m/s].
    pub velocity: f64,
    /// Force [N].
    pub force: f64,
}

impl RigidImpact {
    fn z(&self) -> f64 {
        self.damping * self.velocity
    }

    /// Compression x [m] when the velocity is v [m/s], equation (3); 0 outside the hit's range of velocities.
    pub fn compression_at(&self, v: f64) -> f64 {
        let from = if v >= 0.0 { self.velocity } else { self.velocity_out() };
        let (missing, approach) = (from - v, 1.0 + self.damping * v);
        if missing * from <= 0.0 || approach <= 0.0 {
            return 0.0;
        }
        // [G(u_from) - G(u)]/mu^2 as a sum of positive terms
        let share = missing / approach;
        self.compression_storing(share * v + share * share * remainder_ratio(self.damping * share))
    }

    /// Compression [m] at which `work` [m^2/s^2] per mass is stored.
    fn compression_storing(&self, work: f64) -> f64 {
        let order = self.exponent + 1.0;
        (self.mass * order / self.stiffness * work).powf(1.0 / order)
    }

    /// Deepest compression x_max [m], equation (4).
    pub fn max_compression(&self) -> f64 {
        self.compression_storing(self.velocity * self.velocity * remainder_ratio(self.z()))
    }

    /// Velocity after v_out [m/s], the exact root of equation (6) (the principal branch of Lambert's W, without its cancellation).
    pub fn velocity_out(&self) -> f64 {
        -self.restitution() * self.velocity
    }

    /// Restitution E = |v_out/v_in|, equation (5): a function of mu v_in only.
    pub fn restitution(&self) -> f64 {
        let z = self.z();
        if z > 0.0 { restitution_depth(z).0 / z } else { 1.0 }
    }

    /// The approximation (7) of v_out [m/s] with the coefficients (8): exact for small and large mu v_in, up to 2 % off between.
    pub fn approximate_velocity_out(&self) -> f64 {
        let z = self.z();
        if z == 0.0 {
            return -self.velocity;
        }
        let b = z * (1.0 + z * (2.0 / 3.0 + z * (2.0 / 9.0 + z * (14.0 / 135.0))));
        ((-2.0 * z).exp_m1() + b * (-2.0 * z).exp()) / self.damping
    }

    /// Maximum rebound velocity, v_lim = -1/mu [m/s]; minus infinity without damping.
    pub fn limiting_velocity(&self) -> f64 {
        -1.0 / self.damping
    }

    /// Contact time tau [s], equation (9).
    pub fn duration(&self) -> f64 {
        let z = self.z();
        if z < UNDAMPED {
            return undamped_duration_factor(self.exponent) * self.max_compression() / self.velocity;
        }
        let order = self.exponent + 1.0;
        let a = self.exponent / order;
        let scale = (self.mass / self.stiffness).powf(1.0 / order) * order.powf(-a) * self.velocity.powf(1.0 - 2.0 * a);
        scale * (loading_time(z, self.exponent) + unloading_time(z, self.exponent))
    }

    /// `count` >= 2 points from v_in to v_out on the (x, v) plane, dense where x changes fast; with their forces.
    pub fn phase_portrait(&self, count: usize) -> impl Iterator<Item = PhasePoint> {
        let (first, last) = (self.velocity, self.velocity_out());
        let this = *self;
        (0..count).map(move |i| {
            let turn = 0.5 - 0.5 * (PI * i as f64 / (count - 1) as f64).cos();
            let velocity = if i + 1 == count { last } else { first + (last - first) * turn };
            let compression = this.compression_at(velocity);
            let force = this.stiffness * compression.powf(this.exponent) * (1.0 + this.damping * velocity);
            PhasePoint { compression, velocity, force }
        })
    }
}

/// [u - ln(1 + u)]/u^2 for u > -1: 1/2 at u = 0. Between -2/3 and 2 by ln(1 + u) = 2 artanh(s), s = u/(2 + u).
fn remainder_ratio(u: f64) -> f64 {
    if !(-2.0 / 3.0..=2.0).contains(&u) {
        return (u - u.ln_1p()) / (u * u);
    }
    let s2 = (u / (2.0 + u)).powi(2);
    let series = (1..28).rev().fold(0.0, |sum, n| sum * s2 + 1.0 / f64::from(2 * n + 1));
    (1.0 - 2.0 * u / (2.0 + u).powi(2) * series) / (2.0 + u)
}

/// For z = mu v_in > 0: w = -mu v_out, and L = -ln(1 - w) = -ln(1 + mu v_out), which stays exact where w is 1 to all digits.
fn restitution_depth(z: f64) -> (f64, f64) {
    if z > 1.0 {
        // p(L) = L + e^-L - 1 = G(z): convex, from the right Newton falls to the root
        let depth = z - z.ln_1p();
        let mut l = depth + 1.0;
        for _ in 0..MAX_STEPS {
            let step = (l + (-l).exp_m1() - depth) / -(-l).exp_m1();
            l -= step;
            if step.abs() <= 1e-16 * l {
                break;
            }
        }
        return (-(-l).exp_m1(), l);
    }
    // (w/z)^2 r(-w) = r(z), r the remainder's ratio
    let target = remainder_ratio(z);
    let mut e = 1.0 / (1.0 + 2.0 / 3.0 * z);
    for _ in 0..MAX_STEPS {
        let step = (target - e * e * remainder_ratio(-e * z)) * (1.0 - e * z) / e;
        e += step;
        if step.abs() <= 2e-16 * e {
            break;
        }
    }
    let w = e * z;
    (w, -(-w).ln_1p())
}

/// The loading part of the integral (9) over z^(1 - 2a), in y = ln(1 + u): int dy/D^a with delta = ln(1 + z) - y,
/// D = z (1 - e^-delta) - p(delta); delta = Y s^(alpha+1) makes it regular.
fn loading_time(z: f64, exponent: f64) -> f64 {
    let top = z.ln_1p();
    regular_integral(z, top, exponent, |delta| {
        let w = -(-delta).exp_m1();
        z * w - w * w * remainder_ratio(-w)
    })
}

/// The unloading part in l = -ln(1 + u), with delta = L - l: D = p(delta) + (1 - e^-l)(1 - e^-delta).
fn unloading_time(z: f64, exponent: f64) -> f64 {
    let (_, top) = restitution_depth(z);
    regular_integral(z, top, exponent, |delta| {
        let w = -(-delta).exp_m1();
        let p = if w < 0.5 { w * w * remainder_ratio(-w) } else { delta - w };
        p - (delta - top).exp_m1() * w
    })
}

/// Integral over s from 0 to 1 of (alpha+1) s^alpha (top/z) / (D(top s^(alpha+1))/z^2)^a.
fn regular_integral(z: f64, top: f64, exponent: f64, d: impl Fn(f64) -> f64) -> f64 {
    let order = exponent + 1.0;
    let a = exponent / order;
    let scale = order * top / z;
    tanh_sinh(|s| {
        let power = s.powf(exponent);
        scale * power / (d(top * power * s) / (z * z)).powf(a)
    })
}

/// Integral over [0, 1] of a function that is regular inside and bounded at the ends, by the tanh-sinh rule.
fn tanh_sinh(f: impl Fn(f64) -> f64) -> f64 {
    const LONGEST: f64 = 3.25;
    let term = |t: f64| {
        let s = 1.0 / (1.0 + (-PI * t.sinh()).exp());
        let rest = 1.0 / (1.0 + (PI * t.sinh()).exp());
        PI * t.cosh() * s * rest * f(s)
    };
    let mut step = 0.5;
    let coarse = (LONGEST / step) as i32;
    let mut sum = (-coarse..=coarse).map(|i| term(f64::from(i) * step)).sum::<f64>();
    for _ in 0..MAX_HALVINGS {
        let before = sum * step;
        step *= 0.5;
        let last = (LONGEST / step) as i32;
        sum += (-last..=last).filter(|i| i % 2 != 0).map(|i| term(f64::from(i) * step)).sum::<f64>();
        if (sum * step - before).abs() <= CONVERGED * before.abs() {
            break;
        }
    }
    sum * step
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(mass: f64, stiffness: f64, exponent: f64, damping: f64, velocity: f64) -> RigidImpact {
        RigidImpact { mass, stiffness, exponent, damping, velocity }
    }

    /// Hits and their x_max, v_out, tau, computed with 50 digits: (4), Lambert W, quadrature of (9).
    fn references() -> [(RigidImpact, f64, f64, f64); 9] {
        [
            (hit(0.01, 1e7, 1.1, 0.1, 0.3), 1.668_440_633_210_755_3e-5, -0.294_117_420_895_476_6, 1.738_643_043_335_127_4e-4),
            (hit(0.01, 1e9, 1.5, 0.5, 1.0), 3.892_573_778_223_971e-5, -0.748_434_931_597_434_2, 1.328_982_359_258_666e-4),
            (hit(2.0, 1e3, 5.0, 1e-6, 0.01), 0.091_838_590_114_801_66, -0.009_999_999_933_333_334, 22.304_385_212_687_46),
            (hit(1e-5, 1e12, 1.0, 1.0, 1e-3), 3.161_224_182_075_144e-12, -9.993_337_774_521_084e-4, 9.934_588_679_461_53e-9),
            (hit(0.003, 1e8, 4.0, 0.2, 2.0), 0.011_895_945_521_405_907, -1.577_078_251_814_130_3, 0.016_863_337_515_265_68),
            (hit(0.01, 1e8, 1.5, 1.0, 2.5), 1.575_997_783_085_679_8e-4, -0.880_946_665_473_367_5, 3.282_310_815_934_112_6e-4),
            (hit(0.01, 1e9, 2.3, 10.0, 1.0), 3.052_679_061_852_981_3e-4, -0.099_981_624_752_943_89, 0.003_723_914_267_420_897),
            (hit(0.1, 1e5, 3.0, 20.0, 5.0), 0.031_251_429_229_207_96, -0.05, 0.639_830_297_690_008_2),
            (hit(0.01, 1e8, 1.5, 50.0, 20.0), 9.972_307_491_812_07e-5, -0.02, 0.005_005_970_344_467_673),
        ]
    }

    #[test]
    fn closed_forms_agree_with_fifty_digits() {
        for (hit, deepest, out, duration) in references() {
            let off = |mine: f64, exact: f64| ((mine - exact) / exact).abs();
            assert!(off(hit.max_compression(), deepest) < 1e-15, "{hit:?}: x_max {:e}", hit.max_compression());
            assert!(off(hit.velocity_out(), out) < 1e-15, "{hit:?}: v_out {:e}", hit.velocity_out());
            assert!(
                off(hit.duration(), duration) < 1e-13,
                "{hit:?}: tau {:e} {:e}",
                hit.duration(),
                off(hit.duration(), duration)
            );
        }
    }

    /// (6) is closed to rounding for all speeds; for small mu v it agrees with the known series.
    #[test]
    fn velocity_out_closes_its_equation() {
        for tenths in -150..=30 {
            let z = 10_f64.powf(f64::from(tenths) / 10.0);
            let (w, l) = restitution_depth(z);
            assert!((w + (-l).exp_m1()).abs() <= 2e-16, "z {z:e}");
            let (given, back) = (z * z * remainder_ratio(z), if z < 1.0 { w * w * remainder_ratio(-w) } else { l - w });
            assert!(((given - back) / given).abs() < 1e-15, "z {z:e}: {:e}", (given - back) / given);
            if z < 1e-4 {
                let series = 1.0 - z * (2.0 / 3.0 - z * (4.0 / 9.0 - z * (44.0 / 135.0)));
                assert!((w / z - series).abs() <= 3e-16, "z {z:e}");
            }
        }
        assert_eq!(hit(0.1, 1e6, 1.5, 0.0, 0.7).velocity_out(), -0.7);
    }

    /// (9) and (6) against the classical Runge-Kutta method on m x'' = -f.
    #[test]
    fn duration_is_that_of_the_equation_of_motion() {
        for hit in [hit(0.01, 1e7, 1.1, 0.1, 0.3), hit(0.01, 1e9, 1.5, 0.5, 1.0), hit(0.004, 5e8, 1.5, 1.5, 2.0)] {
            let acceleration =
                |x: f64, v: f64| -hit.stiffness / hit.mass * x.max(0.0).powf(hit.exponent) * (1.0 + hit.damping * v);
            let step = hit.duration() / 40_000.0;
            let (mut x, mut v, mut t) = (0.0, hit.velocity, 0.0);
            let crossing = loop {
                let (k1x, k1v) = (v, acceleration(x, v));
                let (k2x, k2v) = (v + 0.5 * step * k1v, acceleration(x + 0.5 * step * k1x, v + 0.5 * step * k1v));
                let (k3x, k3v) = (v + 0.5 * step * k2v, acceleration(x + 0.5 * step * k2x, v + 0.5 * step * k2v));
                let (k4x, k4v) = (v + step * k3v, acceleration(x + step * k3x, v + step * k3v));
                let next = x + step / 6.0 * (k1x + 2.0 * k2x + 2.0 * k3x + k4x);
                if next <= 0.0 {
                    break t + step * x / (x - next);
                }
                (x, v, t) = (next, v + step / 6.0 * (k1v + 2.0 * k2v + 2.0 * k3v + k4v), t + step);
            };
            assert!((crossing / hit.duration() - 1.0).abs() < 1e-8, "{hit:?}: {:e}", crossing / hit.duration() - 1.0);
            assert!((v / hit.velocity_out() - 1.0).abs() < 1e-8, "{hit:?}");
        }
    }

    /// Error of (7) with (8) in percent; [PAR] figure 3 shows the curve.
    #[test]
    fn approximation_errs_as_much_as_it_should() {
        let table =
            [(0.03, -3.3e-7), (0.1, -2.4e-5), (0.5, 0.0125), (1.0, 0.231), (2.0, 1.44), (3.0, 2.05), (5.0, 1.00), (8.0, 0.105)];
        for (z, percent) in table {
            let hit = hit(0.01, 1e8, 1.5, 1.0, z);
            let error = 100.0 * (hit.approximate_velocity_out() / hit.velocity_out() - 1.0);
            assert!((error / percent - 1.0).abs() < 0.03, "mu v {z}: {error:e} % instead of {percent:e} %");
        }
    }

    #[test]
    fn undamped_duration_is_the_limit_of_the_damped_one() {
        for alpha in [1.0, 1.5, 2.3, 5.0] {
            let undamped = hit(0.02, 3.3e7, alpha, 0.0, 0.7).duration();
            let barely = hit(0.02, 3.3e7, alpha, 1e-13, 0.7).duration();
            assert!((barely / undamped - 1.0).abs() < 2e-13, "alpha {alpha}: {:e}", barely / undamped - 1.0);
        }
        assert!((undamped_duration_factor(1.0) - PI).abs() < 1e-14);
    }

    #[test]
    fn portrait_runs_from_touch_to_release_through_the_deepest_point() {
        let hit = hit(0.01, 1e9, 1.5, 0.5, 4.0);
        let points: Vec<_> = hit.phase_portrait(401).collect();
        assert_eq!((points[0].compression, points[400].compression), (0.0, 0.0));
        assert!((points[0].velocity - 4.0).abs() < 1e-15 && (points[400].velocity - hit.velocity_out()).abs() < 1e-15);
        let deepest = points.iter().map(|p| p.compression).fold(0.0, f64::max);
        assert!(deepest <= hit.max_compression() && deepest > 0.9999 * hit.max_compression());
        assert!(points.iter().all(|p| p.velocity > hit.limiting_velocity() && p.force >= 0.0));
        assert!((hit.compression_at(0.0) / hit.max_compression() - 1.0).abs() < 1e-15);
        assert_eq!((hit.compression_at(4.1), hit.compression_at(-1.99)), (0.0, 0.0));
    }
}
