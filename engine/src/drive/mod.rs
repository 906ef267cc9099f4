//! Hammer drive: sources, signal chain, hammer mount, and rolling.

mod beat_clock;
mod driven_hammers;
mod hammer_drive;
mod hammer_mount;
mod rolling;
mod signal_chain;
mod source;
mod trace;

pub use crate::drive::beat_clock::FrameTime;
pub use crate::drive::driven_hammers::{DriveFrame, HammerLoad};
pub use crate::drive::hammer_drive::{HammerDrive, is_drive_possible};
pub use crate::drive::hammer_mount::{MountSpring, MountedHammer};
pub use crate::drive::trace::{POINT, POINTS, TracePoint};
pub use crate::params::DriveSource;
pub use crate::patch::{DriveContent, PATTERN, STEPS};
pub use crate::patch::{DriveSample, MAX_FRAMES};
