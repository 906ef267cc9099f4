//! A gain that moves over a control block.

use crate::block::CONTROL_BLOCK;

/// A gain that moves over a control block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GainRamp {
    /// Before its first frame.
    start: f64,
    /// In its last frame.
    end: f64,
}

impl GainRamp {
    /// Sound as it is.
    pub const UNITY: Self = Self { start: 1.0, end: 1.0 };

    /// A constant gain.
    pub fn at(gain: f64) -> Self {
        Self { start: gain, end: gain }
    }

    /// Moves on to `gain` over the control block that begins.
    pub fn move_to(&mut self, gain: f64) {
        (self.start, self.end) = (self.end, gain);
    }

    /// In frame `n` of the control block.
    pub fn gain(&self, n: usize) -> f64 {
        if self.start == self.end {
            return self.end;
        }
        let part = (n + 1) as f64 / CONTROL_BLOCK as f64;
        (1.0 - part) * self.start + part * self.end
    }

    /// At the end of the control block.
    pub fn end(&self) -> f64 {
        self.end
    }

    /// Whether it is 0 all over the control block.
    pub fn is_off(&self) -> bool {
        *self == Self::at(0.0)
    }

    /// The sound of the control block with this gain.
    pub fn apply(&self, sound: &[f64; CONTROL_BLOCK]) -> [f64; CONTROL_BLOCK] {
        std::array::from_fn(|n| self.gain(n) * sound[n])
    }
}
