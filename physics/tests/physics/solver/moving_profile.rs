//! A profile that moves between hammer and body.

use std::f64::consts::TAU;
use urto_physics::contact::ContactLaw;
use urto_physics::modal::Mode;
use urto_physics::solver::EnergyBalance;
use urto_physics::solver::ExactContact;
use urto_physics::solver::PointHammerSpec;
use urto_physics::solver::{Capacity, Collision};

const RATE: f64 = 48_000.0;
const MASS: f64 = 0.02;
/// Weight of the hammer at rest [N].
const LOAD: f64 = 0.2;
const MODES: [Mode; 2] = [Mode { omega: 900.0, sigma: 3.0 }, Mode { omega: 7_000.0, sigma: 20.0 }];
const WEIGHTS: [f64; 2] = [2.0, -1.5];

/// A hammer that lies on a body, or on the ground, drawn by its weight.
fn lying(law: ContactLaw, body: &[Mode], tether: Mode) -> Collision {
    let mut collision = Collision::new(RATE, Capacity { modes: 2, held: 0, hammers: 1, hammer_modes: 1, levels: 8 });
    collision.set_body(body.iter().copied());
    let hammer = PointHammerSpec { law, mass: MASS, velocity: 0.0, tether, weights: &WEIGHTS[..body.len()] };
    assert_eq!(collision.strike(hammer), Some(0));
    collision.set_push(0, LOAD);
    collision.enable_energy_balance();
    run(&mut collision, 20_000, |_| 0.0);
    collision
}

/// So many samples with the profile's velocity [m/s] in each.
fn run(collision: &mut Collision, samples: u32, rise: impl Fn(u32) -> f64) {
    for n in 0..samples {
        collision.set_rise(0, rise(n));
        collision.step(256, &mut |_, _| ());
    }
}

fn hertz() -> ContactLaw {
    ContactLaw::hunt_crossley(1e7, 1.5, 1.0)
}

fn assert_balanced(balance: &EnergyBalance) {
    assert!(balance.largest_unsupplied_increase <= 1e-14 * balance.largest, "{balance:?}");
    assert!(balance.largest_balance_residual <= 1e-12 * balance.largest, "{balance:?}");
}

/// Raised slowly, the hammer goes up by what the profile has risen, and the profile has done the work of lifting its weight.
#[test]
fn a_slow_profile_lifts_the_hammer_and_supplies_the_energy() {
    let mut collision = lying(hertz(), &[], Mode::RIGID);
    let (start, supplied) = (collision.hammer(0).position(), collision.energy_balance().expect("is enabled").supplied);
    run(&mut collision, 48_000, |_| 1e-3);
    let hammer = collision.hammer(0);
    assert!((hammer.profile() - 1e-3).abs() < 1e-14, "{}", hammer.profile());
    assert!((hammer.position() - start + 1e-3).abs() < 1e-7, "{} m", hammer.position() - start);
    // the push takes back what the profile gives
    let balance = collision.energy_balance().expect("is enabled").supplied - supplied;
    assert!(balance.abs() < 1e-4 * LOAD * 1e-3, "{balance} J");
    assert_balanced(collision.energy_balance().expect("is enabled"));
}

/// A hammer that lies and is pushed from rest begins its contact at no speed at all; that is no reason to step it finely.
#[test]
fn a_push_from_rest_needs_no_small_steps() {
    let mut collision = Collision::new(RATE, Capacity { modes: 2, held: 0, hammers: 1, hammer_modes: 1, levels: 8 });
    collision.set_body(MODES);
    let hit = PointHammerSpec { law: hertz(), mass: MASS, velocity: 0.0, tether: Mode::RIGID, weights: &WEIGHTS };
    collision.strike(hit).expect("there is room");
    collision.set_push(0, 1.0);
    let most = (0..4_800).map(|_| collision.step(256, &mut |_, _| ()).substeps).max();
    assert!(collision.hammer(0).has_touched() && most <= Some(16), "{most:?} substeps");
}

/// A profile that moves towards the hammer strikes like a moving hammer: only their relative velocity counts.
#[test]
fn a_moving_profile_strikes_like_a_moving_hammer() {
    let strike = |velocity: f64, rise: f64| {
        let mut collision = Collision::new(RATE, Capacity { modes: 2, held: 0, hammers: 1, hammer_modes: 1, levels: 8 });
        collision.set_body([]);
        let hit = PointHammerSpec { law: hertz(), mass: MASS, velocity, tether: Mode::RIGID, weights: &[] };
        collision.strike(hit).expect("there is room");
        collision.set_hammer_gap(0, 3.3e-5);
        let mut peak: f64 = 0.0;
        for _ in 0..200 {
            collision.set_rise(0, rise);
            collision.step(256, &mut |_, substep| peak = peak.max(substep.force));
        }
        (peak, collision.hammer(0).velocity() + rise)
    };
    let (peak, out) = strike(1.0, 0.0);
    let (other_peak, other_out) = strike(0.0, 1.0);
    assert!(
        (other_peak / peak - 1.0).abs() < 1e-9 && (other_out / out - 1.0).abs() < 1e-9,
        "{peak} {other_peak} {out} {other_out}"
    );
}

/// A hammer on a tether over waves that throw it off again and again: its rest does not wander, and the waves are not eaten.
#[test]
fn neither_profile_nor_rest_position_drifts() {
    let tether = Mode { omega: TAU * 20.0, sigma: TAU * 10.0 };
    let mut collision = lying(hertz(), &MODES, tether);
    collision.set_push(0, 1.0);
    let (period, height) = (480, 2e-4);
    let z = |n: u32| height * (TAU * f64::from(n % period) / f64::from(period)).sin();
    let mean = |collision: &mut Collision, seconds: u32| {
        let (mut sum, mut contacts) = (0.0, 0);
        for _ in 0..100 * seconds {
            for n in 0..period {
                collision.set_rise(0, (z(n + 1) - z(n)) * RATE);
                collision.step(256, &mut |_, substep| contacts += u32::from(substep.began));
                sum += collision.hammer(0).position();
            }
        }
        (sum / f64::from(100 * seconds * period), contacts)
    };
    mean(&mut collision, 2);
    let (early, contacts) = mean(&mut collision, 2);
    mean(&mut collision, 60);
    let (late, _) = mean(&mut collision, 2);
    println!("mean place {early:e} m, a minute later {late:e} m, {contacts} contacts in 2 s");
    assert!(contacts >= 200, "the hammer bounces");
    assert!((late - early).abs() < 1e-3 * height, "{early} {late}");
    assert!(collision.hammer(0).profile().abs() < 1e-14, "{}", collision.hammer(0).profile());
    assert_balanced(collision.energy_balance().expect("is enabled"));
}

/// A tethered hammer goes to and fro over a body that rings: wherever it would rest inside the body its offset changes, and
/// comes back afterwards.
#[test]
fn a_tether_keeps_its_anchor_while_the_contact_moves() {
    let tether = Mode { omega: TAU * 20.0, sigma: TAU * 10.0 };
    let mut collision = lying(hertz(), &MODES, tether);
    collision.set_push(0, 0.0);
    let mut mean = || {
        let mut sum = 0.0;
        for n in 0..96_000 {
            if n % 480 == 0 {
                let (_, _, v) = collision.ring_parts();
                v[0] = 1e-2;
            }
            if n % 16 == 0 {
                let share = (TAU * f64::from(n) / 4_800.0).sin();
                collision.set_weights(0, &WEIGHTS.map(|w| w * (1.0 + 0.5 * share)));
            }
            collision.step(256, &mut |_, _| ());
            sum += collision.hammer(0).position();
        }
        sum / 96_000.0
    };
    let early = mean();
    for _ in 0..10 {
        mean();
    }
    let late = mean();
    println!("mean place {early:e} m, 20 s later {late:e} m");
    assert!((late - early).abs() < 1e-6, "{early} {late}");
}

/// A linear contact is played by its eigenvectors only while the profile stands still, and then at the height where it stands.
#[test]
fn a_linear_contact_includes_the_height_of_the_profile() {
    let law = ContactLaw::linear(4e5, 30.0);
    let mut collision = lying(law, &MODES, Mode::RIGID);
    run(&mut collision, 4_800, |_| 5e-3);
    assert!(collision.hammer(0).touching() && collision.linear_onset().is_none());
    let mut pushed = collision.clone();
    // a falling profile releases the hammer, which returns to the lower profile
    let mut exact = ExactContact::new(8);
    pushed.set_rise(0, -0.4);
    assert!(pushed.linear_onset().is_none(), "not while the profile moves");
    run(&mut pushed, 240, |_| -0.4);
    pushed.set_rise(0, 0.0);
    let mut substeps = pushed.clone();
    let mut played = 0;
    for _ in 0..1_000 {
        if pushed.is_exact() && exact.step(&mut pushed, &mut |_, _| ()) {
            played += 1;
            continue;
        }
        if let Some(i) = pushed.linear_onset() {
            assert!(exact.build(&pushed, i));
            exact.begin(&mut pushed, i);
            exact.step(&mut pushed, &mut |_, _| ());
            played += 1;
        } else {
            pushed.step(256, &mut |_, _| ());
        }
        substeps.step(256, &mut |_, _| ());
    }
    assert!(played > 5, "{played} samples by eigenvectors");
    let (a, b) = (pushed.hammer(0).position(), substeps.hammer(0).position());
    assert!((a - b).abs() < 1e-2 * (0.4 * 240.0 / RATE), "{a} {b}");
    assert_balanced(pushed.energy_balance().expect("is enabled"));
}
