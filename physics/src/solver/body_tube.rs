//! Modes of a tube beside those of the body: their state, their own steps, and the exchange with the body.
//!
//! ```text
//! v_b' = -u y,   y' = u v_b        y = omega_t q_t of a mode of the tube, v_b velocity of a mode of the body; for one sample a rotation by u h
//! ```
//!
//! With y = omega_t (z + u q_b/omega_t) that is the potential (omega_t z + u q_b)^2/2 of a spring that both share: it is never negative, the force on the body
//! is that of the spring k = u omega_t between both, and the body's own stiffness has u^2 more. The rotation keeps (v_b^2 + y^2)/2 for every u, so that u may
//! jump at any time without a change of energy. It moves no displacement of the body, so that contacts stay as they are.

use crate::modal::{LEAST_LEVELS, Mode, ModeBank, Modes, Span};

/// Maximum number of modes of a tube.
pub const MAX_TUBE_MODES: usize = 3;

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

/// The tube of a body.
#[derive(Clone, Debug)]
pub(crate) struct BodyTube {
    h: f64,
    bank: ModeBank,
    joints: [(usize, f64); MAX_TUBE_MODES],
    /// Factor of all rates.
    opening: f64,
    resting: bool,
}

impl BodyTube {
    /// No tube, with samples of h [s]; the only allocation.
    pub fn new(h: f64) -> Self {
        let bank = ModeBank::new(h, MAX_TUBE_MODES, LEAST_LEVELS);
        Self { h, bank, joints: [(0, 0.0); MAX_TUBE_MODES], opening: 1.0, resting: false }
    }

    /// Computes losses from now on (allocates).
    pub fn track_losses(&mut self) {
        self.bank.track_losses();
    }

    /// No tube.
    pub fn clear(&mut self) {
        self.bank.set(std::iter::empty());
        (self.opening, self.resting) = (1.0, false);
    }

    /// Takes these modes, which keep the energy of those before them if they are as many, and otherwise begin at rest.
    pub fn set(&mut self, joints: &[TubeJoint]) {
        let modes = joints.iter().take(MAX_TUBE_MODES).map(|joint| joint.mode);
        if modes.len() == self.bank.modes.len() {
            self.bank.retune(modes);
        } else {
            self.bank.set(modes);
        }
        for (to, joint) in self.joints.iter_mut().zip(joints) {
            *to = (joint.body_mode, joint.rate);
        }
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
        self.bank.modes.len() > 0
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
    pub fn modes(&self) -> &Modes {
        &self.bank.modes
    }

    /// Multiplies its state by `factor`.
    pub fn damp(&mut self, factor: f64) {
        let Modes { q, v, .. } = &mut self.bank.modes;
        q.iter_mut().chain(v).for_each(|x| *x *= factor);
    }

    /// Predicts its own step over a sample. Energy [J] that it loses in it, if losses are computed.
    pub fn predict(&mut self) -> f64 {
        self.bank.predict_alone(Span::Level(0));
        self.bank.step_loss(|_| 0.0)
    }

    /// Makes the predicted step, and the exchange with the body of these velocities.
    pub fn step(&mut self, velocities: &mut [f64]) {
        self.bank.commit();
        let modes = &mut self.bank.modes;
        for (n, (i, rate)) in self.joints.into_iter().enumerate().take(modes.len()) {
            let Some(v) = velocities.get_mut(i) else { continue };
            let (omega, (sin, cos)) = (modes.mode(n).omega, (rate * self.opening * self.h).sin_cos());
            let y = omega * modes.q[n];
            modes.q[n] = (y * cos + *v * sin) / omega;
            *v = *v * cos - y * sin;
        }
    }

    /// Largest number of a mode of the body that takes part, and one more.
    pub fn reach(&self) -> usize {
        self.joints.iter().take(self.bank.modes.len()).map(|(i, _)| i + 1).max().unwrap_or(0)
    }
}
