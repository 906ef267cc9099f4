//! Motion of a hammer's own modes over several substeps, and its gap to the body.
//!
//! Mostly a hammer is a point mass: one mode, which needs no loop over modes. The gap is the compression by geometry, offset, and
//! the profile between hammer and body:
//!
//! ```text
//! x = sum W q + offset + z        z: height of a profile that may move, towards the hammer
//! ```
//!
//! The offset ensures that no contact begins with hammer and body inside each other (offset element of [Rath]); it yields and
//! returns. The profile changes only from outside.

use crate::modal::{MAX_STEPS_PER_PASS, ModeBank, Modes, Span, dot};
use crate::solver::hammer::Hammer;
use crate::solver::hammer_state::WeightKind;

impl Hammer {
    /// [`Hammer::free_way`] of one substep; own modes other than the rigid part are predicted.
    #[inline(always)]
    pub(crate) fn next_way(&mut self, span: Span, dt: f64) -> f64 {
        if self.bank.modes.len() > 1 {
            return self.predict(span, WeightKind::Fitted);
        }
        let (dq, _) = self.fit.first_mode.predict((self.bank.modes.q[0], self.bank.modes.v[0]), self.push);
        self.fit.own[0] * dq + self.placement.rise * dt
    }

    /// [`Hammer::step_own_modes`] of one substep.
    #[inline(always)]
    pub(crate) fn step_own_modes_once(&mut self, span: Span, dt: f64, force: f64) -> f64 {
        if self.bank.modes.len() > 1 {
            let mut speeds = [0.0; MAX_STEPS_PER_PASS];
            self.step_own_modes(span, &[force], &mut speeds);
            return speeds[0];
        }
        let felt = self.fit.own[0];
        let (q, v) = self.fit.first_mode.step((self.bank.modes.q[0], self.bank.modes.v[0]), self.push, felt * force);
        (self.bank.modes.q[0], self.bank.modes.v[0]) = (q, v);
        self.placement.profile += self.placement.rise * dt;
        self.placement.rise + felt * v
    }

    /// Change of compression by its own modes and the profile in each of the next `count` substeps of dt [s] without contact
    /// force; no state is predicted. The hammer is fitted to them, and its bank has selected their table.
    #[inline]
    pub(crate) fn free_way(&self, dt: f64, count: usize) -> [f64; MAX_STEPS_PER_PASS] {
        let climb = self.placement.rise * dt;
        self.bank.predict_steps_pushed(&self.fit.first_mode, &self.fit.own, self.push, count).map(|way| way + climb)
    }

    /// Advances its own modes and the profile by one substep for each of `forces`, bit for bit as if each were predicted and
    /// made. Its part of the velocity of compression after each goes into `speeds`.
    #[inline]
    pub(crate) fn step_own_modes(&mut self, span: Span, forces: &[f64], speeds: &mut [f64; MAX_STEPS_PER_PASS]) {
        if self.bank.modes.len() > 1 {
            for (speed, &force) in speeds.iter_mut().zip(forces) {
                self.substep.solution.force = force;
                self.predict(span, WeightKind::Fitted);
                self.commit();
                *speed = self.placement.rise + dot(&self.fit.own, &self.bank.modes.v);
            }
            return;
        }
        let (dt, rise) = (self.bank.seconds(span), self.placement.rise);
        let (felt, first, push) = (self.fit.own[0], self.fit.first_mode, self.push);
        let (mut q, mut v, mut profile) = (self.bank.modes.q[0], self.bank.modes.v[0], self.placement.profile);
        for (speed, &force) in speeds.iter_mut().zip(forces) {
            (q, v) = first.step((q, v), push, felt * force);
            profile += rise * dt;
            *speed = rise + felt * v;
        }
        (self.bank.modes.q[0], self.bank.modes.v[0], self.placement.profile) = (q, v, profile);
    }
}

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
        (self.geometry_within(&body.modes) + self.substep.equation.df, self.closing_before(body))
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

impl Hammer {
    /// Compression by geometry [m]: sum W q + offset + profile. In contact the tracked compression is `x`, which differs from it by the
    /// hold's correction.
    pub fn geometry(&self, body: &Modes) -> f64 {
        self.body_sum(&body.q) + self.held.moved + self.position() + self.placement.offset + self.placement.profile
    }

    /// The same within a sample.
    pub(crate) fn geometry_within(&self, body: &Modes) -> f64 {
        let of_held = if self.weights.felt == body.q.len() { 0.0 } else { self.held.place };
        self.felt_sum(&body.q) + of_held + self.held.moved + self.position() + self.placement.offset + self.placement.profile
    }

    /// Sum of an array of the body at the contact point, by plain weights of the felt modes and fitted ones of the held modes.
    fn body_sum(&self, array: &[f64]) -> f64 {
        let felt = self.weights.felt;
        let of_felt = dot(&self.weights.body[..felt], &array[..felt]);
        if felt == array.len() { of_felt } else { of_felt + dot(&self.fit.body[felt..], &array[felt..]) }
    }

    /// Velocity of compression [m/s].
    pub fn closing(&self, body: &Modes) -> f64 {
        self.body_sum(&body.v) + self.velocity() + self.placement.rise
    }

    /// Velocity of compression [m/s] within a sample, without force.
    pub(crate) fn closing_within(&self, body: &ModeBank) -> f64 {
        self.felt_sum(&body.modes.v) + self.held_velocity(body) + self.velocity() + self.placement.rise
    }

    /// The same at the end of the predicted step, or once that has been made, before it [m/s].
    pub(crate) fn closing_before(&self, body: &ModeBank) -> f64 {
        self.felt_sum(&body.vf) + self.held_velocity(body) + dot(&self.weights.own, &self.bank.vf) + self.placement.rise
    }

    /// Sum of an array of the body at the contact point over the felt modes.
    fn felt_sum(&self, array: &[f64]) -> f64 {
        let felt = self.weights.felt;
        dot(&self.weights.body[..felt], &array[..felt])
    }

    /// Velocity of the held modes within a sample [m/s], without force.
    fn held_velocity(&self, body: &ModeBank) -> f64 {
        self.held.way / body.seconds(Span::Level(0))
    }

    /// Sets the offset such that the geometry is `x` now (offset element of [Rath]; neutral in energy).
    pub(crate) fn set_geometry(&mut self, x: f64, body: &Modes) {
        self.placement.offset += x - self.geometry(body);
        self.contact.x = x;
    }

    /// Apart: the compression is the geometry; where that is positive, the offset absorbs it. Neutral in energy.
    pub(crate) fn follow_geometry(&mut self, body: &Modes) {
        self.return_offset();
        self.follow(self.geometry(body));
    }

    /// The same within a sample.
    pub(crate) fn follow_geometry_within(&mut self, body: &Modes) {
        self.return_offset();
        self.follow(self.geometry_within(body));
    }

    fn return_offset(&mut self) {
        if self.placement.stays {
            self.placement.offset = self.placement.placed;
        }
    }

    fn follow(&mut self, x: f64) {
        if x > 0.0 {
            self.placement.offset -= x;
            self.contact.x = 0.0;
        } else {
            let back = self.offset_deficit().min(-0.5 * x);
            self.placement.offset += back;
            self.contact.x = x + back;
        }
    }

    /// How much the offset of a tethered hammer has yielded [m], >= 0. It returns by up to half of the gap, so that the rest
    /// position of the tether does not drift over many contacts. A free hammer has no such position.
    fn offset_deficit(&self) -> f64 {
        let tethered = self.bank.modes.mode(0).omega > 0.0;
        if tethered { (self.placement.placed - self.placement.offset).max(0.0) } else { 0.0 }
    }

    /// Offset added to the geometry [m].
    pub(crate) fn offset(&self) -> f64 {
        self.placement.offset
    }
}
