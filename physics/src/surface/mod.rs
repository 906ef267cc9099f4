//! TODO.

pub mod profile;
pub mod rolling;
