//! Prepared bodies: the modes of every key, morphing, and the weights of pickups.

mod body_request;
mod body_slots;
mod body_types;
mod key_body;
mod morph;
mod partial_table;
mod partials;
mod pickup_weights;
mod prepared_body;

pub use crate::body::body_request::BodySpec;
pub use crate::body::body_slots::BodySlots;
pub use crate::body::key_body::{BodySize, BodyTuning, KeyScaling};
pub use crate::body::pickup_weights::PickupModel;
pub use crate::body::prepared_body::{BodyScratch, PreparedBody};
