//! Potential energy of deflections that are not small, beyond that of the linear modes.
//!
//! ```text
//! q_i'' + 2 sigma_i q_i' + omega_i^2 q_i = -dV/dq_i + forces        V [J], modes of unit mass
//! ```

use std::fmt::Debug;

/// Size of a potential.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PotentialSize {
    /// Factor of V; 0 is no potential.
    pub amount: f64,
    /// Unit of the rest shape of a curved body in displacements [m kg^1/2]; flat ones have none.
    pub depth: f64,
}

impl PotentialSize {
    /// Of a flat body.
    pub fn flat(amount: f64) -> Self {
        Self { amount, depth: 1.0 }
    }

    /// That of a plate or disc of this thickness [m], mass [kg], and omega [rad/s] of its lowest mode without a rest shape, if this is the one of
    /// thickness, mass and omega 1.
    pub fn of_sheet(self, thickness: f64, mass: f64, omega: f64) -> Self {
        Self { amount: self.amount * (omega / thickness).powi(2) / mass, depth: self.depth * thickness * mass.sqrt() }
    }
}

/// V as a function of the displacements of the first modes of a body.
pub trait Potential: Debug + Send + Sync {
    /// V(q) [J], and its derivatives [m kg^1/2/s^2] into `gradient`, which is as long as q; 0 for modes that do not take part. Neither
    /// allocates nor fails.
    fn evaluate(&mut self, q: &[f64], gradient: &mut [f64]) -> f64;

    /// Whether V can be negative, as in curved bodies; never below minus the elastic energy of the linear modes.
    fn is_curved(&self) -> bool;

    /// Sets the unit of the rest shape [m kg^1/2], 1 at first: V = depth^4 V1(q/depth) of a curved body. Flat ones ignore it.
    fn set_depth(&mut self, _depth: f64) {}

    /// Cost of an evaluation, in samples of one reference resonator.
    fn cost(&self) -> f32;

    /// A copy with memory of its own (allocates).
    fn duplicate(&self) -> Box<dyn Potential>;
}

impl Clone for Box<dyn Potential> {
    fn clone(&self) -> Self {
        self.duplicate()
    }
}
