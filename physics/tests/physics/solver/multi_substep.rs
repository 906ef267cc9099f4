//! Several substeps of a contact in one pass give the same strike as single substeps.

use std::f64::consts::PI;

use urto_physics::contact::ContactLaw;
use urto_physics::modal::Mode;
use urto_physics::solver::HammerSpec;
use urto_physics::solver::Resolution;
use urto_physics::solver::{Capacity, Collision};

const RATE: f64 = 48_000.0;
const MODES: usize = 21;

/// A kind of strike.
#[derive(Clone, Copy, Debug)]
struct Case {
    /// Modes of the hammer's body.
    swings: usize,
    /// Modes of the string that are computed in every substep; the others are held.
    felt: usize,
    resolution: Resolution,
}

/// A hammer of 20 g that is pressed onto a string of 21 modes; the body of a stick swings in modes of its own, up to two.
fn strike(law: ContactLaw, weights: &[f64; MODES], Case { swings, felt, resolution }: Case) -> Collision {
    let mut collision = Collision::new(RATE, Capacity { modes: MODES, held: MODES, hammers: 1, hammer_modes: 3, levels: 8 });
    collision.set_body_held((1..=MODES).map(|n| Mode::heard_at(210.0 * n as f64, 2.0 + n as f64)), felt);
    collision.set_resolution(resolution);
    let modes = [Mode::RIGID, Mode::heard_at(700.0, 20.0), Mode::heard_at(2_900.0, 60.0)];
    let own = [1.0 / 0.02f64.sqrt(), 4.0, -3.0];
    let (modes, own) = (&modes[..=swings], &own[..=swings]);
    let hammer = collision.add_hammer(HammerSpec { law, modes, own, velocity: 1.0, weights }).expect("there is room");
    collision.set_push(hammer, 30.0);
    collision.set_rise(hammer, 0.02);
    collision
}

/// With the energy balance enabled every substep is predicted, made and balanced separately; without it a substep is made when the force is known, and up to
/// four are made at once. At eight substeps in a contact many of them are a whole sample.
#[test]
fn the_energy_balance_does_not_change_the_output() {
    let weights = std::array::from_fn(|n| -(0.36 * PI * (n + 1) as f64).sin() * 5f64.sqrt());
    let laws = [
        ContactLaw::hunt_crossley(1e8, 1.5, 0.15),
        ContactLaw::hunt_crossley(3e6, 1.0, 0.0),
        ContactLaw::hunt_crossley(1e9, 2.3, 0.5),
        ContactLaw::restitution(1e8, 1.5, 0.6),
        ContactLaw::felt(1e9, 2.5, 0.9, 1e-4),
    ];
    let coarse = Resolution { substeps_per_contact: 8.0, coarsest_level: 0, outlasted_levels: 2 };
    let fine = Resolution::default();
    let cases = [(0, MODES, fine), (2, MODES, fine), (0, MODES, coarse), (2, MODES, coarse), (0, 8, fine), (2, 8, coarse)];
    let cases = cases.map(|(swings, felt, resolution)| Case { swings, felt, resolution });
    for (law, case) in laws.into_iter().flat_map(|law| cases.map(|case| (law, case))) {
        let [mut quick, mut booked] = [(); 2].map(|()| strike(law, &weights, case));
        booked.enable_energy_balance();
        let (mut contacts, mut seen, mut forces) = (0, 0, [0.0; 2]);
        for sample in 0..4_800 {
            let [effort, other] = [(&mut quick, 0), (&mut booked, 1)].map(|(collision, i)| {
                collision.step(256, &mut |_, substep| {
                    forces[i] += substep.force;
                    (seen, contacts) = (seen + i, contacts + i * usize::from(substep.began));
                })
            });
            assert_eq!((effort.substeps, forces[0]), (other.substeps, forces[1]), "{law:?}, {case:?}, sample {sample}");
            assert!(quick.body().q == booked.body().q && quick.body().v == booked.body().v, "{law:?}, {case:?}, sample {sample}");
            let [one, two] = [&quick, &booked].map(|collision| collision.hammer(0).modes());
            assert!(one.q == two.q && one.v == two.v, "the hammer, {law:?}, {case:?}, sample {sample}");
        }
        let balance = booked.energy_balance().expect("it is open");
        assert!(
            balance.largest_balance_residual < 1e-12 && seen > 100 && contacts > 0,
            "{law:?}, {case:?}: {balance:?}, {seen}, {contacts}"
        );
    }
}
