//! Sleep of a free bar: no audible tail is cut off, and nothing remains afterwards.

use crate::support::test_engine::*;
use std::f64::consts::{PI, TAU};
use urto_engine::params::ParamId;
use urto_engine::params::ParamId::*;
use urto_engine::patch::Patch;
use urto_engine::patch::Zone;

/// Time in which the suspension of free bodies, 12 Hz and a damping ratio of 0.3, falls by 60 dB [s].
const SUSPENSION_T60: f64 = 6.907_755 / (0.3 * TAU * 12.0);

/// Loss factor of the bars here.
const LOSS: f64 = 2e-3;

/// How a stroke ended.
struct End {
    /// Time until the bar slept [s].
    time: f64,
    /// Largest sample of the last 5 ms before that over the largest of all.
    cut: f64,
    /// Mean of the last tenth of the sound over the largest sample.
    mean: f64,
}

/// Strikes a bar and waits until it sleeps.
fn strike(key: u8, velocity: u8, params: &[(ParamId, f64)]) -> End {
    let mut engine = engine(RATE, &[&[(Body, 1.0), (Loss, LOSS), (Viscosity, 0.0)], params].concat());
    engine.event(&on(key, velocity));
    let mut sound = Sound::default();
    while engine.active_voices() > 0 {
        let part = play(&mut engine, 16);
        sound.left.extend(part.left);
        sound.right.extend(part.right);
        assert!(sound.left.len() < 40 * RATE as usize, "it never sleeps");
    }
    let end = sound.left.len();
    let tail = Sound { left: sound.left[end - 240..].to_vec(), right: sound.right[end - 240..].to_vec() };
    let last = &sound.left[end - end / 10..];
    let mean = last.iter().map(|x| f64::from(*x)).sum::<f64>().abs() / last.len() as f64 / sound.peak();
    assert_silence(engine, sound.peak());
    End { time: end as f64 / RATE, cut: tail.peak() / sound.peak(), mean }
}

/// After the bar only the state of the DC blocker decays; then the output is exactly zero.
fn assert_silence(mut engine: urto_engine::Engine, peak: f64) {
    let rest = play(&mut engine, 48_000);
    assert!(rest.peak() <= 1e-5 * peak, "{:e} of {peak:e} stays", rest.peak());
    assert!(engine.is_asleep());
    assert_eq!(play(&mut engine, 4_800).peak(), 0.0);
}

#[test]
fn a_free_bar_sleeps_within_twice_its_longest_t60_at_minus_100_db() {
    for (key, velocity, decay, params) in [
        (45, 127, 1.5, &[][..]),
        (60, 100, 0.4, &[(Level, 24.0)]),
        (60, 1, 0.4, &[]),
        (60, 20, 0.1, &[(Level, -20.0), (Stiffness, 2e4)]),
        (72, 127, 0.05, &[(StrikePosition, 0.5), (Striker, 1.0)]),
        (84, 64, 0.8, &[(BodyMass, 5e-3), (Modes, 4.0)]),
        (30, 90, 0.6, &[(BodyMass, 50.0), (HammerMass, 1e-3), (Striker, 3.0)]),
    ] {
        let end = strike(key, velocity, &[&[(Decay, decay)], params].concat());
        let lowest = 440.0 * ((f64::from(key) - 69.0) / 12.0).exp2();
        let longest = (1000_f64.ln() / (1000_f64.ln() / decay + PI * LOSS * lowest)).max(SUSPENSION_T60);
        let db = 20.0 * end.cut.log10();
        println!("key {key} velocity {velocity}: {:.3} s of {longest:.3} s, {db:.1} dB, mean {:e}", end.time, end.mean);
        assert!(end.time < 2.0 * longest, "key {key}: {} s, T60 {longest} s", end.time);
        assert!(db < -100.0, "key {key}, velocity {velocity}: cut off at {db} dB");
        assert!(end.mean < 1e-6, "key {key}: a mean of {:e}", end.mean);
    }
}

/// A soft stroke on a body that rings from a loud one, and one after it has died away, are cut off no earlier than alone.
#[test]
fn a_soft_strike_after_a_loud_one_is_heard() {
    let mut engine = engine(RATE, &[(Body, 1.0), (Decay, 0.5), (Loss, 0.0), (Viscosity, 0.0), (Modes, 1.0)]);
    engine.event(&on(60, 127));
    play(&mut engine, 36_000);
    assert_eq!(engine.active_voices(), 1);
    engine.event(&on(60, 1));
    let peak = play(&mut engine, 2_400).peak();
    let mut last = peak;
    while engine.active_voices() > 0 {
        last = play(&mut engine, 240).peak();
    }
    assert!(last < 1e-5 * peak, "cut off at {} dB", 20.0 * (last / peak).log10());
}

/// Silence is written, not left out, on every output and for a kit too.
#[test]
fn an_engine_at_rest_writes_zeros() {
    let zones = vec![Zone::new(&Patch::default(), (0, 127))];
    for patch in [Patch::default(), Patch { zones, ..Patch::default() }] {
        let mut engine = urto_engine::Engine::new(urto_engine::EngineConfig::at(RATE), &patch);
        for frames in [1, 15, 16, 17, 64, 1_000] {
            let mut out = [[f32::NAN; 1_000]; 4];
            let [left, right, a, b] = out.each_mut().map(|channel| &mut channel[..frames]);
            engine.render_outputs([left, right], &mut [[a, b]], [&[]; 2]);
            assert!(out.iter().all(|channel| channel[..frames].iter().all(|x| x.to_bits() == 0)), "{frames} frames");
        }
        engine.event(&on(60, 90));
        assert!(play(&mut engine, 500).peak() > 0.0);
    }
}
