//! One sounding body with its hammers, obstacles and pickups, and its ringing without them.

mod contact_params;
mod exact_contacts;
mod hammer;
mod hammer_forces;
mod hammers;
mod lookahead;
mod note_response;
mod obstacles;
mod pickup;
mod removal;
mod resonator_bank;
mod ring;
mod step;
mod voice;
mod voice_obstacles;
mod voice_pitch;

pub use crate::voice::contact_params::contact_law;
pub use crate::voice::exact_contacts::ExactContactPool;
pub use crate::voice::hammer::{HammerLaunch, MAX_HAMMERS, NoteHammer, StrikeHammers, capacity};
pub use crate::voice::obstacles::{ObstacleParams, Obstacles};
pub use crate::voice::removal::{RemovalRank, first_removed};
pub use crate::voice::resonator_bank::{FRAMES, MAX_BLOCKS, ResonatorBank};
pub use crate::voice::step::{StepReport, StepRequest, StepResources};
pub use crate::voice::voice::Voice;
pub use crate::voice::voice_pitch::KeyPitch;
