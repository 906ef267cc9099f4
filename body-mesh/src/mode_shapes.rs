//! The shape of the first modes of a body at one place.

use urto_engine::body::{BodyScratch, BodySize, PreparedBody};
use urto_engine::telemetry::MAX_SHOWN_MODES;
use urto_physics::bodies::BodyPosition;

/// phi_n/sqrt(M_n) [kg^-1/2] of the first modes of `body` at `place`; `scratch` has room for [`MAX_SHOWN_MODES`] modes and the suspensions.
pub fn mode_shapes(
    body: &PreparedBody,
    size: BodySize,
    place: BodyPosition,
    scratch: &mut BodyScratch,
) -> [f32; MAX_SHOWN_MODES] {
    let rigid = body.rigid();
    let count = (MAX_SHOWN_MODES + rigid).min(body.partials() + rigid);
    let weights = body.pickup_weights(place, size, count, scratch);
    std::array::from_fn(|n| weights.get(rigid + n).map_or(0.0, |weight| *weight as f32))
}
