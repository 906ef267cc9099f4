//! The contact that the knobs describe: which law, and with which numbers.
//!
//! One knob, mu, stands for the loss of all models: they throw a hammer back from a rigid wall as fast as Hunt and Crossley's law
//! does that hits it with [`SPEED`]. Only with that law does the loss depend on the speed.

use std::f64::consts::PI;

use crate::params::{ContactModel, ParamId, ParamValues};
use urto_physics::contact::ContactLaw;
use urto_physics::contact::RigidImpact;

/// Speed [m/s] at which all models lose the same.
pub const SPEED: f64 = 1.0;

impl ParamValues {
    /// The contact law for a hammer of `mass` [kg].
    pub fn contact_law(&self, mass: f64) -> ContactLaw {
        law(self.contact_model(), [ParamId::Stiffness, ParamId::Exponent, ParamId::Damping].map(|knob| self.get(knob)), mass)
    }
}

/// The law of `model` for something of `mass` [kg], from the force [N] at a compression of 0.1 mm, the exponent alpha and the loss mu
/// [s/m]: stiffness k [N/m^alpha] is that force over (1e-4 m)^alpha.
pub fn law(model: ContactModel, [force, exponent, damping]: [f64; 3], mass: f64) -> ContactLaw {
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

/// Speed after over speed before a hit on a rigid wall at [`SPEED`] with the loss mu [s/m].
fn restitution(damping: f64) -> f64 {
    RigidImpact { mass: 1.0, stiffness: 1.0, exponent: 1.0, damping, velocity: SPEED }.restitution()
}

/// Damping ratio zeta of a linear spring and damper that throw back e of the speed after half a period: e = exp(-pi zeta/sqrt(1 -
/// zeta^2)).
fn damping_ratio(e: f64) -> f64 {
    let loss = -e.ln();
    loss / PI.hypot(loss)
}

#[cfg(test)]
mod tests {
    use super::*;
    use urto_physics::lab::Corrections;
    use urto_physics::lab::Method;
    use urto_physics::lab::{Experiment, LabStriker};

    /// Speed with which a hammer of 20 g leaves a rigid wall that it hits at 1 m/s.
    fn thrown_back(model: usize, mu: f64) -> f64 {
        let mut settings = ParamValues::default();
        settings.set(ParamId::Contact, model as f64);
        settings.set(ParamId::Damping, mu);
        let striker = LabStriker { mass: 0.02, velocity: SPEED, position: 0.0, gravity: 0.0, modes: vec![] };
        let law = settings.contact_law(striker.mass);
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
    fn all_models_lose_the_same_at_one_metre_a_second() {
        for mu in [0.0, 0.15, 0.6, 2.0] {
            let wanted = restitution(mu);
            for (model, most) in [(0, 2e-5), (1, 2e-4), (2, 1e-3)] {
                let error = thrown_back(model, mu) / wanted - 1.0;
                assert!(error.abs() < most, "model {model}, mu {mu}: {error:e}");
            }
        }
        assert!(restitution(0.0) == 1.0 && restitution(2.0) < 0.5);
    }
}
