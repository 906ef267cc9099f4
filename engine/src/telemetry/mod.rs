//! Plain data for display: hits, motion of the body, controllers of notes; and the energy balance for tests.

mod body_motion;
mod energy_balance_report;
mod gestures;
mod hit_recorder;

pub use crate::telemetry::body_motion::{BodyMotion, MAX_SHOWN_MODES, Mode};
pub use crate::telemetry::energy_balance_report::EnergyBalanceReport;
pub use crate::telemetry::gestures::{ControllerReading, ControllerReadings};
pub use crate::telemetry::hit_recorder::{HitPoint, HitPulse, HitRecorder};
