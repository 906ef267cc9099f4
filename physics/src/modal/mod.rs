//! One mode, its exact propagator, banks of modes, vector kernels.

mod mode;
mod mode_bank;
mod propagator;
mod simd;
mod step_table;

pub use crate::modal::mode::{Mode, Response};
pub use crate::modal::mode_bank::{LEAST_LEVELS, ModeBank, Modes};
pub(crate) use crate::modal::simd::tree;
pub use crate::modal::simd::{LANES, MAX_STEPS_PER_PASS, dot, dot3, fit};
pub(crate) use crate::modal::step_table::FirstModeStep;
pub use crate::modal::step_table::{Span, StepTable};
