//! A ringing body without contact, with two pickups.

use std::hint::black_box;

use urto_engine::voice::{FRAMES, MAX_BLOCKS, ResonatorBank};
use urto_physics::modal::Mode;
use urto_physics::solver::{Capacity, Collision};

use super::measurement::{Case, RATE};

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
