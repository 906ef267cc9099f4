//! Uniform slender bar, free or clamped at both ends (Euler and Bernoulli).
//!
//! Flexural modes have cos b cosh b = 1, that is b_n = (n + 1/2) pi + d_n with sin d_n = (-1)^(n+1)/cosh b_n: d_1 = 0.0177, then
//! decreasing. About the middle, u = xi - 1/2, each is even (n odd) or odd (n even):
//!
//! ```text
//! even  phi = cos(b u)/cos(b/2) + cosh(b u)/cosh(b/2)
//! odd   phi = sin(b u)/sin(b/2) + sinh(b u)/sinh(b/2)
//! ```
//!
//! |phi| = 2 at the ends and the mean square is phi_end^2/4 = 1 exactly, so every modal mass is the mass of the bar. The
//! hyperbolic part is e^-b(1/2-u) +- e^-b(1/2+u) over 1 +- e^-b: it cannot overflow.
//!
//! Clamped ends have the same b_n and -1/b^2 times the second derivative of these shapes: the hyperbolic part changes sign, the mean
//! square stays 1.

use crate::bodies::modal_shape::{ModalShape, ShapeFunctions};
use crate::bodies::position::BodyPosition;
use crate::bodies::rotation::Rotation;
use std::f64::consts::PI;

/// Maximum number of Newton steps to a root; 4 are needed.
const MAX_STEPS: u32 = 20;

/// Below this an exponential is negligible beside 1; avoids subnormal numbers.
const NEGLIGIBLE: f64 = 1e-30;

impl ModalShape {
    /// Uniform bar, free at both ends, without its two rigid modes: r_n = (b_n/b_1)^2, cos b cosh b = 1.
    pub fn bar(modes: usize) -> Self {
        let bar = Bar::new(modes, Ends::Free);
        let ratios = bar.ratios();
        Self::with(bar, ratios)
    }

    /// Uniform bar clamped at both ends: r_n = (b_n/b_1)^2, cos b cosh b = 1 as for the free one.
    pub fn clamped(modes: usize) -> Self {
        let bar = Bar::new(modes, Ends::Clamped);
        let ratios = bar.ratios();
        Self::with(bar, ratios)
    }
}

impl ShapeFunctions for Bar {
    fn shapes_at(&self, place: BodyPosition, out: &mut [f64]) {
        Bar::shapes_at(self, place.along, out);
    }

    fn is_free(&self) -> bool {
        self.ends == Ends::Free
    }

    fn tilts(&self, _place: BodyPosition, x: f64, _y: f64) -> f64 {
        3.0 * x * x
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Bar {
    modes: Vec<Flexion>,
    ends: Ends,
}

/// How both ends of a bar are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ends {
    Free,
    Clamped,
}

/// Constants of a mode.
#[derive(Clone, Copy, Debug)]
struct Flexion {
    /// b.
    wave: f64,
    /// d = b - (n + 1/2) pi.
    shift: f64,
    /// 1/cos(b/2) if even, 1/sin(b/2) if odd.
    trigonometric: f64,
    /// 1/(1 + e^-b) if even, 1/(1 - e^-b) if odd; the same with a minus between clamps.
    hyperbolic: f64,
}

impl Flexion {
    fn new(n: usize) -> Self {
        let straight = (n as f64 + 0.5) * PI;
        let sign = if n % 2 == 1 { 1.0 } else { -1.0 };
        let mut shift = 0.0_f64;
        for _ in 0..MAX_STEPS {
            let sech = sign / (straight + shift).cosh();
            let step = (shift.sin() - sech) / (shift.cos() + sech * (straight + shift).tanh());
            shift -= step;
            if step.abs() <= 1e-17 {
                break;
            }
        }
        let wave = straight + shift;
        let (sin, cos) = (0.5 * wave).sin_cos();
        let trigonometric = if n % 2 == 1 { 1.0 / cos } else { 1.0 / sin };
        Self { wave, shift, trigonometric, hyperbolic: 1.0 / (1.0 + sign * (-wave).exp()) }
    }
}

/// cos and sin of a small angle, |t| < 0.01, to 1e-16.
fn small_rotation(t: f64) -> (f64, f64) {
    let t2 = t * t;
    (1.0 - 0.5 * t2 * (1.0 - t2 / 12.0), t * (1.0 - t2 / 6.0 * (1.0 - t2 / 20.0)))
}

/// e^-t for a small t, |t| < 0.02, to 1e-16.
fn small_decay(t: f64) -> f64 {
    1.0 - t * (1.0 - t / 2.0 * (1.0 - t / 3.0 * (1.0 - t / 4.0 * (1.0 - t / 5.0 * (1.0 - t / 6.0)))))
}

/// e^-(n+1/2) pi y for n = 1, 2, ...
struct Decay {
    now: f64,
    factor: f64,
}

impl Decay {
    fn new(y: f64) -> Self {
        Self { now: (-1.5 * PI * y).exp(), factor: (-PI * y).exp() }
    }

    fn advance(&mut self) {
        self.now = if self.now > NEGLIGIBLE { self.now * self.factor } else { 0.0 };
    }
}

impl Bar {
    /// The lowest `modes` flexural modes.
    pub(crate) fn new(modes: usize, ends: Ends) -> Self {
        let mut modes: Vec<_> = (1..=modes).map(Flexion::new).collect();
        if ends == Ends::Clamped {
            modes.iter_mut().for_each(|mode| mode.hyperbolic = -mode.hyperbolic);
        }
        Self { modes, ends }
    }

    /// (b_n/b_1)^2.
    pub(crate) fn ratios(&self) -> Vec<f64> {
        self.modes.iter().map(|mode| (mode.wave / self.modes[0].wave).powi(2)).collect()
    }

    /// phi_n(xi) for n = 1, 2, ...
    pub(crate) fn shapes_at(&self, xi: f64, out: &mut [f64]) {
        let u = xi - 0.5;
        let mut angle = Rotation::new(1.5 * PI * u, PI * u);
        let mut right = Decay::new(0.5 - u);
        let mut left = Decay::new(0.5 + u);
        for (i, (phi, mode)) in out.iter_mut().zip(&self.modes).enumerate() {
            let (cos, sin) = small_rotation(mode.shift * u);
            let near_right = right.now * small_decay(mode.shift * (0.5 - u));
            let near_left = left.now * small_decay(mode.shift * (0.5 + u));
            *phi = if i % 2 == 0 {
                mode.trigonometric * (angle.cos * cos - angle.sin * sin) + mode.hyperbolic * (near_right + near_left)
            } else {
                mode.trigonometric * (angle.sin * cos + angle.cos * sin) + mode.hyperbolic * (near_right - near_left)
            };
            angle.advance();
            right.advance();
            left.advance();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::modal_shape::tests::shapes;

    #[test]
    fn waves_are_the_roots_of_the_free_bar() {
        // 40 digits, rounded
        let known =
            [4.730_040_744_862_704, 7.853_204_624_095_838, 10.995_607_838_001_67, 14.137_165_491_257_464, 17.278_759_657_399_48];
        let bar = Bar::new(60, Ends::Free);
        for (mode, wave) in bar.modes.iter().zip(known) {
            assert!((mode.wave / wave - 1.0).abs() < 3e-16, "{} instead of {wave}", mode.wave);
        }
        for mode in &bar.modes[..11] {
            let closes = mode.wave.cos() * mode.wave.cosh() - 1.0;
            assert!(closes.abs() < 4.0 * f64::EPSILON * mode.wave * mode.wave.cosh(), "{closes:e} at {}", mode.wave);
        }
    }

    #[test]
    fn ratios_are_those_of_the_free_bar() {
        let bar = ModalShape::bar(7);
        for (i, ratio) in [1.0, 2.7565, 5.4039, 8.9330, 13.3443, 18.638, 24.814].into_iter().enumerate() {
            assert!((bar.ratio(i) - ratio).abs() < 5e-4, "{}", bar.ratio(i));
        }
        assert!(bar.suspended());
    }

    /// Against cosh + cos - s (sinh + sin), which is exact enough while e^b leaves digits.
    #[test]
    fn shapes_are_those_of_the_free_bar() {
        let bar = Bar::new(4, Ends::Free);
        let shape = ModalShape::bar(4);
        for step in 0..=100 {
            let xi = f64::from(step) / 100.0;
            for (i, phi) in shapes(&shape, xi).into_iter().enumerate() {
                let b = bar.modes[i].wave;
                let s = (b.cosh() - b.cos()) / (b.sinh() - b.sin());
                let x = b * xi;
                // textbooks start with + at the left end, this file ends with + at the right
                let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
                let known = sign * (x.cosh() + x.cos() - s * (x.sinh() + x.sin()));
                assert!((phi - known).abs() < 1e-8, "mode {i} at {xi}: {phi} instead of {known}");
            }
        }
    }

    #[test]
    fn ends_nodes_and_middle_are_where_they_should_be() {
        let shape = ModalShape::bar(256);
        assert!(shapes(&shape, 0.0).iter().chain(&shapes(&shape, 1.0)).all(|phi| (phi.abs() - 2.0).abs() < 1e-11));
        assert!(shapes(&shape, 0.2241)[0] * shapes(&shape, 0.2242)[0] < 0.0, "the first mode's node is at .22416");
        let middle = shapes(&shape, 0.5);
        assert!((middle[0] + 1.2157).abs() < 1e-4 && (middle[2] - 1.4223).abs() < 1e-4);
        assert!(middle[1].abs() < 1e-12 && middle[255].abs() < 1e-12);
    }

    /// High modes against a direct evaluation in the stable form.
    #[test]
    fn recurrences_lose_no_digits() {
        let bar = Bar::new(4096, Ends::Free);
        let shape = ModalShape::bar(4096);
        let mut worst: f64 = 0.0;
        for step in 0..=211 {
            let u = f64::from(step) / 211.0 - 0.5;
            let phi = shapes(&shape, u + 0.5);
            for (i, mode) in bar.modes.iter().enumerate() {
                let (near_right, near_left) = ((-mode.wave * (0.5 - u)).exp(), (-mode.wave * (0.5 + u)).exp());
                let direct = if i % 2 == 0 {
                    mode.trigonometric * (mode.wave * u).cos() + mode.hyperbolic * (near_right + near_left)
                } else {
                    mode.trigonometric * (mode.wave * u).sin() + mode.hyperbolic * (near_right - near_left)
                };
                worst = worst.max((phi[i] - direct).abs());
            }
        }
        assert!(worst < 2e-11, "{worst:e}");
    }

    /// Against cosh - cos - s (sinh - sin) with its slope 0 at the clamps; the mean square is tested with that of the other bodies.
    #[test]
    fn clamped_shapes_are_those_of_the_clamped_bar() {
        let bar = Bar::new(4, Ends::Clamped);
        let shape = ModalShape::clamped(4);
        assert!(!shape.suspended());
        for step in 0..=100 {
            let xi = f64::from(step) / 100.0;
            for (i, phi) in shapes(&shape, xi).into_iter().enumerate() {
                let b = bar.modes[i].wave;
                let s = (b.cosh() - b.cos()) / (b.sinh() - b.sin());
                let x = b * xi;
                let sign = if i % 2 == 0 { -1.0 } else { 1.0 };
                let known = sign * (x.cosh() - x.cos() - s * (x.sinh() - x.sin()));
                assert!((phi - known).abs() < 1e-8, "mode {i} at {xi}: {phi} instead of {known}");
            }
        }
    }

    /// The compliance of a clamped bar at xi is xi^3 (1 - xi)^3 L^3/(3 E I), that of a free one at its end L^3/(105 E I) besides
    /// its rigid motion; in these units M omega^2 = b^4.
    #[test]
    fn compliances_are_those_of_statics() {
        let compliance = |shape: &ModalShape, bar: &Bar, xi: f64| -> f64 {
            shapes(shape, xi).iter().zip(&bar.modes).map(|(phi, mode)| (phi / mode.wave.powi(2)).powi(2)).sum()
        };
        let (clamped, bar) = (ModalShape::clamped(400), Bar::new(400, Ends::Clamped));
        for xi in [0.1_f64, 0.27, 0.5, 0.8] {
            let known = (xi * (1.0 - xi)).powi(3) / 3.0;
            let modal = compliance(&clamped, &bar, xi);
            // neglected: sum over n > N of at most 4/(n pi)^4
            assert!((modal - known).abs() < 4.0 / (3.0 * PI.powi(4) * 400_f64.powi(3)), "{modal} instead of {known} at {xi}");
        }
        let modal = compliance(&ModalShape::bar(400), &bar, 1.0);
        assert!((modal * 105.0 - 1.0).abs() < 5e-8, "{modal}");
    }
}
