//! Where on a body a hammer or a pickup sits.

/// A place on a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// From 0 to 1 along the strike line: length of a string, bar, beam or tube, x of a plate, radius over that of the rim on heads,
    /// discs, bells and bowls.
    pub along: f64,
    /// From 0 to 1 across it: y of a plate, angle in turns on what is round, width of a bar; 0.5 is the axis of a bar.
    pub across: f64,
}

impl Place {
    /// The place `along` on the strike line, across = 0.5.
    pub const fn line(along: f64) -> Self {
        Self { along, across: 0.5 }
    }

    /// The same brought into [0, 1] by [0, 1]; what is not a number becomes 0.
    pub(super) fn inside(self) -> Self {
        // max first: a NaN becomes 0
        Self { along: self.along.max(0.0).min(1.0), across: self.across.max(0.0).min(1.0) }
    }
}
