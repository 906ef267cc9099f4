//! Parameters that change at any moment, also in the middle of a contact, without bringing energy.
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
//! | place where a hammer's own spring rests | the place of the hammer; gap of rest = -offset of x = sum W q + offset |

use crate::contact::ContactLaw;
use crate::modal::{Mode, Modes, Response, dot};
use crate::solver::collision::Collision;
use crate::solver::hammer::Hammer;

impl Collision {
    /// Other frequencies and decays for the body's modes; the body keeps sounding.
    pub fn retune(&mut self, modes: impl IntoIterator<Item = Mode>) {
        self.change_parameters(None, |c| c.body.retune(modes));
    }

    /// A hand on the body: q and v of every mode times `factor`, 0 to 1.
    pub fn damp(&mut self, factor: f64) {
        let factor = factor.clamp(0.0, 1.0);
        self.change_parameters(None, |c| {
            let modes = &mut c.body.modes;
            modes.q.iter_mut().chain(&mut modes.v).for_each(|x| *x *= factor);
        });
    }

    /// Another contact law for hammer i; of another kind than the present one, it waits for the end of a contact.
    pub fn set_law(&mut self, i: usize, law: ContactLaw) {
        if !self.hammers[i].defers_law(law) {
            self.change_parameters(Some(i), |c| c.hammers[i].set_law(law));
        }
    }

    /// Another mass [kg] > 0 for hammer i.
    pub fn set_mass(&mut self, i: usize, mass: f64) {
        self.change_parameters(Some(i), |c| c.hammers[i].set_mass(mass, &c.body.modes));
    }

    /// Another spring and damper of its own for hammer i: one that is switched on rests where the hammer is.
    pub fn set_tether(&mut self, i: usize, tether: Mode) {
        if self.hammers[i].bank.modes.mode(0) != tether {
            self.change_parameters(Some(i), |c| c.hammers[i].set_tether(tether, &c.body.modes));
        }
    }

    /// Puts hammer i, which has just been thrown at its full speed and only its own undamped spring holds, where it was `time` [s] ago.
    pub fn rewind_hammer(&mut self, i: usize, time: f64) {
        self.leave_exact();
        self.hammers[i].rewind(time, &self.body.modes);
    }

    /// Another place or body mass: phi_i/sqrt(M_i) at hammer i [kg^-1/2].
    pub fn set_weights(&mut self, i: usize, weights: &[f64]) {
        let padded = self.body.modes.padded();
        self.change_parameters(Some(i), |c| c.hammers[i].set_body_weights(weights, padded));
    }

    /// Force [N] on hammer i from now on, positive towards the body; its work is booked as supplied.
    pub fn set_push(&mut self, i: usize, newtons: f64) {
        if self.hammers[i].set_push(newtons) {
            self.leave_exact();
        }
    }

    /// The profile between hammer i and the body rises with this velocity [m/s] from now on, positive towards the hammer: dz/dt of
    /// x = sum W q + offset + z. What it does against the contact force is booked as supplied.
    pub fn set_rise(&mut self, i: usize, velocity: f64) {
        if self.hammers[i].set_rise(velocity) {
            self.leave_exact();
        }
    }

    /// Runs a change of parameters that must not bring energy, and books it. It changes `one` hammer, or with None the body.
    pub(crate) fn change_parameters(&mut self, one: Option<usize>, change: impl FnOnce(&mut Self)) {
        let before = self.balance.is_some().then(|| self.corrected_energy());
        self.leave_exact();
        change(self);
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

    /// The spring of hammer i rests at this gap [m] from now on, and the hammer stays where it is, unless that would bring energy;
    /// whether it does.
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
    /// Gap [m] over a body at rest at which its own spring rests while nothing pushes; below 0 it rests inside.
    pub fn rest_gap(&self) -> f64 {
        -self.offset()
    }

    /// Whether another law changes nothing now: it is the present one, or of another kind, and waits until the contact has ended.
    pub(crate) fn defers_law(&mut self, law: ContactLaw) -> bool {
        let waits = self.contact.touching && !self.contact.law.is_kind_of(&law);
        self.contact.next_law = waits.then_some(law);
        waits || law == self.contact.law
    }

    /// Another law that does not wait: one of the same kind takes over the contact's energy.
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

    /// Another mass: momentum is kept if it grows, v sqrt(m) if it falls, and the place in either case, except that a tethered
    /// hammer that grows keeps the energy of its tether. Never brings energy.
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
        self.weights.mobility = dot(&self.weights.body, &self.weights.body) + dot(&self.weights.own, &self.weights.own);
        let moved = shown - self.geometry(body);
        self.placement.offset += moved;
        self.placement.placed += if self.placement.stays { 0.0 } else { moved };
    }

    /// Another spring and damper of its own for the rigid part. The energy in the spring is kept; one that is switched on rests where the
    /// hammer is, that of one that is switched off is lost. Never brings energy.
    pub(crate) fn set_tether(&mut self, tether: Mode, body: &Modes) {
        let shown = self.geometry(body);
        self.bank.retune_one(0, tether);
        let moved = shown - self.geometry(body);
        self.placement.offset += moved;
        self.placement.placed += if self.placement.stays { 0.0 } else { moved };
    }

    /// Its rigid part goes back along its own free motion.
    pub(crate) fn rewind(&mut self, time: f64, body: &Modes) {
        let back = Response::new(self.bank.modes.mode(0), -time);
        let Modes { q, v, .. } = &mut self.bank.modes;
        (q[0], v[0]) = (back.a11 * q[0] + back.a12 * v[0], back.a21 * q[0] + back.a22 * v[0]);
        self.follow_geometry(body);
    }

    /// The same place by another offset [m] and another displacement of the rigid part.
    pub(crate) fn recentre(&mut self, offset: f64, q: f64) {
        (self.placement.offset, self.placement.placed) = (offset, offset);
        self.bank.modes.q[0] = q;
    }

    /// Outside force on the rigid part [N], positive towards the body. Whether it is another than before.
    pub(crate) fn set_push(&mut self, newtons: f64) -> bool {
        let push = newtons * self.weights.own[0];
        std::mem::replace(&mut self.push, push) != push
    }

    /// Velocity of the profile [m/s], positive towards the hammer. Whether it is another than before.
    pub(crate) fn set_rise(&mut self, velocity: f64) -> bool {
        std::mem::replace(&mut self.placement.rise, velocity) != velocity
    }
}
