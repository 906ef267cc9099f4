//! Kits: zones with a body each, rendered as independent tasks, with what they share of the cost, and mixed into outputs and stems.

mod kit_player;
mod rendering;
mod rendering_ahead;
mod rendering_together;
mod settlement;
mod stems;
mod zone_block;
mod zone_player;
mod zone_turns;

pub use crate::kit::kit_player::KitPlayer;
pub(crate) use crate::kit::stems::{OutputBuses, ZoneOutputs};
pub use crate::kit::stems::{StemSplit, Stems};
