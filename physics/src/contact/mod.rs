//! TODO.

pub(crate) mod edge_step;
pub mod felt;
pub(crate) mod hertz_step;
pub mod hunt_crossley;
pub mod law;
pub mod linear;
pub(crate) mod newton;
pub(crate) mod power;
pub mod restitution;
pub mod step_equation;
pub mod wall_impact;
