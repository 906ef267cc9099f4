//! A hammer on a body: substeps, samples in contact, and linear contacts with an exact solution.

use std::hint::black_box;

use urto_physics::contact::ContactLaw;
use urto_physics::eigenbasis::ContactBasis;
use urto_physics::modal::Mode;
use urto_physics::solver::ExactContact;
use urto_physics::solver::PointHammerSpec;
use urto_physics::solver::Resolution;
use urto_physics::solver::{Capacity, Collision};

use super::measurement::{Case, RATE};
use super::plate;

/// Unit of the time of a contact.
#[derive(Clone, Copy, PartialEq)]
pub enum Per {
    /// Per sample from onset to end.
    Sample,
    /// Per substep.
    Substep,
}

/// 8 substeps per contact.
pub const P8: Resolution = Resolution { substeps_per_contact: 8.0, coarsest_level: 0, outlasted_levels: 0 };
/// 16 substeps per contact.
pub const P16: Resolution = Resolution { substeps_per_contact: 16.0, coarsest_level: 2, outlasted_levels: 0 };
/// 32 substeps per contact.
pub const P32: Resolution = Resolution { substeps_per_contact: 32.0, coarsest_level: 2, outlasted_levels: 0 };

/// Shape of mode n of a 0.4 kg string at the strike position, normalised by mass [kg^-1/2].
fn shape(n: usize) -> f64 {
    (0.36 * std::f64::consts::PI * n as f64).sin() * (2.0 / 0.4f64).sqrt()
}

/// Modes of a struck body.
#[derive(Clone, Copy)]
pub struct BodyModes {
    /// Modes that every substep computes.
    pub felt: usize,
    /// Modes that take one step a sample.
    pub held: usize,
}

impl BodyModes {
    /// All of `felt` modes are computed in every substep.
    pub const fn felt(felt: usize) -> Self {
        Self { felt, held: 0 }
    }
}

/// A soft mallet of 50 g strikes a plate of 192 modes with its potential: per sample of the contact.
pub fn plate(key: &'static str) -> Case {
    let (mut collision, [struck, _]) = plate::quiet();
    collision.set_resolution(P16);
    let law = ContactLaw::hunt_crossley(2e6, 1.5, 0.15);
    Case::new(key, move |stopwatch| {
        collision.damp(0.0);
        let hit = PointHammerSpec { law, mass: 0.05, velocity: 4.0, tether: Mode::RIGID, weights: &struck };
        let hammer = collision.strike(hit).expect("the previous hammer has been removed");
        stopwatch.lap(|| {
            let (mut samples, mut ended) = (0, false);
            while !ended && samples < 96 {
                collision.step(256, &mut |_, substep| ended |= substep.ended);
                samples += 1;
            }
            samples
        });
        collision.remove_hammer(hammer);
    })
}

/// A hammer of 20 g strikes a body at rest. The timed interval ends with the first contact, after 0.5 ms. Tables
/// of coefficients exist already, as for a repeated strike.
pub fn contact(key: &'static str, BodyModes { felt, held }: BodyModes, resolution: Resolution, per: Per) -> Case {
    let modes = felt + held;
    // a round takes some tenths of a millisecond, like that of the reference, so that cold caches matter little in both, and few rounds are
    // interrupted
    let strikes = (8192 / modes).clamp(1, 32);
    let mut collision = Collision::new(RATE, Capacity { modes: felt, held, hammers: 1, hammer_modes: 1, levels: 6 });
    collision.set_resolution(resolution);
    let weights: Vec<f64> = (1..=modes).map(|n| -shape(n)).collect();
    let law = ContactLaw::hunt_crossley(1e8, 1.5, 0.15);
    let highest = 19_000.0 / modes as f64;
    let decay = |n: usize| 2.0 + n as f64 * (64.0 / modes as f64).min(1.0);
    collision.set_body_held((1..=modes).map(|n| Mode::heard_at(highest * n as f64, decay(n))), felt);
    Case::new(key, move |stopwatch| {
        for _ in 0..strikes {
            collision.damp(0.0);
            let hit = PointHammerSpec { law, mass: 0.02, velocity: 1.0, tether: Mode::RIGID, weights: &weights };
            let hammer = collision.strike(hit).expect("the previous hammer has been removed");
            stopwatch.lap(|| {
                let (mut samples, mut substeps, mut ended) = (0, 0, false);
                while !ended {
                    substeps += collision.step(256, &mut |_, substep| ended |= substep.ended).substeps;
                    samples += 1;
                }
                if per == Per::Sample { samples } else { substeps as usize }
            });
            collision.remove_hammer(hammer);
        }
    })
}

/// A hammer is pressed on a body of `modes` modes through a linear spring and damper. The contact is solved exactly with the
/// offset element and has two pickups.
pub fn offset(key: &'static str, modes: usize) -> Case {
    const SAMPLES: usize = 512;
    let mut collision = Collision::new(RATE, Capacity { modes, held: 0, hammers: 1, hammer_modes: 1, levels: 4 });
    let weights: Vec<f64> = (1..=modes).map(|n| -shape(n)).collect();
    let highest = 19_000.0 / modes as f64;
    collision.set_body((1..=modes).map(|n| Mode::heard_at(highest * n as f64, 2.0 + n as f64)));
    let hit =
        PointHammerSpec { law: ContactLaw::linear(1e6, 10.0), mass: 0.02, velocity: 1.0, tether: Mode::RIGID, weights: &weights };
    let hammer = collision.strike(hit).expect("the capacity is one hammer");
    collision.set_push(hammer, 200.0);
    let mut exact = ExactContact::new(modes + 1);
    assert!(exact.build(&collision, hammer), "the contact has an eigenbasis");
    exact.begin(&mut collision, hammer);
    let pickups = [0.29, 0.71].map(|position: f64| move |n| (position * std::f64::consts::PI * n as f64).sin());
    collision.set_taps(pickups.map(|shape| (1..=modes).map(shape)).into_iter());
    let mut sound = [[0.0; 2]; SAMPLES];
    Case::new(key, move |stopwatch| {
        stopwatch.lap(|| {
            for frame in &mut sound {
                let continues = collision.step_exact(&mut |_, substep| assert!(!substep.ended, "the hammer stays in contact"));
                assert!(continues);
                [frame[0], frame[1], ..] = collision.tap_outputs();
            }
            black_box(&mut sound);
            SAMPLES
        });
    })
}

/// Timed operation of a linear contact.
#[derive(Clone, Copy, PartialEq)]
pub enum LinearOperation {
    /// Calculation of the eigenvectors, necessary for a new hammer or strike position.
    Build,
    /// One sample, with the compression as output.
    Step,
}

/// A linear contact on a body of `modes` modes.
pub fn linear(key: &'static str, modes: usize, operation: LinearOperation) -> Case {
    let highest = 19_000.0 / modes as f64;
    let all: Vec<Mode> =
        (0..=modes).map(|n| if n == 0 { Mode::RIGID } else { Mode::heard_at(highest * n as f64, 2.0 + n as f64) }).collect();
    let mut weights: Vec<f64> = (0..=modes).map(|n| -shape(n)).collect();
    weights[0] = 1.0 / 0.02f64.sqrt();
    let mut basis = ContactBasis::new(modes + 1);
    assert!(basis.build(&all, &weights, 1e6, 10.0, 1.0 / RATE));
    let (rest, push) = (vec![0.0; modes + 1], vec![0.0; modes + 1]);
    let rounds = if operation == LinearOperation::Build { 50 / modes + 1 } else { 512 };
    Case::new(key, move |stopwatch| {
        basis.load(&rest, &weights, &push, 0.0);
        stopwatch.lap(|| {
            for _ in 0..rounds {
                if operation == LinearOperation::Build {
                    black_box(basis.build(&all, &weights, 1e6, 10.0, 1.0 / RATE));
                } else {
                    basis.step();
                    black_box(basis.motion());
                }
            }
            rounds
        });
    })
}
