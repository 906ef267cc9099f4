//! A body that rings by itself, heard by two pickups.

use std::hint::black_box;

use urto::engine::ring::{GRID, Pickup, ring};
use urto::physics::collision::{Capacity, Collision};
use urto::physics::modes::Mode;

use super::RATE;
use super::case::Case;

/// Modes times samples of a round.
const WORK: usize = 1 << 17;

/// `modes` modes that ring in stereo.
pub fn stereo(key: &'static str, modes: usize) -> Case {
    let mut body = Collision::new(RATE, Capacity { modes, strikers: 1, striker_modes: 1, levels: 4 });
    let highest = 19_000.0 / modes as f64;
    body.set_body((1..=modes).map(|n| Mode::heard_at(highest * n as f64, 0.1)));
    let padded = body.body().padded();
    body.ring_parts().2.fill(1.0);
    let pickups: [Pickup; 2] = std::array::from_fn(|side| {
        let weights: Vec<f64> = (0..modes).map(|n| (0.3 + 0.7 * (n + side) as f64).sin()).collect();
        let mut pickup = Pickup::new(padded);
        pickup.set(&weights, padded);
        pickup
    });
    let mut out = [[0.0; GRID]; 2];
    let cells = (WORK / modes / GRID).clamp(8, 256);
    Case::new(key, move |clock| {
        clock.lap(|| {
            for _ in 0..cells {
                ring(body.ring_parts(), 1.0, &pickups, 0..GRID, black_box(&mut out));
            }
            cells * GRID
        });
    })
}
