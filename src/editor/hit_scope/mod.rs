//! The hit scope: the recorded hits, one of them measured in full, another dashed for comparison.

mod energy_bar;
mod hysteresis;
mod scope;

pub use crate::editor::hit_scope::scope::HitScope;
