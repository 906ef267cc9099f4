//! Heun's method, literally as [PAR] equation 22 has it, on every mode.
//!
//! ```text
//! v~ = v_n + h A_n                         q_(n+1) = q_n + h/2 (v_n + v~)
//! f_(n+1) = f(x_(n+1), x~')                v_(n+1) = v_n + h/2 [A_n + A(q_(n+1), v~, f_(n+1))]
//! ```
//!
//! f_n is carried over from the evaluation at the predictor of the step before; evaluating it anew at (x_n, v_n) is the textbook's
//! method and another one: +1.555 % and -1.795 % instead of +1.467 % and -4.692 % in the paper's table 1. The modes' own forces
//! are those of the present state. Explicit; undamped modes grow by (omega h)^4/8 a step.

use crate::lab::schemes::{Cost, Scheme, State, System};

/// Heun's method; keeps room for the predictor.
#[derive(Clone, Debug)]
pub struct Heun {
    predicted: Vec<f64>,
    slope: Vec<f64>,
}

impl Heun {
    /// For this many modes.
    pub fn new(modes: usize) -> Self {
        Self { predicted: vec![0.0; modes], slope: vec![0.0; modes] }
    }
}

impl Scheme for Heun {
    fn step(&mut self, system: &System, state: &mut State) -> Cost {
        let (h, modes) = (system.h, 0..system.modes.len());
        for i in modes.clone() {
            self.slope[i] = system.acceleration(i, state.q[i], state.v[i], state.force);
            self.predicted[i] = state.v[i] + h * self.slope[i];
            state.q[i] += 0.5 * h * (state.v[i] + self.predicted[i]);
        }
        state.force = system.force(system.compression(state), system.along(&self.predicted));
        for i in modes {
            let corrector = system.acceleration(i, state.q[i], self.predicted[i], state.force);
            state.v[i] += 0.5 * h * (self.slope[i] + corrector);
        }
        Cost::default()
    }
}
