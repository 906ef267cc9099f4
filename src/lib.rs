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
//!   params.rs            FLOOR 2  the knobs dressed as host parameters; adds none
//!   params/quantity.rs   FLOOR 2  values as players read and type them
//!   link.rs              FLOOR 2  all that crosses threads: meters and hits out, prepared bodies in, old ones back
//!   worker.rs            FLOOR 2  the one thread of the process that prepares bodies
//!   editor/              FLOOR 3  egui; reads params and snapshots, writes through the host
//!   plugin.rs            ROOF     nice-plug glue: host events -> engine events, state; nothing else
//!   clap_entry.rs        ROOF     the CLAP entry, with the host's event times set straight
//!   vst3_entry.rs        ROOF     the VST3 entry
//!   main.rs              the standalone
//! ```
#![deny(unsafe_code)]
#![warn(missing_docs)]

#[forbid(unsafe_code)]
pub mod engine;
#[forbid(unsafe_code)]
pub mod physics;

#[cfg(feature = "plugin")]
mod clap_entry;
#[cfg(feature = "plugin")]
#[forbid(unsafe_code)]
pub mod editor;
#[cfg(feature = "plugin")]
#[forbid(unsafe_code)]
pub mod link;
#[cfg(feature = "plugin")]
pub mod params;
#[cfg(feature = "plugin")]
#[forbid(unsafe_code)]
pub mod plugin;
#[cfg(feature = "plugin")]
mod vst3_entry;
#[cfg(feature = "plugin")]
#[forbid(unsafe_code)]
pub mod worker;

#[cfg(feature = "plugin")]
pub use clap_entry::clap_entry;
