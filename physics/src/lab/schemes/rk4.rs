//! The classical Runge-Kutta method of order 4 ([PAR] equation 23), on every mode.
//!
//! Explicit, four evaluations of the law a sample. The law has a kink at x = 0, which a step that meets or leaves the contact
//! straddles: the order there is that of the kink. Unstable for undamped modes with omega h > 2.83.

use crate::lab::schemes::{Cost, Scheme, State, System};

/// Where in the step each stage stands, and its weight in the sum.
const STAGES: [(f64, f64); 4] = [(0.0, 1.0 / 6.0), (0.5, 1.0 / 3.0), (0.5, 1.0 / 3.0), (1.0, 1.0 / 6.0)];

/// Classical Runge-Kutta; keeps room for its stages.
#[derive(Clone, Debug)]
pub struct Rk4 {
    stage: State,
    slopes: (Vec<f64>, Vec<f64>),
    start: State,
}

impl Rk4 {
    /// For this many modes.
    pub fn new(modes: usize) -> Self {
        let zeros = vec![0.0; modes];
        let state = State { q: zeros.clone(), v: zeros.clone(), ..State::default() };
        Self { stage: state.clone(), slopes: (zeros.clone(), zeros), start: state }
    }
}

impl Scheme for Rk4 {
    fn step(&mut self, system: &System, state: &mut State) -> Cost {
        let Self { stage, slopes: (l, k), start } = self;
        start.clone_from(state);
        stage.offset = state.offset;
        l.fill(0.0);
        k.fill(0.0);
        for (place, weight) in STAGES {
            for i in 0..l.len() {
                stage.q[i] = start.q[i] + place * system.h * l[i];
                stage.v[i] = start.v[i] + place * system.h * k[i];
            }
            let force = system.force(system.compression(stage), system.closing(stage));
            for i in 0..l.len() {
                (l[i], k[i]) = (stage.v[i], system.acceleration(i, stage.q[i], stage.v[i], force));
                state.q[i] += weight * system.h * l[i];
                state.v[i] += weight * system.h * k[i];
            }
        }
        state.force = system.force(system.compression(state), system.closing(state));
        Cost::default()
    }
}
