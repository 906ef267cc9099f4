//! TODO.

mod contact_params;
mod exact_contacts;
mod hammer;
mod hammer_forces;
mod hammers;
mod lookahead;
mod obstacles;
mod pickup;
mod resonator_bank;
mod ring;
mod silence;
mod voice;

pub use crate::voice::exact_contacts::ExactContactPool;
pub use crate::voice::hammer::{HammerLaunch, StrikeHammers};
pub use crate::voice::hammer_forces::ReturnForces;
pub use crate::voice::hammers::MAX_HAMMERS;
pub use crate::voice::resonator_bank::{FRAMES, MAX_BLOCKS, ResonatorBank};
pub use crate::voice::voice::{StepReport, StepRequest, Voice, capacity};
