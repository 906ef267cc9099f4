//! Uniform bar or tube, free at both ends, with shear and rotary inertia (Timoshenko): chimes, thick bars, rods.
//!
//! With r^2 = I/(A L^2), s^2 = E I/(kappa G A L^2) and B = rho A L^4 omega^2/(E I) (Huang 1961), deflection W and turn Psi of the section
//! about the middle, u = xi - 1/2:
//!
//! ```text
//! q^4 - B (r^2 + s^2) q^2 - B (1 - B r^2 s^2) = 0,   p^2 = q^2 - B (r^2 + s^2),   P = p^2 + B s^2,   Q = q^2 - B s^2
//! even  W = cos(qu) + a cosh(pu)/cosh(p/2),   P p sin(q/2) + Q q cos(q/2) tanh(p/2) = 0,   a = -p sin(q/2)/(q tanh(p/2))
//! odd   W = sin(qu) + a sinh(pu)/cosh(p/2),   P p cos(q/2) tanh(p/2) - Q q sin(q/2) = 0,   a = p cos(q/2)/q
//! ```
//!
//! Mode n has its only root between n pi and (n + 1) pi. The modes end below B r^2 s^2 = 1, where sections shear against each
//! other and the theory ends. Kinetic energy is that of W^2 + r^2 Psi^2: scaled to mean 1, every modal mass is that of the bar.

use crate::bodies::beams::beam::Section;
use crate::bodies::modal_shape::{ModalShape, ShapeFunctions, Table};
use crate::bodies::position::BodyPosition;
use std::f64::consts::PI;

/// Maximum number of modes: a chime has about 35 below its limit, and the table grows with the square of their number.
const MAX_MODES: usize = 64;

/// Panels of the table in a half wave of the highest mode: 1e-5 of its amplitude.
const PANELS_A_HALF_WAVE: usize = 12;

/// Mode of a chime that gives the strike note an octave below it.
const NOMINAL: usize = 3;

impl ModalShape {
    /// Free bar of `length` [m] with shear and rotary inertia; at most 64 modes, and only those below the limit of the theory.
    pub fn stiff_bar(section: &Section, length: f64, modes: usize) -> Self {
        let bar = Stiff::new(section, length, modes);
        let ratios = bar.bends.iter().map(|bend| (bend.square / bar.bends[0].square).sqrt()).collect();
        Self::with(bar, ratios)
    }

    /// The same as a chime: the ratio 1 is its strike note, an octave below the fourth mode, where no mode is. At least 4 modes.
    pub fn chime(section: &Section, length: f64, modes: usize) -> Self {
        let mut chime = Self::stiff_bar(section, length, modes.max(NOMINAL + 1));
        if let Some(&nominal) = chime.ratios.get(NOMINAL) {
            chime.ratios.iter_mut().for_each(|ratio| *ratio *= 2.0 / nominal);
        }
        chime
    }
}

impl ShapeFunctions for Stiff {
    fn shapes_at(&self, place: BodyPosition, out: &mut [f64]) {
        self.table.shapes_at(place.along, out);
    }

    fn is_free(&self) -> bool {
        true
    }

    fn tilts(&self, _place: BodyPosition, x: f64, _y: f64) -> f64 {
        3.0 * x * x
    }
}

impl Section {
    /// Frequency [Hz] of mode n = 1, 2, ... of a free bar of `length` [m] with shear and rotary inertia; none where the theory ends.
    pub fn stiff(&self, length: f64, n: usize) -> Option<f64> {
        wave_square(self, length, n).map(|square| self.hertz(square, length))
    }

    /// Strike note [Hz] of a chime of `length` [m], an octave below its fourth mode.
    pub fn chime(&self, length: f64) -> Option<f64> {
        self.stiff(length, 4).map(|nominal| 0.5 * nominal)
    }
}

#[derive(Clone, Debug)]
struct Stiff {
    bends: Vec<Bend>,
    table: Table,
}

/// One mode.
#[derive(Clone, Copy, Debug)]
struct Bend {
    even: bool,
    /// B.
    square: f64,
    q: f64,
    p: f64,
    /// Factor of the trigonometric and of the hyperbolic part.
    trigonometric: f64,
    hyperbolic: f64,
}

/// r^2 and s^2.
#[derive(Clone, Copy, Debug)]
struct Stockiness {
    rotary: f64,
    shear: f64,
}

impl Stockiness {
    /// B of the wave number q.
    fn square(&self, q: f64) -> f64 {
        let half = 1.0 + (self.rotary + self.shear) * q * q;
        2.0 * q.powi(4) / (half + (half * half - 4.0 * self.rotary * self.shear * q.powi(4)).max(0.0).sqrt())
    }

    /// p, P and Q; p = 0 beyond the limit.
    fn decay(&self, q: f64) -> (f64, f64, f64) {
        let square = self.square(q);
        let p = (q * q - square * (self.rotary + self.shear)).max(0.0).sqrt();
        (p, p * p + square * self.shear, q * q - square * self.shear)
    }

    /// Characteristic function, 0 at a mode.
    fn closes(&self, q: f64, even: bool) -> f64 {
        let (p, big_p, big_q) = self.decay(q);
        let (sin, cos) = (0.5 * q).sin_cos();
        let tanh = (0.5 * p).tanh();
        if even { big_p * p * sin + big_q * q * cos * tanh } else { big_p * p * cos * tanh - big_q * q * sin }
    }

    /// Mode n = 1, 2, ... if it is below the limit.
    fn bend(&self, n: usize) -> Option<Bend> {
        let even = n % 2 == 1;
        let (mut low, mut high) = (n as f64 * PI, (n + 1) as f64 * PI);
        if self.square(high) * self.rotary * self.shear >= 1.0 || self.decay(high).0 == 0.0 {
            return None;
        }
        let rises = self.closes(high, even) > 0.0;
        while high - low > f64::EPSILON * high {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            if (self.closes(middle, even) > 0.0) == rises { high = middle } else { low = middle }
        }
        Some(self.scaled(0.5 * (low + high), even))
    }

    /// Scales the mean of W^2 + r^2 Psi^2 to 1, the right end up.
    fn scaled(&self, q: f64, even: bool) -> Bend {
        let (p, big_p, big_q) = self.decay(q);
        let (sin, cos) = (0.5 * q).sin_cos();
        let (tanh, sech) = ((0.5 * p).tanh(), 1.0 / (0.5 * p).cosh());
        let (plus, minus) = (0.5 + 0.5 * q.sin() / q, 0.5 - 0.5 * q.sin() / q);
        let (cosh2, sinh2) = (tanh / p + 0.5 * sech * sech, tanh / p - 0.5 * sech * sech);
        let cos_cosh = 2.0 * (p * cos * tanh + q * sin) / (p * p + q * q);
        let sin_sinh = 2.0 * (p * sin - q * cos * tanh) / (p * p + q * q);
        let (turn_q, turn_p) = (big_q / q, big_p / p);
        let (mean, a, end) = if even {
            let a = -p * sin / (q * tanh);
            let deflection = plus + 2.0 * a * cos_cosh + a * a * cosh2;
            let turn = turn_q * turn_q * minus - 2.0 * a * turn_q * turn_p * sin_sinh + a * a * turn_p * turn_p * sinh2;
            (deflection + self.rotary * turn, a, cos + a)
        } else {
            let a = p * cos / q;
            let deflection = minus + 2.0 * a * sin_sinh + a * a * sinh2;
            let turn = turn_q * turn_q * plus + 2.0 * a * turn_q * turn_p * cos_cosh + a * a * turn_p * turn_p * cosh2;
            (deflection + self.rotary * turn, a, sin + a * tanh)
        };
        let scale = (1.0 / mean.sqrt()).copysign(end);
        Bend { even, square: self.square(q), q, p, trigonometric: scale, hyperbolic: a * scale }
    }
}

impl Bend {
    /// W at u = xi - 1/2.
    fn deflection(&self, u: f64) -> f64 {
        let fade = 1.0 / (1.0 + (-self.p).exp());
        let (right, left) = ((-self.p * (0.5 - u)).exp() * fade, (-self.p * (0.5 + u)).exp() * fade);
        if self.even {
            self.trigonometric * (self.q * u).cos() + self.hyperbolic * (right + left)
        } else {
            self.trigonometric * (self.q * u).sin() + self.hyperbolic * (right - left)
        }
    }
}

fn stockiness(section: &Section, length: f64) -> Stockiness {
    let rotary = section.inertia / (section.area * length * length);
    Stockiness { rotary, shear: rotary * section.young_over_shear() }
}

/// sqrt(B) of mode n = 1, 2, ...: omega = that times sqrt(E I/(rho A))/L^2; none beyond the limit of the theory.
pub(crate) fn wave_square(section: &Section, length: f64, n: usize) -> Option<f64> {
    stockiness(section, length).bend(n).map(|bend| bend.square.sqrt())
}

impl Stiff {
    fn new(section: &Section, length: f64, modes: usize) -> Self {
        let stockiness = stockiness(section, length);
        let bends: Vec<_> = (1..=modes.min(MAX_MODES)).map_while(|n| stockiness.bend(n)).collect();
        let table = Table::new(bends.len(), PANELS_A_HALF_WAVE * (bends.len() + 1), |xi, row| {
            for (phi, bend) in row.iter_mut().zip(&bends) {
                *phi = bend.deflection(xi - 0.5);
            }
        });
        Self { bends, table }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::material::Material;
    use crate::bodies::modal_shape::tests::shapes;

    /// Brass of the chime below.
    const CHIME_BRASS: Material = Material { young: 100e9, poisson: 0.34, ..Material::BRASS };

    fn chime_tube() -> Section {
        Section::tube(0.038, 1.5e-3, CHIME_BRASS)
    }

    /// Chime of 1.44 m x 38 x 1.5 mm with a strike note of 325 Hz, against measured chimes (0.622 1.231 2 2.931 4.016
    /// 5.18 6.44 7.755 from the second mode): within 1.4 % once the end plug no longer counts.
    #[test]
    fn a_chime_has_its_partials() {
        let chime = ModalShape::chime(&chime_tube(), 1.44, 40);
        for (i, measured) in [0.622, 1.231, 2.0, 2.931, 4.016, 5.18, 6.44, 7.755].into_iter().enumerate() {
            let (ratio, within) = (chime.ratio(i + 1), if i == 0 { 0.025 } else { 0.014 });
            assert!((ratio / measured - 1.0).abs() < within, "{ratio} measured {measured}");
        }
        assert!((chime.ratio(0) - 0.233).abs() < 5e-4);
        let strike = chime_tube().chime(1.44).unwrap();
        assert!((strike / 325.0 - 1.0).abs() < 5e-3 && (chime_tube().mass(1.44) - 2.1).abs() < 0.02, "{strike}");
        assert!(chime.suspended() && (30..=40).contains(&chime.len()), "{}", chime.len());
    }

    /// A slender bar is that of Euler and Bernoulli.
    #[test]
    fn a_slender_bar_is_the_classic_one() {
        let (stiff, bar) = (ModalShape::stiff_bar(&Section::rod(1e-4, Material::STEEL), 1.0, 12), ModalShape::bar(12));
        for i in 0..12 {
            assert!((stiff.ratio(i) / bar.ratio(i) - 1.0).abs() < 2e-5, "{} instead of {}", stiff.ratio(i), bar.ratio(i));
        }
        let mut worst: f64 = 0.0;
        for step in 0..=500 {
            let (a, b) = (shapes(&stiff, f64::from(step) / 500.0), shapes(&bar, f64::from(step) / 500.0));
            worst = a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(worst, f64::max);
        }
        assert!(worst < 2e-4, "{worst:e}");
    }

    /// Both equations of motion and both end conditions, by differences of the drawn functions.
    #[test]
    fn modes_solve_the_equations() {
        let stockiness = stockiness(&chime_tube(), 1.44);
        for n in 1..30 {
            let bend = stockiness.bend(n).unwrap();
            let Stockiness { rotary, shear } = stockiness;
            let (b2, q, p) = (bend.square, bend.q, bend.p);
            // W'' = -q^2, p^2 times its parts; W'''' + B (r^2 + s^2) W'' - B (1 - B r^2 s^2) W = 0 for each
            for square in [-q * q, p * p] {
                let rest = square * square + b2 * (rotary + shear) * square - b2 * (1.0 - b2 * rotary * shear);
                assert!(rest.abs() < 1e-12 * b2, "mode {n}: {rest:e}");
            }
            // Psi' = W'' + B s^2 W = 0 at the end
            let trigonometric = bend.trigonometric * if bend.even { (0.5 * q).cos() } else { (0.5 * q).sin() };
            let hyperbolic = bend.hyperbolic * if bend.even { 1.0 } else { (0.5 * p).tanh() };
            let moment = (b2 * shear - q * q) * trigonometric + (p * p + b2 * shear) * hyperbolic;
            assert!(moment.abs() < 1e-11 * q * q, "mode {n}: {moment:e}");
        }
    }

    /// int W_i W_j + r^2 Psi_i Psi_j = delta_ij, by Simpson's rule; Psi by the shear equation.
    #[test]
    fn modes_are_orthogonal_with_their_turning() {
        const PANELS: usize = 4000;
        let stockiness = stockiness(&chime_tube(), 0.3);
        let bends: Vec<_> = (1..=7).map(|n| stockiness.bend(n).unwrap()).collect();
        let turn = |bend: &Bend, u: f64| {
            let shear = bend.square * stockiness.shear;
            let (turn_q, turn_p) = ((bend.q * bend.q - shear) / bend.q, (bend.p * bend.p + shear) / bend.p);
            let cosh = (0.5 * bend.p).cosh();
            if bend.even {
                -turn_q * bend.trigonometric * (bend.q * u).sin() + turn_p * bend.hyperbolic * (bend.p * u).sinh() / cosh
            } else {
                turn_q * bend.trigonometric * (bend.q * u).cos() + turn_p * bend.hyperbolic * (bend.p * u).cosh() / cosh
            }
        };
        for (i, a) in bends.iter().enumerate() {
            for (j, b) in bends.iter().enumerate() {
                let mut mean = 0.0;
                for place in 0..=PANELS {
                    let weight = if place == 0 || place == PANELS { 1.0 } else { [2.0, 4.0][place % 2] };
                    let u = place as f64 / PANELS as f64 - 0.5;
                    let energy = a.deflection(u) * b.deflection(u) + stockiness.rotary * turn(a, u) * turn(b, u);
                    mean += weight / (3.0 * PANELS as f64) * energy;
                }
                assert!((mean - if i == j { 1.0 } else { 0.0 }).abs() < 1e-9, "modes {i} and {j}: {mean}");
            }
        }
    }

    #[test]
    fn the_table_keeps_four_digits() {
        let section = chime_tube();
        let (shape, stockiness) = (ModalShape::stiff_bar(&section, 1.44, 40), stockiness(&section, 1.44));
        let mut worst: f64 = 0.0;
        for step in 0..=3001 {
            let xi = f64::from(step) / 3001.0;
            for (i, phi) in shapes(&shape, xi).iter().enumerate() {
                worst = worst.max((phi - stockiness.bend(i + 1).unwrap().deflection(xi - 0.5)).abs());
            }
        }
        assert!(worst < 2e-4, "{worst:e}");
        let mut out = [0.0; 4];
        shape.weights_at_place(BodyPosition { along: 1.0, across: 0.0 }, 1.0, &mut out);
        assert!(out.iter().all(|&phi| phi > 1.5), "{out:?}");
    }
}
