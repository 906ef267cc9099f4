//! Bars over tuned tubes: level, decay and beats of the lowest partial, the flap, and the energy balance.

use crate::support::test_engine::*;
use std::f64::consts::TAU;
use urto_engine::params::ParamId::*;
use urto_engine::params::{BodyKind, ParamId};
use urto_engine::patch::{Patch, factory_presets};
use urto_engine::{Engine, EngineConfig};

/// A bar of 0.4 kg without a pitch of its mount, as a dipole.
const BAR: [(ParamId, f64); 12] = [
    (Body, BodyKind::Marimba as usize as f64),
    (Modes, 7.0),
    (BodyMass, 0.4),
    (Decay, 23.0),
    (Loss, 3e-3),
    (HammerMass, 0.03),
    (Stiffness, 0.7),
    (StrikePosition, 0.46),
    (Radiation, 2.0),
    (Corner, 1500.0),
    (HomeKey, 60.0),
    (Level, 0.0),
];

fn with(more: &[(ParamId, f64)]) -> Vec<(ParamId, f64)> {
    [&BAR[..], more].concat()
}

fn struck(mut engine: Engine, key: u8, seconds: f64) -> Vec<f64> {
    engine.event(&on(key, 90));
    play(&mut engine, (seconds * RATE) as usize).left.into_iter().map(f64::from).collect()
}

fn preset(name: &str, changes: &[(ParamId, f64)]) -> Engine {
    let mut patch: Patch = factory_presets::all().find(|patch| patch.name == name).expect("a factory preset");
    changes.iter().for_each(|&(param, value)| patch.settings.set(param, value));
    Engine::new(EngineConfig::at(RATE), &patch)
}

/// Amplitude at `hertz` under a Hann window over `seconds` from `start` on.
fn amplitude(sound: &[f64], hertz: f64, start: f64, seconds: f64) -> f64 {
    let (from, count) = ((start * RATE) as usize, (seconds * RATE) as usize);
    let (mut re, mut im) = (0.0, 0.0);
    for (n, x) in sound[from..from + count].iter().enumerate() {
        let window = 1.0 - (TAU * n as f64 / count as f64).cos();
        let (sin, cos) = (TAU * hertz * n as f64 / RATE).sin_cos();
        (re, im) = (re + window * x * cos, im + window * x * sin);
    }
    2.0 * re.hypot(im) / count as f64
}

fn decibels(ratio: f64) -> f64 {
    20.0 * ratio.log10()
}

/// Time [s] in which the partial at `hertz` falls by 60 dB, from its levels at two times.
fn t60(sound: &[f64], hertz: f64, [from, to]: [f64; 2]) -> f64 {
    let [first, last] = [from, to].map(|start| amplitude(sound, hertz, start, 0.2));
    60.0 * (to - from) / decibels(first / last)
}

fn hertz(key: u8) -> f64 {
    440.0 * ((f64::from(key) - 69.0) / 12.0).exp2()
}

/// Over its tube the lowest partial of a marimba is louder at first and ends sooner; the partials that no mode of the tube is near are as before.
#[test]
fn a_marimba_over_tubes_is_louder_and_shorter() {
    for key in [48, 60, 72] {
        let f = hertz(key);
        let [with, without] =
            [0.7, 0.0].map(|coupling| struck(preset("Marimba with Resonators", &[(TubeCoupling, coupling)]), key, 1.4));
        let gain = decibels(amplitude(&with, f, 0.0, 0.1) / amplitude(&without, f, 0.0, 0.1));
        let [over, alone] = [&with, &without].map(|sound| t60(sound, f, [0.4, 0.9]));
        let upper = decibels(amplitude(&with, 4.0 * f, 0.0, 0.1) / amplitude(&without, 4.0 * f, 0.0, 0.1));
        println!(
            "key {key}: {gain:+.1} dB in the first 100 ms, T60 {over:.2} s instead of {alone:.2} s, 4th harmonic {upper:+.2} dB"
        );
        assert!((6.0..30.0).contains(&gain) && over < 0.8 * alone && over > 0.3 * alone, "{key}: {gain} dB, {over} of {alone} s");
        assert!(upper.abs() < 0.1, "{key}: {upper} dB");
    }
}

/// The decay rates are those of the coupled equations: with the tube in tune both poles meet where coupling is 1 - s_b/s_t.
#[test]
fn the_decay_is_that_of_the_coupled_poles() {
    let key = 60;
    let f = hertz(key);
    let alone = struck(engine(RATE, &with(&[])), key, 2.0);
    let bar = 1000_f64.ln() / t60(&alone, f, [0.4, 1.4]);
    let tube = urto_physics::bodies::ResonatorTube { frequency: f, radius: 0.02 }.mode(0).sigma;
    for coupling in [0.2, 0.5] {
        let sound = struck(engine(RATE, &with(&[(TubeCoupling, coupling)])), key, 2.0);
        let rate = 1000_f64.ln() / t60(&sound, f, [0.8, 1.5]);
        let (mean, half) = (0.5 * (tube + bar), 0.5 * (tube - bar));
        let expected = mean - (half * half - 0.25 * (coupling * tube).powi(2)).sqrt();
        println!("coupling {coupling}: {rate:.3} 1/s, expected {expected:.3}, alone {bar:.3}");
        assert!((rate / expected - 1.0).abs() < 0.02, "{coupling}: {rate} {expected}");
    }
}

/// Frequency by frequency the same tube far out of tune does nothing.
#[test]
fn a_tube_out_of_tune_leaves_the_decay_of_the_bar() {
    let f = hertz(60);
    let of = |params: &[(ParamId, f64)]| t60(&struck(engine(RATE, &with(params)), 60, 1.6), f, [0.4, 1.2]);
    let (alone, tuned, off) = (of(&[]), of(&[(TubeCoupling, 0.5)]), of(&[(TubeCoupling, 0.5), (TubeDetune, 1.0)]));
    println!("T60 {alone:.2} s alone, {tuned:.2} s over a tube in tune, {off:.2} s a semitone off");
    assert!(tuned < 0.8 * alone && off > 0.9 * alone && off < alone);
}

/// The flap opens and closes the tube at its rate, deeper with more depth; a still one does not.
#[test]
fn the_flap_makes_a_tremolo_at_its_rate() {
    let f = hertz(65);
    let swing = |rate: f64, depth: f64| {
        let sound = struck(preset("Vibraphone Motor On", &[(TubeFlapRate, rate), (TubeFlapDepth, depth)]), 65, 2.2);
        let levels: Vec<f64> = (0..150).map(|n| decibels(amplitude(&sound, f, 0.5 + 0.01 * n as f64, 0.04))).collect();
        // against the straight decay
        let (first, last) = (levels[0], levels[149]);
        let flat: Vec<f64> =
            levels.iter().enumerate().map(|(n, level)| level - first - (last - first) * n as f64 / 149.0).collect();
        let at = |hertz: f64| {
            let sum = flat.iter().enumerate().fold((0.0, 0.0), |(re, im), (n, x)| {
                let (sin, cos) = (TAU * hertz * 0.01 * n as f64).sin_cos();
                (re + x * cos, im + x * sin)
            });
            2.0 * sum.0.hypot(sum.1) / flat.len() as f64
        };
        [at(4.0), at(6.0)]
    };
    let [slow, fast, shallow, still] = [(4.0, 0.9), (6.0, 0.9), (6.0, 0.3), (0.0, 0.9)].map(|(rate, depth)| swing(rate, depth));
    println!("[4 Hz, 6 Hz] dB: slow {slow:.2?}, fast {fast:.2?}, shallow {shallow:.2?}, still {still:.2?}");
    assert!(slow[0] > 3.0 * slow[1] && fast[1] > 3.0 * fast[0], "{slow:?} {fast:?}");
    assert!(fast[1] > 2.0 * shallow[1] && fast[1] > 1.0, "{fast:?} {shallow:?}");
    assert!(still.iter().all(|level| *level < 0.2 * fast[1]), "{still:?}");
}

/// Chords, strikes on bars that ring, bends, and every parameter of the tube that jumps.
fn score() -> Vec<(usize, urto_engine::Event)> {
    let mut score = vec![(0, on(60, 90)), (1_000, on(64, 60)), (9_000, off(64)), (7_013, on(60, 127)), (15_000, on(72, 100))];
    score.extend([(3_000, set(TubeFlapRate, 7.0)), (3_500, set(TubeFlapDepth, 1.0)), (5_001, set(TubeDetune, 0.4))]);
    score.extend([(8_017, set(TubeCoupling, 0.0)), (11_000, set(TubeCoupling, 1.7)), (12_005, set(Tune, 3.0))]);
    score.extend([(13_000, set(BodyMass, 0.2)), (17_000, set(Radiation, 1.0)), (18_000, set(Rattle, 2.0))]);
    score.sort_by_key(|(frame, _)| *frame);
    score
}

#[test]
fn blocks_do_not_change_a_bit_and_a_reset_restores() {
    let params = with(&[(TubeCoupling, 0.8)]);
    assert_same_in_blocks(&params, &score(), 24_000, &[&[1], &[16], &[37, 480]]);
    assert_reset_restores(&params, &score(), 24_000);
}

#[test]
fn nothing_gains_energy_while_tubes_are_played() {
    let mut engine = engine(RATE, &with(&[(TubeCoupling, 0.8), (TubeFlapRate, 9.0), (TubeFlapDepth, 1.0)]));
    engine.enable_energy_balance();
    perform(&mut engine, &score(), 24_000, &[480], &[]);
    let worst = engine.energy_balance_report();
    println!("{:e} {:e}", worst.balance, worst.unsupplied);
    assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{:e} {:e}", worst.balance, worst.unsupplied);
}

/// Bars that have rung out fall asleep, although they ring sample by sample over tubes; what is louder takes longer.
#[test]
fn bars_over_tubes_fall_asleep() {
    let of = |coupling: f64| seconds_until_sleep(&with(&[(TubeCoupling, coupling), (Loss, 1e-2), (Decay, 2.0), (Release, 0.0)]));
    let [over, alone] = [0.7, 0.0].map(of);
    println!("{over:.2} s over a tube, {alone:.2} s alone");
    assert!(over < 1.5 * alone, "{over} {alone}");
}

/// Rendering of tubes that change allocates nothing.
#[test]
fn tubes_allocate_nothing() {
    let mut engine = engine(RATE, &with(&[(TubeCoupling, 0.8), (TubeFlapRate, 5.0), (TubeFlapDepth, 1.0)]));
    let events = score();
    let (mut left, mut right) = (vec![0.0; 480], vec![0.0; 480]);
    let mut events = events.iter().peekable();
    let calls = crate::support::counted_memory::calls_in(|| {
        for block in 0..50 {
            while let Some((_, event)) = events.next_if(|(frame, _)| *frame < block * 480) {
                engine.event(event);
            }
            engine.render(&mut left, &mut right, [&[], &[]]);
        }
    });
    assert_eq!(calls, 0);
    assert!(left.iter().any(|x| *x != 0.0));
}
