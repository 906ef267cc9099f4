//! Prepared bodies: the modes of every key, morphing, and the weights of pickups.

mod body_potential;
mod body_scratch;
mod body_slots;
mod body_tension;
mod body_types;
mod connected_parts;
mod dense_field;
mod hammer_tip;
mod heavy_structure;
mod heavy_weights;
mod key_body;
mod morph;
mod partials;
mod pickup_inputs;
mod pickup_model;
mod pickup_weights;
mod potential_copies;
mod prepared_body;
mod residual_modes;
mod string_course;
mod tube_modes;
mod whole_modes;

pub use crate::body::body_scratch::BodyScratch;
pub use crate::body::body_slots::BodySlots;
pub use crate::body::body_tension::{BodyStretch, TensionSetting};
pub use crate::body::body_types::BodySpec;
pub use crate::body::connected_parts::{BodyPart, ConnectedParts, PartJoint, PartRatios};
pub use crate::body::dense_field::{FieldSpec, MAX_FIELD, cascade_thickness, sheet_thickness};
pub use crate::body::hammer_tip::TipSpec;
pub use crate::body::heavy_structure::{HeavySpec, MAX_DRIVEN, heavy_room};
pub use crate::body::key_body::{BodySize, BodyTuning, KeyScaling};
pub use crate::body::pickup_inputs::{PartialCounts, PickupInputs};
pub use crate::body::pickup_model::PickupModel;
pub use crate::body::prepared_body::PreparedBody;
pub use crate::body::tube_modes::{MAX_TUBE, TubeMode, TubeSetting};
