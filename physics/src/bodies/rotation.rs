//! cos and sin of an angle that grows in equal steps.

/// cos and sin of a growing angle: one multiplication of complex numbers per step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rotation {
    pub(super) cos: f64,
    pub(super) sin: f64,
    turn: (f64, f64),
}

impl Rotation {
    /// Starts at `angle` [rad], advances by `turn` [rad].
    pub(super) fn new(angle: f64, turn: f64) -> Self {
        let ((sin, cos), (turn_sin, turn_cos)) = (angle.sin_cos(), turn.sin_cos());
        Self { cos, sin, turn: (turn_cos, turn_sin) }
    }

    pub(super) fn advance(&mut self) {
        let (c, s) = self.turn;
        (self.cos, self.sin) = (self.cos * c - self.sin * s, self.sin * c + self.cos * s);
    }
}
