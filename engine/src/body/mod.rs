//! TODO.

pub(crate) mod body_slots;
pub mod body_types;
pub(crate) mod morph;
pub(crate) mod partials;
pub mod pickup_weights;
pub mod prepared_body;
