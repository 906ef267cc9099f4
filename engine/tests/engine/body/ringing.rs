//! Pitch and decay of ringing partials, measured from the sound, and the band limit.

use std::f64::consts::PI;

use crate::support::spectrum::{compare, kaiser};
use crate::support::test_engine::*;
use urto_engine::params::ParamId::*;
use urto_engine::patch::ListedMode;
use urto_engine::{Engine, EngineConfig};

/// Kaiser's beta: side lobes 230 dB down, main lobe 10 bins to either side.
const BETA: f64 = 30.0;

/// A stiff string: f_n = f0 n ((1 + B n^2)/(1 + B))^(1/2), sigma = ln 1000/T + pi eta f + c f^2.
#[test]
fn every_partial_has_its_frequency_and_t60() {
    const PARTIALS: usize = 40;
    let (t60, loss, viscosity, b) = (2.5, 2e-4, 2e-8, 4e-4);
    let params = [
        (Body, 0.0),
        (Modes, PARTIALS as f64),
        (Inharmonicity, b),
        (Decay, t60),
        (Loss, loss),
        (Viscosity, viscosity),
        (StrikePosition, 0.0123),
        (PickupLeft, 0.0137),
        (Stiffness, 1e4),
        (HammerMass, 1e-3),
        (BodyMass, 0.02),
    ];
    for rate in [44.1e3, 48e3, 96e3, 192e3] {
        let mut engine = engine(rate, &params);
        engine.event(&on(57, 60));
        let sound = play(&mut engine, (3.2 * rate) as usize);
        let window = kaiser((0.25 * rate) as usize, BETA);
        for n in 1..=PARTIALS {
            let r = n as f64;
            let f = 220.0 * r * ((1.0 + b * r * r) / (1.0 + b)).sqrt();
            let sigma = 1000_f64.ln() / t60 + PI * loss * f + viscosity * f * f;
            let frames = (1000_f64.ln() / sigma * rate).round() as usize;
            let (cents, fall) = compare(&sound.left, (0.15 * rate) as usize, frames, &window, f, rate);
            assert!(cents.abs() < 0.01, "partial {n} at {rate}: {cents} cents");
            assert!((fall - 60.0).abs() < 0.1, "partial {n} at {rate}: {fall} dB");
        }
    }
}

/// Q 10: the damped frequency is 2 cents below omega/2 pi, and it is the one that is heard.
#[test]
fn a_strongly_damped_body_is_in_tune() {
    let mut patch = patch(&[(Body, 2.0), (Modes, 1.0), (Decay, 0.05), (Loss, 0.0), (Viscosity, 0.0)]);
    patch.modes = vec![ListedMode { ratio: 1.0, decay: None, mass: 1.0, shape: vec![1.0].into() }];
    for rate in [44.1e3, 48e3, 96e3, 192e3] {
        let mut engine = Engine::new(EngineConfig::at(rate), &patch);
        engine.event(&on(69, 100));
        let sound = play(&mut engine, (0.3 * rate) as usize);
        let window = kaiser((0.025 * rate) as usize, 16.0);
        let frames = (0.05 * rate).round() as usize;
        let (cents, fall) = compare(&sound.left, (0.01 * rate) as usize, frames, &window, 440.0, rate);
        assert!(cents.abs() < 0.01, "{cents} cents at {rate}");
        assert!((fall - 60.0 * frames as f64 / rate / 0.05).abs() < 0.1, "{fall} dB at {rate}");
    }
}

#[test]
fn modes_above_the_band_limit_are_omitted_and_counted() {
    let string = |rate| engine(rate, &[(Body, 0.0), (Modes, 100.0), (Inharmonicity, 0.0)]);
    assert_eq!(string(44.1e3).left_out(69), 100 - 45);
    assert_eq!(string(44.1e3).left_out(21), 0);
    assert_eq!(string(44.1e3).left_out(127), 99);
    assert_eq!(string(8e3).left_out(69), 100 - 8);
}
