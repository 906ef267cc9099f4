//! The copies of the potential of a prepared body, made off the audio thread.

use crate::body::body_types::{BodySpec, Detail, POISSON};
use crate::body::whole_modes::{MAX_WHOLE, whole_modes};
use crate::params::EdgeMount;
use urto_physics::bodies::{ModalShape, PlateEdges, PlatePotential, StressDetail, plate_forms};
use urto_physics::modal::{LentPotential, Potential};

/// Copies of the potential of a body: as many voices as the limit on their cost lets ring with the fewest modes.
pub(super) const COPIES: usize = 8;

/// Modes that take part while as little as possible must be spent: few enough for a list of their coefficients, a seventh of the cost.
const FEWEST: usize = 6;

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
    let grid = |count: usize| -> Box<dyn Potential> {
        Box::new(PlatePotential::new(request.outline.aspect, &families[..count], edges, StressDetail::Cut))
    };
    let few: Vec<_> = families.iter().take(FEWEST).map_while(|family| *family).collect();
    let list: Box<dyn Potential> = Box::new(plate_forms(request.outline.aspect, &few, edges));
    let all = grid(families.len());
    let mut cheapest = all.cost();
    let smaller = [grid(families.len().div_ceil(2)), list].into_iter().filter(|one| {
        let cheaper = one.cost() < cheapest;
        cheapest = cheapest.min(one.cost());
        cheaper
    });
    vec![LentPotential::new(all, MAX_WHOLE).with_fewer_modes(smaller); COPIES]
}
