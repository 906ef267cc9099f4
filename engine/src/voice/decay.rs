//! Decay rate of a voice by choke, damper and modulation.

use crate::block::CONTROL_BLOCK;

/// Time [s] in which a damper comes down: an envelope that breaks off at once has a kink that is audible in low sines.
const DAMPER_TIME: f64 = 8e-3;

/// Decay rate of a voice: lowered at once, raised within [`DAMPER_TIME`].
#[derive(Clone, Copy, Debug)]
pub struct VoiceDecay {
    /// Decay rate [1/s] of a voice that is choked or stolen.
    choke: f64,
    /// Decay rate [1/s] by the damper of its notes.
    damper: f64,
    /// Decay rate [1/s] by modulation of the damping.
    modulation: f64,
    /// Decay rate [1/s] of all of them.
    target: f64,
    /// Current decay rate [1/s].
    rate: f64,
    /// Factor of the state per frame, 1 when undamped.
    factor: f64,
}

impl VoiceDecay {
    /// Undamped.
    pub fn none() -> Self {
        Self { choke: 0.0, damper: 0.0, modulation: 0.0, target: 0.0, rate: 0.0, factor: 1.0 }
    }

    /// Factor of the state per frame, 1 when undamped.
    pub fn factor(&self) -> f64 {
        self.factor
    }

    /// Sets the decay rate [1/s] of a choke.
    pub fn set_choke(&mut self, rate: f64) {
        self.choke = rate;
    }

    /// Raises the decay rate of a choke to at least `rate` [1/s].
    pub fn choke(&mut self, rate: f64) {
        self.choke = self.choke.max(rate);
    }

    /// Sets the decay rate [1/s] of the damper.
    pub fn set_damper(&mut self, rate: f64) {
        self.damper = rate;
    }

    /// Sets the decay rate [1/s] of the modulation.
    pub fn set_modulation(&mut self, rate: f64) {
        self.modulation = rate;
    }

    /// Updates the target. Returns whether the current rate lies above it and has to fall.
    pub fn update_target(&mut self) -> bool {
        self.target = self.choke.max(self.damper) + self.modulation;
        self.rate > self.target
    }

    /// Lands on the target, at `sample_rate` [Hz].
    pub fn land(&mut self, sample_rate: f64) {
        self.rate = self.target;
        self.factor = (-self.rate / sample_rate).exp();
    }

    /// Whether the rate is rising.
    pub fn is_rising(&self) -> bool {
        self.rate < self.target
    }

    /// Raises the rate over one control block of `time` [s].
    pub fn advance(&mut self, time: f64) {
        self.rate = (self.rate + self.target * (time / DAMPER_TIME)).min(self.target);
        self.factor = (-self.rate * time / CONTROL_BLOCK as f64).exp();
    }
}
