//! Contact law of a hammer or obstacle from the parameters.
//!
//! One parameter, mu, is the loss of all models: they return a hammer from a rigid wall as fast as the Hunt-Crossley law does for a hit
//! at [`REFERENCE_SPEED`]. Only with that law does the loss depend on the speed.

use std::f64::consts::PI;

use crate::params::{ContactModel, ContactParams};
use crate::voice::voice::Voice;
use urto_physics::contact::{ContactLaw, RigidImpact};

/// Speed [m/s] at which all models lose the same energy.
const REFERENCE_SPEED: f64 = 1.0;

/// The contact law of `contact` for a mass [kg]; its stiffness k [N/m^alpha] is the force at 0.1 mm over (1e-4 m)^alpha.
pub fn contact_law(contact: &ContactParams, mass: f64) -> ContactLaw {
    let ContactParams { model, stiffness: force, exponent, damping } = *contact;
    let stiffness = |exponent: f64| force / 1e-4_f64.powf(exponent);
    match model {
        ContactModel::HuntCrossley => ContactLaw::hunt_crossley(stiffness(exponent), exponent, damping),
        ContactModel::Restitution => ContactLaw::restitution(stiffness(exponent), exponent, restitution(damping).powi(2)),
        ContactModel::Linear => {
            let stiffness = stiffness(1.0);
            ContactLaw::linear(stiffness, 2.0 * damping_ratio(restitution(damping)) * (stiffness * mass).sqrt())
        }
    }
}

impl Voice {
    /// Hammer `i` takes the law of `contact`.
    pub(super) fn update_law(&mut self, i: usize, contact: &ContactParams) {
        let state = &mut self.hammers.states[i];
        let law = contact_law(contact, state.mass);
        if law != state.law {
            state.law = law;
            self.collision.set_law(i, law);
        }
    }
}

/// Coefficient of restitution of a hit on a rigid wall at [`REFERENCE_SPEED`] with the loss mu [s/m].
fn restitution(damping: f64) -> f64 {
    RigidImpact { mass: 1.0, stiffness: 1.0, exponent: 1.0, damping, velocity: REFERENCE_SPEED }.restitution()
}

/// Damping ratio zeta of a linear spring and damper with the coefficient of restitution e = exp(-pi zeta/sqrt(1 - zeta^2)).
fn damping_ratio(e: f64) -> f64 {
    let loss = -e.ln();
    loss / PI.hypot(loss)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{ParamId, ParamValues};
    use urto_physics::lab::{Corrections, Experiment, LabStriker, Method};

    /// Speed with which a hammer of 20 g leaves a rigid wall after a hit at 1 m/s.
    fn speed_after(model: usize, mu: f64) -> f64 {
        let mut settings = ParamValues::default();
        settings.set(ParamId::Contact, model as f64);
        settings.set(ParamId::Damping, mu);
        let striker = LabStriker { mass: 0.02, velocity: REFERENCE_SPEED, position: 0.0, gravity: 0.0, modes: vec![] };
        let law = contact_law(&settings.hammer_contact(), striker.mass);
        let method = if matches!(law, ContactLaw::Linear(_)) { Method::Offset } else { Method::Edg };
        let lab = Experiment {
            sample_rate: 3.84e6,
            duration: None,
            substeps_per_contact: 64.0,
            law,
            method,
            corrections: Corrections::None,
            striker,
            body: vec![],
        };
        -lab.run(&mut |_| ()).contacts[0].velocity_out.unwrap()
    }

    #[test]
    fn all_models_lose_the_same_energy_at_1_m_per_s() {
        for mu in [0.0, 0.15, 0.6, 2.0] {
            let wanted = restitution(mu);
            for (model, most) in [(0, 2e-5), (1, 2e-4), (2, 1e-3)] {
                let error = speed_after(model, mu) / wanted - 1.0;
                assert!(error.abs() < most, "model {model}, mu {mu}: {error:e}");
            }
        }
        assert!(restitution(0.0) == 1.0 && restitution(2.0) < 0.5);
    }
}
