//! Changes of parameters at any time, also within a contact, without a gain of energy.
//!
//! | change | what is kept |
//! |---|---|
//! | stiffness, exponent | the contact's energy: x moves |
//! | loss mu | everything |
//! | hammer mass | momentum if it grows, v sqrt(m) if it falls |
//! | hammer's own spring | its energy; place and speed where there was or will be none |
//! | weights (position, body mass) | the tracked compression: the offset takes the jump |
//! | frequency of a mode | its energy: q scales by omega/omega' |
//! | decay of a mode | everything |
//! | number of modes (thinning) | the tracked compression; the energy, or a little less |
//! | state of the modes (damping, exchange between bands) | the tracked compression: the offset takes the jump |
//! | tension of the body | its energy if it would grow: K is lower until the motion has paid, see `tension` |
//! | potential of the body, or its number of modes | its energy if it would grow: the motion pays later, see `potential` |
//! | tube: its modes, how far it is open | its energy; that of modes that are removed is lost |
//! | place where a hammer's own spring rests | the place of the hammer; gap of rest = -offset of x = sum W q + offset |

use crate::contact::ContactLaw;
use crate::modal::{Mode, Modes, Response};
use crate::solver::collision::Collision;
use crate::solver::hammer::Hammer;

impl Collision {
    /// Sets frequencies and decays of the body's modes; the body keeps sounding.
    pub fn retune(&mut self, modes: impl IntoIterator<Item = Mode>) {
        self.change_parameters(None, |c| {
            c.body.retune(modes);
            c.tension.refresh(c.body.modes.list());
            c.potential.refresh(c.body.modes.list());
            c.fit_all_held();
        });
    }

    /// Damps the body and its tube: q and v of every mode times `factor`, 0 to 1.
    pub fn damp(&mut self, factor: f64) {
        let factor = factor.clamp(0.0, 1.0);
        self.change_parameters(None, |c| {
            c.body.forget_ahead();
            let modes = &mut c.body.modes;
            modes.q.iter_mut().chain(modes.v.iter_mut()).for_each(|x| *x *= factor);
            c.tube.damp(factor);
        });
    }

    /// Changes displacements and velocities of the body's modes by `change`, which must not add energy.
    pub fn change_state(&mut self, change: impl FnOnce(&mut [f64], &mut [f64])) {
        self.change_parameters(None, |c| {
            c.body.forget_ahead();
            let modes = &mut c.body.modes;
            change(&mut modes.q, &mut modes.v);
        });
    }

    /// Sets the contact law of hammer i; a law of another kind comes into force at the end of the present contact.
    pub fn set_law(&mut self, i: usize, law: ContactLaw) {
        if !self.hammers[i].defers_law(law) {
            self.change_parameters(Some(i), |c| c.hammers[i].set_law(law));
        }
    }

    /// Sets the mass [kg] > 0 of hammer i.
    pub fn set_mass(&mut self, i: usize, mass: f64) {
        self.change_parameters(Some(i), |c| c.hammers[i].set_mass(mass, &c.body.modes));
    }

    /// Sets the own spring and damper of hammer i: a spring that is switched on rests at the hammer's position.
    pub fn set_tether(&mut self, i: usize, tether: Mode) {
        if self.hammers[i].bank.modes.mode(0) != tether {
            self.change_parameters(Some(i), |c| c.hammers[i].set_tether(tether, &c.body.modes));
        }
    }

    /// Moves hammer i, just added at full speed and held by its own undamped spring only, to its position `time` [s] ago.
    pub fn rewind_hammer(&mut self, i: usize, time: f64) {
        self.leave_exact();
        self.hammers[i].rewind(time, &self.body.modes);
    }

    /// Sets phi_i/sqrt(M_i) at hammer i [kg^-1/2], after a change of position or body mass.
    pub fn set_weights(&mut self, i: usize, weights: &[f64]) {
        let arrays = self.body.arrays();
        self.change_parameters(Some(i), |c| {
            c.hammers[i].set_body_weights(weights, arrays);
            c.fit_held(i);
        });
    }

    /// Force [N] on hammer i from now on, positive towards the body; its work is recorded as supplied.
    pub fn set_push(&mut self, i: usize, newtons: f64) {
        if self.hammers[i].set_push(newtons) {
            self.leave_exact();
        }
    }

    /// The profile between hammer i and the body rises with this velocity [m/s] from now on, positive towards the hammer: dz/dt
    /// of x = sum W q + offset + z. Its work against the contact force is recorded as supplied.
    pub fn set_rise(&mut self, i: usize, velocity: f64) {
        if self.hammers[i].set_rise(velocity) {
            self.leave_exact();
        }
    }

    /// Runs a change of parameters that must not gain energy, and records it. It changes hammer `one`, or with None the body.
    pub(crate) fn change_parameters(&mut self, one: Option<usize>, change: impl FnOnce(&mut Self)) {
        let before = self.balance.is_some().then(|| self.corrected_energy());
        self.leave_exact();
        let stored = self.tension_energy();
        change(self);
        if self.tension.acts() {
            self.tension.limit_energy(stored, &self.body.modes.q);
        }
        if one.is_none() && self.potential.acts() {
            self.potential.limit_energy(&self.body.modes.q);
        }
        self.refit(one);
        if !self.phase.in_contact {
            for hammer in self.hammers.iter_mut() {
                hammer.follow_geometry(&self.body.modes);
            }
        }
        if let Some(before) = before {
            let after = self.corrected_energy();
            if let Some(balance) = &mut self.balance {
                balance.record_change(before, after);
            }
        }
    }

    /// Moves the rest of the spring of hammer i to this gap [m]; the hammer keeps its position. Not done where that would add
    /// energy; whether it was done.
    pub fn recentre(&mut self, i: usize, gap: f64) -> bool {
        self.settle();
        let hammer = &self.hammers[i];
        let (mode, weight) = (hammer.modes().mode(0), hammer.own_weights()[0]);
        let (q, moved) = (hammer.modes().q[0], (hammer.offset() + gap) / weight);
        let calmer = mode.omega == 0.0 || (q + moved).abs() <= q.abs();
        if calmer && moved != 0.0 {
            self.change_parameters(Some(i), |c| c.hammers[i].recentre(-gap, q + moved));
        }
        calmer
    }
}

impl Hammer {
    /// Gap [m] over a body at rest at which its own spring rests without outside force; below 0 it rests inside the body.
    pub fn rest_gap(&self) -> f64 {
        -self.offset()
    }

    /// The same once its offset has returned to where it was placed, which contacts do not change.
    pub fn placed_gap(&self) -> f64 {
        -self.placement.placed
    }

    /// Whether `law` has no effect now: it is the present one, or of another kind, and deferred to the end of the contact.
    pub(crate) fn defers_law(&mut self, law: ContactLaw) -> bool {
        let waits = self.contact.touching && !self.contact.law.is_kind_of(&law);
        self.contact.next_law = waits.then_some(law);
        waits || law == self.contact.law
    }

    /// Sets a law at once: one of the same kind takes over the contact's energy.
    pub(crate) fn set_law(&mut self, law: ContactLaw) {
        if !self.contact.law.is_kind_of(&law) {
            self.contact.law = law;
            self.contact.memory = 0.0;
            return;
        }
        let from = (self.contact.law, self.fit.beta);
        self.contact.law = law;
        self.keep_contact_energy(from);
    }

    /// Sets the mass: momentum is kept if it grows, v sqrt(m) if it falls, and the position in either case, except that a
    /// tethered hammer that grows keeps the energy of its tether. Never adds energy.
    pub(crate) fn set_mass(&mut self, mass: f64, body: &Modes) {
        let ratio = mass / self.mass;
        let root = ratio.sqrt();
        let shown = self.geometry(body);
        for (i, weight) in self.weights.own.iter_mut().enumerate() {
            *weight /= root;
            if ratio > 1.0 {
                self.bank.modes.v[i] /= root;
            }
        }
        for i in 0..self.bank.modes.len() {
            if ratio < 1.0 || self.bank.modes.mode(i).omega == 0.0 {
                self.bank.modes.q[i] *= root;
            }
        }
        self.push /= root;
        self.mass = mass;
        self.weights.update_mobility();
        let moved = shown - self.geometry(body);
        self.placement.offset += moved;
        self.placement.placed += if self.placement.stays { 0.0 } else { moved };
    }

    /// Sets spring and damper of the rigid part. The energy in the spring is kept; a spring that is switched on rests at the
    /// hammer's position, the energy of one that is switched off is lost. Never adds energy.
    pub(crate) fn set_tether(&mut self, tether: Mode, body: &Modes) {
        let shown = self.geometry(body);
        self.bank.retune_one(0, tether);
        let moved = shown - self.geometry(body);
        self.placement.offset += moved;
        self.placement.placed += if self.placement.stays { 0.0 } else { moved };
    }

    /// Moves the rigid part back in time along its free motion.
    pub(crate) fn rewind(&mut self, time: f64, body: &Modes) {
        let back = Response::new(self.bank.modes.mode(0), -time);
        let Modes { q, v, .. } = &mut self.bank.modes;
        (q[0], v[0]) = (back.a11 * q[0] + back.a12 * v[0], back.a21 * q[0] + back.a22 * v[0]);
        self.follow_geometry(body);
    }

    /// Sets offset [m] and displacement of the rigid part such that the position is the same.
    pub(crate) fn recentre(&mut self, offset: f64, q: f64) {
        (self.placement.offset, self.placement.placed) = (offset, offset);
        self.bank.modes.q[0] = q;
    }

    /// Sets the outside force on the rigid part [N], positive towards the body. Whether it has changed.
    pub(crate) fn set_push(&mut self, newtons: f64) -> bool {
        let push = newtons * self.weights.own[0];
        std::mem::replace(&mut self.push, push) != push
    }

    /// Sets the velocity of the profile [m/s], positive towards the hammer. Whether it has changed.
    pub(crate) fn set_rise(&mut self, velocity: f64) -> bool {
        std::mem::replace(&mut self.placement.rise, velocity) != velocity
    }
}
