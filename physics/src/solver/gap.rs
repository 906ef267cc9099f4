//! Where a hammer stands on or before its body: compression by geometry, its offset, and the profile between the two.
//!
//! ```text
//! x = sum W q + offset + z        z: height of a profile that may move, towards the hammer
//! ```
//!
//! The offset is what keeps hammer and body from ever beginning a contact inside each other (offset element of [Rath]); it gives way
//! and comes back. The profile is what somebody moves, and nothing else changes it.

use crate::modal::dot;
use crate::modal::{ModeBank, Modes};
use crate::solver::hammer::Hammer;

impl Hammer {
    /// Height of the profile between hammer and body since it was thrown [m]: what it has risen towards the hammer.
    pub fn profile(&self) -> f64 {
        self.profile
    }

    /// Velocity with which the profile rises towards the hammer [m/s].
    pub fn rise(&self) -> f64 {
        self.rise
    }

    /// Compression by geometry [m]: sum W q + offset + profile. In contact the tracked compression is `x`, which differs from it by the
    /// hold's correction.
    pub fn geometry(&self, body: &Modes) -> f64 {
        dot(&self.weights, &body.q) + self.position() + self.offset + self.profile
    }

    /// Velocity of compression [m/s].
    pub fn closing(&self, body: &Modes) -> f64 {
        dot(&self.weights, &body.v) + self.velocity() + self.rise
    }

    /// The same at the end of the predicted step, or once that has been made, before it [m/s].
    pub(crate) fn closing_before(&self, body: &ModeBank) -> f64 {
        dot(&self.weights, &body.vf) + dot(&self.own, &self.bank.vf) + self.rise
    }

    /// Compression and its velocity at the end of the predicted free step, by geometry.
    pub(crate) fn foresee(&self, body: &ModeBank) -> (f64, f64) {
        (self.geometry(&body.modes) + self.equation.df, self.closing_before(body))
    }

    /// Puts the offset such that the geometry shows `x` now (offset element of [Rath]; neutral in energy).
    pub(crate) fn show(&mut self, x: f64, body: &Modes) {
        self.offset += x - self.geometry(body);
        self.x = x;
    }

    /// Puts it at compression x [m] <= 0; that is the place to which its offset comes back.
    pub(crate) fn place(&mut self, x: f64, body: &Modes) {
        self.show(x, body);
        self.placed = self.offset;
    }

    /// What stays behind the body has this offset [m] whenever it is apart.
    pub(crate) fn stay(&mut self, offset: f64) {
        (self.placed, self.stays) = (offset, true);
    }

    /// Apart: the compression is the geometry, and where that says contact the offset gives way. Neutral in energy.
    pub(crate) fn follow_geometry(&mut self, body: &Modes) {
        if self.stays {
            self.offset = self.placed;
        }
        let x = self.geometry(body);
        if x > 0.0 {
            self.show(0.0, body);
        } else {
            let back = self.owed().min(-0.5 * x);
            self.offset += back;
            self.x = x + back;
        }
    }

    /// What the offset of a tethered hammer has given way [m], >= 0: it comes back as far as half of the gap, lest the rest of the
    /// tether wander off with the contacts. A free hammer has no place to come back to.
    fn owed(&self) -> f64 {
        let tethered = self.bank.modes.mode(0).omega > 0.0;
        if tethered { (self.placed - self.offset).max(0.0) } else { 0.0 }
    }

    /// The sum W q [m] at which a linear contact exerts no force: there offset and profile make x = 0.
    pub(crate) fn relaxed(&self) -> f64 {
        -(self.offset + self.profile)
    }

    /// What the offset adds to the geometry [m].
    pub(crate) fn offset(&self) -> f64 {
        self.offset
    }

    /// Apart: what an onset has added to the offset beyond `rest` [m] is taken away; neutral in energy.
    pub(crate) fn shorten_offset(&mut self, rest: f64) {
        self.offset = self.offset.min(rest);
    }

    /// Velocity of the profile [m/s], positive towards the hammer. Whether it is another than before.
    pub(crate) fn set_rise(&mut self, velocity: f64) -> bool {
        std::mem::replace(&mut self.rise, velocity) != velocity
    }
}
