//! All voices of one sound: allocation, stealing, notes, cost, load shedding, rendering.

mod allocation;
mod block_costs;
mod body_polyphony;
mod control_block;
mod cost_totals;
mod driven_voice;
mod excess;
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
mod zone_demand;

pub use crate::polyphony::block_costs::{BlockCosts, BudgetShares};
pub use crate::polyphony::body_polyphony::limit_costly_bodies;
pub use crate::polyphony::cost_totals::CostTotals;
pub use crate::polyphony::render::shed_load;
pub use crate::polyphony::voice_cost_budget::VoiceCostBudget;
pub use crate::polyphony::voice_manager::VoiceManager;
pub use crate::polyphony::zone_demand::ZoneDemand;
