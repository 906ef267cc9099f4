//! Uniform slender beam clamped at xi = 0 and free at xi = 1, where it may carry a point mass: tongues of kalimbas and music boxes.
//!
//! With mu the mass at the tip over that of the beam (Euler and Bernoulli; phi'' = 0, phi''' = -mu b^4 phi at the tip)
//!
//! ```text
//! sech b + cos b + mu b (cos b tanh b - sin b) = 0
//! phi = cos(b xi) - s sin(b xi) - (1 + s)/2 e^(-b xi) + d e^(-b (1 - xi)),   up to a factor
//! s = (cosh b + cos b)/(sinh b + sin b),   d = (1 - s)/2 e^b (turned, see below)
//! ```
//!
//! Without mass b_n -> (n - 1/2) pi; with growing mass the tip comes to rest, b_n -> (n - 3/4) pi, and b_1^4 -> 3/mu. The mass
//! counts as part of the body: int phi^2 + mu phi(1)^2 = phi(1)^2 (1 + mu)/4 + mu phi(1) phi'(1)/2 is scaled to 1 + mu, so that
//! every modal mass is that of beam and tip together; without tip phi(1) = +-2.

use crate::bodies::beams::beam::Section;
use crate::bodies::modal_shape::{ModalShape, ShapeFunctions};
use crate::bodies::position::{BodyPosition, Rotation, within};
use std::f64::consts::PI;

/// Maximum mass of the tip over that of the beam: beyond it the lowest b loses digits.
const HEAVIEST_TIP: f64 = 1000.0;

/// b of the n-th mode is written as (n - 5/8) pi + d, halfway between both limits.
const MIDDLE: f64 = 0.625;

/// Below this an exponential is negligible compared with 1; avoids subnormal numbers.
const NEGLIGIBLE: f64 = 1e-30;

impl ModalShape {
    /// Beam clamped at xi = 0, free at xi = 1 with `tip` times its own mass there, tip clamped to [0, 1000]. The body's mass is
    /// that of both.
    pub fn tongue(tip: f64, modes: usize) -> Self {
        let tongue = Tongue::new(tip, modes);
        let ratios = tongue.modes.iter().map(|mode| (mode.wave / tongue.modes[0].wave).powi(2)).collect();
        Self::with(tongue, ratios)
    }
}

impl ShapeFunctions for Tongue {
    fn shapes_at(&self, place: BodyPosition, out: &mut [f64]) {
        Tongue::shapes_at(self, place.along, out);
    }
}

impl Section {
    /// Lowest frequency [Hz] of a tongue of `length` [m] with `tip` times its own mass at the free end.
    pub fn tongue(&self, length: f64, tip: f64) -> f64 {
        self.hertz(lowest_wave(tip).powi(2), length)
    }
}

#[derive(Clone, Debug)]
struct Tongue {
    modes: Vec<Flexion>,
}

/// phi = cosine cos + sine sin + near e^(-b xi) + far e^(-b (1 - xi)).
#[derive(Clone, Copy, Debug)]
struct Flexion {
    /// b.
    wave: f64,
    /// d = b - (n - 5/8) pi, |d| < 0.42 except for the lowest mode.
    shift: f64,
    cosine: f64,
    sine: f64,
    near: f64,
    far: f64,
}

/// b_1 [-] of a tongue with `tip` times its own mass at the tip: omega = b^2 sqrt(E I/(rho A))/L^2.
fn lowest_wave(tip: f64) -> f64 {
    wave(within(tip, 0.0, HEAVIEST_TIP), 1)
}

/// The n-th root, by bisection down to neighbouring numbers.
fn wave(tip: f64, n: usize) -> f64 {
    let equation = |b: f64| 1.0 / b.cosh() + b.cos() + tip * b * (b.cos() * b.tanh() - b.sin());
    // a little wider than the two limits: b_1 = 1.8751 without tip
    let (mut low, mut high) = (((n as f64 - 0.75) * PI - 0.01).max(1e-3), (n as f64 - 0.5) * PI + 0.31);
    if n == 1 {
        low = 1e-3;
    }
    let rises = equation(high) > 0.0;
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return middle;
        }
        if (equation(middle) > 0.0) == rises { high = middle } else { low = middle }
    }
}

impl Flexion {
    fn new(tip: f64, n: usize) -> Self {
        let b = wave(tip, n);
        let (sin, cos) = b.sin_cos();
        let fade = (-b).exp();
        // sinh b + sin b = e^b/2 (1 - e^-2b + 2 e^-b sin b), and likewise above
        let below = 1.0 - fade * fade + 2.0 * fade * sin;
        let s = (1.0 + fade * fade + 2.0 * fade * cos) / below;
        let far = -(sin - cos - fade) / below;
        let mode = Self { wave: b, shift: b - (n as f64 - MIDDLE) * PI, cosine: 1.0, sine: -s, near: -0.5 * (1.0 + s), far };
        let (end, slope) = mode.at_tip(sin, cos, fade);
        let square = 0.25 * end * end * (1.0 + tip) + 0.5 * tip * end * slope;
        // tip up
        mode.times(((1.0 + tip) / square).sqrt().copysign(end))
    }

    /// phi and phi' at the tip.
    fn at_tip(&self, sin: f64, cos: f64, fade: f64) -> (f64, f64) {
        let end = self.cosine * cos + self.sine * sin + self.near * fade + self.far;
        (end, self.wave * (self.sine * cos - self.cosine * sin - self.near * fade + self.far))
    }

    fn times(self, by: f64) -> Self {
        Self { cosine: by * self.cosine, sine: by * self.sine, near: by * self.near, far: by * self.far, ..self }
    }
}

/// 1/(k (k + 1)) for k = 1, 3, ... and for k = 2, 4, ...: ratio of successive terms of the cosine and of the sine.
const COSINE: [f64; 6] = [1.0 / 2.0, 1.0 / 12.0, 1.0 / 30.0, 1.0 / 56.0, 1.0 / 90.0, 1.0 / 132.0];
const SINE: [f64; 6] = [1.0 / 6.0, 1.0 / 20.0, 1.0 / 42.0, 1.0 / 72.0, 1.0 / 110.0, 1.0 / 156.0];

/// 1/k!, alternating, for k = 0 to 13.
const DECAY: [f64; 14] = {
    let mut factors = [1.0; 14];
    let mut k = 1;
    while k < 14 {
        factors[k] = -factors[k - 1] / k as f64;
        k += 1;
    }
    factors
};

/// cos and sin of |t| < 0.45 to 1e-17.
fn small_rotation(t: f64) -> (f64, f64) {
    let t2 = t * t;
    let series = |factors: &[f64; 6]| factors.iter().rev().fold(1.0, |sum, factor| 1.0 - t2 * factor * sum);
    (series(&COSINE), t * series(&SINE))
}

/// e^-t for |t| < 0.45 to 1e-16.
fn small_decay(t: f64) -> f64 {
    DECAY.iter().rev().fold(0.0, |sum, factor| sum * t + factor)
}

/// e^-(n - 5/8) pi y for n = 2, 3, ...
struct Decay {
    now: f64,
    factor: f64,
    y: f64,
}

impl Decay {
    fn new(y: f64) -> Self {
        Self { now: (-(2.0 - MIDDLE) * PI * y).exp(), factor: (-PI * y).exp(), y }
    }

    /// The value with the mode's own shift; advances to the next mode.
    fn next(&mut self, shift: f64) -> f64 {
        if self.now == 0.0 {
            return 0.0;
        }
        let now = self.now * small_decay(shift * self.y);
        self.now = if self.now > NEGLIGIBLE { self.now * self.factor } else { 0.0 };
        now
    }
}

impl Tongue {
    fn new(tip: f64, modes: usize) -> Self {
        let tip = within(tip, 0.0, HEAVIEST_TIP);
        Self { modes: (1..=modes).map(|n| Flexion::new(tip, n)).collect() }
    }

    /// phi_n(xi) for n = 1, 2, ...
    fn shapes_at(&self, xi: f64, out: &mut [f64]) {
        let Some((lowest, modes)) = self.modes.split_first() else { return };
        let Some((first, rest)) = out.split_first_mut() else { return };
        let b = lowest.wave;
        let (sin, cos) = (b * xi).sin_cos();
        *first = lowest.cosine * cos + lowest.sine * sin + lowest.near * (-b * xi).exp() + lowest.far * (-b * (1.0 - xi)).exp();
        let mut angle = Rotation::new((2.0 - MIDDLE) * PI * xi, PI * xi);
        let (mut near, mut far) = (Decay::new(xi), Decay::new(1.0 - xi));
        for (phi, mode) in rest.iter_mut().zip(modes) {
            let (c, s) = small_rotation(mode.shift * xi);
            let (cos, sin) = (angle.cos * c - angle.sin * s, angle.sin * c + angle.cos * s);
            *phi = mode.cosine * cos + mode.sine * sin + mode.near * near.next(mode.shift) + mode.far * far.next(mode.shift);
            angle.advance();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::material::Material;
    use crate::bodies::modal_shape::tests::shapes;

    #[test]
    fn waves_without_tip_are_those_of_the_clamped_free_beam() {
        // 16 digits of the roots of cos b cosh b = -1
        let known = [1.875_104_068_711_961, 4.694_091_132_974_175, 7.854_757_438_237_613, 10.995_540_734_875_467];
        for (n, wave) in known.into_iter().enumerate() {
            let b = super::wave(0.0, n + 1);
            assert!((b / wave - 1.0).abs() < 4e-16, "{b} instead of {wave}");
        }
        let shape = ModalShape::tongue(0.0, 4);
        for (i, ratio) in [1.0, 6.2669, 17.5475, 34.386].into_iter().enumerate() {
            assert!((shape.ratio(i) / ratio - 1.0).abs() < 1e-5, "{}", shape.ratio(i));
        }
        assert!(!shape.suspended());
    }

    /// A heavy tip on a massless beam, b^4 = 3/(mu + 33/140) (Rayleigh); the rest is clamped and hinged, tan b = tanh b.
    #[test]
    fn a_heavy_tip_is_a_mass_on_a_spring() {
        for (tip, digits) in [(1.0, 2e-3), (30.0, 4e-6), (1000.0, 4e-9)] {
            let b = lowest_wave(tip);
            let rayleigh = 3.0 / (tip + 33.0 / 140.0);
            assert!((b.powi(4) / rayleigh - 1.0).abs() < digits, "{} instead of {rayleigh}", b.powi(4));
        }
        for (n, known) in [(2, 3.926_602_312_047_919), (3, 7.068_582_745_628_732)] {
            assert!((wave(1000.0, n) - known).abs() < 1e-3);
        }
    }

    #[test]
    fn roots_follow_each_other_and_close() {
        for tip in [0.0, 1e-3, 0.02, 0.3, 5.0, 1000.0] {
            for n in 1..300 {
                let b = wave(tip, n);
                let closes = 1.0 / b.cosh() + b.cos() + tip * b * (b.cos() * b.tanh() - b.sin());
                assert!(closes.abs() < 1e-12 * (1.0 + tip * b) * b.max(1.0), "{closes:e} at {b}");
                assert!(b > ((n as f64 - 0.75) * PI - 1e-3).max(0.0) * if n == 1 { 0.0 } else { 1.0 });
                assert!(b < (n as f64 - 0.5) * PI + 0.305 && (n == 1 || (b - (n as f64 - MIDDLE) * PI).abs() < 0.42), "{b}");
            }
        }
    }

    /// Against a direct evaluation, and both conditions at the clamp.
    #[test]
    fn recurrences_lose_no_digits() {
        for tip in [0.0, 0.07, 400.0] {
            let shape = ModalShape::tongue(tip, 1024);
            let tongue = Tongue::new(tip, 1024);
            let mut worst: f64 = 0.0;
            for step in 0..=97 {
                let xi = f64::from(step) / 97.0;
                for (phi, mode) in shapes(&shape, xi).iter().zip(&tongue.modes) {
                    let (b, x) = (mode.wave, mode.wave * xi);
                    let direct = mode.cosine * x.cos() + mode.sine * x.sin() + mode.near * (-x).exp() + mode.far * (x - b).exp();
                    worst = worst.max((phi - direct).abs());
                }
            }
            assert!(worst < 4e-12 * (1.0 + tip).sqrt(), "{worst:e} with tip {tip}");
            assert!(shapes(&shape, 0.0).iter().all(|phi| phi.abs() < 1e-12 * (1.0 + tip).sqrt()));
            for mode in &tongue.modes {
                let slope = mode.sine - mode.near + mode.far * (-mode.wave).exp();
                assert!(slope.abs() < 1e-12 * (1.0 + tip).sqrt(), "{slope:e}");
            }
        }
        assert!(shapes(&ModalShape::tongue(0.0, 200), 1.0).iter().all(|phi| (phi - 2.0).abs() < 1e-11));
    }

    /// int phi_i phi_j + mu phi_i(1) phi_j(1) = (1 + mu) delta_ij, by Simpson's rule.
    #[test]
    fn shapes_are_orthogonal_over_beam_and_tip() {
        const PANELS: usize = 4000;
        for tip in [0.0, 0.05, 3.0] {
            let shape = ModalShape::tongue(tip, 12);
            let mut means = [[0.0; 12]; 12];
            for place in 0..=PANELS {
                let weight = if place == 0 || place == PANELS { 1.0 } else { [2.0, 4.0][place % 2] } / (3.0 * PANELS as f64);
                let phi = shapes(&shape, place as f64 / PANELS as f64);
                let at_tip = if place == PANELS { tip } else { 0.0 };
                for (row, a) in means.iter_mut().zip(&phi) {
                    for (mean, b) in row.iter_mut().zip(&phi) {
                        *mean += (weight + at_tip) / (1.0 + tip) * a * b;
                    }
                }
            }
            for (a, row) in means.iter().enumerate() {
                for (b, mean) in row.iter().enumerate() {
                    assert!((mean - if a == b { 1.0 } else { 0.0 }).abs() < 1e-7, "tip {tip}, modes {a} and {b}: {mean}");
                }
            }
        }
    }

    /// The compliance of the tongue at a is a^3 L^3/(3 E I) for any mass at its tip; here M omega^2 = (1 + mu) b^4.
    #[test]
    fn compliance_is_that_of_statics() {
        for tip in [0.0, 0.05, 3.0] {
            let (shape, tongue) = (ModalShape::tongue(tip, 400), Tongue::new(tip, 400));
            for a in [0.4_f64, 0.75, 1.0] {
                let phi = shapes(&shape, a);
                let terms = phi.iter().zip(&tongue.modes);
                let modal: f64 = terms.map(|(phi, mode)| phi * phi / ((1.0 + tip) * mode.wave.powi(4))).sum();
                let known = a.powi(3) / 3.0;
                assert!((modal / known - 1.0).abs() < 1e-8, "{modal} instead of {known} at {a} with tip {tip}");
            }
        }
    }

    /// A point mass on a massless tongue: omega^2 = 3 E I/(L^3 m).
    #[test]
    fn a_loaded_tongue_is_a_mass_on_a_spring() {
        let tine = Section::rectangle(4e-3, 1e-3, Material::STEEL);
        let mass = 1000.0 * tine.mass(0.06);
        let known = (3.0 * 210e9 * tine.inertia / (0.06_f64.powi(3) * mass)).sqrt() / std::f64::consts::TAU;
        assert!((tine.tongue(0.06, 1000.0) / known - 1.0).abs() < 2e-4);
        assert!(tine.tongue(0.06, 0.0) > 20.0 * known);
    }
}
