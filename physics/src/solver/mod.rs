//! Hammers on one body, one sample at a time: substeps, several contacts, cost, energy balance.
//!
//! Bottom up: `limits`, `cost_budget`, `energy_balance`, `hammer_state`, `held_contact` (data) < `hammer`, `hammer_slots`, `exact_pair` < `collision`
//! (state, with that of `tension`, `potential` and `body_tube`) < accounts, step size, changes from outside, held modes < solutions of one substep < flight and substeps < `step`.

mod body_potential;
mod body_tension;
mod body_tube;
mod collision;
mod contact_newton;
mod cost_budget;
mod coupled_newton;
mod energy_accounting;
mod energy_balance;
mod exact_contact;
mod exact_pair;
mod free_flight;
mod gauss_seidel;
mod hammer;
mod hammer_control;
mod hammer_motion;
mod hammer_slots;
mod hammer_state;
mod held_contact;
mod held_sample;
mod limits;
mod loose_strands;
mod multi_substep;
mod obstacle;
mod parameter_change;
mod potential;
mod step;
mod step_size;
mod tension;
mod thinning;
mod tube_step;

pub use crate::solver::body_tension::TensionLaw;
pub use crate::solver::body_tube::{MAX_TUBE_MODES, TubeJoint, TubeOscillator};
pub use crate::solver::collision::Collision;
pub(crate) use crate::solver::contact_newton::{ContactMatrix, ContactVector, CoupledEquations, MAX_HALVINGS};
pub use crate::solver::energy_balance::{EnergyBalance, EnergyEntry};
pub use crate::solver::exact_contact::ExactContact;
pub use crate::solver::exact_pair::MAX_TAPS;
pub use crate::solver::free_flight::{Flight, FreeFlight, FreeHammer, FreeHammers};
pub use crate::solver::hammer::Hammer;
pub use crate::solver::hammer_control::{HammerSpec, PointHammerSpec};
pub use crate::solver::limits::{
    Capacity, DEEPEST_LEVEL, MAX_HAMMERS, MAX_SUBSTEPS, Resolution, StateBefore, StepCost, SubstepReport,
};
pub use crate::solver::loose_strands::{LooseStrands, STRANDS, StrandSupport};
pub use crate::solver::obstacle::Obstacle;
