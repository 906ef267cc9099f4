//! TODO.

mod body_slots;
pub(crate) mod body_types;
pub(crate) mod morph;
mod partials;
mod pickup_weights;
pub(crate) mod prepared_body;

pub use crate::body::body_slots::BodySlots;
pub use crate::body::pickup_weights::PickupModel;
pub use crate::body::prepared_body::{BodyScratch, BodySpec, BodyTuning, KeyScaling, PreparedBody};
