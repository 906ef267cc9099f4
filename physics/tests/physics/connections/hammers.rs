//! Hammers and one-sided contacts on networks, against 64 steps a sample.

use super::bodies::{RATE, TestBody, network_at, reference_plates, static_compliance};
use std::f64::consts::TAU;
use urto_physics::connections::{ContactSpec, Joint, Network, NetworkResolution, PointHammer, PortEnd, Side};
use urto_physics::contact::ContactLaw;

/// Samples of a run: 10 ms.
const SAMPLES: usize = 480;
/// Steps of the reference in a sample.
const FINE: usize = 64;
/// Speed of the hammers [m/s].
const SPEED: f64 = 2.0;
/// Half of the last digit of the smallest errors in the table [%].
const LAST_DIGIT: f64 = 0.005;
/// Limits of the bands in which states are compared [Hz].
const BANDS: [f64; 4] = [0.0, 1e3, 4e3, 1e4];

/// Result of a run.
struct Run {
    /// Mean force of every sample [N].
    force: Vec<f64>,
    /// omega q and v of all modes.
    state: Vec<(f64, f64, f64)>,
}

fn state(network: &Network) -> Vec<(f64, f64, f64)> {
    let of_body = |body: usize| {
        let modes = network.modes(body);
        modes.list().iter().enumerate().map(|(i, mode)| (mode.omega, mode.omega * modes.q[i], modes.v[i])).collect::<Vec<_>>()
    };
    (0..2).flat_map(of_body).collect()
}

fn run(mut network: Network, port: usize, samples: usize, steps: usize) -> Run {
    let mut mean = || {
        let steps = (0..steps).map(|_| {
            network.step();
            network.force(port)
        });
        steps.sum::<f64>()
    };
    let force = (0..samples).map(|_| mean() / steps as f64).collect();
    Run { force, state: state(&network) }
}

impl Run {
    /// Error of the force [%].
    fn force_error(&self, reference: &Run) -> f64 {
        let square = |values: &mut dyn Iterator<Item = f64>| values.map(|value| value * value).sum::<f64>();
        let difference = square(&mut self.force.iter().zip(&reference.force).map(|(a, b)| a - b));
        100.0 * (difference / square(&mut reference.force.iter().copied())).sqrt()
    }

    /// Error of the state in each band [dB].
    fn state_errors(&self, reference: &Run) -> [f64; 3] {
        std::array::from_fn(|band| {
            let (mut error, mut whole) = (0.0, 0.0);
            for (a, b) in self.state.iter().zip(&reference.state) {
                if a.0 >= TAU * BANDS[band] && a.0 < TAU * BANDS[band + 1] {
                    error += (a.1 - b.1).powi(2) + (a.2 - b.2).powi(2);
                    whole += b.1 * b.1 + b.2 * b.2;
                }
            }
            10.0 * (error / whole + 1e-30).log10()
        })
    }
}

/// A hammer of the table.
#[derive(Clone, Copy)]
struct Striker {
    name: &'static str,
    mass: f64,
    law: (f64, f64, f64),
}

const STRIKERS: [Striker; 3] = [
    Striker { name: "brass", mass: 0.015, law: (5e9, 1.5, 0.1) },
    Striker { name: "stick", mass: 0.015, law: (8e7, 1.5, 0.25) },
    Striker { name: "yarn", mass: 0.03, law: (1.11e9, 2.3, 0.4) },
];

/// A plate of 0.5 kg, joined to another, and a hammer before it.
fn struck(pair: &[TestBody; 2], striker: Striker, rate: f64) -> (Network, usize) {
    let stiffness = 10.0 / static_compliance(pair, 0);
    let mut network = network_at(rate, pair, &[Joint { stiffness, damping: 0.0, missing: 0.0 }]);
    let (k, alpha, mu) = striker.law;
    let contact = ContactSpec { law: ContactLaw::hunt_crossley(k, alpha, mu), gap: 0.37 * SPEED / RATE };
    let hammer = PointHammer { mass: striker.mass, velocity: SPEED };
    let port = network.strike(0, &pair[0].point, contact, hammer).expect("there is room");
    (network, port)
}

/// Errors of the force [%], all bodies in 4 and in 8 substeps, and held over the sample with 1 and with 4 parts. The figures of an independent
/// program, from which these may differ by a fifth.
#[test]
fn a_struck_network_takes_substeps() {
    let table = [[1.6, 0.39, 23.9, 16.8], [0.1, 0.02, 1.8, 1.3], [0.01, 0.003, 0.29, 0.25]];
    let resolution = |level, most_modes, parts| NetworkResolution { level, most_modes, parts };
    let ways = [resolution(2, 256, 1), resolution(3, 256, 1), resolution(0, 0, 1), resolution(0, 0, 4)];
    let pair = reference_plates();
    for (striker, table) in STRIKERS.into_iter().zip(table) {
        let (fine, port) = struck(&pair, striker, RATE * FINE as f64);
        let reference = run(fine, port, SAMPLES, FINE);
        for (way, known) in ways.into_iter().zip(table) {
            let (mut network, port) = struck(&pair, striker, RATE);
            network.set_resolution(way);
            let found = run(network, port, SAMPLES, 1);
            let (force, state) = (found.force_error(&reference), found.state_errors(&reference));
            println!("{}, {way:?}: force {force:.4} %, state {state:.0?} dB", striker.name);
            assert!((force - known).abs() < 0.2 * known + LAST_DIGIT, "{}, {way:?}: {force} % instead of {known}", striker.name);
        }
    }
}

/// Two plates that ring, 2 um apart.
fn rattling(pair: &[TestBody; 2], law: ContactLaw, rate: f64) -> (Network, usize) {
    let mut network = network_at(rate, pair, &[]);
    let end = |body: usize, side| PortEnd { body, weights: &pair[body].joints[0], side };
    let ends = [end(0, Side::Plus), end(1, Side::Minus)];
    let port = network.touch(&ends, ContactSpec { law, gap: 2e-6 }).expect("there is room");
    let weights = &pair[0].point;
    let speed: Vec<f64> = pair[0]
        .modes
        .iter()
        .zip(weights)
        .map(|(mode, weight)| weight.signum() / (1.0 + (mode.omega / TAU / 2e3).powi(2)))
        .collect();
    let heard = weights.iter().zip(&speed).map(|(weight, speed)| (weight * speed).powi(2)).sum::<f64>().sqrt();
    let (_, v) = network.state_mut(0);
    v.iter_mut().zip(&speed).for_each(|(v, speed)| *v = 0.1 * speed / heard);
    (network, port)
}

/// More solves a sample change the state after 2 ms by less than their common error.
#[test]
fn one_solve_a_sample_is_enough_between_bodies() {
    let pair = reference_plates();
    for (k, alpha, limits) in [(1e6, 1.0, [-55.0; 3]), (1e8, 1.5, [-65.0; 3])] {
        let law = ContactLaw::hunt_crossley(k, alpha, 0.2);
        let (fine, port) = rattling(&pair, law, RATE * FINE as f64);
        let reference = run(fine, port, 96, FINE);
        assert!(reference.force.iter().any(|force| *force > 0.0), "the plates touch");
        let (network, port) = rattling(&pair, law, RATE);
        let found = run(network, port, 96, 1).state_errors(&reference);
        println!("k {k:e}, alpha {alpha}: state {found:.0?} dB");
        assert!(found.iter().zip(limits).all(|(error, limit)| *error <= limit), "k {k:e}: {found:?} dB");
    }
}

/// The work of a hand that presses two bodies together and lets go is what they have afterwards, and what was lost.
#[test]
fn the_work_of_a_hand_is_supplied() {
    let pair = reference_plates();
    let mut network = network_at(RATE, &pair, &[]);
    let end = |body: usize, side| PortEnd { body, weights: &pair[body].joints[0], side };
    let contact = ContactSpec { law: ContactLaw::hunt_crossley(1e7, 1.5, 0.3), gap: 1e-4 };
    let port = network.touch(&[end(0, Side::Plus), end(1, Side::Minus)], contact).expect("there is room");
    network.enable_energy_balance();
    network.set_closing(port, 0.5);
    (0..20).for_each(|_| network.step());
    assert!(network.compression(port).is_some_and(|x| x > 0.0) && network.force(port) > 0.0, "they touch");
    network.set_closing(port, -0.5);
    (0..400).for_each(|_| network.step());
    assert!(network.compression(port).is_some_and(|x| x < 0.0), "they are apart");
    let (energy, balance) = (network.energy(), network.energy_balance().expect("it is enabled"));
    let accounted = energy + balance.lost_in_contact + balance.lost_in_modes;
    assert!(energy > 1e-6 && (accounted / balance.supplied - 1.0).abs() < 1e-13, "{energy} J of {} J", balance.supplied);
}
