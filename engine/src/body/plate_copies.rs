//! The copies of the potential of a prepared body, made off the audio thread.

use crate::body::body_types::{BodySpec, Detail};
use crate::body::whole_modes::{MAX_WHOLE, whole_modes};
use urto_physics::bodies::{ModalShape, PlateEdges, PlatePotential, StressDetail};
use urto_physics::modal::LentPotential;

/// Copies of the potential of a body: more voices would cost too much together.
pub(super) const COPIES: usize = 3;

/// The copies of the potential of a body that `request` asks for with this shape; none for most bodies. Allocates.
pub(super) fn potentials(request: &BodySpec, shape: &ModalShape) -> Vec<LentPotential> {
    if request.detail != Detail::Lowest || request.to.is_some() {
        return Vec::new();
    }
    let whole = if request.field.is_some() { MAX_WHOLE } else { whole_modes(request.modes) };
    let families: Vec<_> = (0..whole.min(shape.len())).map(|i| shape.family(i)).collect();
    let plate = PlatePotential::new(request.outline.aspect, &families, PlateEdges::Sliding, StressDetail::Cut);
    (0..COPIES).map(|_| LentPotential::new(Box::new(plate.clone()), MAX_WHOLE)).collect()
}
