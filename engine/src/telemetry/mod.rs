//! TODO.

mod body_motion;
mod gestures;
mod hit_recorder;

pub use crate::telemetry::body_motion::{BodyMotion, MAX_SHOWN_MODES, Mode};
pub use crate::telemetry::gestures::{ControllerReading, ControllerReadings};
pub use crate::telemetry::hit_recorder::{HitPoint, HitPulse, HitRecorder};
