//! Modes of a tube beside those of the body: their state, their own steps, and the exchange with the body.
//!
//! ```text
//! v_b' = -u y,   y' = u v_b        y = omega_t q_t of a mode of the tube, v_b velocity of a mode of the body; for one sample a rotation by u h
//! ```
//!
//! With y = omega_t (z + u q_b/omega_t) that is the potential (omega_t z + u q_b)^2/2 of a spring that both share: it is never negative, the force on the body
//! is that of the spring k = u omega_t between both, and the body's own stiffness has u^2 more. The rotation keeps (v_b^2 + y^2)/2 for every u, so that u may
//! jump at any time without a change of energy. It moves no displacement of the body, so that contacts stay as they are.

use crate::modal::{Mode, Response};

/// Maximum number of modes of a tube.
pub const MAX_TUBE_MODES: usize = 2;

/// A mode of a tube, and the mode of the body that it exchanges energy with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TubeJoint {
    /// The mode of the tube, with omega > 0.
    pub mode: Mode,
    /// Number of the mode of the body.
    pub body_mode: usize,
    /// Rate u of the exchange [1/s].
    pub rate: f64,
}

/// A mode of a tube and its state.
#[derive(Clone, Copy, Debug)]
pub struct TubeOscillator {
    joint: TubeJoint,
    /// Displacement [m kg^1/2].
    pub q: f64,
    /// Velocity [m kg^1/2/s].
    pub v: f64,
    /// a11, a12, a21, a22 of a sample.
    step: [f64; 4],
}

impl TubeOscillator {
    fn at_rest(joint: TubeJoint, h: f64) -> Self {
        let Response { a11, a12, a21, a22, .. } = Response::new(joint.mode, h);
        Self { joint, q: 0.0, v: 0.0, step: [a11, a12, a21, a22] }
    }

    /// Frequency and decay rate.
    pub fn mode(&self) -> Mode {
        self.joint.mode
    }

    /// Amplitude of the velocity [m kg^1/2/s].
    pub fn envelope(&self) -> f64 {
        self.v.hypot(self.joint.mode.omega * self.q)
    }

    /// Kinetic and elastic energy [J].
    pub fn energy(&self) -> f64 {
        0.5 * self.envelope().powi(2)
    }

    /// Takes another frequency, decay rate and joint; the energy stays.
    fn retune(&mut self, joint: TubeJoint, h: f64) {
        let q = self.q * self.joint.mode.omega / joint.mode.omega;
        *self = Self { q, v: self.v, ..Self::at_rest(joint, h) };
    }

    /// Energy [J] that its next step of h [s] loses.
    fn loss_of_step(&self, h: f64) -> f64 {
        let [l11, l12, l22] = self.joint.mode.loss_integrals(h);
        2.0 * self.joint.mode.sigma * (self.q * self.q * l11 + 2.0 * self.q * self.v * l12 + self.v * self.v * l22)
    }

    /// Its own step.
    fn step(&mut self) {
        let [a11, a12, a21, a22] = self.step;
        (self.q, self.v) = (a11 * self.q + a12 * self.v, a21 * self.q + a22 * self.v);
    }

    /// Exchanges energy with the mode of the body of velocity `v`: a rotation by `angle`.
    fn exchange(&mut self, v: &mut f64, angle: f64) {
        let (sin, cos) = angle.sin_cos();
        let omega = self.joint.mode.omega;
        let y = omega * self.q;
        self.q = (y * cos + *v * sin) / omega;
        *v = *v * cos - y * sin;
    }
}

/// The tube of a body.
#[derive(Clone, Debug)]
pub(crate) struct BodyTube {
    h: f64,
    modes: [TubeOscillator; MAX_TUBE_MODES],
    count: usize,
    /// Factor of all rates.
    opening: f64,
    resting: bool,
}

impl BodyTube {
    /// No tube, with samples of h [s].
    pub fn new(h: f64) -> Self {
        let none = TubeJoint { mode: Mode::RIGID, body_mode: 0, rate: 0.0 };
        let modes = [TubeOscillator::at_rest(none, h); MAX_TUBE_MODES];
        Self { h, modes, count: 0, opening: 1.0, resting: false }
    }

    /// No tube.
    pub fn clear(&mut self) {
        (self.count, self.opening, self.resting) = (0, 1.0, false);
    }

    /// Takes these modes, which keep the energy of those before them if they are as many, and otherwise begin at rest.
    pub fn set(&mut self, joints: &[TubeJoint]) {
        let count = joints.len().min(MAX_TUBE_MODES);
        for (mode, joint) in self.modes.iter_mut().zip(joints) {
            if count == self.count {
                mode.retune(*joint, self.h);
            } else {
                *mode = TubeOscillator::at_rest(*joint, self.h);
            }
        }
        self.count = count;
    }

    /// Sets the factor of all rates.
    pub fn set_opening(&mut self, opening: f64) {
        self.opening = opening;
    }

    /// Whether there is one that is not resting.
    #[inline]
    pub fn acts(&self) -> bool {
        self.exists() && !self.resting
    }

    /// Whether there is one.
    #[inline]
    pub fn exists(&self) -> bool {
        self.count > 0
    }

    /// Lets it rest, without energy.
    pub fn rest(&mut self) {
        self.damp(0.0);
        self.resting = true;
    }

    /// Lets it act.
    pub fn wake(&mut self) {
        self.resting = false;
    }

    /// Its modes and their state.
    pub fn modes(&self) -> &[TubeOscillator] {
        &self.modes[..self.count]
    }

    /// Energy [J].
    pub fn energy(&self) -> f64 {
        self.modes().iter().map(TubeOscillator::energy).sum()
    }

    /// Multiplies its state by `factor`.
    pub fn damp(&mut self, factor: f64) {
        self.modes[..self.count].iter_mut().for_each(|mode| (mode.q, mode.v) = (mode.q * factor, mode.v * factor));
    }

    /// Energy [J] that its own step over the next sample loses.
    pub fn loss_of_step(&self) -> f64 {
        self.modes().iter().map(|mode| mode.loss_of_step(self.h)).sum()
    }

    /// A sample of its own, and the exchange with the body of these velocities.
    pub fn step(&mut self, velocities: &mut [f64]) {
        for mode in &mut self.modes[..self.count] {
            mode.step();
            if let Some(v) = velocities.get_mut(mode.joint.body_mode) {
                mode.exchange(v, mode.joint.rate * self.opening * self.h);
            }
        }
    }

    /// Largest number of a mode of the body that takes part, and one more.
    pub fn reach(&self) -> usize {
        self.modes().iter().map(|mode| mode.joint.body_mode + 1).max().unwrap_or(0)
    }
}
