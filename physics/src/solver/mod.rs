//! TODO.

pub mod collision;
mod cost_budget;
mod coupled_newton;
mod energy_balance;
mod exact_contact;
mod exact_pair;
mod free_flight;
mod gap;
mod gauss_seidel;
mod hammer;
mod hammer_anchor;
mod hammer_control;
mod hammer_slots;
mod hammer_substeps;
mod multi_substep;
mod obstacle;
mod parameter_change;
mod preload;
mod single_contact;
mod step_size;

pub use crate::solver::collision::{Capacity, Collision, DEEPEST_LEVEL, MAX_HAMMERS, MAX_SUBSTEPS, StateBefore, SubstepReport};
pub use crate::solver::energy_balance::{EnergyBalance, EnergyEntry};
pub use crate::solver::exact_contact::ExactContact;
pub use crate::solver::hammer::Hammer;
pub use crate::solver::hammer_control::{HammerSpec, PointHammerSpec};
pub use crate::solver::obstacle::Obstacle;
pub use crate::solver::step_size::Resolution;
