//! Stretching of bodies whose ends or rim are held: the coefficients of `solver::TensionLaw`.
//!
//! A deflection y stretches the body by e, and its tension grows by K e:
//!
//! ```text
//! e   = integral of |grad y|^2/2                       e = sum g_i q_i^2/2 + products of different modes
//! g_i = s_i c/M_i                                      s_i: mean square of the slope of the shape, per unit of length or radius
//!
//! string, bar      c = 1/L,  K = E A/L                 s_i = (i pi)^2; clamped b sigma (b sigma - 2)
//! membrane         c = pi,   K = E h/((1 - nu^2) S)    s_i = z_i^2
//! ```
//!
//! M_i includes the air that a membrane carries, its slope does not. Slopes of different modes are orthogonal on strings, hinged
//! bars and membranes. The products that this leaves out exist between the symmetric and between the antisymmetric modes of a
//! clamped bar, and between the modes without diameters over a kettle; the tests measure them.

use crate::bodies::material::Material;
use crate::bodies::modal_shape::ModalShape;
use std::f64::consts::PI;

/// Resistance of a body against stretching.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StretchStiffness {
    /// K: tension over stretch [N/m] of a string or bar, [N/m^3] of a membrane.
    pub stiffness: f64,
    /// c: g_i M_i over the mean square slope; [1/m] of a string or bar, 1 of a membrane.
    pub scale: f64,
}

impl StretchStiffness {
    /// String or bar of `length` [m] and the axial stiffness E A [N].
    pub fn line(axial: f64, length: f64) -> Self {
        Self { stiffness: axial / length, scale: 1.0 / length }
    }

    /// String of `mass` [kg] and `length` [m] of `material`.
    pub fn string(material: &Material, mass: f64, length: f64) -> Self {
        Self::line(material.young * mass / (material.density * length), length)
    }

    /// Bar of rectangular section with the `thickness` h [m] in the direction of motion, of `mass` [kg], whose lowest mode has `omega`
    /// [rad/s] and the wave b: E A = 12 M omega^2 L^3/(b^4 h^2). The length has no effect and is 1 m.
    pub fn bar(thickness: f64, mass: f64, omega: f64, wave: f64) -> Self {
        Self::line(12.0 * mass * (omega / (wave * wave * thickness)).powi(2), 1.0)
    }

    /// Round film of `mass` [kg] and `thickness` [m] of `material`.
    pub fn film(material: &Material, mass: f64, thickness: f64) -> Self {
        let area = mass / (material.density * thickness);
        let stiffness = material.young * thickness / ((1.0 - material.poisson * material.poisson) * area);
        Self { stiffness, scale: PI }
    }
}

impl ModalShape {
    /// Whether its deflection stretches it: both ends or the whole rim are held, and nothing else resists.
    pub fn stretches(&self) -> bool {
        !self.slopes.is_empty()
    }

    /// Mean square of the slope of mode i per unit of length or radius, s_i; 0 for bodies with a free end and for modes of a field.
    pub fn slope_square(&self, i: usize) -> f64 {
        self.slopes.get(i).copied().unwrap_or(0.0)
    }

    /// g_i of the first modes of a body of `mass` [kg]; the rest of `out` is 0.
    pub fn stretch_weights(&self, resistance: &StretchStiffness, mass: f64, out: &mut [f64]) {
        for (i, g) in out.iter_mut().enumerate() {
            let mobility = self.mobilities.get(i).copied().unwrap_or(0.0);
            *g = resistance.scale * self.slope_square(i) * mobility * mobility / mass;
        }
    }

    /// The same shape with the mean squares of its slopes.
    pub(super) fn sloped(mut self, slopes: Vec<f64>) -> Self {
        self.slopes = slopes;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::circular::{Air, Head};
    use crate::bodies::position::BodyPosition;

    /// Means of the products of the slopes of the first modes, by differences of the shapes over panels weighted by `measure(xi)`.
    fn slope_products(shape: &ModalShape, modes: usize, measure: impl Fn(f64) -> f64) -> Vec<Vec<f64>> {
        const PANELS: usize = 20_000;
        let mut products = vec![vec![0.0; modes]; modes];
        let h = 1.0 / PANELS as f64;
        let at = |xi: f64| {
            let mut out = vec![0.0; modes];
            shape.weights_at(xi, 1.0, &mut out);
            out
        };
        let mut left = at(0.0);
        for panel in 1..=PANELS {
            let right = at(panel as f64 * h);
            let slopes: Vec<f64> = left.iter().zip(&right).map(|(left, right)| (right - left) / h).collect();
            let weight = h * measure((panel as f64 - 0.5) * h);
            for i in 0..modes {
                for j in 0..modes {
                    products[i][j] += slopes[i] * slopes[j] * weight;
                }
            }
            left = right;
        }
        products
    }

    /// Sines: (i pi)^2, orthogonal.
    #[test]
    fn strings_and_hinged_bars_have_orthogonal_slopes() {
        for shape in [ModalShape::string(6), ModalShape::hinged(6)] {
            let products = slope_products(&shape, 6, |_| 1.0);
            for (i, row) in products.iter().enumerate() {
                assert!((shape.slope_square(i) / (PI * (i + 1) as f64).powi(2) - 1.0).abs() < 1e-12);
                for (j, product) in row.iter().enumerate() {
                    let known = if i == j { shape.slope_square(i) } else { 0.0 };
                    assert!((product - known).abs() < 1e-5 * shape.slope_square(5), "{i} {j}: {product}");
                }
            }
        }
    }

    /// b sigma (b sigma - 2): 12.3026, 46.0501, 98.9048 (Blevins). The products of different modes are 28 % of the root of the squares at
    /// most: what the diagonal leaves out.
    #[test]
    fn clamped_bars_have_the_closed_slopes() {
        let shape = ModalShape::clamped(6);
        let products = slope_products(&shape, 6, |_| 1.0);
        for (i, known) in [12.3026, 46.0501, 98.9048].into_iter().enumerate() {
            assert!((shape.slope_square(i) / known - 1.0).abs() < 1e-5, "{i}: {}", shape.slope_square(i));
        }
        let mut largest = 0.0_f64;
        for i in 0..6 {
            assert!((products[i][i] / shape.slope_square(i) - 1.0).abs() < 1e-5);
            for j in (0..6).filter(|&j| j != i) {
                largest = largest.max(products[i][j].abs() / (products[i][i] * products[j][j]).sqrt());
            }
        }
        assert!((0.25..0.35).contains(&largest), "{largest}");
    }

    /// The air of a kettle mixes the modes without diameters, whose slopes are then no longer orthogonal.
    #[test]
    fn modes_over_a_kettle_share_some_of_their_slopes() {
        let shape = ModalShape::timpani(100, 0.0);
        let round: Vec<usize> = (0..100).filter(|&i| shape.family(i).is_some_and(|(m, _)| m == 0)).take(4).collect();
        let products = slope_products(&shape, 100, |r| 2.0 * r);
        let mut largest = 0.0_f64;
        for (a, &i) in round.iter().enumerate() {
            let known = shape.slope_square(i) * shape.mobilities[i].powi(2);
            assert!((products[i][i] / known - 1.0).abs() < 1e-3, "{i}: {} instead of {known}", products[i][i]);
            for &j in &round[..a] {
                largest = largest.max(products[i][j].abs() / (products[i][i] * products[j][j]).sqrt());
            }
        }
        println!("{largest}");
        assert!((0.02..0.5).contains(&largest), "{largest}");
    }

    /// A free end does not stretch the body.
    #[test]
    fn bodies_with_a_free_end_have_no_tension() {
        for shape in
            [ModalShape::bar(5), ModalShape::tongue(0.0, 5), ModalShape::disc(crate::bodies::EdgeSupport::Free, 0.33, 5, 0.0)]
        {
            assert!(!shape.stretches());
            let mut weights = [1.0; 5];
            shape.stretch_weights(&StretchStiffness::line(1e5, 1.0), 1.0, &mut weights);
            assert_eq!(weights, [0.0; 5]);
        }
    }

    /// In vacuum and with the mass of the air: omega_i^2 = T g_i, because the tension at rest is what stiffens a membrane.
    #[test]
    fn tension_stiffens_the_modes_of_a_membrane_in_proportion() {
        let head = Head::tuned(0.16, 0.2622, 95.0);
        let (loaded, pitch) = ModalShape::head_in_air(&head, &Air::ROOM, 40, 0.0);
        let film = StretchStiffness { stiffness: 1.0, scale: PI };
        let mut g = [0.0; 40];
        ModalShape::head(40, 0.0).stretch_weights(&film, head.mass(), &mut g);
        let lowest = head.lowest();
        for (i, g) in g.iter().enumerate() {
            let omega = 2.0 * PI * lowest * ModalShape::head(40, 0.0).ratio(i);
            assert!((head.tension * g / (omega * omega) - 1.0).abs() < 1e-9, "{i}");
        }
        loaded.stretch_weights(&film, head.mass(), &mut g);
        for (i, g) in g.iter().enumerate() {
            let omega = 2.0 * PI * pitch * loaded.ratio(i);
            assert!((head.tension * g / (omega * omega) - 1.0).abs() < 1e-6, "{i}: {:?}", loaded.family(i));
        }
    }

    /// String of the closed case: steel, 0.65 m, 0.7 mm, 60 N: E A/T = 1283.
    #[test]
    fn stiffnesses_are_those_of_the_material() {
        let steel = Material { density: 7850.0, young: 2e11, ..Material::STEEL };
        let area = PI * 0.35e-3_f64.powi(2);
        let string = StretchStiffness::string(&steel, 7850.0 * area * 0.65, 0.65);
        assert!((string.stiffness * 0.65 / 60.0 - 1282.8).abs() < 0.1, "{}", string.stiffness);
        let film = StretchStiffness::film(&Material::POLYESTER, 1390.0 * 0.25e-3 * 0.1, 0.25e-3);
        let known = 4e9 * 0.25e-3 / ((1.0 - 0.38 * 0.38) * 0.1);
        assert!((film.stiffness / known - 1.0).abs() < 1e-12);
        // a bar of known length: K g^2 is the same
        let (length, thickness, mass) = (0.4, 4e-3, 0.05);
        let bar = crate::bodies::Section::rectangle(mass / (thickness * length * steel.density), thickness, steel);
        let axial = StretchStiffness::line(steel.young * bar.area, length);
        let derived = StretchStiffness::bar(thickness, mass, 2.0 * PI * bar.hinged(length), PI);
        let product = |one: StretchStiffness| one.stiffness * one.scale * one.scale;
        assert!((product(axial) / product(derived) - 1.0).abs() < 1e-12);
    }

    /// Edits, selections and irregularities keep the slopes beside their modes.
    #[test]
    fn slopes_follow_their_modes() {
        let head = ModalShape::head_with_air(1.4, 300, 0.0);
        let thin = head.thinned(60, BodyPosition::line(0.3));
        for i in 0..30 {
            let same = (0..300).find(|&k| head.ratio(k) == thin.ratio(i) && head.family(k) == thin.family(i));
            assert_eq!(Some(thin.slope_square(i)), same.map(|k| head.slope_square(k)), "{i}");
        }
        // those that represent a band have the slope of their own frequency
        for i in 30..60 {
            let proportion =
                |shape: &ModalShape, k: usize| shape.slope_square(k) * shape.mobilities[k].powi(2) / shape.ratio(k).powi(2);
            assert!((proportion(&thin, i) / proportion(&head, 0) - 1.0).abs() < 0.02, "{i}");
        }
        let (moved, places) = head.trimmed(&[crate::bodies::Trim { mode: 0, ratio: 3.0, gain: 1.0, decay: 1.0 }]);
        assert!(places.iter().enumerate().all(|(i, &from)| moved.slope_square(i) == head.slope_square(from)));
    }
}
