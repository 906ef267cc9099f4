//! An instrument: parameters and notes in, samples out. Allocates only when built.
//!
//! Time is counted in frames since the last reset. Smoothed values move in control blocks of 16 frames, everything else at its own frame;
//! nothing depends on the limits of the caller's blocks, so that any split of `render` gives the same bits.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
// nothing that plays panics: docs/real-time.md
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
// brackets enclose units and papers, [kg], [PAR 11]; links are in brackets and backticks, checked by `cargo xtask test`
#![allow(rustdoc::broken_intra_doc_links)]

pub(crate) mod bleed;
pub mod block;
pub mod body;
pub(crate) mod context;
pub mod drive;
pub mod engine;
pub mod event;
pub mod formats;
pub(crate) mod hi_hat;
#[cfg(feature = "import")]
pub mod import;
pub(crate) mod kit;
pub(crate) mod midi;
pub(crate) mod modulation;
pub(crate) mod output;
pub mod params;
pub(crate) mod part;
pub mod patch;
pub(crate) mod polyphony;
pub(crate) mod room;
pub(crate) mod tasks;
pub mod telemetry;
pub mod tuning;
pub mod voice;

pub use crate::body::{BodySpec, PreparedBody};
pub use crate::drive::{POINT, POINTS, TracePoint};
pub use crate::engine::{Engine, EngineConfig};
pub use crate::event::{Event, Expression, NoteId};
pub use crate::kit::KitPlayer;
pub use crate::kit::{StemSplit, Stems};
pub use crate::midi::{ControllerAssignment, ControllerMode, DrumModule, FIRST_CHANNEL_MESSAGE, MAX_ASSIGNMENTS, MidiMap};
pub use crate::modulation::VelocityCurve;
pub use crate::output::{CEILING, Meters};
pub use crate::polyphony::CostTotals;
pub use crate::tasks::{NO_THREAD, SequentialRunner, Task, TaskRunner};
pub use crate::telemetry::{EnergyBalanceReport, HitPulse};
