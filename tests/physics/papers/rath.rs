//! [Rath] "Energy-stable modelling of contacting modal objects with piece-wise linear interaction force", DAFx 2008, and its slides.

use crate::reference::case;
use nalgebra::{DMatrix, DVector};
use std::f64::consts::{PI, TAU};
use urto::physics::contact::Law;
use urto::physics::modes::Mode;
use urto::physics::schemes::offset::{Offset, Onset};
use urto::physics::schemes::piecewise::Piecewise;
use urto::physics::schemes::{Scheme, State, System};

const RATE: f64 = 44_100.0;
const GRAVITY: f64 = 9.81;

/// The object of figures 2 and 3, 220, 950 and 3500 Hz, under a mass of 10 g that falls `height` [m]; decays are ours, the paper has none.
fn object(stiffness: f64, damping: f64, height: f64) -> (System, State) {
    let object = [(220.0, 5.0, 20f64.sqrt()), (950.0, 8.0, 12.8f64.sqrt()), (3500.0, 15.0, 7.2f64.sqrt())];
    let mass: f64 = 0.01;
    let mut modes = vec![Mode::RIGID];
    let mut weights = vec![1.0 / mass.sqrt()];
    for (frequency, sigma, weight) in object {
        modes.push(Mode { omega: TAU * frequency, sigma });
        weights.push(-weight);
    }
    let push = vec![GRAVITY * mass.sqrt(), 0.0, 0.0, 0.0];
    let law = Law::linear(stiffness, damping);
    let system = System { h: 1.0 / RATE, modes, weights, push, gap: height, striker_modes: 1, law };
    let state = system.thrown(0.0);
    (system, state)
}

/// Energy with that of the weight [J].
fn energy(system: &System, state: &State) -> f64 {
    system.energy_total(state) - system.push.iter().zip(&state.q).map(|(a, q)| a * q).sum::<f64>()
}

/// What a bouncing run shows.
#[derive(Default)]
struct Bounces {
    /// Largest gain of energy in a sample over the initial energy.
    gain: f64,
    /// Energy cut off at releases over the initial energy.
    cut: f64,
    /// When the last contact began [s], and whether it still lasts.
    last_onset: f64,
    lasting: bool,
    contacts: u32,
    /// Largest offset element, and largest displacement of the object at the contact point [m].
    offset: f64,
    amplitude: f64,
}

fn bounce((system, mut state): (System, State), onset: Onset, duration: f64) -> Bounces {
    let mut scheme = Offset::new(system.modes.len(), onset);
    let initial = system.push[0] * system.weights[0].recip() * system.gap;
    let mut seen = Bounces { gain: f64::NEG_INFINITY, ..Bounces::default() };
    let mut before = energy(&system, &state);
    for n in 0..(duration * RATE) as usize {
        let touched = scheme.touching();
        let cost = scheme.step(&system, &mut state);
        assert!(!cost.unconverged);
        let now = energy(&system, &state);
        seen.gain = seen.gain.max((now - before) / initial);
        seen.cut += cost.cut / initial;
        seen.offset = seen.offset.max(state.offset);
        let surface: f64 = system.weights[1..].iter().zip(&state.q[1..]).map(|(w, q)| w * q).sum();
        seen.amplitude = seen.amplitude.max(surface.abs());
        if !touched && scheme.touching() {
            seen.last_onset = n as f64 / RATE;
            seen.contacts += 1;
        }
        before = now;
    }
    seen.lasting = scheme.touching();
    seen
}

/// Figures 2 and 3.
#[test]
fn a_falling_mass_comes_to_lasting_contact_and_energy_only_falls() {
    for (stiffness, damping) in [(3e4, 0.0), (1e5, 0.0), (1e5, 1.0), (3e5, 0.0), (1e6, 0.0)] {
        let seen = bounce(object(stiffness, damping, 0.01), Onset::OffsetElement, 4.0);
        assert!(seen.gain < 1e-15, "k {stiffness:e}: energy gained {:e}", seen.gain);
        assert!(seen.lasting && seen.contacts > 10, "k {stiffness:e}: {} contacts", seen.contacts);
        assert!(seen.last_onset > 0.5 && seen.last_onset < 2.5, "k {stiffness:e}: last onset {}", seen.last_onset);
        println!(
            "{stiffness:e} {damping} {} {} {} {} {} {:e}",
            seen.gain, seen.cut, seen.last_onset, seen.contacts, seen.offset, seen.amplitude
        );
    }
}

/// Section 2.2: "both lead to an erroneous increase of energy".
#[test]
fn without_the_offset_element_energy_grows() {
    for onset in [Onset::TooEarly, Onset::TooLate] {
        let gains = [1e5, 1e6, 1e7].map(|stiffness| bounce(object(stiffness, 0.0, 0.01), onset, 1.0).gain);
        assert!(gains[0] > 1e-4 && gains[2] > 10.0 * gains[0], "{onset:?}: {gains:?}");
        println!("{onset:?} {gains:?}");
    }
}

/// Section 2.2: energy is lost at the end of a contact, little when a contact has many samples.
#[test]
fn what_a_release_cuts_off_is_small_where_a_contact_has_many_samples() {
    let cuts = [1e4, 1e5, 1e6].map(|stiffness| bounce(object(stiffness, 0.0, 0.01), Onset::OffsetElement, 4.0).cut);
    println!("{cuts:?}");
    assert!(cuts[0] < 2e-3 && cuts[1] < 1e-2 && cuts[2] > 1e-2);
}

/// Error of v_out over v_in for a linear contact, begun `lead` samples before.
fn offset_error(name: &str, lead: f64) -> f64 {
    let case = case(name);
    let experiment = case.experiment(RATE, 16.0, lead / RATE);
    let system = System::of(&experiment);
    let mut state = system.thrown(experiment.striker.velocity);
    let mut scheme = Offset::new(system.modes.len(), Onset::OffsetElement);
    while !scheme.touching() {
        scheme.step(&system, &mut state);
    }
    while scheme.touching() {
        scheme.step(&system, &mut state);
    }
    (state.v[0] * system.weights[0] - case.first_contact.velocity_out).abs() / case.striker.velocity
}

/// The element moves the onset by less than a sample, the release is late by less than one: what that does to v_out.
#[test]
fn aligning_contacts_with_samples_costs_little_accuracy() {
    for name in ["M13", "M19"] {
        let worst = (0..8).map(|phase| offset_error(name, f64::from(phase) / 8.0 + 1e-3)).fold(0.0, f64::max);
        println!("{name} {worst:e}");
        assert!(worst > 1e-5 && worst < 2e-3, "{name}: {worst:e}");
    }
}

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
    System { h: 1.0 / RATE, modes, weights, push, gap: 0.0, striker_modes: 1, law: Law::linear(stiffness, 0.5) }
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
fn the_string_of_fifty_masses_sounds_at_350_hertz() {
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
fn waves_run_along_the_string_that_is_made_of_modes() {
    let (at, k, c) = (17, 2e5, 0.5);
    let system = string(at, k);
    let mut state = system.thrown(2.0);
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
    println!("{samples} samples in contact");
    assert!(samples > 20);
}

/// Slides: the same string under a hammer that falls and bounces.
#[test]
fn a_hammer_that_bounces_on_the_string_gains_no_energy() {
    let mut system = string(17, 2e5);
    system.push[0] = GRAVITY * HAMMER.sqrt();
    system.gap = 0.01;
    let state = system.thrown(0.0);
    let seen = bounce((system, state), Onset::OffsetElement, 2.0);
    println!("{:e} {} {}", seen.gain, seen.contacts, seen.last_onset);
    assert!(seen.gain < 1e-14 && seen.contacts > 3);
}

/// Piecewise against the reference solution of `name`: error of v_out over v_in.
fn piecewise_error(name: &str, segments: usize) -> f64 {
    let case = case(name);
    let experiment = case.experiment(RATE, 16.0, 0.3 / RATE);
    let system = System::of(&experiment);
    let mut state = system.thrown(experiment.striker.velocity);
    let mut scheme = Piecewise::new(segments);
    let mut touched = false;
    for _ in 0..1000 {
        let cost = scheme.step(&system, &mut state);
        assert!(!cost.unconverged);
        if touched && state.force == 0.0 {
            break;
        }
        touched = state.force != 0.0;
    }
    (state.v[0] * system.weights[0] - case.first_contact.velocity_out).abs() / experiment.striker.velocity
}

/// Section 3 and slides, "contact force laws with several linear phases".
#[test]
fn more_segments_come_closer_to_the_curved_law() {
    // M02: 8, 16, 32 segments by interpolation alone are 1.6e-3, 3.9e-4, 1.5e-5
    for (name, bounds) in [
        ("R01", [2e-4, 6e-5, 2e-5]),
        ("R02", [2e-3, 5e-4, 1.5e-4]),
        ("M01", [5e-4, 1.2e-4, 3e-5]),
        ("M02", [1e-3, 2e-4, 3e-5]),
        ("M05", [2e-4, 1e-4, 3e-5]),
        ("M07", [1e-4, 5e-5, 1.5e-5]),
    ] {
        let errors = [8, 16, 32].map(|segments| piecewise_error(name, segments));
        for (error, bound) in errors.iter().zip(bounds) {
            assert!(*error < bound, "{name}: {errors:?}");
        }
        assert!(errors[2] < 0.2 * errors[0], "{name}: {errors:?}");
    }
    // a straight law needs no segments: exact
    assert!(["R06", "M19"].iter().all(|name| piecewise_error(name, 4) < 1e-13));
}

/// Largest gain of energy in a sample over the initial energy, of `scheme` on `system`, whose contact point may move between samples.
fn largest_gain(
    scheme: &mut dyn Scheme,
    mut system: System,
    velocity: f64,
    samples: usize,
    moves: impl Fn(usize, &mut System),
) -> f64 {
    let mut state = system.thrown(velocity);
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

#[test]
fn the_broken_line_gains_no_energy_either() {
    let (mut system, _) = object(1e5, 0.0, 0.001);
    for law in [Law::hunt_crossley(1e8, 1.5, 0.0), Law::hunt_crossley(1e8, 1.5, 0.5), Law::hunt_crossley(1e10, 2.8, 0.2)] {
        system.law = law;
        let gain = largest_gain(&mut Piecewise::new(16), system.clone(), 0.3, 20_000, |_, _| ());
        println!("{gain:e}");
        assert!(gain < 1e-13, "{gain:e}");
    }
}

/// Slides: "currently offline diagonalization, therefore fixed contact points".
#[test]
fn a_contact_point_that_moves_brings_no_energy() {
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
    println!("{gain:e}");
    assert!(gain < 1e-14, "{gain:e}");
    system.law = Law::hunt_crossley(1e8, 1.5, 0.1);
    let gain = largest_gain(&mut Piecewise::new(8), system, 1.0, 150, roll);
    println!("{gain:e}");
    assert!(gain < 1e-13, "{gain:e}");
}
