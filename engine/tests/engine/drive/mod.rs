//! The hammer drive.

mod chatter;
mod extreme_inputs;
mod hammer_drive;
mod rolling;
mod sources;
