//! One sound of an engine: its voices and their inputs, the effect of events, and its parameters as modulated.

mod modulated_params;
mod part;
mod part_events;

pub use crate::part::part::{Activity, Part, PartConfig, PartInContext};
