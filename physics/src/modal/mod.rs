//! TODO.

mod mode;
mod mode_bank;
pub(crate) mod propagator;
mod simd;

pub use crate::modal::mode::{Mode, Response};
pub use crate::modal::mode_bank::{LEAST_LEVELS, ModeBank, Modes, Span, StepTable};
pub(crate) use crate::modal::simd::tree;
pub use crate::modal::simd::{LANES, STRETCH, dot, dot3, fit};
