//! Velocity Verlet ([PAR] equation 21), on every mode.
//!
//! ```text
//! q_(n+1) = q_n + h v_n + h^2/2 A_n        v_(n+1/2) = v_n + h/2 A_n
//! f_(n+1) = f(x_(n+1), x'_(n+1/2))         v_(n+1) = v_(n+1/2) + h/2 A_(n+1)
//! ```
//!
//! A is the acceleration a - omega^2 q - 2 sigma v - W f; f_n is the one of the step before, as written: evaluated at x'_(n-1/2).
//! Explicit, order 2 without loss. Unstable for modes with omega h > 2.

use crate::lab::schemes::{Cost, Scheme, State, System};

/// Velocity Verlet; no memory beyond the state.
#[derive(Clone, Debug, Default)]
pub struct Verlet;

impl Scheme for Verlet {
    fn step(&mut self, system: &System, state: &mut State) -> Cost {
        let (h, modes) = (system.h, 0..system.modes.len());
        for i in modes.clone() {
            let acceleration = system.acceleration(i, state.q[i], state.v[i], state.force);
            state.q[i] += h * state.v[i] + 0.5 * h * h * acceleration;
            state.v[i] += 0.5 * h * acceleration;
        }
        state.force = system.force(system.compression(state), system.closing(state));
        for i in modes {
            state.v[i] += 0.5 * h * system.acceleration(i, state.q[i], state.v[i], state.force);
        }
        Cost::default()
    }
}
