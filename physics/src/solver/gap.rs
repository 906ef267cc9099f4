//! Gap between a hammer and its body: compression by geometry, offset, and the profile between the two.
//!
//! ```text
//! x = sum W q + offset + z        z: height of a profile that may move, towards the hammer
//! ```
//!
//! The offset ensures that no contact begins with hammer and body inside each other (offset element of [Rath]); it yields and
//! returns. The profile changes only from outside.

use crate::modal::{ModeBank, Modes};
use crate::solver::hammer::Hammer;

impl Hammer {
    /// Height of the profile between hammer and body [m]: its rise towards the hammer since the hammer was added.
    pub fn profile(&self) -> f64 {
        self.placement.profile
    }

    /// Velocity with which the profile rises towards the hammer [m/s].
    pub fn rise(&self) -> f64 {
        self.placement.rise
    }

    /// Compression and its velocity at the end of the predicted free step, by geometry.
    pub(crate) fn foresee(&self, body: &ModeBank) -> (f64, f64) {
        (self.geometry(&body.modes) + self.substep.equation.df, self.closing_before(body))
    }

    /// Places it at compression x [m] <= 0, to which its offset returns.
    pub(crate) fn place(&mut self, x: f64, body: &Modes) {
        self.set_geometry(x, body);
        self.placement.placed = self.placement.offset;
    }

    /// Fixes the offset [m] of an obstacle: it returns to it whenever it is apart.
    pub(crate) fn stay(&mut self, offset: f64) {
        (self.placement.placed, self.placement.stays) = (offset, true);
    }

    /// The sum W q [m] at which a linear contact exerts no force: there offset and profile make x = 0.
    pub(crate) fn relaxed(&self) -> f64 {
        -(self.placement.offset + self.placement.profile)
    }

    /// Apart: limits the offset to `rest` [m], which removes what an onset has added; neutral in energy.
    pub(crate) fn shorten_offset(&mut self, rest: f64) {
        self.placement.offset = self.placement.offset.min(rest);
    }
}
