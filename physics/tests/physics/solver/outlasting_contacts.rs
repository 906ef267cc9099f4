//! Contacts that last longer than the closed-form contact time of the hammer's tip take fewer substeps.

use std::f64::consts::TAU;

use urto_physics::contact::ContactLaw;
use urto_physics::modal::Mode;
use urto_physics::solver::{Capacity, Collision, MAX_SUBSTEPS, PointHammerSpec, Resolution};

const RATE: f64 = 48e3;
const MODES: usize = 48;
const SAMPLES: usize = 480;

/// What 10 ms after a strike are.
struct Strike {
    substeps: u32,
    /// Displacement at the struck place in every sample [m].
    path: Vec<f64>,
}

/// A stick of 20 g at 2 m/s on a head of 90 g with modes up to 2.5 kHz, or on a body of the same modes that is so heavy that it hardly moves.
fn strike(mass: f64, substeps_per_contact: f64, outlasted_levels: u32) -> Strike {
    let mut collision = Collision::new(RATE, Capacity { modes: MODES, held: 0, hammers: 1, hammer_modes: 1, levels: 12 });
    collision.set_resolution(Resolution { substeps_per_contact, coarsest_level: 0, outlasted_levels });
    collision.set_body((0..MODES).map(|n| Mode { omega: TAU * (110.0 + 50.0 * n as f64), sigma: 5.0 + 0.5 * n as f64 }));
    let weights: Vec<f64> = (0..MODES).map(|n| (0.7 + 1.3 * n as f64).sin() / (0.25 * mass).sqrt()).collect();
    let law = ContactLaw::hunt_crossley(3e8, 1.5, 0.1);
    collision
        .strike(PointHammerSpec { law, mass: 0.02, velocity: 2.0, tether: Mode::RIGID, weights: &weights })
        .expect("there is room");
    let mut made = Strike { substeps: 0, path: Vec::new() };
    for _ in 0..SAMPLES {
        made.substeps += collision.step(MAX_SUBSTEPS, &mut |_, _| ()).substeps;
        made.path.push(weights.iter().zip(collision.body().q.iter()).map(|(w, q)| w * q).sum());
    }
    made
}

fn difference(a: &Strike, b: &Strike) -> f64 {
    let size: f64 = b.path.iter().map(|q| q * q).sum();
    let apart: f64 = a.path.iter().zip(&b.path).map(|(a, b)| (a - b) * (a - b)).sum();
    (apart / size).sqrt()
}

/// On a head the stick rests for many contact times of its tip. Fewer substeps then hardly change the motion.
#[test]
fn a_stick_that_stays_on_a_head_takes_fewer_substeps() {
    let exact = strike(0.09, 64.0, 0);
    let kept = strike(0.09, 16.0, 0);
    let coarser = [1, 2].map(|levels| strike(0.09, 16.0, levels));
    let errors = [&kept, &coarser[0], &coarser[1]].map(|made| difference(made, &exact));
    println!("{} substeps, {:?}: errors {errors:?}", kept.substeps, coarser.each_ref().map(|made| made.substeps));
    assert!(f64::from(coarser[0].substeps) < 0.68 * f64::from(kept.substeps));
    assert!(f64::from(coarser[1].substeps) < 0.5 * f64::from(kept.substeps));
    assert!(errors[1] < 1.2e-4 && errors[2] < 9e-4, "{errors:?}");
}

/// On a body that hardly moves the contact is as short as expected, and nothing changes.
#[test]
fn a_short_contact_keeps_its_substeps() {
    let [kept, coarser] = [0, 2].map(|levels| strike(900.0, 16.0, levels));
    assert!(kept.substeps >= 16 && kept.substeps == coarser.substeps, "{} {}", kept.substeps, coarser.substeps);
    assert_eq!(difference(&coarser, &kept), 0.0);
}
