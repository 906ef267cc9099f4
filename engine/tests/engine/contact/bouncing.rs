//! Repeated impacts of one hammer on light bodies, compared with the reference solutions.

use crate::support::test_engine::*;
use serde_json::Value;
use std::f64::consts::TAU;
use urto_engine::params::ParamId::*;
use urto_engine::patch::{ListedMode, Patch};
use urto_engine::{Engine, EngineConfig, HitPulse};

/// String of 50 modes and 5 g, struck by 2 g at 3 m/s: five contacts in 1.1 ms.
fn reference() -> Value {
    let book: Value = serde_json::from_str(include_str!("../../../../physics/tests/physics/reference_strikes.json"))
        .expect("it is well formed");
    let cases = book["cases"].as_array().expect("a list").iter();
    cases.clone().find(|case| case["name"] == "M11_string50_multi").expect("it is there").clone()
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// The body as a free list of modes, lowest one on key 69, and the hammer of the reference.
fn patch_of(case: &Value) -> Patch {
    const BODY_MASS: f64 = 5e-3;
    let (contact, striker) = (&case["contact"], &case["striker"]);
    let modes = case["body"].as_array().expect("modes");
    let [omegas, sigmas, weights] = ["omega", "sigma", "weight"].map(|key| modes.iter().map(move |mode| number(&mode[key])));
    let heard: Vec<f64> = omegas.zip(sigmas.clone()).map(|(omega, sigma)| (omega * omega - sigma * sigma).sqrt() / TAU).collect();
    let exponent = number(&contact["exponent"]);
    let mut patch = patch(&[
        (Body, 2.0),
        (Modes, 50.0),
        (BodyMass, BODY_MASS),
        (Tune, 12.0 * (heard[0] / 440.0).log2()),
        (Stiffness, number(&contact["stiffness"]) * 1e-4_f64.powf(exponent)),
        (Exponent, exponent),
        (Damping, number(&contact["damping"])),
        (HammerMass, number(&striker["mass"])),
        (SpeedHigh, number(&striker["velocity"])),
    ]);
    let mode = |((frequency, sigma), weight): ((&f64, f64), f64)| {
        let phi = weight * BODY_MASS.sqrt();
        ListedMode { ratio: frequency / heard[0], decay: Some(sigma), mass: 1.0, shape: vec![phi, phi].into() }
    };
    patch.modes = heard.iter().zip(sigmas).zip(weights).map(mode).collect();
    patch
}

/// Every contact with the frame at the end of which it had ended.
fn hits(patch: &Patch, rate: f64, seconds: f64) -> Vec<(usize, HitPulse)> {
    let mut engine = Engine::new(EngineConfig::at(rate), patch);
    engine.event(&on(69, 127));
    let mut frame = |n| {
        play(&mut engine, 1);
        engine.take_hit().map(|hit| (n + 1, hit))
    };
    (0..(seconds * rate) as usize).filter_map(&mut frame).collect()
}

#[test]
fn a_light_string_returns_the_hammer_five_times() {
    let case = reference();
    let (speed, mass) = (number(&case["striker"]["velocity"]), number(&case["striker"]["mass"]));
    let known = case["contacts"].as_array().expect("contacts");
    let mut patch = patch_of(&case);
    for (quality, tolerance) in [(1.0, 1e-4), (2.0, 2e-5)] {
        patch.settings.set(Quality, quality);
        for rate in [44.1e3, 48e3, 96e3] {
            let hits = hits(&patch, rate, 0.05);
            assert_eq!(hits.len(), known.len(), "{rate}: {hits:?}");
            for ((frame, hit), known) in hits.iter().zip(known) {
                let end = number(&known["end"]);
                assert_eq!(*frame, (end * rate).ceil() as usize, "{rate}: ended at {end} s");
                let left = (2.0 * hit.energy_hammer / mass).sqrt() - number(&known["velocity_out"]).abs();
                assert!((left / speed).abs() < tolerance, "{rate}, contact until {end} s: {left} m/s off");
            }
        }
    }
}

/// 20 g on a body of a ton, drawn back by 60 m/s^2.
const DROPPED: [(urto_engine::params::ParamId, f64); 8] = [
    (Body, 0.0),
    (BodyMass, 1000.0),
    (Modes, 8.0),
    (HammerMass, 0.02),
    (SpeedHigh, 1.0),
    (Stiffness, 100.0),
    (Damping, 0.3),
    (Gravity, 60.0),
];

/// Frames after which contacts ended, and the contacts, while key 45 is down for `seconds` and for one second more.
fn dropped(seconds: f64) -> Vec<(usize, HitPulse)> {
    drawn(&[(Gravity, 60.0)], seconds).0
}

/// From one bounce to the next the hammer flies 2 v/g and comes back as fast as it left: no timer, a body drawn to another.
#[test]
fn a_hammer_with_a_return_force_bounces_until_it_rests() {
    let hits = dropped(0.6);
    assert!(hits.len() > 12, "{} bounces", hits.len());
    for pair in hits[..12].windows(2) {
        let ((left, one), (ended, next)) = (&pair[0], &pair[1]);
        let flight = (*ended - *left) as f64 / RATE - next.duration;
        let wanted = 2.0 * one.velocity_out.abs() / 60.0;
        assert!((flight - wanted).abs() < 3.0 / RATE, "{flight} s in the air instead of {wanted}");
        assert!((next.velocity_in / one.velocity_out.abs() - 1.0).abs() < 2e-3, "{} {}", next.velocity_in, one.velocity_out);
        assert!(next.velocity_in < one.velocity_in);
    }
}

#[test]
fn releasing_a_key_lifts_the_hammer() {
    let hits = dropped(0.05);
    let last = hits.last().expect("it has bounced").0 as f64 / RATE;
    assert!(last < 0.05 + 0.1, "it bounces on after {last} s");
    assert!(hits.len() < dropped(0.6).len());
}

#[test]
fn without_gravity_the_hammer_strikes_once() {
    let mut engine = engine(RATE, &DROPPED);
    engine.event(&set(Gravity, 0.0));
    engine.event(&on(45, 127));
    let mut hits = 0;
    for _ in 0..24_000 {
        play(&mut engine, 1);
        hits += usize::from(engine.take_hit().is_some());
    }
    assert_eq!(hits, 1);
}

/// Hits while key 45 is down for `seconds` and for one second more, with other params than [`DROPPED`].
fn drawn(params: &[(urto_engine::params::ParamId, f64)], seconds: f64) -> (Vec<(usize, HitPulse)>, Engine) {
    let mut engine = engine(RATE, &[&DROPPED[..], &[(Gravity, 0.0)], params].concat());
    engine.enable_energy_balance();
    engine.event(&on(45, 127));
    let mut hits = Vec::new();
    for frame in 0..((seconds + 1.0) * RATE) as usize {
        if frame == (seconds * RATE) as usize {
            engine.event(&off(45));
        }
        play(&mut engine, 1);
        hits.extend(engine.take_hit().map(|hit| (frame + 1, hit)));
    }
    let worst = engine.energy_balance_report();
    assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{worst:?}");
    (hits, engine)
}

/// Every flight between two of the first hits against `wanted`, given the speed at which it began.
fn assert_flights(hits: &[(usize, HitPulse)], wanted: impl Fn(f64) -> f64) {
    assert!(hits.len() > 12, "{} bounces", hits.len());
    for pair in hits[..12].windows(2) {
        let ((left, one), (ended, next)) = (&pair[0], &pair[1]);
        let flight = (*ended - *left) as f64 / RATE - next.duration;
        let wanted = wanted(one.velocity_out.abs());
        assert!((flight - wanted).abs() < 3.0 / RATE, "{flight} s in the air instead of {wanted}");
        assert!((next.velocity_in / one.velocity_out.abs() - 1.0).abs() < 4e-3, "{} {}", next.velocity_in, one.velocity_out);
    }
}

/// A hand that presses with F brings it back after 2 m v/F; it comes to rest under the hand and stays until the key goes up.
#[test]
fn a_pressed_hammer_bounces_and_stays_in_contact() {
    let (hits, _) = drawn(&[(Hold, 1.5)], 1.0);
    assert_flights(&hits, |v| 2.0 * 0.02 * v / 1.5);
    // the last contact is that in which it rests, until the key goes up
    let [.., (bounced, _), (left, rest)] = &hits[..] else { panic!("it has bounced") };
    let seconds = |frame: usize| frame as f64 / RATE;
    println!("bounces until {} s, rests for {} s", seconds(*bounced), rest.duration);
    assert!(seconds(*bounced) < 0.5 && rest.duration > 0.5 && (seconds(*left) - 1.0).abs() < 0.01);
}

/// On a spring a mass comes back after half a swing, however fast it left.
#[test]
fn a_return_spring_brings_the_hammer_back_after_half_a_period() {
    let stiffness = 200.0;
    let half = std::f64::consts::PI / (stiffness / 0.02_f64).sqrt();
    let (hits, engine) = drawn(&[(SpringBack, stiffness)], 1.0);
    assert_flights(&hits, |_| half);
    assert!(hits.last().expect("it has bounced").0 < (1.2 * RATE) as usize, "the key is up");
    drop(engine);
    // without loss in the contact it goes on at the same pace as long as the key is down
    let (hits, _) = drawn(&[(SpringBack, stiffness), (Damping, 0.0), (BodyMass, 1e4)], 1.0);
    let pace = (hits[hits.len() - 2].0 - hits[1].0) as f64 / RATE / (hits.len() - 3) as f64;
    let contact = hits[1].1.duration;
    println!("{} hits, every {pace} s: half a swing {half} s and a contact of {contact} s", hits.len());
    assert!(hits.len() > 25 && (pace - half - contact).abs() < 0.1 * contact);
}

/// A key that does not strike lays the hammer on, or does nothing at all.
#[test]
fn a_key_without_strike_only_presses_the_hammer() {
    let (hits, engine) = drawn(&[(KeyStrikes, 0.0)], 0.2);
    assert!(hits.is_empty() && engine.active_voices() == 0);
    for param in [(Hold, 2.0), (Gravity, 50.0)] {
        let mut engine = engine_of(&[(KeyStrikes, 0.0), param]);
        engine.event(&on(45, 127));
        assert!(engine.energy() < 1e-12, "laid on without speed");
        play(&mut engine, 4_800);
        assert!(engine.energy() > 1e-9, "{param:?}: its weight bends the body");
    }
}

fn engine_of(params: &[(urto_engine::params::ParamId, f64)]) -> Engine {
    engine(RATE, &[&DROPPED[..], &[(Gravity, 0.0)], params].concat())
}

/// Pressure on the key adds to the hand; spring, hand and weight move at any time without bringing energy.
#[test]
fn press_and_return_forces_add_no_energy_at_any_frame() {
    for striker in [0.0, 1.0, 3.0] {
        let params = [(Striker, striker), (PressureTarget, 9.0), (PressureAmount, 1.0), (BodyMass, 0.3), (HumanTime, 0.01)];
        let mut engine = engine_of(&params);
        let mut chance = Chance::new(5);
        engine.enable_energy_balance();
        for frame in 0..12_000 {
            if frame % 900 == 0 {
                engine.event(&on(45 + (frame / 900 % 3) as u8, 100));
            }
            if frame % 1_700 == 0 {
                engine.event(&off(45 + (frame / 1_700 % 3) as u8));
            }
            match chance.below(30) {
                0 => engine.event(&set(SpringBack, chance.value(SpringBack.spec()))),
                1 => engine.event(&set(Hold, 20.0 * chance.part())),
                2 => engine.event(&set(SpringBack, 0.0)),
                3 => engine.event(&urto_engine::Event::Pressure { channel: 0, value: chance.part() }),
                4 => engine.event(&set(HammerMass, chance.value(HammerMass.spec()))),
                5 => engine.event(&set(Gravity, 100.0 * chance.part())),
                _ => {}
            }
            play(&mut engine, 1);
        }
        let worst = engine.energy_balance_report();
        println!("{worst:?}");
        assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{worst:?}");
    }
}
