//! The library's interface: four modules that re-export the documented part of the engine and the physics.

pub mod body;
pub mod engine;
pub mod patch;
pub mod strike;
