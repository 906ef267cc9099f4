//! The disc of the figures `ring_disc_100` and `build_disc_100`.

use std::hint::black_box;

use urto_physics::bodies::{Disc, DiscPotential, DiscStretch, EdgeSupport, Material, ModalShape};
use urto_physics::modal::{LentPotential, Mode};
use urto_physics::solver::{Capacity, Collision};

use super::measurement::{Case, RATE};
use super::ring;

const MODES: usize = 100;
/// Stress functions.
const STRESSES: usize = 60;

/// A free gong of 30 cm and 0.9 mm.
const GONG: Disc = Disc { rim: EdgeSupport::Free, radius: 0.15, thickness: 0.9e-3, material: Material::BELL_BRONZE };

fn potential(shape: &ModalShape) -> DiscPotential {
    let modes: Vec<_> = (0..shape.len()).map(|i| shape.round_mode(i)).collect();
    DiscPotential::new(GONG.rim, GONG.material.poisson, &modes, STRESSES)
}

/// The gong that rings in stereo frame by frame, bent by about its thickness.
pub fn ring(key: &'static str) -> Case {
    let shape = GONG.shape(MODES, 0.0);
    let mut body = Collision::new(RATE, Capacity { modes: MODES, held: 0, hammers: 1, hammer_modes: 1, levels: 6 });
    body.set_body((0..MODES).map(|i| Mode::heard_at(GONG.lowest() * shape.ratio(i), 0.5)));
    let pickups = [0.8, 0.3].map(|place| {
        let mut weights = vec![0.0; body.body().padded()];
        shape.weights_at(place, GONG.mass(), &mut weights);
        weights
    });
    let (thickness, poisson, mass) = (GONG.thickness, GONG.material.poisson, GONG.mass());
    let omega = std::f64::consts::TAU * GONG.lowest();
    let size = DiscStretch { rim: GONG.rim, thickness, poisson, mass, omega }.size();
    body.exchange_potential(Some(LentPotential::new(Box::new(potential(&shape)), MODES)), size);
    body.wake_potential();
    let speed = omega * thickness / pickups[0][0].powi(2);
    body.ring_parts().2.iter_mut().zip(&pickups[0]).for_each(|(v, w)| *v = speed * w);
    ring::with_potential(key, body, pickups)
}

/// Preparation of the potential of the gong.
pub fn build(key: &'static str) -> Case {
    let shape = GONG.shape(MODES, 0.0);
    Case::new(key, move |stopwatch| {
        stopwatch.lap(|| {
            black_box(potential(black_box(&shape)));
            1
        });
    })
}
