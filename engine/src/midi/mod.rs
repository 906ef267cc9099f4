//! TODO.

pub(crate) mod controllers;
pub(crate) mod humanise;
pub(crate) mod mpe_zones;
pub(crate) mod notes;
