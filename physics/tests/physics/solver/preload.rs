//! Light hammers under large forces, where push and contact force cancel to many digits in every substep.

use std::f64::consts::PI;

use urto_physics::contact::ContactLaw;
use urto_physics::modal::Mode;
use urto_physics::solver::{Capacity, Collision, MAX_SUBSTEPS};
use urto_physics::solver::{HammerSpec, PointHammerSpec};

const RATE: f64 = 48e3;
const MODES: usize = 20;
const MASS: f64 = 1e-4;

fn laws() -> [ContactLaw; 5] {
    [
        ContactLaw::hunt_crossley(4.6e9, 1.51, 0.0),
        ContactLaw::hunt_crossley(1e8, 1.5, 0.2),
        ContactLaw::linear(2e7, 0.0),
        ContactLaw::restitution(1e9, 1.5, 0.6),
        ContactLaw::felt(1e9, 2.5, 0.5, 1e-4),
    ]
}

/// Of a beam of 20 kg, held at its ends.
fn weights(place: f64) -> [f64; MODES] {
    std::array::from_fn(|n| -(place * PI * (n + 1) as f64).sin() * 0.1_f64.sqrt())
}

/// A beam of 20 modes and `hammers` of 0.1 g, the second with two modes of its own. It may work so little that every sample is
/// closed in one step.
fn beam(law: ContactLaw, hammers: usize) -> Collision {
    let mut collision = Collision::new(RATE, Capacity { modes: MODES, held: 0, hammers: 2, hammer_modes: 3, levels: 8 });
    collision.set_body((1..=MODES).map(|n| Mode { omega: 6e3 * n as f64, sigma: 60.0 }));
    collision.set_cost_limit(1.0);
    collision
        .strike(PointHammerSpec { law, mass: MASS, velocity: 0.5, tether: Mode::RIGID, weights: &weights(0.36) })
        .expect("there is room");
    if hammers > 1 {
        let modes = &[Mode::RIGID, Mode::heard_at(700.0, 20.0), Mode::heard_at(2_900.0, 60.0)];
        let own = &[1.0 / MASS.sqrt(), 4.0, -3.0];
        let hit = HammerSpec { law, modes, own, velocity: 0.3, weights: &weights(0.21) };
        collision.add_hammer(hit).expect("there is room");
    }
    collision
}

/// A tenth of a second under `push` [N], which swells and falls by the part `swell` of it.
fn press(collision: &mut Collision, (push, swell): (f64, f64), mut heard: impl FnMut(&Collision)) {
    for n in 0..4_800 {
        for i in collision.numbers().collect::<Vec<_>>() {
            collision.set_push(i, push * (1.0 + swell * (0.01 * f64::from(n)).sin()));
        }
        collision.step(MAX_SUBSTEPS, &mut |_, _| ());
        heard(collision);
    }
}

/// Worst balance and worst gain that nothing supplied from now on, of what there is.
fn worst(collision: &mut Collision, press: impl FnOnce(&mut Collision)) -> [f64; 2] {
    collision.enable_energy_balance();
    press(collision);
    let balance = collision.energy_balance().expect("the balance is enabled");
    [balance.largest_balance_residual, balance.largest_unsupplied_increase].map(|energy| energy / balance.largest)
}

/// Ten kilonewtons are what a drive may give.
#[test]
fn a_large_push_on_a_light_hammer_adds_no_energy() {
    for law in laws() {
        for (hammers, push, swell) in [(1, 10.0, 0.4), (1, 245.0, 0.0), (2, 2e3, 0.4), (1, 6e3, 0.4), (2, 1e4, 0.0)] {
            let [balance, unsupplied] = worst(&mut beam(law, hammers), |beam| press(beam, (push, swell), |_| ()));
            assert!(balance <= 1e-12 && unsupplied <= 1e-14, "{law:?}, {hammers} of {push} N: {balance:e} {unsupplied:e}");
        }
    }
}

/// What push and force leave of each other is all that moves.
#[test]
fn a_resting_pressed_hammer_balances_energy_to_rounding() {
    let damped = [ContactLaw::hunt_crossley(4.6e9, 1.51, 0.02), ContactLaw::linear(2e7, 50.0)];
    for law in damped.into_iter().chain([ContactLaw::restitution(1e9, 1.5, 0.6), ContactLaw::felt(1e9, 2.5, 0.5, 1e-4)]) {
        for (hammers, push) in [(1, 245.0), (2, 245.0), (1, 1e4), (2, 1e4)] {
            let mut beam = beam(law, hammers);
            press(&mut beam, (push, 0.0), |_| ());
            let [balance, unsupplied] = worst(&mut beam, |beam| press(beam, (push, 0.0), |_| ()));
            assert!(balance <= 4e-15 && unsupplied <= 3e-15, "{law:?}, {hammers} of {push} N: {balance:e} {unsupplied:e}");
        }
    }
}

/// Four hammers on one place whose forces may not settle: what they miss is lost in the contacts, and nothing else is.
#[test]
fn hammers_without_force_convergence_balance_energy_to_rounding() {
    for law in laws() {
        for push in [25.0, 245.0, 2e3] {
            let mut collision = Collision::new(RATE, Capacity { modes: MODES, held: 0, hammers: 4, hammer_modes: 1, levels: 8 });
            collision.set_body((1..=MODES).map(|n| Mode { omega: 6e3 * n as f64, sigma: 60.0 }));
            collision.set_cost_limit(-128.0);
            for place in [0.36, 0.36, 0.21, 0.43] {
                let tether = Mode { omega: 3.3e3, sigma: 0.0 };
                collision
                    .strike(PointHammerSpec { law, mass: MASS, velocity: 0.5, tether, weights: &weights(place) })
                    .expect("there is room");
            }
            press(&mut collision, (push, 0.0), |_| ());
            let [balance, unsupplied] = worst(&mut collision, |c| press(c, (push, 0.1), |_| ()));
            assert!(balance <= 2e-15 && unsupplied <= 1e-15, "{law:?}, {push} N: {balance:e} {unsupplied:e}");
        }
    }
}

#[test]
fn the_energy_balance_does_not_change_a_preloaded_contact() {
    for law in laws() {
        for hammers in [1, 2] {
            let [open, closed] = [true, false].map(|open| {
                let mut collision = beam(law, hammers);
                if open {
                    collision.enable_energy_balance();
                }
                let mut seen = Vec::new();
                press(&mut collision, (2e3, 0.4), |c| seen.extend([c.hammer(0).compression(), c.body().q[0]]));
                seen
            });
            assert_eq!(open, closed, "{law:?}, {hammers}");
        }
    }
}
