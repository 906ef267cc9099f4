//! Position of a hammer or a pickup on a body.

/// A position on a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyPosition {
    /// From 0 to 1 along the strike line: length of a string, bar, beam or tube, x of a plate, radius over that of the rim on
    /// heads and discs, distance along the wall from crown, pole or bottom to lip or rim on bells, bowls and glasses.
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
