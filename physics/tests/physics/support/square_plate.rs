//! Free and clamped rectangular plates with their potential.

use super::potential_reference::Body;
use std::f64::consts::TAU;
use urto_physics::bodies::{
    BodyPosition, EdgeSupport, InPlaneEdges, ModalShape, Plate, PlateStretch, StretchDetail, StretchForms, StretchSpec,
};
use urto_physics::modal::{Mode, PotentialSize};

/// The three kinds of plates.
pub const KINDS: [(EdgeSupport, InPlaneEdges); 3] = [
    (EdgeSupport::Free, InPlaneEdges::Free),
    (EdgeSupport::Clamped, InPlaneEdges::Free),
    (EdgeSupport::Clamped, InPlaneEdges::Held),
];

pub fn stretch(plate: &Plate, lowest: f64) -> PlateStretch {
    let (poisson, aspect) = (plate.material.poisson, plate.length / plate.width);
    PlateStretch { rim: plate.rim, thickness: plate.thickness, poisson, mass: plate.mass(), omega: TAU * lowest, aspect }
}

pub fn forms(plate: &Plate, edges: InPlaneEdges, shape: &ModalShape) -> StretchForms {
    let spec = StretchSpec { aspect: plate.length / plate.width, poisson: plate.material.poisson, edges };
    StretchForms::new(&spec, shape, shape.len())
}

/// The plate with its lowest modes, and its shape.
pub fn body(plate: &Plate, edges: InPlaneEdges, modes: usize) -> (Body, ModalShape) {
    let (shape, lowest) = plate.shape(modes);
    let forms = forms(plate, edges, &shape);
    let detail = StretchDetail { rigid: 0, modes, stresses: 56 };
    let mode = |f: f64| Mode { omega: TAU * f, sigma: 0.3 + f / 3000.0 };
    let body = Body {
        modes: (0..modes).map(|i| mode(lowest * shape.ratio(i))).collect(),
        potential: Box::new(forms.potential(detail)),
        reference: Box::new(forms.list(detail)),
        size: PotentialSize::flat(stretch(plate, lowest).amount()),
    };
    (body, shape)
}

/// Weights at x and y, in parts of length and width.
pub fn weights(shape: &ModalShape, mass: f64, [along, across]: [f64; 2]) -> Vec<f64> {
    let mut weights = vec![0.0; shape.len()];
    shape.weights_at_place(BodyPosition { along, across }, mass, &mut weights);
    weights
}
