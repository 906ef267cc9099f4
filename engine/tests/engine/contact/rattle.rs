//! Obstacles behind a body: snare wires, a buzz bridge, rivets.

use crate::support::test_engine::*;
use std::f64::consts::TAU;
use urto_engine::params::ParamId;
use urto_engine::params::ParamId::*;
use urto_engine::{Engine, Event};

/// A snare: a light head, a wooden stick, wires below.
const SNARE: [(ParamId, f64); 18] = [
    (Body, 7.0),
    (BodyMass, 0.05),
    (Modes, 64.0),
    (Tune, -6.0),
    (Decay, 0.7),
    (Loss, 6e-3),
    (HammerMass, 0.015),
    (SpeedHigh, 8.0),
    (Stiffness, 8.0),
    (StrikePosition, 0.2),
    (Rattle, 2.0),
    (RattleCount, 3.0),
    (RattlePosition, 0.3),
    (RattleMass, 2e-3),
    (RattleFrequency, 60.0),
    (RattlePress, 0.1),
    (RattleStiffness, 1000.0),
    (RattleLoss, 0.4),
];

/// Power of the left channel beyond `hertz`, by a high-pass of second order.
fn power_above(sound: &[f32], hertz: f64) -> f64 {
    let k = (TAU / 2.0 * hertz / RATE).tan();
    let norm = 1.0 / (1.0 + std::f64::consts::SQRT_2 * k + k * k);
    let (a1, a2) = (2.0 * (k * k - 1.0) * norm, (1.0 - std::f64::consts::SQRT_2 * k + k * k) * norm);
    let (mut s1, mut s2, mut power) = (0.0, 0.0, 0.0);
    for &x in sound {
        let x = f64::from(x);
        let y = norm * x + s1;
        s1 = -2.0 * norm * x - a1 * y + s2;
        s2 = norm * x - a2 * y;
        power += y * y;
    }
    power / sound.len() as f64
}

fn struck(params: &[(ParamId, f64)], velocity: u8, seconds: f64) -> Sound {
    let mut engine = engine(RATE, params);
    engine.event(&on(60, velocity));
    play(&mut engine, (seconds * RATE) as usize)
}

fn with(params: &[(ParamId, f64)], more: &[(ParamId, f64)]) -> Vec<(ParamId, f64)> {
    [params, more].concat()
}

#[test]
fn rattle_off_ignores_its_other_parameters() {
    let off = with(&SNARE, &[(Rattle, 0.0)]);
    assert_eq!(struck(&off, 100, 0.3), struck(&SNARE[..10], 100, 0.3));
    let mut engine = engine(RATE, &SNARE[..10]);
    engine.event(&on(60, 100));
    for param in [RattleGap, RattlePress, RattleMass, RattleStiffness, RattleCount] {
        engine.event(&set(param, param.spec().max));
    }
    assert_eq!(play(&mut engine, 14_400), struck(&SNARE[..10], 100, 0.3));
}

/// A stop that the body never reaches is not heard, and costs no steps once the hammer has left.
#[test]
fn obstacles_out_of_reach_have_no_effect() {
    let bar = [(Body, 1.0), (Rattle, 1.0), (RattleGap, 0.01)];
    let (far, none) = (struck(&bar, 100, 0.5), struck(&[(Body, 1.0)], 100, 0.5));
    let worst = far.left.iter().zip(&none.left).map(|(a, b)| f64::from((a - b).abs())).fold(0.0, f64::max);
    assert!(worst < 1e-6 * none.peak(), "{worst:e}");
    let near = struck(&with(&bar, &[(RattleGap, 1e-6)]), 100, 0.5);
    let change = near.left.iter().zip(&none.left).map(|(a, b)| f64::from((a - b).abs())).fold(0.0, f64::max);
    assert!(change > 0.05 * none.peak(), "a near one is");
}

/// The wires go on after the stick has left, in highs that the head alone has lost.
#[test]
fn snare_wires_sound_after_the_stick_has_left() {
    let power = |rattle: f64| {
        let sound = struck(&with(&SNARE, &[(Rattle, rattle)]), 110, 0.2);
        power_above(&sound.left[2_400..7_200], 5_000.0)
    };
    let (wires, head) = (power(2.0), power(0.0));
    println!("50 to 150 ms, above 5 kHz: {:.1} dB more", 10.0 * (wires / head).log10());
    assert!(wires > 10.0 * head, "{wires:e} {head:e}");
}

/// A string that grazes a bridge: the harder it is plucked, the more of its highs come from there; what is soft enough stays clear.
#[test]
fn a_buzz_bridge_adds_highs_with_amplitude() {
    let string = [
        (Body, 0.0),
        (BodyMass, 0.01),
        (Modes, 60.0),
        (Tune, -12.0),
        (Decay, 6.0),
        (HammerMass, 0.01),
        (Stiffness, 2.0),
        (Exponent, 2.5),
        (StrikePosition, 0.3),
        (RattlePosition, 0.04),
        (RattleGap, 3e-5),
        (RattleStiffness, 1000.0),
    ];
    let highs = |velocity: u8, rattle: f64| {
        let sound = struck(&with(&string, &[(Rattle, rattle)]), velocity, 1.0);
        let late = &sound.left[9_600..];
        power_above(late, 2_000.0) / power_above(late, 20.0)
    };
    let gains = [1, 64, 127].map(|velocity| highs(velocity, 1.0) / highs(velocity, 0.0));
    println!("share of the highs over that without the bridge: {gains:?}");
    assert!(gains[0] < 1.1 && gains[1] > 4.0 * gains[0] && gains[2] > gains[1], "{gains:?}");
}

#[test]
fn obstacles_do_not_prevent_sleep() {
    let alone = seconds_until_sleep(&with(&SNARE, &[(Rattle, 0.0)]));
    for more in [
        &[][..],
        &[(RattleGap, 1e-4)],
        &[(RattleGap, 0.01)],
        &[(RattlePress, 0.0)],
        &[(Rattle, 1.0)],
        &[(Release, 1.0), (RattlePress, 2.0)],
    ] {
        let rattling = seconds_until_sleep(&with(&SNARE, more));
        println!("{more:?}: {rattling} s, without wires {alone} s");
        assert!(rattling < 1.5 * alone);
    }
}

/// Pressure, bends, other strokes, releases, and every param of the rattle at every frame.
#[test]
fn rattle_parameters_add_no_energy_at_any_frame() {
    let params = [
        Rattle,
        RattleCount,
        RattlePosition,
        RattleAcross,
        RattleGap,
        RattlePress,
        RattleMass,
        RattleFrequency,
        RattleDamping,
        RattleContact,
        RattleStiffness,
        RattleExponent,
        RattleLoss,
    ];
    for seed in 1..5 {
        let mut engine = engine(RATE, &with(&SNARE, &[(Rattle, 1.0 + (seed % 2) as f64), (Release, 1.0), (RattleGap, 1e-5)]));
        let mut chance = Chance::new(seed);
        engine.enable_energy_balance();
        for frame in 0..6_000 {
            if frame % 700 == 0 {
                engine.event(&on(60 + (frame / 700 % 3) as u8, 40 + chance.below(80) as u8));
            }
            if frame % 1_100 == 0 {
                engine.event(&off(60 + (frame / 1_100 % 3) as u8));
            }
            let param = params[chance.below(params.len())];
            if chance.below(if param == Rattle { 40 } else { 2 }) == 0 {
                engine.event(&set(param, chance.value(param.spec())));
            }
            play(&mut engine, 1);
        }
        let worst = engine.energy_balance_report();
        println!("{worst:?}");
        assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{worst:?}");
    }
}

/// The wheel throws the wires off.
#[test]
fn the_wheel_modulates_the_rattle_gap() {
    let sound = |wheel: f64| {
        let params = with(&SNARE, &[(WheelTarget, 14.0), (WheelAmount, 1.0)]);
        let mut engine = engine(RATE, &params);
        engine.event(&Event::Controller { channel: 0, number: 1, value: wheel });
        engine.event(&on(60, 110));
        play(&mut engine, 9_600)
    };
    let highs = |wheel: f64| power_above(&sound(wheel).left[2_400..7_200], 2_500.0);
    let (on, off) = (highs(0.0), highs(1.0));
    assert!(on > 5.0 * off, "{on:e} {off:e}");
}

/// Nobody sees the obstacles as hammers: a hit is that of the stick, and voices that are stolen keep their wires while they fade.
#[test]
fn recorded_hits_exclude_obstacle_contacts() {
    let mut engine = engine(RATE, &SNARE);
    engine.event(&on(60, 100));
    let mut hits = Vec::new();
    for _ in 0..24_000 {
        play(&mut engine, 1);
        hits.extend(engine.take_hit());
    }
    assert!(!hits.is_empty() && hits.iter().all(|hit| (hit.mass - 0.015).abs() < 1e-12), "{} hits", hits.len());
    assert!(hits.len() < 8, "{} hits", hits.len());
    engine.event(&Event::Choke { note: note(60) });
    engine.event(&set(Voices, 1.0));
    for key in 61..66 {
        engine.event(&on(key, 100));
        assert!(play(&mut engine, 200).peak() < 1.0);
    }
}

fn crowded() -> Engine {
    engine(RATE, &with(&SNARE, &[(RattleCount, 4.0), (Striker, 3.0)]))
}

/// More bodies than there are wires for: all are struck, those that come later have fewer.
#[test]
fn hammers_remain_available_without_free_obstacles() {
    let mut engine = crowded();
    for key in 30..90 {
        engine.event(&on(key, 100));
        play(&mut engine, 32);
    }
    assert_eq!(engine.active_voices(), 60);
    let before = engine.energy();
    engine.event(&on(95, 127));
    assert!(engine.energy() > before, "the last one has a hammer");
}
