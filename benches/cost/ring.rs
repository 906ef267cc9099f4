//! A ringing body without contact, with two pickups, linear, under its own tension or under the potential of a plate.

use std::hint::black_box;

use urto_engine::voice::{FRAMES, MAX_BLOCKS, ResonatorBank};
use urto_physics::bodies::ModalShape;
use urto_physics::modal::{Mode, dot};
use urto_physics::solver::{Capacity, Collision, TensionLaw};

use super::measurement::{Case, RATE};
use super::plate;

/// Product of modes and samples of a round.
const WORK: usize = 1 << 17;

/// `modes` modes that ring in stereo.
pub fn stereo(key: &'static str, modes: usize) -> Case {
    let mut body = Collision::new(RATE, Capacity { modes, held: 0, hammers: 1, hammer_modes: 1, levels: 4 });
    let highest = 19_000.0 / modes as f64;
    body.set_body((1..=modes).map(|n| Mode::heard_at(highest * n as f64, 0.1)));
    let padded = body.body().padded();
    let mut resonators = ResonatorBank::new(padded);
    resonators.tune(body.ring_parts().0);
    let [left, right] = [0, 1].map(|side| (0..padded).map(move |n| (0.3 + 0.7 * (n + side) as f32).sin()));
    resonators.set_weights(left, right);
    body.ring_parts().2.fill(1.0);
    let mut out = [[0.0; FRAMES]; 2];
    let runs = (WORK / modes / FRAMES).clamp(8, 256);
    Case::new(key, move |stopwatch| {
        stopwatch.lap(|| {
            for _ in 0..runs {
                let (_, q, v) = body.ring_parts();
                resonators.render(MAX_BLOCKS, 1.0, (&*q, &*v), black_box(&mut out));
                body.exchange_state(resonators.state_after());
            }
            runs * FRAMES
        });
    })
}

/// Frames of a round under tension.
const TENSION_FRAMES: usize = 512;

/// A drum head of `modes` modes, struck at 0.3 of its radius, that rings in stereo frame by frame, while its tension exceeds that at rest by
/// up to a half.
pub fn tension(key: &'static str, modes: usize) -> Case {
    let mut body = Collision::new(RATE, Capacity { modes, held: 0, hammers: 1, hammer_modes: 1, levels: 4 });
    let shape = ModalShape::head(modes, 0.0);
    let list: Vec<Mode> = (0..modes).map(|i| Mode::heard_at(100.0 * shape.ratio(i), 1e-3)).collect();
    let stretches: Vec<f64> = list.iter().map(|mode| mode.omega * mode.omega).collect();
    body.set_body(list);
    let pickups = [0.3, 0.7].map(|place| {
        let mut weights = vec![0.0; body.body().padded()];
        shape.weights_at(place, 1.0, &mut weights);
        weights
    });
    body.ring_parts().2.copy_from_slice(&pickups[0]);
    body.set_tension(&TensionLaw { stiffness: 1.0, stretches: &stretches });
    let stiffness = 0.5 / body.tension_strength();
    body.set_tension(&TensionLaw { stiffness, stretches: &stretches });
    body.wake_tension();
    Case::new(key, move |stopwatch| {
        stopwatch.lap(|| {
            for _ in 0..TENSION_FRAMES {
                body.ring_with_tension(1.0);
                let v = &body.body().v;
                black_box(pickups.each_ref().map(|weights| dot(weights, v)));
            }
            TENSION_FRAMES
        });
    })
}

/// Frames of a round of a body with a potential.
const POTENTIAL_FRAMES: usize = 64;

/// A supported plate of 192 modes that rings in stereo frame by frame, bent by about its thickness.
pub fn plate(key: &'static str) -> Case {
    let (body, pickups) = plate::loud();
    with_potential(key, body, pickups)
}

/// A body that rings in stereo frame by frame under its potential.
pub fn with_potential(key: &'static str, mut body: Collision, pickups: [Vec<f64>; 2]) -> Case {
    Case::new(key, move |stopwatch| {
        stopwatch.lap(|| {
            for _ in 0..POTENTIAL_FRAMES {
                body.ring_with_potential(1.0);
                let v = &body.body().v;
                black_box(pickups.each_ref().map(|weights| dot(weights, v)));
            }
            POTENTIAL_FRAMES
        });
    })
}
