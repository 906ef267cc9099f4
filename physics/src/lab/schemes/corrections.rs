//! The corrections of [PAR] section 4: the closed forms of a hit on a rigid wall, imposed on a scheme that misses them.

use crate::contact::ContactLaw;
use crate::contact::RigidImpact;
use crate::lab::schemes::system::{State, System};

/// Correction of a scheme.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Corrections {
    /// Nothing.
    #[default]
    None,
    /// As in the paper: x_n is clipped at x_max (4), the velocity after the contact is that of (7) and (8).
    Paper,
    /// The same with the exact root of (6) (Lambert W) in place of (7) and (8).
    Exact,
}

/// Limits of one contact, from its impact velocity.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    deepest: f64,
    velocity_out: f64,
}

impl Corrections {
    /// The limits of a contact that begins at `velocity` [m/s]; None without corrections.
    pub fn limits(self, system: &System, velocity: f64) -> Option<Limits> {
        if self == Self::None || velocity <= 0.0 {
            return None;
        }
        let ContactLaw::HuntCrossley(law) = system.law else { return None };
        let impact = RigidImpact {
            mass: system.weights[0].powi(-2),
            stiffness: law.stiffness(),
            exponent: law.exponent(),
            damping: law.damping(),
            velocity,
        };
        let velocity_out = match self {
            Self::Exact => impact.velocity_out(),
            _ => impact.approximate_velocity_out(),
        };
        Some(Limits { deepest: impact.max_compression(), velocity_out })
    }
}

impl Limits {
    /// Clips the compression, [PAR] (26). Only x is changed: a method that carries f_n over keeps it.
    pub fn clip(&self, system: &System, state: &mut State) {
        let surplus = system.compression(state) - self.deepest;
        if surplus > 0.0 {
            state.q[0] -= surplus / system.weights[0];
        }
    }

    /// Sets the velocity with which the striker leaves.
    pub fn release(&self, system: &System, state: &mut State) {
        state.v[0] = self.velocity_out / system.weights[0];
    }
}
