//! Urto (Italian for collision): a percussion instrument built on contact physics.
//!
//! A hammer with mass and speed meets a vibrating body through a nonlinear contact force. From that one law come loudness,
//! brightness, contact time, bounce, and the difference between one hit and the next.
//!
//! # The house
//!
//! Arrows point down only. Floors 0 and 1 build without any feature.
//!
//! ```text
//! src/
//!   lib.rs               front door: this map, feature gates, plugin exports
//!   physics/             FLOOR 0  bodies, contact, time stepping; SI units, f64
//!   engine/              FLOOR 1  an instrument: physics + notes -> samples; allocates only when built
//! ```
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod engine;
pub mod physics;
