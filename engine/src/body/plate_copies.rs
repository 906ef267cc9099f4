//! The copies of the potential of a prepared body, made off the audio thread.

use crate::body::body_types::{BodySpec, Detail, POISSON};
use crate::body::whole_modes::{MAX_WHOLE, whole_modes};
use crate::params::EdgeMount;
use urto_physics::bodies::{ModalShape, PlateEdges, PlatePotential, StressDetail};
use urto_physics::modal::{LentPotential, Potential};

/// Copies of the potential of a body: as many voices as the limit on their cost lets ring with the fewest modes.
pub(super) const COPIES: usize = 8;

/// Parts of the modes that take part while less must be spent: a third of the cost, and a sixth.
const PARTS: [usize; 2] = [2, 9];

/// The copies of the potential of a body that `request` asks for with this shape; none for most bodies. Allocates.
pub(super) fn potentials(request: &BodySpec, shape: &ModalShape) -> Vec<LentPotential> {
    if request.detail != Detail::Lowest || request.to.is_some() {
        return Vec::new();
    }
    let whole = if request.field.is_some() { MAX_WHOLE } else { whole_modes(request.modes) };
    let families: Vec<_> = (0..whole.min(shape.len())).map(|i| shape.family(i)).collect();
    let edges = match request.edges {
        EdgeMount::Sliding => PlateEdges::Sliding,
        EdgeMount::Held => PlateEdges::Held(POISSON),
    };
    let of_lowest = |count: usize| -> Box<dyn Potential> {
        Box::new(PlatePotential::new(request.outline.aspect, &families[..count], edges, StressDetail::Cut))
    };
    let all = LentPotential::new(of_lowest(families.len()), MAX_WHOLE);
    vec![all.with_fewer_modes(PARTS.map(|part| of_lowest(families.len().div_ceil(part)))); COPIES]
}
