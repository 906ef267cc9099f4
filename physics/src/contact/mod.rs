//! TODO.

pub(crate) mod edge_step;
mod felt;
mod hertz_step;
mod hunt_crossley;
pub mod law;
mod linear;
mod newton;
mod power;
mod restitution;
mod step_equation;
mod wall_impact;

pub(crate) use crate::contact::hertz_step::{ByRoots, HERTZ, Ready};
pub use crate::contact::hunt_crossley::HuntCrossley;
pub(crate) use crate::contact::law::of_any;
pub use crate::contact::law::{ContactLaw, Felt};
pub use crate::contact::linear::Linear;
pub(crate) use crate::contact::step_equation::{CONVERGED_STEP, ForceExtrapolator, SubstepForce};
pub use crate::contact::step_equation::{Equation, Solution};
pub use crate::contact::wall_impact::RigidImpact;
