//! [Rath] figure 1 and slides: the string of 50 masses; and a contact point that moves along it.

use super::rath::{GRAVITY, RATE, bounce, energy, page};
use crate::support::plot::{Axis, Curve, Line, Plot};
use nalgebra::{DMatrix, DVector};
use std::f64::consts::{PI, TAU};
use urto_physics::contact::ContactLaw;
use urto_physics::lab::Piecewise;
use urto_physics::lab::{Offset, Onset};
use urto_physics::lab::{Scheme, State, System};
use urto_physics::modal::Mode;

const MASSES: usize = 50;
const STRING: f64 = 0.01;
const HAMMER: f64 = 0.005;
const STRING_DECAY: f64 = 2.0;

/// omega^2 of a mass between its two springs over 2 [1/s^2], such that the lowest mode sounds at 350 Hz.
fn string_springs() -> f64 {
    (PI * 350.0 / (0.5 * PI / (MASSES + 1) as f64).sin()).powi(2)
}

/// 50 masses on a string, 350 Hz, by its modes; a hammer at mass `at`, 1 to 50.
fn string(at: usize, stiffness: f64) -> System {
    let mass = STRING / MASSES as f64;
    let spacing = PI / (MASSES + 1) as f64;
    let mut modes = vec![Mode::RIGID];
    let mut weights = vec![1.0 / HAMMER.sqrt()];
    for n in 1..=MASSES {
        let omega = 2.0 * string_springs().sqrt() * (0.5 * spacing * n as f64).sin();
        modes.push(Mode { omega, sigma: STRING_DECAY });
        weights.push(-string_shape(n, at) / mass.sqrt());
    }
    let push = vec![0.0; modes.len()];
    System { h: 1.0 / RATE, modes, weights, push, gap: 0.0, striker_modes: 1, law: ContactLaw::linear(stiffness, 0.5) }
}

/// Mode n at mass `at`, normalised.
fn string_shape(n: usize, at: usize) -> f64 {
    let length = (MASSES + 1) as f64;
    (2.0 / length).sqrt() * (PI * (n * at) as f64 / length).sin()
}

/// The same without modes: x'' + C x' + K x = 0 of the masses and the hammer in contact ([Rath] (13) to (15), with K and C where they
/// belong), its transition matrix over a sample by the dense exponential, for (x/h, x').
fn dense_string(at: usize, k: f64, c: f64) -> DMatrix<f64> {
    let (n, h, mass) = (MASSES + 1, 1.0 / RATE, STRING / MASSES as f64);
    let mut a = DMatrix::zeros(2 * n, 2 * n);
    for i in 0..n {
        a[(i, n + i)] = 1.0;
    }
    for i in 0..MASSES {
        a[(n + i, i)] = -2.0 * string_springs() * h * h;
        a[(n + i, n + i)] = -2.0 * STRING_DECAY * h;
        for neighbour in [i.wrapping_sub(1), i + 1] {
            if neighbour < MASSES {
                a[(n + i, neighbour)] = string_springs() * h * h;
            }
        }
    }
    let (contact, hammer) = (at - 1, MASSES);
    for (row, m) in [(contact, mass), (hammer, HAMMER)] {
        let other = contact + hammer - row;
        a[(n + row, row)] -= k / m * h * h;
        a[(n + row, other)] += k / m * h * h;
        a[(n + row, n + row)] -= c / m * h;
        a[(n + row, n + other)] += c / m * h;
    }
    a.exp()
}

/// Displacements of the 50 masses [m].
fn snapshot(state: &State) -> Vec<f64> {
    let scale = (STRING / MASSES as f64).sqrt();
    (1..=MASSES).map(|at| (1..=MASSES).map(|n| string_shape(n, at) * state.q[n]).sum::<f64>() / scale).collect()
}

/// Figure 1: the string is 50 lumped masses; its lowest mode is at 350 Hz.
#[test]
fn the_string_of_fifty_masses_vibrates_at_350_hertz() {
    let mut springs = DMatrix::zeros(MASSES, MASSES);
    for i in 0..MASSES {
        springs[(i, i)] = 2.0 * string_springs();
        if i > 0 {
            springs[(i, i - 1)] = -string_springs();
            springs[(i - 1, i)] = -string_springs();
        }
    }
    let mut found: Vec<f64> = springs.symmetric_eigenvalues().iter().map(|square| square.sqrt()).collect();
    found.sort_by(f64::total_cmp);
    assert!((found[0] / TAU - 350.0).abs() < 0.005, "{}", found[0] / TAU);
    for (omega, mode) in found.iter().zip(&string(17, 1e5).modes[1..]) {
        assert!((omega - mode.omega).abs() < 1e-9 * omega);
    }
}

/// Figure 1: snapshots of a struck string; waves run along it although only modes are computed.
#[test]
fn waves_travel_along_the_modal_string() {
    let (at, k, c) = (17, 2e5, 0.5);
    let system = string(at, k);
    let mut state = system.initial_state(2.0);
    let mut scheme = Offset::new(system.modes.len(), Onset::OffsetElement);
    let (n, step) = (MASSES + 1, dense_string(at, k, c));
    let mut dense = DVector::zeros(2 * n);
    dense[2 * n - 1] = 2.0;
    let mut samples = 0;
    loop {
        scheme.step(&system, &mut state);
        if !scheme.touching() {
            break;
        }
        dense = &step * dense;
        samples += 1;
        let string = snapshot(&state);
        let size = dense.rows(0, n).amax() / RATE;
        for (mass, x) in string.iter().enumerate() {
            assert!((x - dense[mass] / RATE).abs() < 1e-11 * size, "sample {samples} mass {mass}");
        }
        // front: masses a second by which a long wave moves
        let front = string_springs().sqrt() * f64::from(samples) / RATE;
        for (mass, x) in string.iter().enumerate() {
            let distance = (mass as f64 + 1.0 - at as f64).abs();
            assert!(distance < front + 6.0 || x.abs() < 1e-3 * size, "sample {samples} mass {mass}: {x:e} of {size:e}");
        }
    }
    assert!(samples > 20);
}

/// Figure 1, drawn: the string at five samples of the impact and after it.
#[test]
fn figure_1() {
    let system = string(17, 2e5);
    let mut state = system.initial_state(2.0);
    let mut scheme = Offset::new(system.modes.len(), Onset::OffsetElement);
    let mut curves = Vec::new();
    let looks = [(10, Line::Solid), (25, Line::Dashed), (40, Line::Dotted), (60, Line::DashDotted), (90, Line::Thin)];
    for n in 1..=90 {
        scheme.step(&system, &mut state);
        if let Some((_, line)) = looks.iter().find(|(sample, _)| *sample == n) {
            let ends = |x: Vec<f64>| std::iter::once(0.0).chain(x).chain([0.0]).enumerate();
            let points = ends(snapshot(&state)).map(|(at, x)| (at as f64, 1e3 * x));
            curves.push(Curve::new(format!("sample {n}"), *line, points));
        }
    }
    let (x, y) = (Axis::new("mass of the string"), Axis::new("displacement (mm)"));
    page().figure("fig1", &Plot::new("A string of 50 masses, struck at the 17th", x, y, curves));
}

/// Slides: the same string under a hammer that falls and bounces.
#[test]
fn a_hammer_bouncing_on_the_string_gains_no_energy() {
    let mut system = string(17, 2e5);
    system.push[0] = GRAVITY * HAMMER.sqrt();
    system.gap = 0.01;
    system.law = ContactLaw::linear(2e5, 0.0);
    let state = system.initial_state(0.0);
    let seen = bounce((system, state), Onset::OffsetElement, 2.0);
    assert!(seen.gain < 1e-14 && seen.contacts > 3);
}

/// Largest gain of energy in a sample over the initial energy, of `scheme` on `system`, whose contact point may move between samples.
pub fn largest_gain(
    scheme: &mut dyn Scheme,
    mut system: System,
    velocity: f64,
    samples: usize,
    moves: impl Fn(usize, &mut System),
) -> f64 {
    let mut state = system.initial_state(velocity);
    let initial = 0.5 * (velocity / system.weights[0]).powi(2) + system.push[0] / system.weights[0] * system.gap;
    let (mut before, mut gain) = (energy(&system, &state), f64::NEG_INFINITY);
    for n in 0..samples {
        moves(n, &mut system);
        assert!(!scheme.step(&system, &mut state).unconverged);
        let now = energy(&system, &state);
        gain = gain.max((now - before) / initial);
        before = now;
    }
    gain
}

/// Slides: "currently offline diagonalization, therefore fixed contact points".
#[test]
fn a_moving_contact_point_adds_no_energy() {
    let mut system = string(17, 2e5);
    system.push[0] = 50.0 * HAMMER.sqrt();
    let scale = (STRING / MASSES as f64).sqrt();
    let roll = |n: usize, system: &mut System| {
        let place = 17.0 + 8.0 * (n as f64 * 0.002).sin();
        for (i, weight) in system.weights.iter_mut().enumerate().skip(1) {
            *weight = -(2.0 / 51f64).sqrt() * (PI * i as f64 * place / 51.0).sin() / scale;
        }
    };
    let gain = largest_gain(&mut Offset::new(51, Onset::OffsetElement), system.clone(), 1.0, 3000, roll);
    assert!(gain < 1e-14, "{gain:e}");
    system.law = ContactLaw::hunt_crossley(1e8, 1.5, 0.1);
    let gain = largest_gain(&mut Piecewise::new(8), system, 1.0, 150, roll);
    assert!(gain < 1e-13, "{gain:e}");
}
