//! Adding hammers to a body, and removing them.

use crate::contact::ContactLaw;
use crate::modal::Mode;
use crate::solver::collision::Collision;

/// A point mass that strikes the body.
#[derive(Clone, Copy, Debug)]
pub struct PointHammerSpec<'a> {
    /// The contact's law.
    pub law: ContactLaw,
    /// Mass [kg], > 0.
    pub mass: f64,
    /// Speed towards the body [m/s].
    pub velocity: f64,
    /// `Mode::RIGID` for a free hammer, else its own spring and damper, which rests at the start position.
    pub tether: Mode,
    /// phi_i(x_c)/sqrt(M_i) of the body's modes at the contact point [kg^-1/2], one a mode.
    pub weights: &'a [f64],
}

/// A hammer with modes of its own; the first is its rigid part.
#[derive(Clone, Copy, Debug)]
pub struct HammerSpec<'a> {
    /// The contact's law.
    pub law: ContactLaw,
    /// Its modes, rigid part first.
    pub modes: &'a [Mode],
    /// Their weights at the contact point [kg^-1/2].
    pub own: &'a [f64],
    /// Speed of the rigid part towards the body [m/s].
    pub velocity: f64,
    /// Weights of the body's modes [kg^-1/2].
    pub weights: &'a [f64],
}

impl Collision {
    /// Adds a hammer at compression 0 and full speed, whatever the state of the body; its number. None if there is no spare
    /// hammer.
    pub fn strike(&mut self, hit: PointHammerSpec) -> Option<usize> {
        let own = [1.0 / hit.mass.sqrt()];
        let modes = [hit.tether];
        self.add_hammer(HammerSpec { law: hit.law, modes: &modes, own: &own, velocity: hit.velocity, weights: hit.weights })
    }

    /// As [`Collision::strike`] for a hammer with modes.
    pub fn add_hammer(&mut self, hit: HammerSpec) -> Option<usize> {
        self.leave_exact();
        let i = self.hammers.idle()?;
        let padded = self.body.modes.padded();
        let hammer = &mut self.hammers[i];
        hammer.set_up(hit.law, hit.modes.iter().copied(), hit.own, hit.weights, padded);
        hammer.bank.modes.v[0] = hit.velocity / hit.own[0];
        hammer.place(0.0, &self.body.modes);
        Some(self.activate_hammer(i))
    }

    /// Activates hammer i, just set up, and records its energy. Returns i.
    pub(crate) fn activate_hammer(&mut self, i: usize) -> usize {
        let energy = self.hammers[i].energy();
        self.refit(Some(i));
        if let Some(balance) = &mut self.balance {
            balance.record_hammer(energy);
        }
        i
    }

    /// Puts hammer i at a distance [m] from the body.
    pub fn set_hammer_gap(&mut self, i: usize, distance: f64) {
        self.leave_exact();
        self.hammers[i].place(0.0 - distance.max(0.0), &self.body.modes);
    }

    /// Removes hammer i; the energy [J] removed with it, including its contact's.
    pub fn remove_hammer(&mut self, i: usize) -> f64 {
        self.leave_exact();
        if !self.hammers.is_active(i) {
            return 0.0;
        }
        let hammer = &mut self.hammers[i];
        let energy = hammer.energy() + hammer.corrected_contact_energy();
        hammer.active = false;
        hammer.contact.touching = false;
        if let Some(balance) = &mut self.balance {
            balance.record_hammer(-energy);
        }
        self.phase.in_contact &= self.any_touching();
        energy
    }

    /// Whether hammer i is apart, receding as a whole, and out of reach: removing it then misses no contact. False while a spring
    /// holds it or a force pushes it towards the body, or while a profile rises under it.
    pub fn is_clear(&self, i: usize) -> bool {
        let (hammer, body) = (&self.hammers[i], &self.body.modes);
        if hammer.contact.touching {
            return false;
        }
        let (modes, own, weights) = (hammer.modes(), hammer.own_weights(), hammer.body_weights());
        let comes = || modes.drift(own) + body.drift(weights) >= 0.0;
        if hammer.contact.x >= 0.0 || hammer.push() > 0.0 || hammer.rise() > 0.0 || comes() {
            return false;
        }
        // the gap that remains at the largest deflections of body and hammer from their rest
        let ((body_now, body_most), (own_now, own_most)) = (body.swing(weights), modes.swing(own));
        hammer.contact.x - body_now - own_now + body_most + own_most < 0.0
    }
}
