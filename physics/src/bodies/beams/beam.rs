//! Cross-sections and beams: lowest frequency and mass from geometry and material, and the modes of strings and hinged bars.

use std::f64::consts::{PI, SQRT_2, TAU};

use crate::bodies::material::Material;
use crate::bodies::modal_shape::{ModalShape, ShapeFunctions};
use crate::bodies::position::{BodyPosition, Rotation};

/// First root of cos b cosh b = 1, squared: free and clamped bars.
const FREE_WAVE_SQUARE: f64 = 4.730_040_744_862_704 * 4.730_040_744_862_704;

/// A cross-section of a certain material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Section {
    /// Area A [m^2].
    pub area: f64,
    /// Second moment of area I for bending [m^4].
    pub inertia: f64,
    /// Shear coefficient kappa: the part of the area that resists shear (Cowper 1966).
    pub shear: f64,
    /// The material.
    pub material: Material,
}

impl Section {
    /// Rectangle of `width` and `thickness` [m], bent across its thickness.
    pub fn rectangle(width: f64, thickness: f64, material: Material) -> Self {
        let nu = material.poisson;
        Self {
            area: width * thickness,
            inertia: width * thickness.powi(3) / 12.0,
            shear: 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu),
            material,
        }
    }

    /// Round rod of `diameter` [m].
    pub fn rod(diameter: f64, material: Material) -> Self {
        Self::tube(diameter, 0.5 * diameter, material)
    }

    /// Round tube of outer `diameter` and `wall` thickness [m], at most half of it.
    pub fn tube(diameter: f64, wall: f64, material: Material) -> Self {
        let (nu, outer) = (material.poisson, 0.5 * diameter);
        let inner = (outer - wall).max(0.0);
        let m2 = (inner / outer).powi(2);
        let square = (1.0 + m2) * (1.0 + m2);
        Self {
            area: PI * (outer * outer - inner * inner),
            inertia: 0.25 * PI * (outer.powi(4) - inner.powi(4)),
            shear: 6.0 * (1.0 + nu) * square / ((7.0 + 6.0 * nu) * square + (20.0 + 12.0 * nu) * m2),
            material,
        }
    }

    /// E/(kappa G).
    pub(crate) fn young_over_shear(&self) -> f64 {
        self.material.young / (self.shear * self.material.shear())
    }

    /// Mass of a `length` [m] of it [kg].
    pub fn mass(&self, length: f64) -> f64 {
        self.material.density * self.area * length
    }

    /// Lowest frequency [Hz] of a slender bar of `length` [m], free or clamped at both ends (the same).
    pub fn free(&self, length: f64) -> f64 {
        self.hertz(FREE_WAVE_SQUARE, length)
    }

    /// Lowest frequency [Hz] of a slender bar of `length` [m] hinged at both ends.
    pub fn hinged(&self, length: f64) -> f64 {
        self.hertz(PI * PI, length)
    }

    /// b^2 sqrt(E I/(rho A))/(2 pi L^2).
    pub(super) fn hertz(&self, wave_square: f64, length: f64) -> f64 {
        let stiffness = self.material.young * self.inertia / (self.material.density * self.area);
        wave_square * stiffness.sqrt() / (TAU * length * length)
    }
}

impl ModalShape {
    /// String between two rigid ends: r_n = n, phi_n = sqrt2 sin(n pi xi). The caller adds stiffness (inharmonicity).
    pub fn string(modes: usize) -> Self {
        let ratios = (1..=modes).map(|n| n as f64).collect();
        Self::with(String, ratios).sloped(slopes(modes))
    }

    /// Uniform bar hinged (simply supported) at both ends: r_n = n^2, phi_n = sqrt2 sin(n pi xi).
    pub fn hinged(modes: usize) -> Self {
        Self::with(String, (1..=modes).map(|n| (n * n) as f64).collect()).sloped(slopes(modes))
    }
}

/// Mean squares of the slopes of sines, (n pi)^2.
fn slopes(modes: usize) -> Vec<f64> {
    (1..=modes).map(|n| (n as f64 * PI).powi(2)).collect()
}

/// A string between two rigid ends, or a bar hinged at both: phi_n = sqrt2 sin(n pi xi), mean square 1, modal mass = mass of the
/// body.
#[derive(Clone, Copy, Debug)]
struct String;

impl ShapeFunctions for String {
    fn shapes_at(&self, place: BodyPosition, out: &mut [f64]) {
        shapes_at(place.along, out);
    }
}

/// phi_n(xi) for n = 1, 2, ... ; exactly 0 at both ends.
pub(crate) fn shapes_at(xi: f64, out: &mut [f64]) {
    // from the nearer end, so that the rounding error of the angle vanishes with the shape
    let (place, other_end) = if xi <= 0.5 { (xi, false) } else { (1.0 - xi, true) };
    let mut angle = Rotation::new(PI * place, PI * place);
    for (i, phi) in out.iter_mut().enumerate() {
        *phi = if other_end && i % 2 == 1 { -SQRT_2 * angle.sin } else { SQRT_2 * angle.sin };
        angle.advance();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::modal_shape::tests::shapes;

    /// f1 = 1.028 (h/L^2) sqrt(E/rho), Fletcher and Rossing; a rosewood blank of 336 x 38 x 22 mm sounds at 957 Hz before tuning.
    #[test]
    fn free_bars_sound_as_built() {
        let bar = Section::rectangle(0.038, 0.022, Material::ROSEWOOD);
        let known = 1.028 * 0.022 / (0.336 * 0.336) * Material::ROSEWOOD.bar_speed();
        assert!((bar.free(0.336) / known - 1.0).abs() < 2e-4, "{}", bar.free(0.336));
        assert!((bar.mass(0.336) - 0.304).abs() < 1e-3);
        assert!((Section::rod(0.01, Material::STEEL).free(0.5) / 184.7 - 1.0).abs() < 1e-3);
        assert!((bar.hinged(0.336) / bar.free(0.336) - PI * PI / FREE_WAVE_SQUARE).abs() < 1e-12);
    }

    #[test]
    fn a_wall_of_half_the_diameter_is_a_rod() {
        let rod = Section::rod(0.02, Material::STEEL);
        assert!((rod.area / (PI * 1e-4) - 1.0).abs() < 1e-14 && (rod.inertia / (0.25 * PI * 1e-8) - 1.0).abs() < 1e-14);
        let nu = Material::STEEL.poisson;
        assert!((rod.shear - 6.0 * (1.0 + nu) / (7.0 + 6.0 * nu)).abs() < 1e-14);
    }

    #[test]
    fn shapes_are_sines() {
        let string = ModalShape::string(256);
        let mut worst: f64 = 0.0;
        for step in 0..=997 {
            let xi = f64::from(step) / 997.0;
            for (i, phi) in shapes(&string, xi).iter().enumerate() {
                worst = worst.max((phi - SQRT_2 * (PI * (i + 1) as f64 * xi).sin()).abs());
            }
        }
        assert!(worst < 2e-12, "{worst:e}");
        assert!(shapes(&string, 0.0).iter().chain(&shapes(&string, 1.0)).all(|&phi| phi == 0.0));
        assert_eq!((string.ratio(0), string.ratio(6)), (1.0, 7.0));
        assert!(!string.suspended());
    }

    #[test]
    fn a_strike_at_a_node_leaves_the_mode_out() {
        let phi = shapes(&ModalShape::string(12), 1.0 / 3.0);
        for n in [3, 6, 9, 12] {
            assert!(phi[n - 1].abs() < 1e-14);
        }
    }

    /// The compliance of a hinged bar at xi is xi^2 (1 - xi)^2 L^3/(3 E I); M omega_n^2 = (n pi)^4 in these units.
    #[test]
    fn a_hinged_bar_yields_as_in_statics() {
        let bar = ModalShape::hinged(400);
        for xi in [0.5_f64, 0.2, 0.07] {
            let squares = shapes(&bar, xi).into_iter().enumerate().map(|(i, phi)| phi * phi / (bar.ratio(i) * PI * PI).powi(2));
            let (modal, known) = (squares.sum::<f64>(), (xi * (1.0 - xi)).powi(2) / 3.0);
            assert!((modal - known).abs() < 2.0 / (3.0 * PI.powi(4) * 400_f64.powi(3)), "{modal} instead of {known} at {xi}");
        }
        assert!(bar.ratio(2) == 9.0 && !bar.suspended());
    }
}
