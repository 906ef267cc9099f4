//! Connected bodies that ring, each with two pickups, sample by sample: one body, a pair on a spring, a ring of bodies.

use std::hint::black_box;

use urto_physics::connections::{Joint, Network, NetworkCapacity, PortEnd, Side};
use urto_physics::modal::Mode;

use super::measurement::{Case, RATE};

/// Modes of a body.
const MODES: usize = 64;
/// Bodies of the ring.
const RING: usize = 16;
/// Samples of a round for one body.
const SAMPLES: usize = 2048;

/// A network of this many bodies, which ring.
fn ringing(bodies: usize) -> Network {
    let mut network = Network::new(RATE, NetworkCapacity { bodies, modes: MODES });
    for body in 0..bodies {
        let lowest = 19_000.0 / MODES as f64 * (1.0 - 0.01 * body as f64);
        network.add_body((1..=MODES).map(|n| Mode::heard_at(lowest * n as f64, 0.1))).expect("there is room");
        let pickups = [0, 1].map(|side| (0..MODES).map(|n| (0.3 + 0.7 * (n + side) as f64).sin()).collect::<Vec<f64>>());
        network.set_pickups(body, [&pickups[0], &pickups[1]]);
        network.state_mut(body).1[..MODES].fill(1.0);
    }
    network
}

/// Adds a spring with a dashpot between two bodies.
fn join(network: &mut Network, from: usize, to: usize) {
    let shape = |seed: usize| (0..MODES).map(|n| (0.2 + 0.9 * (n + 3 * seed) as f64).sin()).collect::<Vec<f64>>();
    let (first, second) = (shape(from), shape(to + 1));
    let end = |body, weights, side| PortEnd { body, weights, side };
    let joint = Joint { stiffness: 1e5, damping: 1e-3, missing: 0.0 };
    let ends = [end(from, &first[..], Side::Plus), end(to, &second[..], Side::Minus)];
    network.connect(&ends, joint).expect("there is room");
}

fn case(key: &'static str, mut network: Network, bodies: usize) -> Case {
    let samples = SAMPLES / bodies;
    Case::new(key, move |stopwatch| {
        stopwatch.lap(|| {
            for _ in 0..samples {
                network.step();
                for body in 0..bodies {
                    black_box(network.heard(body));
                }
            }
            samples
        });
    })
}

/// One body with a port, the spring of which has no stiffness.
pub fn single(key: &'static str) -> Case {
    let mut network = ringing(1);
    let shape: Vec<f64> = (0..MODES).map(|n| (0.2 + 0.9 * n as f64).sin()).collect();
    let end = PortEnd { body: 0, weights: &shape, side: Side::Plus };
    network.connect(&[end], Joint::default()).expect("there is room");
    case(key, network, 1)
}

/// Two bodies on a spring.
pub fn pair(key: &'static str) -> Case {
    let mut network = ringing(2);
    join(&mut network, 0, 1);
    case(key, network, 2)
}

/// 16 bodies in a ring of 16 springs.
pub fn ring(key: &'static str) -> Case {
    let mut network = ringing(RING);
    (0..RING).for_each(|body| join(&mut network, body, (body + 1) % RING));
    case(key, network, RING)
}
