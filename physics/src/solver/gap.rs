//! Where a hammer stands on or before its body: compression by geometry, its offset, and the profile between the two.
//!
//! ```text
//! x = sum W q + offset + z        z: height of a profile that may move, towards the hammer
//! ```
//!
//! The offset is what keeps hammer and body from ever beginning a contact inside each other (offset element of [Rath]); it gives way
//! and comes back. The profile is what somebody moves, and nothing else changes it.

use crate::modal::{ModeBank, Modes};
use crate::solver::hammer::Hammer;

impl Hammer {
    /// Height of the profile between hammer and body since it was thrown [m]: what it has risen towards the hammer.
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

    /// Puts it at compression x [m] <= 0; that is the place to which its offset comes back.
    pub(crate) fn place(&mut self, x: f64, body: &Modes) {
        self.set_geometry(x, body);
        self.placement.placed = self.placement.offset;
    }

    /// What stays behind the body has this offset [m] whenever it is apart.
    pub(crate) fn stay(&mut self, offset: f64) {
        (self.placement.placed, self.placement.stays) = (offset, true);
    }

    /// The sum W q [m] at which a linear contact exerts no force: there offset and profile make x = 0.
    pub(crate) fn relaxed(&self) -> f64 {
        -(self.placement.offset + self.placement.profile)
    }

    /// Apart: what an onset has added to the offset beyond `rest` [m] is taken away; neutral in energy.
    pub(crate) fn shorten_offset(&mut self, rest: f64) {
        self.placement.offset = self.placement.offset.min(rest);
    }
}
