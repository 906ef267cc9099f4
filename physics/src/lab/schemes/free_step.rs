//! The free phase: every mode by its own exact transition matrix.

use crate::lab::schemes::system::{State, System};
use crate::modal::{Mode, Response};

/// Transition matrices of one sample.
#[derive(Clone, Debug, Default)]
pub(super) struct Free {
    modes: Vec<Mode>,
    responses: Vec<Response>,
    h: f64,
}

fn advance(state: &mut State, i: usize, push: f64, r: &Response) {
    let q = r.a11 * state.q[i] + r.a12 * state.v[i] + r.bq * push;
    state.v[i] = r.a21 * state.q[i] + r.a22 * state.v[i] + r.bv * push;
    state.q[i] = q;
}

impl Free {
    /// One sample, exact.
    pub fn step(&mut self, system: &System, state: &mut State) {
        if self.modes != system.modes || self.h != system.h {
            self.modes.clone_from(&system.modes);
            self.h = system.h;
            self.responses.clear();
            self.responses.extend(system.modes.iter().map(|&mode| Response::new(mode, system.h)));
        }
        for (i, response) in self.responses.iter().enumerate() {
            advance(state, i, system.push[i], response);
        }
    }

    /// The response of mode i over a sample; after [`Free::step`].
    pub fn response(&self, i: usize) -> &Response {
        &self.responses[i]
    }

    /// A step of any length dt [s], exact.
    pub fn advance(system: &System, state: &mut State, dt: f64) {
        for (i, &mode) in system.modes.iter().enumerate() {
            advance(state, i, system.push[i], &Response::new(mode, dt));
        }
    }

    /// Compression [m] and its velocity [m/s] after dt [s] without contact.
    pub fn motion_after(system: &System, state: &State, dt: f64) -> (f64, f64) {
        let (mut x, mut closing) = (state.offset - system.gap, 0.0);
        for (i, &mode) in system.modes.iter().enumerate() {
            let Response { a11, a12, a21, a22, bq, bv, .. } = Response::new(mode, dt);
            x += system.weights[i] * (a11 * state.q[i] + a12 * state.v[i] + bq * system.push[i]);
            closing += system.weights[i] * (a21 * state.q[i] + a22 * state.v[i] + bv * system.push[i]);
        }
        (x, closing)
    }
}
