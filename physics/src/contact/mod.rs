//! Contact laws, the scalar equation of one substep and its solution, closed forms for a rigid wall.

mod felt;
mod hertz_step;
mod hunt_crossley;
mod hunt_crossley_step;
mod law;
mod linear;
mod newton;
mod restitution;
mod step_equation;
mod wall_impact;

pub use crate::contact::felt::Felt;
pub(crate) use crate::contact::hertz_step::{HERTZ, Ready};
pub(crate) use crate::contact::hunt_crossley::has_roots;
pub use crate::contact::hunt_crossley::{HuntCrossley, undamped_duration_factor};
pub(crate) use crate::contact::hunt_crossley_step::ByRoots;
pub use crate::contact::law::ContactLaw;
pub(crate) use crate::contact::law::ContactState;
pub(crate) use crate::contact::law::of_any;
pub use crate::contact::linear::Linear;
pub(crate) use crate::contact::newton::{CONVERGED_STEP, SubstepSolver};
pub use crate::contact::restitution::Restitution;
pub use crate::contact::step_equation::{Equation, Solution};
pub(crate) use crate::contact::step_equation::{ForceExtrapolator, VelocityJump};
pub use crate::contact::wall_impact::{PhasePoint, RigidImpact};
