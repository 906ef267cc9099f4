//! TODO.

pub mod toml;
pub mod unknown_keys;
pub mod wav;
