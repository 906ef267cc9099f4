//! Uniform slender bars, free or clamped at both ends, and rods pinned at one end (Euler and Bernoulli).
//!
//! Flexural modes of a bar have cos b cosh b = 1, that is b_n = (n + 1/2) pi + d_n with sin d_n = (-1)^(n+1)/cosh b_n:
//! d_1 = 0.0177, then decreasing. About the middle, u = xi - 1/2, each is even (n odd) or odd (n even):
//!
//! ```text
//! even  phi = cos(b u)/cos(b/2) + cosh(b u)/cosh(b/2)
//! odd   phi = sin(b u)/sin(b/2) + sinh(b u)/sinh(b/2)
//! ```
//!
//! |phi| = 2 at the ends and the mean square is phi_end^2/4 = 1 exactly, so every modal mass is the mass of the bar. The
//! hyperbolic part is e^-b(1/2-u) +- e^-b(1/2+u) over 1 +- e^-b: it cannot overflow.
//!
//! Clamped ends have the same b_n and -1/b^2 times the second derivative of these shapes: the hyperbolic part changes sign, the
//! mean square stays 1.

use std::f64::consts::PI;

use crate::bodies::modal_shape::{ModalShape, ShapeFunctions};
use crate::bodies::position::{BodyPosition, Rotation};

/// Maximum number of Newton steps to a root; 4 are needed.
const MAX_STEPS: u32 = 20;

/// Below this an exponential is negligible compared with 1; avoids subnormal numbers.
const NEGLIGIBLE: f64 = 1e-30;

/// Rounds of b = n pi + arctan(tanh b/(1 + 2 mu b tanh b)) for a rod; each leaves at most a tenth of the error.
const ROUNDS: u32 = 18;

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
        let (ratios, slopes) = (bar.ratios(), bar.modes.iter().map(|mode| clamped_slope(mode.wave)).collect());
        Self::with(bar, ratios).sloped(slopes)
    }
}

/// Mean square slope of the clamped mode of wave b, whose shape has the mean square 1: the integral of phi'^2.
fn clamped_slope(wave: f64) -> f64 {
    let decay = (-wave).exp();
    // sigma = (cosh b - cos b)/(sinh b - sin b), without overflow
    let sigma = (1.0 + decay * (decay - 2.0 * wave.cos())) / (1.0 - decay * (decay + 2.0 * wave.sin()));
    let steep = wave * sigma;
    steep * (steep - 2.0)
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

/// Uniform slender rod that turns about a pin at one end and strikes with the other, optionally with a head: drum sticks, bell
/// clappers. The mode n = 1 is its lowest bending.
///
/// With mu the mass of the head over that of the rod (Euler and Bernoulli; phi = phi'' = 0 at the pin, phi'' = 0 and
/// phi''' = -mu b^4 phi at the tip)
///
/// ```text
/// tan b - tanh b + 2 mu b tan b tanh b = 0        n pi < b_n < (n + 1/4) pi
/// phi = sin(b xi)/sin b + sinh(b xi)/sinh b       phi(1) = 2
/// ```
///
/// Besides bending it rotates as a rigid body: of a rod of mass M a third is then at its tip, M (1/3 + mu) with the head. A mode
/// that moves the tip by 1 has the mass M (I/4 + mu), I = int phi^2 from 0 to 1; without head I = 1, that is M/4 for every mode
/// ([Woodhouse]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rod {
    /// Mass of the head at its tip over that of the rod, >= 0.
    pub head: f64,
}

impl Rod {
    /// Frequency of bending mode n >= 1 over that of the lowest.
    pub fn ratio(&self, n: usize) -> f64 {
        (self.wave(n) / self.wave(1)).powi(2)
    }

    /// Mass of bending mode n >= 1 at the tip over the rigid mass there.
    pub fn tip_mass(&self, n: usize) -> f64 {
        let b = self.wave(n);
        let (cot, coth) = (1.0 / b.tan(), 1.0 / b.tanh());
        // 1/(2 sin^2) - 1/(2 sinh^2) = (2 + cot^2 - coth^2)/2
        let square = 0.5 * (2.0 + cot * cot - coth * coth) + 1.5 * (coth - cot) / b;
        (0.25 * square + self.head) / (1.0 / 3.0 + self.head)
    }

    /// b_n: omega_n = b_n^2 sqrt(E I/(rho A))/L^2.
    fn wave(&self, n: usize) -> f64 {
        let base = n.max(1) as f64 * PI;
        (0..ROUNDS).fold(base, |b, _| {
            let tanh = b.tanh();
            base + (tanh / (1.0 + 2.0 * self.head * b * tanh)).atan()
        })
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

    const HEADS: [f64; 6] = [0.0, 0.02, 0.3, 1.0, 2.0, 50.0];

    #[test]
    fn waves_obey_the_equation() {
        for head in HEADS {
            for n in 1..20 {
                let b = Rod { head }.wave(n);
                let residual = b.sin() - b.cos() * b.tanh() + 2.0 * head * b * b.sin() * b.tanh();
                assert!(residual.abs() < 1e-13 * (1.0 + head * b * b), "head {head}, mode {n}: {residual:e}");
                assert!(b > n as f64 * PI && b <= (n as f64 + 0.25) * PI, "head {head}, mode {n}: {b}");
            }
        }
        let bare = [3.926_602_312_048, 7.068_582_745_629, 10.210_176_122_81, 13.351_768_777_75, 16.493_361_431_35];
        for (n, b) in (1..).zip(bare) {
            assert!((Rod { head: 0.0 }.wave(n) - b).abs() < 1e-11);
        }
    }

    /// Mass at the tip against int phi^2 by Simpson's rule; a quarter of a bare rod's mass is 3/4 of the third that turns.
    #[test]
    fn tip_masses_are_those_of_the_shapes() {
        for head in HEADS {
            let rod = Rod { head };
            for n in 1..8 {
                let b = rod.wave(n);
                let phi = |xi: f64| (b * xi).sin() / b.sin() + (b * xi).sinh() / b.sinh();
                let steps = 4000;
                let simpson: f64 = (0..=steps)
                    .map(|i| {
                        let weight = if i == 0 || i == steps { 1.0 } else { 2.0 + 2.0 * f64::from(i % 2) };
                        weight * phi(f64::from(i) / f64::from(steps)).powi(2)
                    })
                    .sum();
                let exact = (simpson / f64::from(3 * steps) / 4.0 + head) / (1.0 / 3.0 + head);
                assert!((rod.tip_mass(n) / exact - 1.0).abs() < 1e-9, "head {head}, mode {n}: {} {exact}", rod.tip_mass(n));
                assert!(head > 0.0 || (rod.tip_mass(n) - 0.75).abs() < 1e-13);
            }
        }
    }

    /// A force at its tip rotates the rod and deflects it by 2/105 F L^3/(E I)/(1 + 3 mu)^2, the sum of its modes.
    #[test]
    fn the_tip_yields_as_in_statics() {
        for head in [0.0, 0.5, 2.0] {
            let rod = Rod { head };
            let yielding: f64 = (1..400).map(|n| 1.0 / (rod.tip_mass(n) * (1.0 / 3.0 + head) * rod.wave(n).powi(4))).sum();
            let closed = 2.0 / 105.0 / (1.0 + 3.0 * head).powi(2);
            assert!((yielding / closed - 1.0).abs() < 1e-6, "head {head}: {yielding} instead of {closed}");
        }
    }
}
