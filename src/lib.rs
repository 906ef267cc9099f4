//! Urto (Italian for collision): a percussion instrument built on contact physics.
//!
//! A hammer with mass and speed meets a vibrating body through a nonlinear contact force. Loudness, brightness, contact time, bounces,
//! and the difference between one hit and the next follow from this one law.
//!
//! The library has four modules: [`strike`] simulates one measured strike, [`body`] computes the modes of a body, [`patch`] reads and
//! writes sounds, [`engine`] plays them. They need none of the default features: `urto = { default-features = false }` builds neither
//! the plugin nor the command line. The feature `import` adds patches from measured modes.
//!
//! ```
//! use urto::engine::{Engine, EngineConfig, Event, NoteId};
//!
//! let marimba = urto::patch::built_in().find(|patch| patch.name == "Rosewood Marimba").expect("a built-in preset");
//! let mut engine = Engine::new(EngineConfig::at(48_000.0), &marimba);
//! engine.event(&Event::NoteOn { note: NoteId { key: 60, ..NoteId::default() }, velocity: 0.8 });
//! let [mut left, mut right] = [[0.0; 4800]; 2];
//! engine.render(&mut left, &mut right, [&[], &[]]);
//! assert!(left.iter().any(|sample| sample.abs() > 0.01));
//! ```
//!
//! The folders, from the bottom up; see also `docs/architecture.md`:
//!
//! | folder | contains |
//! |-|-|
//! | `physics/` | bodies, contact and time stepping, in SI units; the crate `urto-physics` |
//! | `engine/` | the instrument: parameters and notes in, samples out; the crate `urto-engine` |
//! | `src/api/` | the four modules of the library |
//! | `src/dataset/` | data sets of strokes, for the command line and the Python package |
//! | `src/host_params/` | the parameters as host parameters |
//! | `src/preset_pack.rs` | presets as one archive |
//! | `src/render_threads/` | threads that render zones of kits together with the audio thread |
//! | `src/threads/` | data that crosses threads, and the worker |
//! | `src/editor/`, `src/editor_capture/` | the editor window, and scripted sessions of it |
//! | `src/plugin/`, `src/clap_entry/`, `src/vst3_entry/` | instrument and effect, and their entries in both formats |
//! | `src/bin/urto-cli/` | the command line |
#![deny(unsafe_code)]
#![deny(missing_docs)]
// no panic in code that renders: docs/real-time.md
#![cfg_attr(
    not(test),
    warn(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::todo,
        clippy::unimplemented,
        clippy::get_unwrap
    )
)]
// units and papers are in brackets, [kg], [PAR 11]; `cargo xtask test` checks links in brackets and backticks
#![allow(rustdoc::broken_intra_doc_links)]

mod api;
#[cfg(feature = "plugin")]
mod clap_entry;
#[doc(hidden)]
#[cfg(feature = "dataset")]
#[forbid(unsafe_code)]
pub mod dataset;
#[doc(hidden)]
#[cfg(feature = "plugin")]
#[forbid(unsafe_code)]
pub mod editor;
#[doc(hidden)]
#[cfg(feature = "standalone")]
#[allow(unsafe_code)]
pub mod editor_capture;
#[doc(hidden)]
#[cfg(feature = "plugin")]
pub mod host_params;
#[cfg(feature = "plugin")]
mod loaded_libraries;
#[doc(hidden)]
#[cfg(feature = "plugin")]
pub mod mts_esp;
#[doc(hidden)]
#[cfg(feature = "plugin")]
#[forbid(unsafe_code)]
pub mod plugin;
#[doc(hidden)]
#[cfg(any(feature = "plugin", feature = "cli"))]
#[forbid(unsafe_code)]
pub mod preset_pack;
#[doc(hidden)]
#[cfg(any(feature = "plugin", feature = "cli"))]
pub mod render_threads;
#[doc(hidden)]
#[cfg(feature = "plugin")]
#[forbid(unsafe_code)]
pub mod threads;
#[cfg(feature = "plugin")]
mod vst3_entry;
#[cfg(feature = "plugin")]
mod window_system;

#[doc(inline)]
pub use crate::api::{body, engine, patch, strike};
#[doc(hidden)]
#[cfg(feature = "plugin")]
pub use crate::clap_entry::clap_entry;
