//! Hammer drive: sources, signal chain, hammer mount, and rolling.

mod driven_hammers;
mod hammer_drive;
mod rolling;
mod signal_chain;
mod source;

pub use crate::drive::driven_hammers::{DriveFrame, HammerLoad, MountSpring, MountedHammer};
pub use crate::drive::hammer_drive::{HammerDrive, POINT, POINTS, TracePoint, is_drive_possible};
pub use crate::params::DriveSource;
pub use crate::patch::{DriveContent, DriveSample, MAX_FRAMES, PATTERN, STEPS};
