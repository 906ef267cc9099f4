//! Bodies of the networks: strings, and plates by a ladder of modes with random shapes.

use crate::support::rng::Rng;
use std::f64::consts::{PI, TAU};
use urto_physics::connections::{Joint, Network, NetworkCapacity, PortEnd, Side};
use urto_physics::modal::Mode;

/// Sample rate of the networks [Hz].
pub const RATE: f64 = 48e3;

/// A body with the weights [kg^-1/2] of its joints and of one more point.
#[derive(Clone)]
pub struct TestBody {
    pub modes: Vec<Mode>,
    pub joints: Vec<Vec<f64>>,
    pub point: Vec<f64>,
}

/// A number with the normal distribution (Box, Muller).
pub fn normal(rng: &mut Rng) -> f64 {
    (-2.0 * (1.0 - rng.unit()).ln()).sqrt() * (TAU * rng.unit()).cos()
}

fn mode(frequency: f64) -> Mode {
    Mode { omega: TAU * frequency, sigma: 2.0 + 3e-4 * frequency }
}

/// A string of 0.65 m and 3 g/m with `modes` partials of `pitch` [Hz], below 20 kHz; joints and point at these parts of its length.
pub fn string(pitch: f64, modes: usize, joints: &[f64], point: f64) -> TestBody {
    let count = (1..=modes).take_while(|&n| pitch * (n as f64) < 20e3).count();
    let shape =
        |at: f64| (1..=count).map(|n| (n as f64 * PI * at).sin() * (2.0 / (0.003 * 0.65_f64)).sqrt()).collect::<Vec<f64>>();
    TestBody {
        modes: (1..=count).map(|n| mode(pitch * n as f64)).collect(),
        joints: joints.iter().map(|at| shape(*at)).collect(),
        point: shape(point),
    }
}

/// A plate of 0.5 kg: even density of modes up to `top` [Hz], random shapes.
pub fn plate(modes: usize, top: f64, joints: usize, seed: u64) -> TestBody {
    let mut rng = Rng::new(seed);
    let mut frequencies: Vec<f64> =
        (0..modes).map(|n| 40.0 + ((n as f64 + 0.5 + 0.37 * normal(&mut rng)) * top / modes as f64).abs()).collect();
    frequencies.sort_by(f64::total_cmp);
    let mut shape = || (0..modes).map(|_| normal(&mut rng) / 0.5_f64.sqrt()).collect::<Vec<f64>>();
    TestBody {
        modes: frequencies.into_iter().map(mode).collect(),
        joints: (0..joints).map(|_| shape()).collect(),
        point: shape(),
    }
}

/// The plates of an independent program, for which tables of errors are known; two joints.
pub fn reference_plates() -> [TestBody; 2] {
    let row = |line: &str| -> [f64; 8] {
        let numbers: Vec<f64> = line.split(',').map(|number| number.parse().expect("a number")).collect();
        numbers.try_into().expect("eight numbers")
    };
    let rows: Vec<[f64; 8]> = include_str!("plates.csv").lines().skip(1).map(row).collect();
    let column = |n: usize| rows.iter().map(move |row| row[n]).collect::<Vec<f64>>();
    [0, 4].map(|first| TestBody {
        modes: column(first).into_iter().map(mode).collect(),
        joints: vec![column(first + 1), column(first + 2)],
        point: column(first + 3),
    })
}

/// Static compliance [m/N] of joint n between two bodies.
pub fn static_compliance(pair: &[TestBody; 2], n: usize) -> f64 {
    let of_body = |body: &TestBody| -> f64 {
        body.modes.iter().zip(&body.joints[n]).map(|(mode, weight)| (weight / mode.omega).powi(2)).sum()
    };
    of_body(&pair[0]) + of_body(&pair[1])
}

/// Two bodies, joined by these joints.
pub fn network(pair: &[TestBody; 2], joints: &[Joint]) -> Network {
    network_at(RATE, pair, joints)
}

/// The same at another rate [Hz].
pub fn network_at(rate: f64, pair: &[TestBody; 2], joints: &[Joint]) -> Network {
    let modes = pair[0].modes.len().max(pair[1].modes.len());
    let mut network = Network::new(rate, NetworkCapacity { bodies: 2, modes });
    for (number, body) in pair.iter().enumerate() {
        assert_eq!(network.add_body(body.modes.iter().copied()), Some(number));
    }
    for (n, joint) in joints.iter().enumerate() {
        let end = |body: usize, side| PortEnd { body, weights: &pair[body].joints[n], side };
        assert_eq!(network.connect(&[end(0, Side::Plus), end(1, Side::Minus)], *joint), Some(n));
    }
    network
}
