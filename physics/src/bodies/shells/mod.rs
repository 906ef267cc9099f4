//! TODO.

pub(crate) mod bell;
pub(crate) mod bowl;
pub(crate) mod ring_modes;
