//! TODO.

pub mod readout;
pub mod schemes;
pub mod strike;
