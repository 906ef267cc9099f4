//! String between two rigid ends: phi_n = sqrt2 sin(n pi xi), mean square 1, modal mass = mass of the string.

use super::Rotation;
use std::f64::consts::{PI, SQRT_2};

/// phi_n(xi) for n = 1, 2, ... ; exactly 0 at both ends.
pub(super) fn shapes_at(xi: f64, out: &mut [f64]) {
    // from the nearer end: the angle's own rounding then vanishes with the shape
    let (place, other_end) = if xi <= 0.5 { (xi, false) } else { (1.0 - xi, true) };
    let mut angle = Rotation::new(PI * place, PI * place);
    for (i, phi) in out.iter_mut().enumerate() {
        *phi = if other_end && i % 2 == 1 { -SQRT_2 * angle.sin } else { SQRT_2 * angle.sin };
        angle.advance();
    }
}

#[cfg(test)]
mod tests {
    use super::super::Shape;
    use super::super::tests::shapes;
    use super::*;

    #[test]
    fn shapes_are_sines() {
        let string = Shape::string(256);
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
        let phi = shapes(&Shape::string(12), 1.0 / 3.0);
        for n in [3, 6, 9, 12] {
            assert!(phi[n - 1].abs() < 1e-14);
        }
    }
}
