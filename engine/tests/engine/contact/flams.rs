//! Flams: a soft grace stroke on the note, and the strike after it.

use crate::support::test_engine::*;
use urto_engine::params::ParamId::*;
use urto_engine::params::{BodyKind, ParamId};
use urto_engine::{HitPulse, VelocityCurve};

/// The contacts of a note of velocity 100 in 0.2 s, with the frames at which they had ended.
fn contacts(params: &[(ParamId, f64)]) -> Vec<(usize, HitPulse)> {
    let mut engine = engine(RATE, params);
    engine.enable_energy_balance();
    engine.event(&on(60, 100));
    let mut found = Vec::new();
    for block in 1..=1_200 {
        play(&mut engine, 8);
        found.extend(engine.take_hit().map(|hit| (8 * block, hit)));
    }
    let worst = engine.energy_balance_report();
    assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{worst:?}");
    found
}

/// A heavy body, so that hammers rebound once.
const BODY: [(ParamId, f64); 3] = [(BodyMass, 100.0), (HammerMass, 0.01), (Decay, 0.1)];

#[test]
fn a_grace_stroke_falls_on_the_note_and_the_strike_comes_after_it() {
    let expected = VelocityCurve::of(&patch(&BODY).settings).speed(100.0 / 127.0);
    let [plain] = &contacts(&BODY)[..] else { panic!("one contact") };
    for (time, speed) in [(0.02, 0.3), (0.08, 0.1), (0.03, 1.0)] {
        let found = contacts(&[&BODY[..], &[(FlamTime, time), (FlamSpeed, speed)]].concat());
        let [grace, strike] = &found[..] else { panic!("two contacts, not {}", found.len()) };
        let apart = (strike.0 as f64 - strike.1.duration * RATE - (grace.0 as f64 - grace.1.duration * RATE)) / RATE;
        println!("{time} s: {apart:.5} s, grace stroke {:.4} m/s, strike {:.4} m/s", grace.1.velocity_in, strike.1.velocity_in);
        assert!((apart - time).abs() < 4e-4, "{time} s: {apart} s");
        assert!((grace.1.velocity_in / (speed * expected) - 1.0).abs() < 1e-5, "{}", grace.1.velocity_in);
        // the body still moves a little
        assert!((strike.1.velocity_in / expected - 1.0).abs() < 0.02, "{}", strike.1.velocity_in);
        assert!((plain.1.velocity_in / expected - 1.0).abs() < 1e-5 && grace.0 <= plain.0 + 16, "{} {}", grace.0, plain.0);
    }
}

/// A quiet grace stroke on a body that is silent long before the strike.
#[test]
fn the_strike_comes_after_silence_too() {
    let found = contacts(&[&BODY[..], &[(Decay, 0.02), (FlamTime, 0.15), (FlamSpeed, 0.02)]].concat());
    assert_eq!(found.len(), 2);
}

/// A hi-hat has hammers of its own.
#[test]
fn a_hi_hat_has_flams() {
    let hats = (Body, BodyKind::HiHat as usize as f64);
    let mut engine = engine(RATE, &[hats, (FlamTime, 0.05), (FlamSpeed, 0.05)]);
    engine.event(&on(60, 100));
    let sound = play(&mut engine, 4_800).left;
    let peak = |part: &[f32]| part.iter().fold(0.0_f32, |peak, sample| peak.max(sample.abs()));
    let [grace, before, strike] = [peak(&sound[..1_200]), peak(&sound[1_200..2_390]), peak(&sound[2_390..])];
    println!("grace stroke {grace:.5}, before the strike {before:.5}, strike {strike:.5}");
    assert!(grace > before && strike > 4.0 * grace && before > 0.0, "{grace} {before} {strike}");
}

/// One hammer strikes before the bristles of a brush. A roll by return forces has no grace stroke: its hammer would not arrive in time.
#[test]
fn brushes_have_one_grace_stroke_and_rolls_have_none() {
    let flam = [(FlamTime, 0.05), (FlamSpeed, 0.2)];
    let before = |params: &[(ParamId, f64)]| contacts(params).iter().filter(|(frame, _)| *frame < 2_200).count();
    let brush = [&BODY[..], &flam, &[(Striker, 3.0)]].concat();
    assert_eq!(before(&brush), 1);
    let roll = [&BODY[..], &[(Hold, 20.0), (SpringBack, 200.0)]].concat();
    let frames = |params: &[(ParamId, f64)]| contacts(params).into_iter().map(|(frame, _)| frame).collect::<Vec<_>>();
    assert_eq!(frames(&[&roll[..], &flam].concat()), frames(&roll));
}
