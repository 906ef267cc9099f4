//! Obstacles behind a body: energy, drift of the gap, and lift-off.

use std::f64::consts::{PI, TAU};
use urto_physics::contact::ContactLaw;
use urto_physics::modal::Mode;
use urto_physics::solver::Obstacle;
use urto_physics::solver::PointHammerSpec;
use urto_physics::solver::{Capacity, Collision};

const RATE: f64 = 48_000.0;
const STIFF: f64 = 1e9;
const STIFFEST: f64 = 1e14;

fn body(modes: &[Mode]) -> Collision {
    let mut collision = Collision::new(RATE, Capacity { modes: modes.len(), held: 0, hammers: 6, hammer_modes: 1, levels: 8 });
    collision.set_body(modes.iter().copied());
    collision.enable_energy_balance();
    collision
}

fn fixed(gap: f64, law: ContactLaw, weights: &[f64]) -> Obstacle<'_> {
    Obstacle { law, mass: None, tether: Mode::RIGID, gap, press: 0.0, weights }
}

fn hertz(frequency: f64) -> Mode {
    Mode { omega: TAU * frequency, sigma: 0.0 }
}

fn step(collision: &mut Collision) {
    collision.step(256, &mut |_, _| ());
}

fn assert_balanced(collision: &Collision) {
    let balance = collision.energy_balance().expect("it is open");
    let (balance, unsupplied) =
        (balance.largest_balance_residual / balance.largest, balance.largest_unsupplied_increase / balance.largest);
    println!("balance {balance:e}, unsupplied {unsupplied:e}");
    assert!(balance <= 1e-12 && unsupplied <= 1e-14, "balance {balance:e}, unsupplied {unsupplied:e}");
}

/// Sets a mode going so that it would swing by `amplitude` [m] at a weight w.
fn set_going(collision: &mut Collision, amplitude: f64, w: f64) {
    let omega = collision.body().mode(0).omega;
    let law = ContactLaw::hunt_crossley(1e12, 1.5, 0.0);
    // a hammer of the same mass gives all that it has to a mass that meets it
    let hammer = collision.strike(PointHammerSpec {
        law,
        mass: 1.0 / (w * w),
        velocity: amplitude * omega,
        tether: Mode::RIGID,
        weights: &[w],
    });
    let hammer = hammer.expect("there is room");
    while !collision.hammer(hammer).has_touched() || collision.hammer(hammer).touching() {
        step(collision);
    }
    collision.remove_hammer(hammer);
}

/// A mode that a stop at half of its amplitude throws back: from the stop it takes pi + 2 asin(gap/amplitude) of a turn to come again.
/// It never comes farther than the gap and the compression that its energy allows, however long.
#[test]
fn a_stop_reflects_a_vibrating_body() {
    let (w, amplitude, gap) = (2.0, 1e-3, 0.5e-3);
    let mut collision = body(&[hertz(110.0)]);
    let stop = collision.add_obstacle(fixed(gap, ContactLaw::hunt_crossley(STIFFEST, 1.5, 0.0), &[w])).expect("there is room");
    set_going(&mut collision, amplitude, w);
    let energy = collision.energy();
    let amplitude = (2.0 * energy).sqrt() * w / collision.body().mode(0).omega;
    let deepest = ((1.5 + 1.0) * energy / STIFFEST).powf(1.0 / 2.5);
    let (mut began, mut farthest) = (Vec::new(), f64::MIN);
    for n in 0..RATE as usize * 4 {
        collision.step(256, &mut |_, s| {
            if s.hammer == stop && s.began {
                began.push((n as f64) / RATE + s.start);
            }
        });
        farthest = farthest.max(w * collision.body().q[0]);
    }
    let period = (PI + 2.0 * (gap / amplitude).asin()) / collision.body().mode(0).omega;
    let mean = (began[began.len() - 1] - began[0]) / (began.len() - 1) as f64;
    println!("{} hits, every {mean:e} s instead of {period:e} s; farthest {farthest:e}", began.len());
    assert!(began.len() > 400 && (mean / period - 1.0).abs() < 2e-3, "{mean} {period}");
    assert!(farthest > gap && farthest < gap + 1.01 * deepest, "{farthest} beyond {gap} by more than {deepest}");
    assert!((collision.energy() / energy - 1.0).abs() < 1e-9, "nothing is lost in a contact without loss");
    assert_balanced(&collision);
}

/// After thousands of contacts the gap is unchanged: a stop does not move permanently.
#[test]
fn gaps_do_not_drift() {
    let modes = [hertz(200.0), hertz(551.0), hertz(1_080.0), hertz(5_300.0)];
    let weights = [3.0, -2.0, 3.0, 1.5];
    let mut collision = body(&modes);
    let stops: Vec<_> =
        [1e-5, 3e-5].map(|gap| collision.add_obstacle(fixed(gap, ContactLaw::hunt_crossley(STIFF, 1.5, 0.0), &weights))).into();
    set_going(&mut collision, 1e-3, 3.0);
    let mut contacts = 0;
    for _ in 0..15 * RATE as usize {
        collision.step(256, &mut |_, s| contacts += usize::from(s.began));
    }
    assert!(contacts > 5_000, "{contacts}");
    while collision.any_touching() {
        step(&mut collision);
    }
    let there: f64 = collision.body().q.iter().zip(weights).map(|(q, w)| q * w).sum();
    for (stop, gap) in stops.into_iter().zip([1e-5, 3e-5]) {
        let apart = -collision.hammer(stop.expect("there is room")).compression();
        assert!((apart - (gap - there)).abs() < 1e-15, "{apart} instead of {}", gap - there);
    }
    assert_balanced(&collision);
}

/// Wires that are pressed against a body at rest lie there without a sound, with the force that presses them.
#[test]
fn a_preloaded_obstacle_rests() {
    let modes = [hertz(180.0), hertz(420.0), Mode { omega: 9_000.0, sigma: 30.0 }, Mode { omega: 90_000.0, sigma: 200.0 }];
    let weights = [5.0, -4.0, 3.0, 4.0];
    for law in [ContactLaw::hunt_crossley(1e8, 1.5, 0.2), ContactLaw::restitution(1e8, 2.0, 0.5), ContactLaw::linear(1e5, 3.0)] {
        let mut collision = body(&modes);
        let tether = Mode { omega: TAU * 40.0, sigma: 25.0 };
        let wire = Obstacle { law, mass: Some(1e-3), tether, gap: 0.0, press: 0.5, weights: &weights };
        for gap in [0.0, 1e-3, 0.02] {
            collision.add_obstacle(Obstacle { gap, ..wire }).expect("there is room");
        }
        collision.settle_preload();
        let bent = collision.body().q.clone();
        for _ in 0..24_000 {
            collision.step(256, &mut |_, s| {
                let stretched = 1e-3 * (TAU * 40.0_f64).powi(2) * [0.0, 1e-3][s.hammer];
                assert!((s.force / (0.5 - stretched) - 1.0).abs() < 1e-9, "{} N on wire {}", s.force, s.hammer);
            });
        }
        assert!(collision.hammer(0).touching() && collision.hammer(1).touching() && !collision.hammer(2).touching());
        assert!((0..4).all(|i| (collision.body().q[i] / bent[i] - 1.0).abs() < 1e-9), "{law:?}: it has moved");
        assert!(collision.body().v.iter().all(|v| v.abs() < 1e-9), "{law:?}: {:?}", collision.body().v);
        let reach = 0.5 / (1e-3 * (TAU * 40.0_f64).powi(2));
        assert!((collision.hammer(2).compression() - (reach - 0.02)).abs() < 1e-9, "the third cannot reach it");
        assert_balanced(&collision);
    }
}

/// What F presses against a heavy body lifts off where that turns back faster than F/m.
#[test]
fn an_obstacle_lifts_off_at_its_limiting_acceleration() {
    let (mass, press, w) = (1e-3, 0.2, 0.1);
    let omega = TAU * 100.0;
    for (part, lifts) in [(0.93, false), (1.07, true)] {
        let mut collision = body(&[Mode { omega, sigma: 0.0 }]);
        let tether = Mode { omega: TAU * 0.5, sigma: 1.0 };
        let law = ContactLaw::hunt_crossley(1e12, 1.5, 0.5);
        collision
            .add_obstacle(Obstacle { law, mass: Some(mass), tether, gap: 0.0, press, weights: &[w] })
            .expect("there is room");
        collision.settle_preload();
        set_going(&mut collision, part * press / mass / (omega * omega), w);
        let mut lifted = 0;
        for _ in 0..RATE as usize / 10 {
            collision.step(256, &mut |_, s| lifted += usize::from(s.hammer == 0 && s.ended));
        }
        assert_eq!(lifted > 0, lifts, "{part} of the acceleration: lifted {lifted} times");
        assert_balanced(&collision);
    }
}

/// Gap, force, mass, spring, law and place jump at every sample, in contact and out of it, beside a hammer: nothing brings energy.
#[test]
fn obstacle_parameter_steps_add_no_energy() {
    let mut seed = 1_u64;
    let mut part = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    for round in 0..40 {
        let modes: Vec<_> = (1..9).map(|n| Mode { omega: 700.0 * f64::from(n * n), sigma: 5.0 * part() }).collect();
        let mut places = || -> Vec<f64> { (0..8).map(|_| 12.0 * part() - 6.0).collect() };
        let weights = [places(), places(), places(), places()];
        let mut collision = body(&modes);
        let kind = |n: usize, part: f64| match n % 3 {
            0 => ContactLaw::hunt_crossley(10_f64.powf(5.0 + 5.0 * part), 1.0 + 2.0 * part, part),
            1 => ContactLaw::restitution(10_f64.powf(5.0 + 5.0 * part), 1.0 + 2.0 * part, 0.2 + 0.8 * part),
            _ => ContactLaw::linear(10_f64.powf(3.0 + 4.0 * part), 10.0 * part),
        };
        for (n, weights) in weights[..3].iter().enumerate() {
            let mass = (n < 2).then_some(2e-3);
            let tether = if n < 2 { hertz(60.0) } else { Mode::RIGID };
            let obstacle = Obstacle { law: kind(round, 0.5), mass, tether, gap: 1e-5, press: 0.3 * part(), weights };
            collision.add_obstacle(obstacle).expect("there is room");
        }
        if round % 2 == 0 {
            collision.settle_preload();
        }
        let law = ContactLaw::hunt_crossley(1e8, 1.5, 0.1);
        collision.strike(PointHammerSpec { law, mass: 0.02, velocity: 2.0, tether: Mode::RIGID, weights: &weights[3] });
        for n in 0..2_000 {
            for i in 0..3 {
                match (n + i) % 7 {
                    0 => collision.set_obstacle_gap(i, 1e-4 * part() * part(), part()),
                    1 if i < 2 => collision.set_mass(i, 10_f64.powf(-4.0 + 3.0 * part())),
                    2 if i < 2 => collision.set_tether(i, Mode { omega: 2_000.0 * part() + 1.0, sigma: 300.0 * part() }),
                    3 => collision.set_law(i, kind(round + usize::from(n % 5 == 0), part())),
                    4 => collision.set_weights_behind(i, &weights[(n + i) % 4]),
                    5 if n % 4 == 0 => collision.damp_motion(part()),
                    _ => {}
                }
            }
            step(&mut collision);
        }
        assert_balanced(&collision);
    }
}
