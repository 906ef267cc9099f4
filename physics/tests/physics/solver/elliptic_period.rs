//! Period of a mode whose stiffness grows with the square of its deflection, and how it is measured.

use std::f64::consts::PI;
use urto_physics::solver::Collision;

/// Angular frequency [rad/s] of mode i of a body that rings for `samples` of 1/`rate` [s]: by its first and last zero.
pub fn measured_omega(
    collision: &mut Collision,
    i: usize,
    (samples, rate): (usize, f64),
    mut step: impl FnMut(&mut Collision),
) -> f64 {
    let (mut before, mut zeros, mut first, mut last) = (collision.body().q[i], 0, 0.0, 0.0);
    for n in 0..samples {
        step(collision);
        let now = collision.body().q[i];
        if before * now < 0.0 {
            let at = n as f64 + before / (before - now);
            first = if zeros == 0 { at } else { first };
            (last, zeros) = (at, zeros + 1);
        }
        before = now;
    }
    PI * f64::from(zeros - 1) / (last - first) * rate
}

/// Omega = (pi/2) sqrt(omega^2 + eps A^2)/K(m), m = eps A^2/(2 (omega^2 + eps A^2)); `square` is eps A^2.
pub fn elliptic_omega(omega: f64, square: f64) -> f64 {
    let sum = omega * omega + square;
    let (mut a, mut b) = (1.0, (1.0 - 0.5 * square / sum).sqrt());
    for _ in 0..60 {
        (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
    }
    sum.sqrt() * a
}

pub fn cents(ratio: f64) -> f64 {
    1200.0 * ratio.log2()
}
