//! The energy balance of a body and its hammers, step by step.

use crate::solver::collision::Collision;
use crate::solver::energy_balance::{EnergyBalance, EnergyEntry};
use crate::solver::hammer::Hammer;

impl Collision {
    /// Enables the energy balance (allocates): every step is recorded from now on.
    pub fn enable_energy_balance(&mut self) {
        self.settle();
        self.body.track_losses();
        for hammer in self.hammers.all_mut() {
            hammer.bank.track_losses();
        }
        let balance = EnergyBalance { largest: self.magnitude_of(self.corrected_energy()), ..EnergyBalance::default() };
        self.balance = Some(Box::new(balance));
    }

    /// The energy balance, if it is enabled.
    pub fn energy_balance(&self) -> Option<&EnergyBalance> {
        self.balance.as_deref()
    }

    /// Energy [J] of body, hammers and contacts, with U + beta U'^2 in contacts: what the steps conserve.
    pub fn corrected_energy(&self) -> f64 {
        let hammers = self.hammers.iter();
        self.body.modes.energy()
            + self.stiffening_energy()
            + hammers.map(|s| s.energy() + s.corrected_contact_energy()).sum::<f64>()
    }

    /// Sum of the magnitudes [J] of the parts of `energy`, the present [`Collision::corrected_energy`].
    fn magnitude_of(&self, energy: f64) -> f64 {
        let stiffening = self.stiffening_energy();
        energy + stiffening.abs() - stiffening
    }

    /// Runs `make`, a step with the forces of the solutions, and records its energy. `make` returns the energy [J] that the laws
    /// dissipate by relaxation, and its own result. `in_contact`: the equations belong to this step, so that the contacts' losses
    /// follow from them.
    pub(crate) fn record_step<T>(&mut self, in_contact: bool, make: impl FnOnce(&mut Self) -> (f64, T)) -> T {
        if self.balance.is_none() {
            return make(self).1;
        }
        let mut entry = self.open_entry();
        self.note_mode_losses(&mut entry);
        if in_contact {
            entry.lost_in_contact =
                self.hammers.iter().map(|s| s.contact.law.loss(&s.substep.equation, &s.substep.solution)).sum();
        }
        entry.supplied = self.hammers.iter().map(Hammer::work).sum();
        self.held.work = 0.0;
        let (lost, made) = make(self);
        entry.supplied += self.held.work;
        entry.lost_in_contact += lost;
        self.close_entry(entry);
        made
    }

    /// Runs `exchange`, which moves energy between modes and potential without a loss, and records it.
    pub(crate) fn exchange_energy(&mut self, exchange: impl FnOnce(&mut Self)) {
        let entry = self.open_entry();
        exchange(self);
        self.close_entry(entry);
    }

    pub(crate) fn open_entry(&self) -> EnergyEntry {
        let mut entry = EnergyEntry::default();
        if self.balance.is_some() {
            entry.before = self.corrected_energy();
        }
        entry
    }

    /// Losses of all modes over the predicted step under the forces of the solution.
    fn note_mode_losses(&self, entry: &mut EnergyEntry) {
        let active = || self.hammers.iter();
        let by_hammers =
            |i: usize| -active().map(|s| s.fitted_weights().get(i).map_or(0.0, |w| w * s.substep.solution.force)).sum::<f64>();
        let by_tension = |i: usize| if self.tension.acts() { self.tension.force_on(i) } else { 0.0 };
        let pulled = |i: usize| by_hammers(i) + by_tension(i) + self.potential.force_on(i);
        entry.lost_in_modes = self.body.step_loss(pulled) + active().map(Hammer::own_loss).sum::<f64>();
    }

    pub(crate) fn close_entry(&mut self, mut entry: EnergyEntry) {
        if self.balance.is_some() {
            entry.after = self.corrected_energy();
            entry.magnitude = self.magnitude_of(entry.after);
        }
        if let Some(balance) = &mut self.balance {
            balance.record_step(&entry);
        }
    }
}
