//! Preparation of a body before it sounds, and retuning while it sounds.

use std::hint::black_box;

use urto_engine::body::{BodyScratch, BodySize, BodyTuning, KeyScaling};
use urto_engine::params::{BodyKind, ParamId};
use urto_engine::{BodySpec, PreparedBody};
use urto_physics::modal::Mode;
use urto_physics::solver::{Capacity, Collision};

use super::engine::{CRASH, patch};
use super::measurement::{Case, RATE};

/// The pitch of a 110 Hz key, slightly inharmonic.
fn pitch() -> BodyTuning {
    let pitch = BodyTuning::new(110.0, KeyScaling::default(), |param| param.spec().default);
    BodyTuning { inharmonicity: 1e-4, ..pitch }
}

/// Retuning of a sounding string of `modes` modes: from the new pitch to the coefficients of the next sample.
pub fn retune(key: &'static str, modes: usize) -> Case {
    const REPETITIONS: usize = 64;
    let body = PreparedBody::prepare(BodySpec::new(BodyKind::String, modes), &[], &[]);
    let mut pitch = pitch();
    let mut tuned = vec![Mode::RIGID; modes];
    let mut collision = Collision::new(RATE, Capacity { modes, held: 0, hammers: 1, hammer_modes: 1, levels: 6 });
    collision.set_body(body.modes(modes, &pitch, RATE, &mut tuned).iter().copied());
    Case::new(key, move |stopwatch| {
        stopwatch.lap(|| {
            for bend in 0..REPETITIONS {
                pitch.lowest = 110.0 + 0.01 * bend as f64;
                collision.retune(body.modes(modes, &pitch, RATE, &mut tuned).iter().copied());
                black_box(collision.ring_parts());
            }
            REPETITIONS
        });
    })
}

/// Preparation of a crash cymbal of some 1700 modes, as for a new sound.
pub fn build_crash(key: &'static str) -> Case {
    let patch = patch(&CRASH);
    let mut specimen = 0.0;
    Case::new(key, move |stopwatch| {
        specimen += 1.0;
        let mut patch = patch.clone();
        patch.settings.set(ParamId::Specimen, specimen);
        stopwatch.lap(|| {
            black_box(PreparedBody::of(black_box(&patch)));
            1
        });
    })
}

/// Preparation of a body of `modes` modes: partials, shapes, weights of a hammer and a pickup, and coefficients of a sample.
pub fn build(key: &'static str, kind: BodyKind, modes: usize) -> Case {
    let mut collision = Collision::new(RATE, Capacity { modes: modes + 2, held: 0, hammers: 1, hammer_modes: 1, levels: 6 });
    let (mut scratch, mut tuned) = (BodyScratch::new(modes + 2), vec![Mode::RIGID; modes + 2]);
    let mut request = BodySpec::new(kind, modes);
    let home = request.strike;
    let mut round = 0;
    Case::new(key, move |stopwatch| {
        round += 1;
        // a new strike position in every round prevents reuse of results
        request.strike.along = home.along * (1.0 - 1e-3 * f64::from(round % 64));
        stopwatch.lap(|| {
            let body = PreparedBody::prepare(request, &[], &[]);
            collision.set_body(body.modes(modes, &pitch(), RATE, &mut tuned).iter().copied());
            black_box(collision.ring_parts());
            let count = collision.body().len();
            black_box(body.hammer_weights(request.strike, BodySize { mass: 1.0, morph: 0.0 }, count, &mut scratch));
            black_box(body.pickup_weights(request.strike, BodySize { mass: 1.0, morph: 0.0 }, count, &mut scratch));
            1
        });
    })
}
