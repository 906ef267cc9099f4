//! A hammer and a body as one list of modes, their state and free motion, and the interface of a scheme that steps them.
//!
//! ```text
//! q_i'' + 2 sigma_i q_i' + omega_i^2 q_i = a_i - W_i f        x = sum W_i q_i - gap + offset
//! ```
//!
//! A point mass on a rigid wall is the special case of one mode. The energy error of a scheme is part of the experiment: none of
//! them is repaired here, except by the corrections that [PAR] section 4 itself proposes.

use crate::contact::{ContactLaw, RigidImpact};
use crate::modal::{Mode, Response};

/// A hammer and a body; plain data.
#[derive(Clone, Debug, PartialEq)]
pub struct System {
    /// Sample h [s].
    pub h: f64,
    /// Modes, the striker's first.
    pub modes: Vec<Mode>,
    /// W_i [kg^-1/2]: + for the striker's modes, - for the body's.
    pub weights: Vec<f64>,
    /// a_i [m kg^1/2/s^2], constant.
    pub push: Vec<f64>,
    /// Distance at q = 0 [m], >= 0.
    pub gap: f64,
    /// Number of the striker's modes, >= 1, which come first; mode 0 is its rigid part.
    pub striker_modes: usize,
    /// The contact law.
    pub law: ContactLaw,
}

/// State at a sample; one entry a mode.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Modal displacements [m kg^1/2].
    pub q: Vec<f64>,
    /// Modal velocities [m kg^1/2/s].
    pub v: Vec<f64>,
    /// Contact force f_n [N] of the method at this sample.
    pub force: f64,
    /// Compression beyond sum W q - gap [m]: the offset element of [Rath]; 0 in the other methods.
    pub offset: f64,
    /// Energy of the method's own contact law beyond U(x) [J]; 0 where it is the law itself.
    pub surplus: f64,
}

/// Energy that a step lost [J], where the method knows it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// In the contact.
    pub contact: f64,
    /// In the modes.
    pub modes: f64,
}

/// Cost and losses of one sample.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Steps of an iterative solution.
    pub iterations: u32,
    /// The iteration ended at its cap without converging.
    pub unconverged: bool,
    /// Pieces into which the sample was cut; 0 counts as one.
    pub pieces: u32,
    /// Energy [J] cut off at the end of a contact, besides the dissipation.
    pub cut: f64,
    /// Exact losses; None: the laboratory integrates the law's and the modes' dissipation by the trapezoidal rule.
    pub losses: Option<Losses>,
}

/// One method. It may keep coefficients and memory; the caller keeps the state.
pub trait Scheme {
    /// One sample of `system`.
    fn step(&mut self, system: &System, state: &mut State) -> Cost;
}

impl System {
    /// Initial state: all at rest but the striker, which moves at `velocity` [m/s].
    pub fn initial_state(&self, velocity: f64) -> State {
        let mut state = State { q: vec![0.0; self.modes.len()], v: vec![0.0; self.modes.len()], ..State::default() };
        state.v[0] = velocity / self.weights[0];
        state
    }

    /// Compression x [m]; negative is the distance.
    pub fn compression(&self, state: &State) -> f64 {
        self.along(&state.q) - self.gap + state.offset
    }

    /// Compression velocity x' [m/s].
    pub fn closing(&self, state: &State) -> f64 {
        self.along(&state.v)
    }

    /// Force [N] of a law without memory, at compression x [m] and compression velocity v [m/s].
    pub fn force(&self, x: f64, v: f64) -> f64 {
        self.law.force(x, v, 0.0)
    }

    /// sum W_i y_i.
    pub fn along(&self, y: &[f64]) -> f64 {
        self.weights.iter().zip(y).map(|(w, y)| w * y).sum()
    }

    /// Acceleration [m kg^1/2/s^2] of mode i at displacement q and velocity v under the contact force f [N].
    pub fn acceleration(&self, i: usize, q: f64, v: f64, f: f64) -> f64 {
        let Mode { omega, sigma } = self.modes[i];
        // free motion has no damping, see Mode
        let sigma = if omega == 0.0 { 0.0 } else { sigma };
        self.push[i] - omega * omega * q - 2.0 * sigma * v - self.weights[i] * f
    }

    /// Energy of the striker's modes [J].
    pub fn energy_striker(&self, state: &State) -> f64 {
        self.energy(state, 0..self.striker_modes)
    }

    /// Energy of the body's modes [J].
    pub fn energy_body(&self, state: &State) -> f64 {
        self.energy(state, self.striker_modes..self.modes.len())
    }

    /// Energy in the contact [J]: U(x) and the surplus of the method's own law.
    pub fn energy_contact(&self, state: &State) -> f64 {
        self.law.stored(self.compression(state), 0.0, 0.0) + state.surplus
    }

    /// Total energy [J].
    pub fn energy_total(&self, state: &State) -> f64 {
        self.energy(state, 0..self.modes.len()) + self.energy_contact(state)
    }

    fn energy(&self, State { q, v, .. }: &State, range: std::ops::Range<usize>) -> f64 {
        range.map(|i| 0.5 * (v[i] * v[i] + (self.modes[i].omega * q[i]).powi(2))).sum()
    }
}

/// Free phase of one sample: every mode by its own exact transition matrix.
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

/// Correction of [PAR] section 4: the closed forms of a hit on a rigid wall, imposed on a scheme that misses them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Corrections {
    /// Nothing.
    #[default]
    None,
    /// As in the paper: x_n is clipped at x_max (4), the velocity after the contact is that of (7) and (8).
    Paper,
    /// The same with the exact root of (6) (Lambert W) in place of (7) and (8).
    Exact,
}

/// Limits of one contact, from its impact velocity.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    deepest: f64,
    velocity_out: f64,
}

impl Corrections {
    /// The limits of a contact that begins at `velocity` [m/s]; None without corrections.
    pub fn limits(self, system: &System, velocity: f64) -> Option<Limits> {
        if self == Self::None || velocity <= 0.0 {
            return None;
        }
        let ContactLaw::HuntCrossley(law) = system.law else { return None };
        let impact = RigidImpact {
            mass: system.weights[0].powi(-2),
            stiffness: law.stiffness(),
            exponent: law.exponent(),
            damping: law.damping(),
            velocity,
        };
        let velocity_out = match self {
            Self::Exact => impact.velocity_out(),
            _ => impact.approximate_velocity_out(),
        };
        Some(Limits { deepest: impact.max_compression(), velocity_out })
    }
}

impl Limits {
    /// Clips the compression, [PAR] (26). Only x is changed: a method that carries f_n over keeps it.
    pub fn clip(&self, system: &System, state: &mut State) {
        let surplus = system.compression(state) - self.deepest;
        if surplus > 0.0 {
            state.q[0] -= surplus / system.weights[0];
        }
    }

    /// Sets the velocity with which the striker leaves.
    pub fn release(&self, system: &System, state: &mut State) {
        state.v[0] = self.velocity_out / system.weights[0];
    }
}
