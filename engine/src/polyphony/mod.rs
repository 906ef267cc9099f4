//! TODO.

mod hammer_pool;
mod load_shedding;
mod note_handling;
mod render;
mod retuning;
mod voice_allocation;
mod voice_manager;

pub use crate::polyphony::load_shedding::shed_load;
pub use crate::polyphony::render::{CostTotals, VoiceCostBudget};
pub use crate::polyphony::voice_manager::VoiceManager;
