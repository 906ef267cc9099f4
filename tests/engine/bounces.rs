//! A light body throws the hammer back several times: the instrument does so as the reference says.

use crate::playing::*;
use serde_json::Value;
use std::f64::consts::TAU;
use urto::engine::knob::KnobId::*;
use urto::engine::patch::{FreeMode, Patch};
use urto::engine::{Config, Engine, HitPulse};

/// String of 50 modes and 5 g, struck by 2 g at 3 m/s: five contacts in 1.1 ms.
fn reference() -> Value {
    let book: Value = serde_json::from_str(include_str!("../physics/reference_strikes.json")).expect("it is well formed");
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
        FreeMode { ratio: frequency / heard[0], decay: Some(sigma), mass: 1.0, shape: vec![phi, phi].into() }
    };
    patch.modes = heard.iter().zip(sigmas).zip(weights).map(mode).collect();
    patch
}

/// Every contact with the frame at the end of which it had ended.
fn hits(patch: &Patch, rate: f64, seconds: f64) -> Vec<(usize, HitPulse)> {
    let mut engine = Engine::new(Config::at(rate), patch);
    engine.event(&on(69, 127));
    let mut frame = |n| {
        play(&mut engine, 1);
        engine.take_hit().map(|hit| (n + 1, hit))
    };
    (0..(seconds * rate) as usize).filter_map(&mut frame).collect()
}

#[test]
fn a_light_string_throws_the_hammer_back_five_times() {
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
