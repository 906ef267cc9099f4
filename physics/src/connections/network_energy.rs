//! The energy balance of a network, step by step.

use crate::connections::network::{Body, Network};
use crate::modal::{MAX_PORTS, Stride};
use crate::solver::EnergyBalance;

impl Network {
    /// Enables the energy balance (allocates): every step and every change is recorded from now on. Losses of dashpots count as lost in
    /// contact.
    pub fn enable_energy_balance(&mut self) {
        self.bodies.iter_mut().for_each(|body| body.modes.track_losses());
        self.balance = Some(Box::new(EnergyBalance { largest: self.energy(), ..EnergyBalance::default() }));
    }

    /// The energy balance, if it is enabled.
    pub fn energy_balance(&self) -> Option<&EnergyBalance> {
        self.balance.as_deref()
    }

    /// Energy [J] of bodies, hammers, springs and contacts.
    pub fn energy(&self) -> f64 {
        let bodies: f64 = self.bodies[..self.count].iter().map(|body| body.modes.modes().energy()).sum();
        let contacts: f64 = self.contacts.iter().map(|(_, contact)| contact.energy()).sum();
        bodies + contacts + self.joints.energy()
    }

    pub(super) fn energy_if_balanced(&self) -> Option<f64> {
        self.balance.is_some().then(|| self.energy())
    }

    /// Loss [J] of all modes over the next step under the forces.
    pub(super) fn loss_of_modes(&self, stride: Stride) -> f64 {
        let of_body = |body: &Body| {
            let mut forces = [0.0; MAX_PORTS];
            for (force, port) in forces.iter_mut().zip(&body.ports).take(body.modes.ports()) {
                *force = self.forces[*port];
            }
            body.modes.loss(stride, &forces)
        };
        self.bodies[..self.count].iter().map(of_body).sum()
    }
}
