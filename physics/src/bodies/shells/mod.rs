//! Thin shells: bells, bowls, glasses.

mod bell;
mod bowl;
mod ring_modes;

pub use crate::bodies::shells::bell::{Bell, Partial, Wall};
pub use crate::bodies::shells::bowl::{Bowl, Glass};
pub(crate) use crate::bodies::shells::ring_modes::TURN;
