//! Positions on a body, the support of its edge, the range of Poisson's ratio, and rotations in equal steps.

/// Position of a hammer or a pickup on a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyPosition {
    /// From 0 to 1 along the strike line: length of a string, bar, beam or tube, x of a plate, radius over that of the rim on
    /// heads and discs, distance along the wall from crown, pole or bottom to lip or rim on bells, bowls and glasses. On a drum with two
    /// heads it goes on over the rim to the middle of the resonant head, which is 2; on a course of strings over the bridge onto the soundboard.
    pub along: f64,
    /// From 0 to 1 across it: y of a plate, angle in turns of round bodies, width of a bar; 0.5 is the axis of a bar.
    pub across: f64,
}

impl BodyPosition {
    /// The position `along` on the strike line, across = 0.5.
    pub const fn line(along: f64) -> Self {
        Self { along, across: 0.5 }
    }

    /// The same clamped to [0, 1] by [0, 1]; NaN becomes 0.
    pub(super) fn inside(self) -> Self {
        Self { along: within(self.along, 0.0, 1.0), across: within(self.across, 0.0, 1.0) }
    }
}

/// `x` clamped to [`low`, `high`]; NaN becomes `low`.
pub(super) fn within(x: f64, low: f64, high: f64) -> f64 {
    if x > low { x.min(high) } else { low }
}

/// Support of the edge of a plate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeSupport {
    /// Nothing holds it.
    Free,
    /// It cannot move, but can tilt.
    Supported,
    /// It can neither move nor tilt.
    Clamped,
}

/// Poisson's ratio clamped to [0, 0.5], within which every edge has its modes.
pub(crate) fn possible_poisson(poisson: f64) -> f64 {
    if poisson.is_nan() { 0.3 } else { poisson.clamp(0.0, 0.5) }
}

/// cos and sin of an angle that grows in equal steps: one multiplication of complex numbers per step.
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

/// A mode with nodal diameters and circles; theta is the place across, in turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundMode {
    /// Nodal diameters m.
    pub diameters: u32,
    /// Nodal circles n >= 1 of a drum head, its rim among them: J_m(z_mn r) cos m theta. 0: a ring, sqrt2 cos(m theta - gamma),
    /// for strikes and pickups on its rim, gamma as for bells.
    pub circles: u32,
    /// Whether it is the second of its pair: a sine instead of the cosine.
    pub second: bool,
}
