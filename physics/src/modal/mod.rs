//! TODO.

pub mod mode;
pub mod mode_bank;
pub mod propagator;
pub mod simd;
