//! Springs between bodies whose forces are held over a sample, against the exact poles of the same bodies.

use super::bodies::{RATE, TestBody, network, plate, reference_plates, static_compliance, string};
use super::poles::{LinearSystem, PoleErrors, compare, compare_octaves};
use crate::tier::size;
use std::f64::consts::{PI, TAU};
use urto_physics::connections::Joint;

/// Stiffness of the joints over the static stiffness of both points.
const KAPPAS: [f64; 6] = [0.01, 0.1, 1.0, 10.0, 100.0, 1000.0];

/// Strings, or plates, of about the number of modes of this tier.
fn strings(joints: usize) -> [TestBody; 2] {
    let modes = size(24, 64);
    [string(196.0, modes, &[0.11, 0.15][..joints], 0.2), string(277.2, modes, &[0.13, 0.17][..joints], 0.3)]
}

/// In the thorough tier those of the independent program.
fn plates(joints: usize) -> [TestBody; 2] {
    size([plate(24, 18e3, joints, 1), plate(24, 17e3, joints, 2)], reference_plates())
}

/// Joints of these stiffnesses over the static one; infinite: rigid.
fn joints(pair: &[TestBody; 2], kappas: &[f64], damping: f64) -> Vec<Joint> {
    let stiffness = |n: usize, kappa: f64| if kappa > 0.0 { kappa / static_compliance(pair, n) } else { 0.0 };
    let joint = |(n, &kappa): (usize, &f64)| Joint { stiffness: stiffness(n, kappa), damping, missing: 0.0 };
    kappas.iter().enumerate().map(joint).collect()
}

/// Errors of these joints below `top` [Hz].
fn errors_below(top: f64, pair: &[TestBody; 2], joints: &[Joint]) -> PoleErrors {
    let mut network = network(pair, joints);
    let moving = joints.iter().filter(|joint| joint.stiffness > 0.0).count();
    let played = LinearSystem::of_network(&mut network, pair, moving);
    compare(&LinearSystem::exact(pair, joints), &played, 1.0 / RATE, top)
}

fn errors(pair: &[TestBody; 2], kappas: &[f64], damping: f64) -> PoleErrors {
    errors_below(5e3, pair, &joints(pair, kappas, damping))
}

fn both(joints: usize) -> [(&'static str, [TestBody; 2]); 2] {
    [("plates", plates(joints)), ("strings", strings(joints))]
}

#[test]
fn a_spring_is_right_from_soft_to_stiff() {
    for (name, pair) in both(1) {
        for kappa in KAPPAS {
            let worst = errors(&pair, &[kappa], 0.0);
            println!("{name}, kappa {kappa}: {worst:.3?}");
            assert!(worst.cents < 0.5 && worst.decay < 0.5 && worst.level < 0.5, "{name}, kappa {kappa}: {worst:?}");
        }
    }
}

/// Against a spring of 1e5 times the static stiffness, which the poles cannot distinguish from a rigid joint.
#[test]
fn a_rigid_joint_is_right() {
    for (name, pair) in both(1) {
        let exact = LinearSystem::exact(&pair, &joints(&pair, &[1e5], 0.0));
        for kappa in [1e5, f64::INFINITY] {
            let mut rigid = network(&pair, &joints(&pair, &[kappa], 0.0));
            let worst = compare(&exact, &LinearSystem::of_network(&mut rigid, &pair, 1), 1.0 / RATE, 5e3);
            println!("{name}, rigid: {worst:.3?}");
            assert!(worst.cents < 0.5 && worst.decay < 0.5 && worst.level < 0.5, "{name}: {worst:?}");
        }
    }
}

/// Single modes of close pairs change their level, but not their pitch and decay, and not the level of an octave.
#[test]
fn two_springs_share_the_corrections() {
    let all = [[1.0, 1.0], [10.0, 10.0], [50.0, 50.0], [1000.0, 1000.0], [10.0, 1000.0], [1.0, 1000.0], [100.0, 1000.0]];
    for (name, pair) in both(2) {
        for kappas in all {
            let joints = joints(&pair, &kappas, 0.0);
            let mut network = network(&pair, &joints);
            let played = LinearSystem::of_network(&mut network, &pair, joints.len());
            let exact = LinearSystem::exact(&pair, &joints);
            let worst = compare(&exact, &played, 1.0 / RATE, 5e3);
            println!("{name}, kappas {kappas:?}: {worst:.3?}");
            assert!(worst.cents < 0.5 && worst.decay < 0.5, "{name}, kappas {kappas:?}: {worst:?}");
            let apart = compare_octaves(&exact, &played, 1.0 / RATE, 5e3);
            println!("{name}, kappas {kappas:?}: {apart:.3} dB in an octave");
            assert!(apart < 0.2, "{name}, kappas {kappas:?}: {apart} dB");
        }
    }
}

#[test]
fn a_spring_with_a_dashpot_is_one_port() {
    for (name, pair) in both(1) {
        let unit = if name == "plates" { 1.0 } else { 0.01 };
        for (kappa, damping) in [(1.0, 0.3), (10.0, 0.3), (10.0, 3.0), (30.0, 3.0), (100.0, 3.0), (1000.0, 30.0)] {
            let worst = errors(&pair, &[kappa], unit * damping);
            println!("{name}, kappa {kappa}, r {damping}: {worst:.3?}");
            assert!(worst.cents < 0.5 && worst.decay < 2.0 && worst.level < 0.5, "{name}, {kappa} {damping}: {worst:?}");
        }
    }
}

#[test]
fn a_dashpot_alone_damps_as_much_as_it_does() {
    let pair = plates(1);
    for (damping, below_5, below_10) in [(0.1, 1e-3, 1e-3), (1.0, 2e-3, 2e-3), (10.0, 0.3, 0.3), (100.0, 2.0, 12.0)] {
        let joint = [Joint { stiffness: 0.0, damping, missing: 0.0 }];
        let (low, high) = (errors_below(5e3, &pair, &joint), errors_below(1e4, &pair, &joint));
        println!("r {damping}: {low:?}, below 10 kHz {high:?}");
        assert!(low.decay < below_5 && high.decay < below_10, "r {damping}: {low:?} {high:?}");
    }
}

/// Frequencies of two undamped strings of 256 partials each, joined by a spring: roots of 1/k + sum W^2/(omega^2 - lambda) between the
/// partials, by bisection; 1/s.
fn exact_strings(stiffness: f64, top: f64) -> Vec<f64> {
    let term = |pitch: f64, at: f64, n: f64| ((TAU * pitch * n).powi(2), (n * PI * at).sin().powi(2) * 2.0 / (0.003 * 0.65));
    let numbers = || (1..=256).map(f64::from);
    let mut terms: Vec<(f64, f64)> =
        numbers().map(|n| term(196.0, 0.11, n)).chain(numbers().map(|n| term(277.2, 0.13, n))).collect();
    terms.sort_by(|a, b| a.0.total_cmp(&b.0));
    let value = |lambda: f64| 1.0 / stiffness + terms.iter().map(|(square, weight)| weight / (square - lambda)).sum::<f64>();
    let between = |pair: &[(f64, f64)]| {
        let (mut low, mut high) = (pair[0].0, pair[1].0);
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            if value(middle) > 0.0 { high = middle } else { low = middle }
        }
        (0.5 * (low + high)).sqrt()
    };
    terms.windows(2).map(between).take_while(|omega| *omega < TAU * top).collect()
}

/// 64 partials with the missing flexibility are as good as all of them; without it the joint is too stiff.
#[test]
fn the_missing_flexibility_replaces_missing_modes() {
    let pair = [string(196.0, 256, &[0.11], 0.2), string(277.2, 256, &[0.13], 0.3)];
    let whole = |pitch: f64, at: f64| -> f64 {
        (1..=256).map(f64::from).map(|n| (n * PI * at).sin().powi(2) * 2.0 / (0.003 * 0.65) / (TAU * pitch * n).powi(2)).sum()
    };
    let all = whole(196.0, 0.11) + whole(277.2, 0.13);
    let missing = all - static_compliance(&pair, 0);
    for kappa in [1.0, 10.0, 100.0, 1000.0] {
        let stiffness = kappa / all;
        let exact = exact_strings(stiffness, 5e3);
        let cents = |missing: f64| {
            let mut network = network(&pair, &[Joint { stiffness, damping: 0.0, missing }]);
            let values = LinearSystem::of_network(&mut network, &pair, 1).eigenvalues();
            let played: Vec<f64> = values.iter().map(|z| z.ln().norm() * RATE).collect();
            let nearest = |omega: &f64| played.iter().map(|p| 1200.0 * (p / omega).log2().abs()).fold(f64::INFINITY, f64::min);
            exact.iter().map(nearest).fold(0.0, f64::max)
        };
        let (with, without) = (cents(missing), cents(0.0));
        println!("kappa {kappa}: {with:.4} cents, without {without:.2}");
        assert!(with < 0.2 && (kappa < 10.0 || without > 3.0), "kappa {kappa}: {with} {without}");
    }
}
