//! TODO.

pub mod key_frequencies;
pub mod key_tuning;
pub mod patch_tuning;
pub mod scala;
