//! The public interface of the library: four modules that re-export the documented part of engine and physics.

pub mod body;
pub mod engine;
pub mod patch;
pub mod strike;
