//! A hammer on a body: substeps, samples in contact, and contacts that are played exactly.

use std::hint::black_box;

use urto_physics::contact::ContactLaw;
use urto_physics::eigenbasis::ContactBasis;
use urto_physics::modal::Mode;
use urto_physics::solver::ExactContact;
use urto_physics::solver::PointHammerSpec;
use urto_physics::solver::Resolution;
use urto_physics::solver::{Capacity, Collision};

use super::RATE;
use super::case::Case;

/// What the time of a contact is divided by.
#[derive(Clone, Copy, PartialEq)]
pub enum Per {
    /// The samples from onset to end.
    Sample,
    /// Their substeps.
    Substep,
}

/// Shape of mode n where the hammer meets the body [kg^-1/2].
fn shape(n: usize) -> f64 {
    (0.36 * std::f64::consts::PI * n as f64).sin() * (2.0 / 0.4f64).sqrt()
}

/// A hammer of 20 g on a body of `modes` modes at rest, from the sample of onset to the end of its first contact, which lasts half
/// a millisecond. Tables of coefficients are there already, as when a key is struck again.
pub fn contact(key: &'static str, modes: usize, (substeps, coarsest): (f64, u32), per: Per) -> Case {
    // a round of some tenths of a millisecond, as the yardstick's: what it finds cold counts little in either
    const STRIKES: usize = 32;
    let mut collision = Collision::new(RATE, Capacity { modes, hammers: 1, hammer_modes: 1, levels: 6 });
    collision.set_resolution(Resolution { substeps_per_contact: substeps, coarsest_level: coarsest });
    let weights: Vec<f64> = (1..=modes).map(|n| -shape(n)).collect();
    let law = ContactLaw::hunt_crossley(1e8, 1.5, 0.15);
    let highest = 19_000.0 / modes as f64;
    collision.set_body((1..=modes).map(|n| Mode::heard_at(highest * n as f64, 2.0 + n as f64)));
    Case::new(key, move |clock| {
        for _ in 0..STRIKES {
            collision.damp(0.0);
            let hit = PointHammerSpec { law, mass: 0.02, velocity: 1.0, tether: Mode::RIGID, weights: &weights };
            let hammer = collision.strike(hit).expect("the last hammer has been taken away");
            clock.lap(|| {
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

/// A hammer that leans on a body of `modes` modes through a spring and damper, played exactly with the offset element, and heard by two
/// pickups.
pub fn offset(key: &'static str, modes: usize) -> Case {
    const SAMPLES: usize = 512;
    let mut collision = Collision::new(RATE, Capacity { modes, hammers: 1, hammer_modes: 1, levels: 4 });
    let weights: Vec<f64> = (1..=modes).map(|n| -shape(n)).collect();
    let highest = 19_000.0 / modes as f64;
    collision.set_body((1..=modes).map(|n| Mode::heard_at(highest * n as f64, 2.0 + n as f64)));
    let hit =
        PointHammerSpec { law: ContactLaw::linear(1e6, 10.0), mass: 0.02, velocity: 1.0, tether: Mode::RIGID, weights: &weights };
    let hammer = collision.strike(hit).expect("there is room for it");
    collision.set_push(hammer, 200.0);
    let mut exact = ExactContact::new(modes + 1);
    assert!(exact.build(&collision, hammer), "there is a basis");
    exact.begin(&mut collision, hammer);
    let pickups = [0.29, 0.71].map(|place: f64| move |n| (place * std::f64::consts::PI * n as f64).sin());
    collision.set_taps(pickups.map(|shape| (1..=modes).map(shape)).into_iter());
    let mut sound = [[0.0; 2]; SAMPLES];
    Case::new(key, move |clock| {
        clock.lap(|| {
            for frame in &mut sound {
                let goes_on = collision.step_exact(&mut |_, substep| assert!(!substep.ended, "it leans on the body"));
                assert!(goes_on);
                [frame[0], frame[1], ..] = collision.tap_outputs();
            }
            black_box(&mut sound);
            SAMPLES
        });
    })
}

/// What is timed of a linear contact.
#[derive(Clone, Copy, PartialEq)]
pub enum Linear {
    /// The search for its eigenvectors, which a new hammer or a moved contact point asks for.
    Build,
    /// One sample with the compression read.
    Step,
}

/// A linear contact on a body of `modes` modes.
pub fn linear(key: &'static str, modes: usize, what: Linear) -> Case {
    let highest = 19_000.0 / modes as f64;
    let all: Vec<Mode> =
        (0..=modes).map(|n| if n == 0 { Mode::RIGID } else { Mode::heard_at(highest * n as f64, 2.0 + n as f64) }).collect();
    let mut weights: Vec<f64> = (0..=modes).map(|n| -shape(n)).collect();
    weights[0] = 1.0 / 0.02f64.sqrt();
    let mut basis = ContactBasis::new(modes + 1);
    assert!(basis.build(&all, &weights, 1e6, 10.0, 1.0 / RATE));
    let (rest, push) = (vec![0.0; modes + 1], vec![0.0; modes + 1]);
    let rounds = if what == Linear::Build { 50 / modes + 1 } else { 512 };
    Case::new(key, move |clock| {
        basis.load(&rest, &weights, &push, 0.0);
        clock.lap(|| {
            for _ in 0..rounds {
                if what == Linear::Build {
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
