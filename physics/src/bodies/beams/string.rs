//! String between two rigid ends, or bar hinged at both: phi_n = sqrt2 sin(n pi xi), mean square 1, modal mass = mass of the body.

use crate::bodies::modal_shape::{ModalShape, ShapeFunctions};
use crate::bodies::position::BodyPosition;
use crate::bodies::rotation::Rotation;
use std::f64::consts::{PI, SQRT_2};

impl ModalShape {
    /// String between two rigid ends: r_n = n, phi_n = sqrt2 sin(n pi xi). The caller adds stiffness (inharmonicity).
    pub fn string(modes: usize) -> Self {
        let ratios = (1..=modes).map(|n| n as f64).collect();
        Self::with(String, ratios)
    }

    /// Uniform bar hinged (simply supported) at both ends: r_n = n^2, phi_n = sqrt2 sin(n pi xi).
    pub fn hinged(modes: usize) -> Self {
        Self::with(String, (1..=modes).map(|n| (n * n) as f64).collect())
    }
}

/// A string, or a bar hinged at both ends.
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
