//! TODO.

pub mod collision;
pub(crate) mod cost_budget;
pub(crate) mod coupled_newton;
pub mod energy_balance;
pub mod exact_contact;
pub mod exact_pair;
pub mod free_flight;
pub(crate) mod gap;
pub mod gauss_seidel;
pub mod hammer;
pub mod hammer_anchor;
pub mod hammer_control;
pub(crate) mod hammer_slots;
pub(crate) mod hammer_substeps;
pub(crate) mod multi_substep;
pub mod obstacle;
pub mod parameter_change;
pub(crate) mod preload;
pub(crate) mod single_contact;
pub mod step_size;
