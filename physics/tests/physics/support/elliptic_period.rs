//! Period of a mode whose stiffness grows with the square of its deflection, and how it is measured.

use super::struck_body::{RATE, empty};
use std::f64::consts::TAU;
use urto_physics::modal::{LentPotential, Mode, Potential, PotentialSize};
use urto_physics::solver::{Capacity, Collision, TensionLaw};

/// Angular frequency [rad/s] of mode i of a body that rings for `samples` of 1/`rate` [s]: by its first and last upward zero, since the
/// halves of a period differ where V is not even.
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
        if before < 0.0 && now >= 0.0 {
            let at = n as f64 + before / (before - now);
            first = if zeros == 0 { at } else { first };
            (last, zeros) = (at, zeros + 1);
        }
        before = now;
    }
    TAU * f64::from(zeros - 1) / (last - first) * rate
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

/// Error [cents] of the frequency of one lossless mode after 1.25 s, against the elliptic one. `collision` has a mode of om h = `phase`,
/// which is r times as stiff at the amplitude 1.
fn error(collision: &mut Collision, [phase, r]: [f64; 2], step: impl FnMut(&mut Collision)) -> f64 {
    let omega = phase * RATE;
    // at rest place with the energy of the amplitude 1
    collision.ring_parts().2[0] = (omega * omega * (1.0 + 0.5 * r)).sqrt();
    cents(measured_omega(collision, 0, (60_000, RATE), step) / elliptic_omega(omega, r * omega * omega))
}

/// The error with a tension of g = 1.
pub fn tension_error([phase, r]: [f64; 2]) -> f64 {
    let omega = phase * RATE;
    error(&mut single(omega, 2.0 * r * omega * omega), [phase, r], |c| c.ring_with_tension(1.0))
}

/// The error with the potential `quartic` q^4.
pub fn potential_error(potential: Box<dyn Potential>, quartic: f64, [phase, r]: [f64; 2]) -> f64 {
    let omega = phase * RATE;
    let mut collision = empty(RATE, 1, 2);
    collision.set_body([Mode { omega, sigma: 0.0 }]);
    // the force 4 V q^3 is r omega^2 q^3
    let amount = r * omega * omega / (4.0 * quartic);
    collision.exchange_potential(Some(LentPotential::new(potential, 1)), PotentialSize::flat(amount));
    collision.wake_potential();
    error(&mut collision, [phase, r], |c| c.ring_with_potential(1.0))
}

/// A body of one mode with the stiffness K and g = 1.
pub fn single(omega: f64, stiffness: f64) -> Collision {
    let mut collision = Collision::new(RATE, Capacity { modes: 1, held: 0, hammers: 1, hammer_modes: 1, levels: 4 });
    collision.set_body([Mode { omega, sigma: 0.0 }]);
    collision.set_tension(&TensionLaw { stiffness, stretches: &[1.0] });
    collision.wake_tension();
    collision
}

pub fn cents(ratio: f64) -> f64 {
    1200.0 * ratio.log2()
}
