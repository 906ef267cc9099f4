//! One mode, its exact propagator, banks of modes, vector kernels, exchange of energy between bands.

mod band_exchange;
mod connected_modes;
mod driven_modes;
mod frequency_bands;
mod held_kernels;
mod held_modes;
mod lent_potential;
mod mode;
mod mode_array;
mod mode_bank;
mod modes;
mod phase_reversal;
mod port_kernels;
mod potential;
mod potential_levels;
mod propagator;
mod quadratic_forms;
mod simd;
mod small_products;
mod tension_at_contact;
mod tension_loops;
mod thinning;

pub use crate::modal::band_exchange::{BandExchange, CascadeLaw, exchange_frames};
pub use crate::modal::connected_modes::{ConnectedModes, Stride};
pub use crate::modal::driven_modes::DrivenModes;
pub use crate::modal::held_kernels::HeldForce;
pub use crate::modal::held_modes::BodyArrays;
pub use crate::modal::lent_potential::LentPotential;
pub(crate) use crate::modal::lent_potential::{MAX_CONTACTS, PotentialMemory};
pub use crate::modal::mode::{Mode, Response};
pub use crate::modal::mode_array::{ModeArray, mode_array};
pub use crate::modal::mode_bank::{LEAST_LEVELS, ModeBank};
pub use crate::modal::modes::Modes;
pub use crate::modal::phase_reversal::{MAX_BANDS, PhaseReversal, PhaseReversals};
pub use crate::modal::port_kernels::MAX_PORTS;
pub use crate::modal::potential::{Potential, PotentialSize};
pub(crate) use crate::modal::potential_levels::PotentialLevels;
pub(crate) use crate::modal::propagator::FirstModeStep;
pub use crate::modal::propagator::{Span, StepTable};
pub use crate::modal::quadratic_forms::{FormEntry, QuadraticForms};
pub(crate) use crate::modal::simd::tree;
pub use crate::modal::simd::{HAS_FAST_VERSIONS, LANES, MAX_STEPS_PER_PASS, dot, dot3, fit};
pub(crate) use crate::modal::small_products::{BLOCK, Block, Target, curl, fold, multiply, product_slopes, strip, weigh};
pub(crate) use crate::modal::tension_at_contact::{ContactLoad, StretchAtContact};
pub(crate) use crate::modal::tension_loops::{
    LoadedStep, StretchChange, TensionStep, add_load, foresee_stretch, load_relaxed, relax_under, step_under,
};
pub use crate::modal::thinning::{THINNED_FROM, ThinningGains, resting_modes, thinned_weight};
