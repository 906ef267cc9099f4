//! One sounding body with its hammers, obstacles and pickups, and its ringing without them.

mod activation;
mod band_advance;
mod band_rendering;
mod cascade;
mod cascade_steps;
mod dense_voice;
mod exact_contacts;
mod hammer;
mod hammers;
mod lookahead;
mod motion_control;
mod motion_drive;
mod obstacles;
mod pickup;
mod resonator_bank;
mod ring;
mod step;
mod step_power;
mod stiffening_meter;
mod tension;
mod thinning;
mod thinning_state;
mod voice;
mod voice_blocks;
mod voice_obstacles;
mod voice_pitch;
mod voice_weights;

pub use crate::voice::exact_contacts::ExactContactPool;
pub use crate::voice::hammer::{HammerLaunch, MAX_HAMMERS, NoteHammer, StrikeHammers, capacity};
pub use crate::voice::hammers::{RemovalRank, contact_law, first_removed};
pub use crate::voice::obstacles::{ObstacleParams, Obstacles};
pub use crate::voice::resonator_bank::{FRAMES, MAX_BLOCKS, ResonatorBank};
pub use crate::voice::step::{StepReport, StepRequest, StepResources};
pub use crate::voice::tension::StiffeningUse;
pub use crate::voice::voice::Voice;
pub use crate::voice::voice_pitch::KeyPitch;
