//! The plate of the figures `ring_clamped_40` and `build_clamped_40`.

use std::hint::black_box;

use urto_physics::bodies::{
    BodyPosition, EdgeSupport, InPlaneEdges, Material, ModalShape, Plate, PlateStretch, StretchDetail, StretchForms, StretchSpec,
};
use urto_physics::modal::{LentPotential, Mode, PotentialSize};
use urto_physics::solver::{Capacity, Collision};

use super::measurement::{Case, RATE};
use super::ring;

const MODES: usize = 40;
/// Stress functions.
const STRESSES: usize = 56;

/// A steel pane of 40 cm, clamped.
const PANE: Plate = Plate { rim: EdgeSupport::Clamped, length: 0.4, width: 0.3, thickness: 0.8e-3, material: Material::STEEL };
const ASPECT: f64 = PANE.length / PANE.width;

fn forms(shape: &ModalShape) -> StretchForms {
    StretchForms::new(&StretchSpec { aspect: ASPECT, poisson: PANE.material.poisson, edges: InPlaneEdges::Held }, shape, MODES)
}

/// The pane that rings in stereo frame by frame, bent by about its thickness.
pub fn ring(key: &'static str) -> Case {
    let (shape, lowest) = PANE.shape(MODES);
    let mut body = Collision::new(RATE, Capacity { modes: MODES, held: 0, hammers: 1, hammer_modes: 1, levels: 6 });
    body.set_body((0..MODES).map(|i| Mode::heard_at(lowest * shape.ratio(i), 0.5)));
    let pickups = [(0.5, 0.45), (0.3, 0.4)].map(|(along, across)| {
        let mut weights = vec![0.0; body.body().padded()];
        shape.weights_at_place(BodyPosition { along, across }, PANE.mass(), &mut weights);
        weights
    });
    let omega = std::f64::consts::TAU * lowest;
    let (rim, thickness, poisson, mass, aspect) = (PANE.rim, PANE.thickness, PANE.material.poisson, PANE.mass(), ASPECT);
    let size = PotentialSize::flat(PlateStretch { rim, thickness, poisson, mass, omega, aspect }.amount());
    let potential = forms(&shape).potential(StretchDetail { rigid: 0, modes: MODES, stresses: STRESSES });
    body.exchange_potential(Some(LentPotential::new(Box::new(potential), MODES)), size);
    body.wake_potential();
    let speed = omega * thickness / pickups[0][0].powi(2);
    body.ring_parts().2.iter_mut().zip(&pickups[0]).for_each(|(v, w)| *v = speed * w);
    ring::with_potential(key, body, pickups)
}

/// Preparation of the potentials of the pane, with all modes and with fewer.
pub fn build(key: &'static str) -> Case {
    let (shape, _) = PANE.shape(MODES);
    Case::new(key, move |stopwatch| {
        stopwatch.lap(|| {
            let forms = forms(black_box(&shape));
            for (modes, stresses) in [(MODES, STRESSES), (MODES / 2, 40), (6, 16)] {
                black_box(forms.potential(StretchDetail { rigid: 0, modes, stresses }));
            }
            1
        });
    })
}
