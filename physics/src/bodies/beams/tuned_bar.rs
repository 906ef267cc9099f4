//! Tuned bars of marimba, vibraphone and xylophone: free bars undercut such that the second partial is 4 or 3 times the first.
//! Computed from the profile by finite elements.
//!
//! Thickness is h (d + (1 - d) min(1, 2|u|/w)^3) at u = xi - 1/2, with d the thickness left in the middle over that of the ends
//! and w the part of the length that is cut: between a parabola and a flat bottom. Bars of the sizes below, cut to their pitch
//! and second partial, then have the third partial and the twist of real ones. Twist has weight off the axis: phi = angle times
//! distance from it.

use crate::bodies::beams::finite_elements::{ELEMENTS, Half, HalfBar, Parity};
use crate::bodies::material::Material;
use crate::bodies::modal_shape::{ModalShape, ShapeFunctions, Table};
use crate::bodies::position::BodyPosition;
use std::f64::consts::TAU;

/// Exponent of the cut.
const CUT: i32 = 3;

/// Maximum number of modes: of 40 about 25 bend, the highest of them 1 % too high.
const MAX_MODES: usize = 40;

/// A bar and its cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TunedBar {
    /// Length L [m].
    pub length: f64,
    /// Breadth b [m].
    pub breadth: f64,
    /// Thickness h of the ends [m].
    pub thickness: f64,
    /// Thickness left in the middle over that of the ends, in (0, 1].
    pub left: f64,
    /// Part of the length that is cut, in (0, 1].
    pub cut: f64,
    /// E/G; 2 (1 + nu) of metal, about 12 of wood bent along the grain (a C3 of 12 twists at 1.78, measured 1.82).
    pub young_over_shear: f64,
    /// The material.
    pub material: Material,
}

impl ModalShape {
    /// The lowest `modes` of bending and twist of `bar`, at most 40. Families are nodal lines (across, along): (n + 1, 0) bends,
    /// (n, 1) twists.
    pub fn tuned_bar(bar: &TunedBar, modes: usize) -> Self {
        let (tuned, squares, families) = Tuned::new(bar, modes);
        let ratios = squares.iter().map(|square| (square / squares[0]).sqrt()).collect();
        Self { families, ..Self::with(tuned, ratios) }
    }
}

impl TunedBar {
    /// Marimba, C3: 460 x 60 x 23.5 mm of rosewood, cut to 130.8 Hz and 1 : 4 : 9.89.
    pub const MARIMBA: Self = Self {
        length: 0.46,
        breadth: 0.06,
        thickness: 0.0235,
        left: 0.2871,
        cut: 0.6788,
        young_over_shear: 12.0,
        material: Material { density: 950.0, young: 20e9, ..Material::ROSEWOOD },
    };
    /// Xylophone, C5: 336 x 38 x 22.3 mm of rosewood, cut to 523.3 Hz and 1 : 3 : 5.92.
    pub const XYLOPHONE: Self = Self {
        length: 0.336,
        breadth: 0.038,
        thickness: 0.0223,
        left: 0.6055,
        cut: 0.8404,
        young_over_shear: 12.0,
        material: Material::ROSEWOOD,
    };
    /// Vibraphone, F3: 385 x 57 x 12.7 mm of aluminium, cut to 174.6 Hz and 1 : 4 : 9.89.
    pub const VIBRAPHONE: Self = Self {
        length: 0.385,
        breadth: 0.057,
        thickness: 0.0127,
        left: 0.4011,
        cut: 0.5275,
        young_over_shear: 2.68,
        material: Material::ALUMINIUM,
    };

    /// Mass [kg].
    pub fn mass(&self) -> f64 {
        self.material.density * self.length * self.breadth * self.thickness * self.half().mass()
    }

    /// Frequency of the lowest partial [Hz].
    pub fn lowest(&self) -> f64 {
        self.hertz(self.half().bending(Parity::Even)[0].square)
    }

    /// Second and third partial of bending over the first.
    pub fn partials(&self) -> (f64, f64) {
        let half = self.half();
        let (even, odd) = (half.bending(Parity::Even), half.bending(Parity::Odd));
        ((odd[0].square / even[0].square).sqrt(), (even[1].square / even[0].square).sqrt())
    }

    /// sqrt(square E h^2/(12 rho L^4))/(2 pi).
    fn hertz(&self, square: f64) -> f64 {
        self.thickness * self.material.bar_speed() * (square / 12.0).sqrt() / (TAU * self.length * self.length)
    }

    fn half(&self) -> HalfBar {
        let nu = self.material.poisson;
        let eta = |e: usize| {
            let u = (e as f64 + 0.5) / (2 * ELEMENTS) as f64;
            self.left + (1.0 - self.left) * (2.0 * u / self.cut).min(1.0).powi(CUT)
        };
        HalfBar {
            thickness: (0..ELEMENTS).map(eta).collect(),
            slenderness: self.thickness / self.length,
            breadth: self.breadth / self.length,
            young_over_shear: self.young_over_shear,
            shear: 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu),
        }
    }
}

#[derive(Clone, Debug)]
struct Tuned {
    /// Deflections, of twist those at the edge across = 1.
    table: Table,
    twists: Vec<usize>,
    /// Squares of the rigid shapes at an end and at an edge: tilting along, rolling about the axis.
    tilt: f64,
    roll: f64,
}

impl Tuned {
    /// With omega^2 and the families.
    fn new(bar: &TunedBar, most: usize) -> (Self, Vec<f64>, Vec<(u32, u32)>) {
        let half = bar.half();
        let parities = [Parity::Even, Parity::Odd];
        let mut modes: Vec<(Half, bool)> = Vec::new();
        for parity in parities {
            modes.extend(half.bending(parity).into_iter().map(|mode| (mode, false)));
            modes.extend(half.twist(parity).into_iter().map(|mode| (mode, true)));
        }
        modes.sort_by(|a, b| a.0.square.total_cmp(&b.0.square));
        modes.truncate(most.clamp(1, MAX_MODES));
        let edge = 0.5 * half.breadth;
        let table = Table::new(modes.len(), 2 * ELEMENTS, |xi, row| {
            let place = (xi * (2 * ELEMENTS) as f64).round() as usize;
            for (phi, (mode, twist)) in row.iter_mut().zip(&modes) {
                *phi = mode.at(place) * if *twist { edge } else { 1.0 };
            }
        });
        let twists: Vec<usize> = (0..modes.len()).filter(|&i| modes[i].1).collect();
        let (mut bends, mut turns) = (1, 0);
        let families = modes
            .iter()
            .map(|(_, twist)| {
                if *twist {
                    turns += 1;
                    (turns, 1)
                } else {
                    bends += 1;
                    (bends, 0)
                }
            })
            .collect();
        let (tilt, roll) = half.rigid();
        (Self { table, twists, tilt, roll }, modes.iter().map(|(mode, _)| mode.square).collect(), families)
    }
}

impl ShapeFunctions for Tuned {
    fn tilts(&self, _place: BodyPosition, x: f64, y: f64) -> f64 {
        self.tilt * x * x + self.roll * y * y
    }

    fn shapes_at(&self, place: BodyPosition, out: &mut [f64]) {
        self.table.shapes_at(place.along, out);
        let side = 2.0 * place.across - 1.0;
        for &twist in &self.twists {
            if let Some(phi) = out.get_mut(twist) {
                *phi *= side;
            }
        }
    }

    fn is_free(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(shape: &ModalShape, place: BodyPosition) -> Vec<f64> {
        let mut out = vec![0.0; shape.len()];
        shape.weights_at_place(place, 1.0, &mut out);
        out
    }

    /// Ratios of the modes that bend.
    fn bends(shape: &ModalShape) -> Vec<f64> {
        (0..shape.len()).filter(|&i| shape.family(i).is_some_and(|(_, along)| along == 0)).map(|i| shape.ratio(i)).collect()
    }

    fn first_twist(shape: &ModalShape) -> f64 {
        (0..shape.len()).find(|&i| shape.family(i) == Some((1, 1))).map(|i| shape.ratio(i)).unwrap()
    }

    #[test]
    fn bars_have_their_pitch_partials_and_mass() {
        for (bar, pitch, second, third, mass) in [
            (TunedBar::MARIMBA, 130.813, 4.0, 9.9, 0.42),
            (TunedBar::XYLOPHONE, 523.251, 3.0, 6.0, 0.24),
            (TunedBar::VIBRAPHONE, 174.614, 4.0, 10.0, 0.55),
        ] {
            assert!((bar.lowest() / pitch - 1.0).abs() < 1e-3, "{} Hz", bar.lowest());
            let (a, b) = bar.partials();
            assert!((a / second - 1.0).abs() < 1e-3 && (b / third - 1.0).abs() < 0.014, "1 : {a} : {b}");
            assert!((bar.mass() / mass - 1.0).abs() < 0.07, "{} kg", bar.mass());
            assert!(ModalShape::tuned_bar(&bar, 8).suspended());
        }
    }

    /// Measured bars: 1 3.93 9.54 16.7 24.6 and 1 3.98 10.7 18.0 23.7 (marimba), twist at 1.82 (C3).
    #[test]
    fn higher_partials_are_those_of_marimbas() {
        let marimba = ModalShape::tuned_bar(&TunedBar::MARIMBA, 16);
        for (ratio, (low, high)) in bends(&marimba)[1..].iter().zip([(3.93, 4.0), (9.54, 10.7), (16.7, 18.0), (23.7, 26.0)]) {
            assert!((low..=high + 0.001).contains(ratio), "{ratio} not in {low} to {high}");
        }
        assert!((first_twist(&marimba) / 1.82 - 1.0).abs() < 0.03, "{}", first_twist(&marimba));
    }

    /// phi at the end, 0.2, 0.35 and in the middle of the first three partials, from the bars of earlier studies with a freer cut;
    /// the effective mass in the middle is 0.3 and 0.53 of the bar's.
    #[test]
    fn shapes_are_those_of_tuned_bars() {
        let known = [
            (TunedBar::MARIMBA, [[1.57, -0.08, -1.26, -1.84], [1.40, -0.71, -1.72, 0.0], [1.23, -0.87, -0.39, 2.78]]),
            (TunedBar::XYLOPHONE, [[1.72, 0.06, -0.97, -1.38], [1.6, -0.84, -1.39, 0.0], [1.51, -1.23, -0.13, 1.67]]),
        ];
        for (bar, partials) in known {
            let shape = ModalShape::tuned_bar(&bar, 8);
            for (p, partial) in partials.iter().enumerate() {
                let mode = (0..8).find(|&i| shape.family(i) == Some((p as u32 + 2, 0))).unwrap();
                let sign = weights(&shape, BodyPosition::line(0.0))[mode].signum();
                for (xi, known) in [0.0, 0.2, 0.35, 0.5].into_iter().zip(partial) {
                    let phi = sign * weights(&shape, BodyPosition::line(xi))[mode];
                    assert!((phi - known).abs() < 0.2, "partial {p} at {xi}: {phi} instead of {known}");
                }
            }
        }
    }

    #[test]
    fn twist_has_weight_off_the_axis_only() {
        let bar = ModalShape::tuned_bar(&TunedBar::VIBRAPHONE, 12);
        for i in (0..12).filter(|&i| bar.family(i).unwrap().1 == 1) {
            let at = |across| weights(&bar, BodyPosition { along: 0.1, across })[i];
            assert!(at(0.5) == 0.0 && at(1.0) == -at(0.0) && at(1.0).abs() > 0.1 && (at(0.75) / at(1.0) - 0.5).abs() < 1e-12);
        }
        for i in (0..12).filter(|&i| bar.family(i).unwrap().1 == 0) {
            let at = |across| weights(&bar, BodyPosition { along: 0.1, across })[i];
            assert!(at(0.0) == at(0.7) && at(0.3).abs() > 1e-3);
        }
    }

    /// An uncut slender bar is the classic one; its twist at the corner has the mean square 1: phi^2 -> 3 * 2.
    #[test]
    fn an_uncut_bar_is_the_uniform_one() {
        let bar = TunedBar { left: 1.0, thickness: 1e-4, breadth: 0.01, length: 1.0, ..TunedBar::VIBRAPHONE };
        let (tuned, uniform) = (ModalShape::tuned_bar(&bar, 16), ModalShape::bar(10));
        for (a, i) in bends(&tuned).iter().zip(0..8) {
            assert!((a / uniform.ratio(i) - 1.0).abs() < 1e-3, "{a} instead of {}", uniform.ratio(i));
        }
        for xi in [0.0, 0.123, 0.4, 0.5, 0.81] {
            let (a, mut b) = (weights(&tuned, BodyPosition::line(xi)), [0.0; 10]);
            uniform.weights_at(xi, 1.0, &mut b);
            let a = (0..16).filter(|&i| tuned.family(i).unwrap().1 == 0).map(|i| a[i]);
            assert!(a.zip(b).take(8).all(|(a, b)| (a - b).abs() < 2e-3));
        }
        let twist = (0..16).find(|&i| tuned.family(i) == Some((1, 1))).unwrap();
        assert!((weights(&tuned, BodyPosition { along: 1.0, across: 1.0 })[twist] - 6_f64.sqrt()).abs() < 1e-3);
    }

    /// At its end the bar is lighter than 1/4 of its mass by less than a uniform one, as its mass is further out; an edge adds
    /// nearly 3.
    #[test]
    fn a_tuned_bar_tilts_and_rolls_as_a_whole() {
        let bar = ModalShape::tuned_bar(&TunedBar::MARIMBA, 4);
        let square = |along, across| bar.rigid_at(BodyPosition { along, across }).powi(2);
        assert!((square(0.5, 0.5) - 1.0).abs() < 1e-12);
        // int eta dx and int eta x^2 dx from 0 to 1 with eta = d + (1 - d) min(1, x/w)^3
        let (d, w) = (TunedBar::MARIMBA.left, TunedBar::MARIMBA.cut);
        let mass = d * w + (1.0 - d) * w / 4.0 + 1.0 - w;
        let moment = d * w.powi(3) / 3.0 + (1.0 - d) * w.powi(3) / 6.0 + (1.0 - w.powi(3)) / 3.0;
        // thickness adds up to (h/L)^2/3 = 9e-4 to x^2
        assert!((square(1.0, 0.5) - 1.0 - mass / moment).abs() < 5e-3, "{}", square(1.0, 0.5));
        assert!((3.5..4.0).contains(&square(0.5, 0.0)), "{}", square(0.5, 0.0));
        let uniform = ModalShape::tuned_bar(&TunedBar { left: 1.0, thickness: 1e-4, ..TunedBar::MARIMBA }, 4);
        assert!((uniform.rigid_at(BodyPosition { along: 1.0, across: 1.0 }).powi(2) - 7.0).abs() < 1e-3);
    }

    /// `bar` with as much left in the middle as gives the second partial `ratio`, by bisection: the thinner the middle, the higher.
    fn cut_to(bar: TunedBar, ratio: f64) -> TunedBar {
        let (mut thin, mut thick) = (0.1, 1.0);
        for _ in 0..40 {
            let left = 0.5 * (thin + thick);
            if (TunedBar { left, ..bar }).partials().0 > ratio { thin = left } else { thick = left }
        }
        TunedBar { left: 0.5 * (thin + thick), ..bar }
    }

    #[test]
    fn cutting_raises_the_second_partial() {
        for ratio in [3.0, 3.5, 4.0, 4.4] {
            let bar = cut_to(TunedBar::XYLOPHONE, ratio);
            assert!((bar.partials().0 - ratio).abs() < 2e-3, "{} at {}", bar.partials().0, bar.left);
        }
    }
}
