//! Prepared bodies: the modes of every key, morphing, and the weights of pickups.

mod body_potential;
mod body_slots;
mod body_tension;
mod body_types;
mod dense_field;
mod hammer_tip;
mod heavy_structure;
mod heavy_weights;
mod hi_hat;
mod hi_hat_plate;
mod hi_hat_points;
mod hi_hat_sticks;
mod key_body;
mod morph;
mod partials;
mod pedal;
mod pickup_weights;
mod potential_copies;
mod prepared_body;
mod residual_modes;
mod stick_hit;
mod whole_modes;

pub use crate::body::body_slots::BodySlots;
pub use crate::body::body_tension::{BodyStretch, TensionSetting};
pub use crate::body::body_types::BodySpec;
pub use crate::body::dense_field::{FieldSpec, MAX_FIELD, cascade_thickness, sheet_thickness};
pub use crate::body::hammer_tip::TipSpec;
pub use crate::body::heavy_structure::{HeavySpec, MAX_DRIVEN, heavy_room};
pub use crate::body::hi_hat::HiHat;
pub use crate::body::hi_hat_points::{PLATES, POINTS, point};
pub use crate::body::hi_hat_sticks::StickStroke;
pub use crate::body::key_body::{BodySize, BodyTuning, KeyScaling};
pub use crate::body::pedal::PedalSetting;
pub use crate::body::pickup_weights::PickupModel;
pub use crate::body::prepared_body::{BodyScratch, PreparedBody};
