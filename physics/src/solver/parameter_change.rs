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

use crate::contact::ContactLaw;
use crate::modal::Mode;
use crate::solver::collision::Collision;

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
        if !self.strikers[i].defers_law(law) {
            self.change_parameters(Some(i), |c| c.strikers[i].set_law(law));
        }
    }

    /// Another mass [kg] > 0 for hammer i.
    pub fn set_mass(&mut self, i: usize, mass: f64) {
        self.change_parameters(Some(i), |c| c.strikers[i].set_mass(mass, &c.body.modes));
    }

    /// Another spring and damper of its own for hammer i: one that is switched on rests where the hammer is.
    pub fn set_tether(&mut self, i: usize, tether: Mode) {
        if self.strikers[i].bank.modes.mode(0) != tether {
            self.change_parameters(Some(i), |c| c.strikers[i].set_tether(tether, &c.body.modes));
        }
    }

    /// Puts hammer i, which has just been thrown at its full speed and only its own undamped spring holds, where it was `time` [s] ago.
    pub fn rewind_hammer(&mut self, i: usize, time: f64) {
        self.leave_exact();
        self.strikers[i].wind_back(time, &self.body.modes);
    }

    /// Another place or body mass: phi_i/sqrt(M_i) at hammer i [kg^-1/2].
    pub fn set_weights(&mut self, i: usize, weights: &[f64]) {
        let padded = self.body.modes.padded();
        self.change_parameters(Some(i), |c| c.strikers[i].set_body_weights(weights, padded));
    }

    /// Force [N] on hammer i from now on, positive towards the body; its work is booked as supplied.
    pub fn set_push(&mut self, i: usize, newtons: f64) {
        if self.strikers[i].set_push(newtons) {
            self.leave_exact();
        }
    }

    /// The profile between hammer i and the body rises with this velocity [m/s] from now on, positive towards the hammer: dz/dt of
    /// x = sum W q + offset + z. What it does against the contact force is booked as supplied.
    pub fn set_rise(&mut self, i: usize, velocity: f64) {
        if self.strikers[i].set_rise(velocity) {
            self.leave_exact();
        }
    }

    /// Runs a change of parameters that must not bring energy, and books it. It changes `one` hammer, or with None the body.
    pub(crate) fn change_parameters(&mut self, one: Option<usize>, change: impl FnOnce(&mut Self)) {
        let before = self.ledger.is_some().then(|| self.booked_energy());
        self.leave_exact();
        change(self);
        self.refit(one);
        if !self.in_contact {
            for striker in self.strikers.iter_mut() {
                striker.follow_geometry(&self.body.modes);
            }
        }
        if let Some(before) = before {
            let after = self.booked_energy();
            if let Some(ledger) = &mut self.ledger {
                ledger.book_jump(before, after);
            }
        }
    }
}
