//! TODO.

pub mod body_motion;
pub mod gestures;
pub mod hit_recorder;
