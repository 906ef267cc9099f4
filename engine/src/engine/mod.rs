//! The engine: the main part, the kit player, the outputs, and what it tells about its sound.

mod engine;
mod engine_readings;
mod kits;

pub use crate::engine::engine::{Engine, EngineConfig};
