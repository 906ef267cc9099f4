//! Period of a mode whose stiffness grows with the square of its deflection, and how it is measured.

use super::struck_body::{RATE, empty};
use std::f64::consts::PI;
use urto_physics::modal::{LentPotential, Mode, Potential, PotentialSize};
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

/// One lossless mode with the potential `quartic` q^4, which `amount` makes r times as stiff at the amplitude 1: its period after 1.25 s against the elliptic
/// one, for om h = `phase`. The error may be `known` cents, which the prototype had.
pub fn assert_period(potential: Box<dyn Potential>, quartic: f64, [phase, r]: [f64; 2], known: f64) {
    let omega = phase * RATE;
    let mut collision = empty(RATE, 1, 2);
    collision.set_body([Mode { omega, sigma: 0.0 }]);
    // the force 4 V q^3 is r omega^2 q^3
    let amount = r * omega * omega / (4.0 * quartic);
    collision.exchange_potential(Some(LentPotential::new(potential, 1)), PotentialSize::flat(amount));
    collision.wake_potential();
    // at rest place with the energy of the amplitude 1
    collision.ring_parts().2[0] = (omega * omega * (1.0 + 0.5 * r)).sqrt();
    let found = measured_omega(&mut collision, 0, (60_000, RATE), |c| c.ring_with_potential(1.0));
    let error = cents(found / elliptic_omega(omega, r * omega * omega));
    println!("omega h {phase}, r {r}: {error:+.3} cents, prototype {known}");
    assert!(error.abs() <= 1.1 * known + 0.05, "omega h {phase}, r {r}: {error}");
}

pub fn cents(ratio: f64) -> f64 {
    1200.0 * ratio.log2()
}
