//! Bronze discs with their potential, flat or with a rest shape.

use super::potential_reference::Body;
use std::f64::consts::TAU;
use urto_physics::bodies::{
    BodyPosition, CurvedDisc, CurvedDiscSpec, Disc, DiscPotential, DiscStretch, EdgeSupport, Material, ModalShape, RestShape,
    disc_forms,
};
use urto_physics::modal::Mode;

/// Stress functions.
const STRESSES: usize = 60;

/// A free bronze disc of 30 cm and 0.9 mm.
pub fn gong() -> Disc {
    let material = Material { young: 1.1e11, density: 8700.0, poisson: 0.34, ..Material::STEEL };
    Disc { rim: EdgeSupport::Free, radius: 0.15, thickness: 0.9e-3, material }
}

pub fn stretch(disc: &Disc) -> DiscStretch {
    let poisson = disc.material.poisson;
    DiscStretch { rim: disc.rim, thickness: disc.thickness, poisson, mass: disc.mass(), omega: TAU * disc.lowest() }
}

/// Weights at a radius (over that of the disc) and an angle [rad].
pub fn weights(shape: &ModalShape, mass: f64, (along, angle): (f64, f64)) -> Vec<f64> {
    let mut weights = vec![0.0; shape.len()];
    shape.weights_at_place(BodyPosition { along, across: angle / TAU }, mass, &mut weights);
    weights
}

fn modes(shape: &ModalShape, lowest: f64, sigma: impl Fn(f64) -> f64) -> Vec<Mode> {
    (0..shape.len()).map(|i| lowest * shape.ratio(i)).map(|f| Mode { omega: TAU * f, sigma: sigma(f) }).collect()
}

/// The disc with its lowest modes, and its shape.
pub fn flat(disc: &Disc, count: usize) -> (Body, ModalShape) {
    let shape = disc.shape(count, 0.0);
    let (rim, poisson) = (disc.rim, disc.material.poisson);
    let listed: Vec<_> = (0..count).map(|i| shape.round_mode(i)).collect();
    let rounds: Vec<_> = listed.iter().flatten().copied().collect();
    let body = Body {
        modes: modes(&shape, disc.lowest(), |f| 0.3 + f / 3000.0),
        potential: Box::new(DiscPotential::new(rim, poisson, &listed, STRESSES)),
        reference: Box::new(disc_forms(rim, poisson, &rounds, STRESSES)),
        size: stretch(disc).size(),
    };
    (body, shape)
}

/// The disc with a rest shape.
pub fn curved_disc(disc: &Disc, rest: RestShape, count: usize) -> CurvedDisc {
    let (rim, poisson) = (disc.rim, disc.material.poisson);
    CurvedDisc::new(&CurvedDiscSpec { rim, poisson, rest, modes: count, stretching: count, stresses: STRESSES, split: 0.0 })
}

/// As [`flat`], with a rest shape.
pub fn curved(disc: &Disc, rest: RestShape, count: usize) -> (Body, ModalShape) {
    let curved = curved_disc(disc, rest, count);
    let (shape, size) = (curved.shape(), stretch(disc).size());
    let listed: Vec<_> = (0..count).map(|i| shape.round_mode(i)).collect();
    let body = Body {
        modes: modes(&shape, disc.lowest() * curved.rise(), |f| 0.3 + f / 3000.0),
        potential: Box::new(curved.potential(&listed, STRESSES)),
        reference: Box::new(curved.forms()),
        size,
    };
    (body, shape)
}
