//! The plate of the figures `ring_plate_192` and `contact_plate_192`.

use urto_physics::bodies::{BodyPosition, EdgeSupport, ModalShape, PlateEdges, PlatePotential, PlateStretch, StressDetail};
use urto_physics::modal::{LentPotential, Mode, PotentialSize};
use urto_physics::solver::{Capacity, Collision};

use super::measurement::RATE;

/// Half waves along and across.
const WAVES: (u32, u32) = (16, 12);
const ASPECT: f64 = 4.0 / 3.0;
/// Thickness [m], mass [kg] and lowest frequency [Hz].
const THICKNESS: f64 = 0.5e-3;
const MASS: f64 = 0.5;
const LOWEST: f64 = 20.0;

/// A body of 192 modes, linear, and the weights at two places.
fn body() -> (Collision, Vec<(u32, u32)>, [Vec<f64>; 2]) {
    let shape = ModalShape::plate(EdgeSupport::Supported, ASPECT, 0.3, 1024);
    let inside = |&(_, (m, n)): &(usize, (u32, u32))| m <= WAVES.0 && n <= WAVES.1;
    let families: Vec<_> = (0..1024).filter_map(|i| shape.family(i).map(|family| (i, family))).filter(inside).collect();
    let mut body = Collision::new(RATE, Capacity { modes: 192, held: 0, hammers: 1, hammer_modes: 1, levels: 6 });
    body.set_body(families.iter().map(|&(i, _)| Mode::heard_at(LOWEST * shape.ratio(i), 0.5)));
    let places = [(0.31, 0.27), (0.43, 0.41)].map(|(along, across)| {
        let mut all = vec![0.0; shape.len()];
        shape.weights_at_place(BodyPosition { along, across }, MASS, &mut all);
        families.iter().map(|&(i, _)| all[i]).collect()
    });
    (body, families.into_iter().map(|(_, family)| family).collect(), places)
}

/// The plate at rest with its potential awake, and the weights at two places.
pub fn quiet() -> (Collision, [Vec<f64>; 2]) {
    let (mut body, families, places) = body();
    let omega = std::f64::consts::TAU * LOWEST;
    let stretch =
        PlateStretch { rim: EdgeSupport::Supported, thickness: THICKNESS, poisson: 0.3, mass: MASS, omega, aspect: ASPECT };
    let families: Vec<_> = families.into_iter().map(Some).collect();
    let grid = PlatePotential::new(ASPECT, &families, PlateEdges::Sliding, StressDetail::Cut);
    body.exchange_potential(Some(LentPotential::new(Box::new(grid), 192)), PotentialSize::flat(stretch.amount()));
    body.wake_potential();
    (body, places)
}

/// The same in motion, bent by about its thickness.
pub fn loud() -> (Collision, [Vec<f64>; 2]) {
    let (mut body, places) = quiet();
    let lowest = std::f64::consts::TAU * LOWEST * THICKNESS / places[1][0];
    body.ring_parts().2.iter_mut().zip(&places[0]).for_each(|(v, w)| *v = lowest * w / places[0][0].abs());
    (body, places)
}
