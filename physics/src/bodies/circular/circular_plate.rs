//! Thin circular plate (Kirchhoff): discs, tam-tams, cymbals, lids.
//!
//! phi = (J_m(l r) + C I_m(l r)/I_m(l)) cos m theta or sin m theta. With W' = dW/dr at the rim r = 1 and the plate's moment and
//! force there
//!
//! ```text
//! moment  M(W) = D2 W - (1 - nu) (W' - m^2 W)              D2 W = -l^2 W for J_m, +l^2 W for I_m
//! force   V(W) = (D2 W)' - (1 - nu) m^2 (W' - W)
//! clamped W = W' = 0        supported W = M = 0        free M = V = 0
//! ```
//!
//! a frequency l^2 is where the determinant of two conditions vanishes; f = l^2/(2 pi a^2) sqrt(D/(rho h)). The integral of 2 r
//! phi^2 is exact from those of J^2, J I and I^2 (Lommel). For the free disc with nu = 0.33 this gives l^2 = 5.2620, 9.0689,
//! 12.2439, 20.5131; the table in Leissa, "Vibration of Plates" (1969), has 5.253, 9.084, 12.23, 20.52: its third digit is wrong.

use crate::bodies::circular::bessel::{i_ratio, i_scaled, j, roots};
use crate::bodies::circular::circular_modes::{Round, lowest, pairs};
use crate::bodies::far_field::Term;
use crate::bodies::material::Material;
use crate::bodies::modal_shape::ModalShape;
use crate::bodies::position::{EdgeSupport, possible_poisson};
use std::f64::consts::{PI, TAU};

/// Stride of the search: roots of one m are about pi apart.
const STRIDE: f64 = 0.4;

/// A circular plate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    /// Its rim.
    pub rim: EdgeSupport,
    /// Radius a [m].
    pub radius: f64,
    /// Thickness h [m].
    pub thickness: f64,
    /// Its material.
    pub material: Material,
}

impl Disc {
    /// Mass [kg].
    pub fn mass(&self) -> f64 {
        PI * self.radius * self.radius * self.thickness * self.material.density
    }

    /// Bending stiffness D = E h^3/(12 (1 - nu^2)) [N m].
    pub fn stiffness(&self) -> f64 {
        let speed = self.material.plate_speed();
        self.material.density * speed * speed * self.thickness.powi(3) / 12.0
    }

    /// Lowest frequency [Hz]: (2,0) if free, else (0,1).
    pub fn lowest(&self) -> f64 {
        let m = if self.rim == EdgeSupport::Free { 2 } else { 0 };
        let wave = waves(self.rim, possible_poisson(self.material.poisson), m, 6.0)[0];
        let bending = self.thickness * self.material.plate_speed() / 12_f64.sqrt();
        wave * wave * bending / (TAU * self.radius * self.radius)
    }

    /// The lowest `modes` of its shape, [`ModalShape::disc`].
    pub fn shape(&self, modes: usize, split: f64) -> ModalShape {
        ModalShape::disc(self.rim, self.material.poisson, modes, split)
    }
}

impl ModalShape {
    /// Circular plate of Poisson's ratio `poisson` (0 to 0.5): the lowest `modes`, cos and sin members counted singly, the sin member
    /// `split` (relative) higher; of a free one without its three rigid modes. Families (m, n) with n nodal circles, of which the rim is
    /// one unless it is free; ratios to the lowest.
    pub fn disc(rim: EdgeSupport, poisson: f64, modes: usize, split: f64) -> Self {
        let poisson = possible_poisson(poisson);
        let circles = |m: usize| fewest_circles(rim, m);
        let mut pairs = pairs(modes, |m, end| waves(rim, poisson, m, end), circles);
        for pair in &mut pairs {
            pair.frequency = pair.wave * pair.wave;
        }
        let profiles: Vec<_> = pairs.iter().map(|pair| Profile::new(rim, poisson, pair.family.0, pair.wave)).collect();
        let singles = lowest(&pairs, modes, split);
        let mut round = Round::new(&pairs, &singles, |i, r| profiles[i].at(r));
        round.free = rim == EdgeSupport::Free;
        let unit = singles.first().map_or(1.0, |&(.., frequency)| frequency);
        round.shape(&pairs, &singles, unit, |i| vec![profiles[i].term()])
    }
}

/// Conditions at the rim of a wave W, over l^2 and l^3: (W, W', M, V).
struct Edge {
    value: f64,
    slope: f64,
    moment: f64,
    force: f64,
}

impl Edge {
    /// Of W with the slope l `slope`, where D2 W = `sign` l^2 W.
    fn new(value: f64, slope: f64, sign: f64, wave: f64, m: usize, poisson: f64) -> Self {
        let (rest, m2) = (1.0 - poisson, (m * m) as f64);
        let moment = sign * value - rest * (slope / wave - m2 * value / (wave * wave));
        let force = sign * slope - rest * m2 * (slope / wave - value / wave / wave) / wave;
        Self { value, slope, moment, force }
    }

    /// Of J_m(l r) and of I_m(l r)/I_m(l).
    fn both(wave: f64, m: usize, poisson: f64) -> (Self, Self) {
        let (value, slope) = j(m, wave);
        let growth = i_ratio(m, wave) + m as f64 / wave;
        (Self::new(value, slope, -1.0, wave, m, poisson), Self::new(1.0, growth, 1.0, wave, m, poisson))
    }

    /// The two quantities that vanish.
    fn held(&self, rim: EdgeSupport) -> (f64, f64) {
        match rim {
            EdgeSupport::Free => (self.moment, self.force),
            EdgeSupport::Supported => (self.value, self.moment),
            EdgeSupport::Clamped => (self.value, self.slope),
        }
    }
}

/// l of the modes with m diameters up to `end`, without rigid ones.
pub(super) fn waves(rim: EdgeSupport, poisson: f64, m: usize, end: f64) -> Vec<f64> {
    let determinant = |wave: f64| {
        let (bessel, modified) = Edge::both(wave, m, poisson);
        let ((a, b), (c, d)) = (bessel.held(rim), modified.held(rim));
        a * d - b * c
    };
    roots(determinant, (0.8 * m as f64).max(1.0), end, STRIDE)
}

/// Nodal circles of the lowest mode with m diameters.
pub(super) fn fewest_circles(rim: EdgeSupport, m: usize) -> usize {
    usize::from(rim != EdgeSupport::Free || m < 2)
}

/// The lowest `count` l of the modes with m diameters.
pub(super) fn lowest_waves(rim: EdgeSupport, poisson: f64, m: usize, count: usize) -> Vec<f64> {
    let mut end = 0.5 * PI * (m + 2 * count + 2) as f64;
    loop {
        let mut found = waves(rim, poisson, m, end);
        if found.len() >= count {
            found.truncate(count);
            return found;
        }
        end *= 1.2;
    }
}

/// Radial profile of one pair, normalised.
#[derive(Clone, Copy, Debug)]
pub(super) struct Profile {
    m: usize,
    wave: f64,
    /// Of J_m(l r).
    amplitude: f64,
    /// Of I_m(l r)/I_m(l).
    modified: f64,
    /// e^-l I_m(l).
    rim: f64,
}

impl Profile {
    /// Of the pair with m diameters and the wave number l = `wave`.
    pub fn new(rim: EdgeSupport, poisson: f64, m: usize, wave: f64) -> Self {
        let (bessel, modified) = Edge::both(wave, m, poisson);
        let ((a, b), (c, d)) = (bessel.held(rim), modified.held(rim));
        // both conditions give C; the larger one is more accurate
        let part = if c.abs() > d.abs() { -a / c } else { -b / d };
        let order = (m as f64 / wave).powi(2);
        let (value, slope, growth) = (bessel.value, bessel.slope, modified.slope);
        let mean = slope * slope
            + (1.0 - order) * value * value
            + part * (2.0 * (value * growth - slope) / wave + part * (1.0 + order - growth * growth));
        let amplitude = 1.0 / mean.sqrt();
        Self { m, wave, amplitude, modified: part * amplitude, rim: i_scaled(m, wave) }
    }

    /// Its far-field profile.
    pub fn term(&self) -> Term {
        let (m, wave) = (self.m, self.wave);
        let (value, slope) = j(m, wave);
        let next = m as f64 / wave * value - slope;
        let (amplitude, modified) = (self.amplitude, self.modified);
        Term { wave, j: amplitude * wave * next, j1: -amplitude * value, i: modified * wave * i_ratio(m, wave), i1: modified }
    }

    /// R and dR/dr.
    pub fn at(&self, r: f64) -> (f64, f64) {
        let Bend { value, slope, .. } = self.bend(r);
        (value, slope)
    }

    /// R, dR/dr and D2 R.
    pub fn bend(&self, r: f64) -> Bend {
        let x = self.wave * r;
        let (value, slope) = j(self.m, x);
        let growth = self.modified * (x - self.wave).exp() / self.rim;
        let above = i_scaled(self.m + 1, x);
        let change = if self.m == 0 { above } else { 0.5 * (i_scaled(self.m - 1, x) + above) };
        let (bessel, modified) = (self.amplitude * value, growth * i_scaled(self.m, x));
        Bend {
            value: bessel + modified,
            slope: self.wave * (self.amplitude * slope + growth * change),
            laplacian: self.wave * self.wave * (modified - bessel),
        }
    }
}

/// A radial profile at one radius.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bend {
    /// R.
    pub value: f64,
    /// dR/dr.
    pub slope: f64,
    /// D2 R = R'' + R'/r - m^2 R/r^2.
    pub laplacian: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::circular::circular_modes::tests::{gram, phi};
    use crate::bodies::position::BodyPosition;

    /// l^2 from the determinant of plain derivatives of J_m and I_m at the rim, 40 digits, rounded: (m, root, l^2).
    #[test]
    fn frequencies_are_roots_of_the_characteristic_equations() {
        let free = [
            (2, 0, 5.262_036_960_297_072),
            (0, 0, 9.068_898_661_786_18),
            (3, 0, 12.243_894_257_954_21),
            (1, 0, 20.513_086_905_676_48),
            (4, 0, 21.527_217_215_340_74),
            (5, 0, 33.061_843_387_855_24),
            (2, 1, 35.242_520_602_487_83),
            (0, 1, 38.506_968_564_194_96),
            (1, 1, 59.859_067_849_157),
            (12, 2, 482.496_484_084_689_6),
        ];
        let supported = [
            (0, 0, 4.935_149_042_574_906),
            (1, 0, 13.898_165_073_048_74),
            (2, 0, 25.613_296_720_800_04),
            (0, 1, 29.720_004_732_076_09),
            (0, 2, 74.156_055_436_467_25),
            (9, 2, 432.219_873_142_254_1),
        ];
        let clamped = [
            (0, 0, 10.215_826_229_867_28),
            (1, 0, 21.260_397_694_614_6),
            (2, 0, 34.877_035_420_319_66),
            (0, 1, 39.771_148_236_457_08),
            (3, 0, 51.030_035_483_776_12),
            (1, 1, 60.828_671_820_020_48),
            (2, 1, 84.582_649_551_474_95),
            (0, 2, 89.104_143_973_969_39),
            (15, 3, 1_056.037_615_414_955),
        ];
        let of_rim = |rim, poisson, known: &[(usize, usize, f64)]| {
            for &(m, root, square) in known {
                let wave = waves(rim, poisson, m, 40.0)[root];
                assert!((wave * wave / square - 1.0).abs() < 1e-11, "{rim:?} ({m},{root}): {} not {square}", wave * wave);
            }
        };
        of_rim(EdgeSupport::Free, 0.33, &free);
        of_rim(EdgeSupport::Supported, 0.3, &supported);
        of_rim(EdgeSupport::Clamped, 0.3, &clamped);
    }

    #[test]
    fn the_lowest_modes_come_in_order() {
        let disc = ModalShape::disc(EdgeSupport::Free, 0.33, 21, 0.0);
        let known = [
            (2, 0, 1.0),
            (2, 0, 1.0),
            (0, 1, 1.7235),
            (3, 0, 2.3268),
            (3, 0, 2.3268),
            (1, 1, 3.8983),
            (1, 1, 3.8983),
            (4, 0, 4.0911),
        ];
        for (i, (m, n, ratio)) in known.into_iter().enumerate() {
            assert_eq!(disc.family(i), Some((m, n)));
            assert!((disc.ratio(i) - ratio).abs() < 1e-4, "({m},{n}): {}", disc.ratio(i));
        }
        assert!(disc.suspended() && !ModalShape::disc(EdgeSupport::Clamped, 0.3, 4, 0.0).suspended());
        // Leissa 1969, table 2.1: 10.2158, 21.26, 34.88, 39.771, 51.04
        let lid = ModalShape::disc(EdgeSupport::Clamped, 0.3, 8, 0.0);
        assert_eq!((lid.family(0), lid.family(5)), (Some((0, 1)), Some((0, 2))));
        for (i, square) in [(1, 21.26), (3, 34.88), (5, 39.771), (6, 51.04)] {
            assert!((lid.ratio(i) * 10.2158 / square - 1.0).abs() < 3e-4);
        }
    }

    #[test]
    fn modes_are_orthogonal_with_mean_square_one() {
        for rim in [EdgeSupport::Free, EdgeSupport::Supported, EdgeSupport::Clamped] {
            let worst = gram(&ModalShape::disc(rim, 0.33, 60, 0.0));
            assert!(worst < 1e-5, "{rim:?}: {worst:e}");
        }
    }

    /// Mean squares by Lommel's integrals, high modes too; values by tables against the functions themselves.
    #[test]
    fn profiles_are_normalised_and_tables_follow_them() {
        for rim in [EdgeSupport::Free, EdgeSupport::Supported, EdgeSupport::Clamped] {
            let shape = ModalShape::disc(rim, 0.3, 500, 0.0);
            for (m, root) in [(0, 0), (0, 9), (1, 5), (7, 3), (30, 0)] {
                let wave = waves(rim, 0.3, m, 60.0)[root];
                let profile = Profile::new(rim, 0.3, m, wave);
                const PANELS: usize = 2000;
                let mean: f64 = (0..=PANELS)
                    .map(|k| {
                        let r = k as f64 / PANELS as f64;
                        let simpson = if k == 0 || k == PANELS { 1.0 } else { 2.0 + 2.0 * (k % 2) as f64 };
                        simpson / (3 * PANELS) as f64 * 2.0 * r * profile.at(r).0.powi(2)
                    })
                    .sum();
                assert!((mean - 1.0).abs() < 1e-8, "{rim:?} ({m},{root}): {mean}");
                let n = root + usize::from(rim != EdgeSupport::Free || m < 2);
                let mode = (0..500).find(|&i| shape.family(i) == Some((m as u32, n as u32))).unwrap();
                for step in 0..=50 {
                    let r = f64::from(step) / 50.0;
                    let root2 = if m > 0 { std::f64::consts::SQRT_2 } else { 1.0 };
                    let drawn = phi(&shape, BodyPosition { along: r, across: 0.0 })[mode];
                    assert!((drawn - root2 * profile.at(r).0).abs() < 4e-5, "{rim:?} ({m},{root}) at {r}");
                }
            }
        }
    }

    /// A force at the centre: a^2/(16 pi D), over (3 + nu)/(1 + nu) more when supported.
    #[test]
    fn compliance_at_the_centre_is_that_of_statics() {
        let poisson = Material::STEEL.poisson;
        for (rim, factor) in [(EdgeSupport::Clamped, 1.0), (EdgeSupport::Supported, (3.0 + poisson) / (1.0 + poisson))] {
            let disc = Disc { rim, radius: 0.2, thickness: 1e-3, material: Material::STEEL };
            let shape = disc.shape(4000, 0.0);
            let phi = phi(&shape, BodyPosition { along: 0.0, across: 0.0 });
            let bend: f64 =
                (0..shape.len()).map(|i| phi[i] * phi[i] / (disc.mass() * (TAU * disc.lowest() * shape.ratio(i)).powi(2))).sum();
            let known = factor * disc.radius.powi(2) / (16.0 * PI * disc.stiffness());
            assert!((bend / known - 1.0).abs() < 1e-3, "{rim:?}: {}", bend / known);
        }
    }

    #[test]
    fn every_material_has_its_modes() {
        for poisson in [0.0, 0.5, 7.0, -1.0, f64::NAN] {
            for rim in [EdgeSupport::Free, EdgeSupport::Supported, EdgeSupport::Clamped] {
                let disc = Disc { rim, radius: 0.1, thickness: 1e-3, material: Material { poisson, ..Material::STEEL } };
                let shape = disc.shape(200, 0.0);
                assert!(shape.len() == 200 && (1..200).all(|i| shape.ratio(i) >= shape.ratio(i - 1)));
                assert_eq!(shape.family(0), Some(if rim == EdgeSupport::Free { (2, 0) } else { (0, 1) }));
            }
            assert_eq!(ModalShape::plate(EdgeSupport::Free, 1.2, poisson, 20).len(), 20);
        }
        assert!(ModalShape::disc(EdgeSupport::Free, 0.3, 0, 0.0).is_empty() && ModalShape::head(0, 0.0).is_empty());
    }

    #[test]
    fn size_gives_frequency_and_mass() {
        // steel, 1 mm, radius 0.1 m: f = 10.2158/(2 pi a^2) h sqrt(E/(12 rho (1 - nu^2)))
        let lid = Disc { rim: EdgeSupport::Clamped, radius: 0.1, thickness: 1e-3, material: Material::STEEL };
        let known = 10.215_826 / (TAU * 0.01) * 1e-3 * (210e9 / (12.0 * 7800.0 * (1.0 - 0.31_f64.powi(2)))).sqrt();
        assert!((lid.lowest() / known - 1.0).abs() < 1e-6 && (lid.mass() - 0.245_04).abs() < 1e-5);
    }
}
