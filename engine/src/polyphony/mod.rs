//! All voices of one sound: allocation, stealing, notes, cost, load shedding, rendering.

mod allocation;
mod block_costs;
mod control_block;
mod dense_polyphony;
mod driven_voice;
mod note_handling;
mod obstacle_control;
mod output_tail;
mod render;
mod retuning;
mod tension_limit;
mod tension_load;
mod thinning;
mod voice_cost_budget;
mod voice_manager;
mod voice_modulation;

pub use crate::polyphony::block_costs::BlockCosts;
pub use crate::polyphony::dense_polyphony::limit_dense_bodies;
pub use crate::polyphony::render::shed_load;
pub use crate::polyphony::voice_cost_budget::{CostTotals, VoiceCostBudget};
pub use crate::polyphony::voice_manager::VoiceManager;
