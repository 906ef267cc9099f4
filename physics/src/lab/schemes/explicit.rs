//! Explicit methods of [PAR]: velocity Verlet, Heun, Runge-Kutta of order 4.

use crate::lab::schemes::system::{Cost, Scheme, State, System};

/// Velocity Verlet ([PAR] equation 21), on every mode.
///
/// ```text
/// q_(n+1) = q_n + h v_n + h^2/2 A_n        v_(n+1/2) = v_n + h/2 A_n
/// f_(n+1) = f(x_(n+1), x'_(n+1/2))         v_(n+1) = v_(n+1/2) + h/2 A_(n+1)
/// ```
///
/// A is the acceleration a - omega^2 q - 2 sigma v - W f; f_n is the one of the step before, as written: evaluated at x'_(n-1/2).
/// Explicit, order 2 without loss. Unstable for modes with omega h > 2.
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

/// Heun's method, literally as [PAR] equation 22 has it, on every mode.
///
/// ```text
/// v~ = v_n + h A_n                         q_(n+1) = q_n + h/2 (v_n + v~)
/// f_(n+1) = f(x_(n+1), x~')                v_(n+1) = v_n + h/2 [A_n + A(q_(n+1), v~, f_(n+1))]
/// ```
///
/// f_n is carried over from the evaluation at the predictor of the step before; evaluation at (x_n, v_n) is the textbook's
/// method, with other errors: +1.555 % and -1.795 % instead of +1.467 % and -4.692 % in the paper's table 1. The modes' own
/// forces are those of the present state. Explicit; undamped modes grow by (omega h)^4/8 a step.
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

/// Position of each stage in the step, and its weight in the sum.
const STAGES: [(f64, f64); 4] = [(0.0, 1.0 / 6.0), (0.5, 1.0 / 3.0), (0.5, 1.0 / 3.0), (1.0, 1.0 / 6.0)];

/// The classical Runge-Kutta method of order 4 ([PAR] equation 23), on every mode.
///
/// Explicit, four evaluations of the law a sample. The law has a kink at x = 0, which a step at the start or end of a contact
/// straddles: the order there is that of the kink. Unstable for undamped modes with omega h > 2.83.
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
