//! Invalid input of hosts: the output stays finite and bounded.

use crate::support::test_engine::*;
use urto_engine::params::BodyKind;
use urto_engine::params::{PARAMS, ParamId};
use urto_engine::patch::ListedMode;
use urto_engine::{BodySpec, Engine, EngineConfig, Event, NoteId, PreparedBody};

fn assert_sane(sound: &Sound) {
    assert_sane_beside(sound, 0.0);
}

/// The same where a signal as large as `dry` may be mixed in: nothing is larger than the larger of the two.
fn assert_sane_beside(sound: &Sound, dry: f32) {
    let most = dry.max(urto_engine::CEILING);
    assert!(sound.left.iter().chain(&sound.right).all(|x| x.is_finite() && x.abs() <= most));
}

#[test]
fn random_events_at_any_rate_stay_bounded() {
    for (seed, rate) in (1..).zip([8e3, 22.05e3, 44.1e3, 96e3, 192e3, 384e3]) {
        let mut chance = Chance::new(seed);
        let mut engine = engine(rate, &[]);
        let (events, frames) = if rate == 44.1e3 { (10_000, 20_000) } else { (1_000, 4_000) };
        let score = chance.score(events, frames);
        let drive: Vec<f32> = (0..frames).map(|_| 2.0 * chance.part() as f32 - 1.0).collect();
        assert_sane_beside(&perform(&mut engine, &score, frames, &[441, 64, 3], &drive), 1.0);
    }
}

#[test]
fn invalid_values_keep_the_output_finite() {
    let bad = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 0.0, 1e300, f64::MIN_POSITIVE];
    let mut engine = engine(RATE, &[]);
    for value in bad {
        for &param in ParamId::ALL {
            engine.event(&on(60, 127));
            engine.event(&set(param, value));
            assert_sane(&play(&mut engine, 200));
        }
        engine.event(&Event::NoteOn { note: note(61), velocity: value });
        assert_sane_beside(&play_driven(&mut engine, 3, &[f32::NAN, f32::INFINITY, f32::MAX]), 16.0);
    }
    for (id, param) in ParamId::ALL.iter().zip(&PARAMS) {
        assert!((param.min..=param.max).contains(&engine.settings().get(*id)));
    }
}

/// The corners of all ranges, two params at a time at their ends.
#[test]
fn range_limits_of_every_parameter_stay_bounded() {
    let mut chance = Chance::new(9);
    for _ in 0..100 {
        let mut params = Vec::new();
        for &id in ParamId::ALL {
            let param = id.spec();
            match chance.below(3) {
                0 => params.push((id, param.min)),
                1 => params.push((id, param.max)),
                _ => {}
            }
        }
        let mut engine = engine(RATE, &params);
        let score = [(0, on(0, 127)), (3, on(60, 127)), (200, on(60, 1)), (300, on(127, 127)), (500, off(60))];
        assert_sane_beside(&perform(&mut engine, &score, 1_000, &[256], &[1.0; 1_000]), 1.0);
    }
}

#[test]
fn all_keys_at_once_and_unmatched_note_offs_are_harmless() {
    let mut engine = engine(RATE, &[]);
    for key in 0..128 {
        engine.event(&off(key));
        engine.event(&Event::Choke { note: note(key) });
    }
    for key in 0..128 {
        engine.event(&on(key, 127));
    }
    assert_sane(&play(&mut engine, 4_800));
    for key in (0..=255).rev() {
        engine.event(&off(key));
        engine.event(&on(key, 0));
    }
    assert_sane(&play(&mut engine, 4_800));
}

#[test]
fn invalid_configurations_are_harmless() {
    for sample_rate in [f64::NAN, 0.0, -1.0, f64::INFINITY, 1.0] {
        for objects in [0, 1, usize::MAX] {
            let mut engine = Engine::new(EngineConfig { sample_rate, voices: objects, modes: 0 }, &patch(&[]));
            for key in 40..80 {
                engine.event(&on(key, 100));
            }
            assert_sane(&play(&mut engine, 100));
        }
    }
}

/// Left, right and drive of different lengths.
#[test]
fn mismatched_buffer_lengths_are_harmless() {
    let mut engine = engine(RATE, &[(ParamId::DriveGain, 10.0)]);
    engine.event(&on(60, 100));
    let (mut left, mut right) = ([f32::NAN; 100], [f32::NAN; 60]);
    engine.render(&mut left, &mut right, [&[1.0; 7], &[1.0; 3]]);
    assert!(left[60..].iter().all(|x| *x == 0.0) && left.iter().chain(&right).all(|x| x.is_finite()));
    engine.render(&mut [], &mut right, [&[]; 2]);
    assert_eq!(right, [0.0; 60]);
}

#[test]
fn invalid_mode_lists_are_harmless() {
    let mode = |ratio, mass, decay, shape: &[f64]| ListedMode { ratio, mass, decay: Some(decay), shape: shape.to_vec().into() };
    let lists = [
        vec![],
        vec![mode(0.0, 1.0, 1.0, &[])],
        vec![mode(f64::NAN, 1.0, 1.0, &[]), mode(1.0, f64::NAN, 1.0, &[]), mode(1.0, 1.0, f64::NAN, &[1.0])],
        vec![mode(1e300, 1e-300, 1e300, &[1e300]), mode(1e-300, 1e300, 0.0, &[0.0, 1.0])],
        vec![mode(1.0, 1.0, -5.0, &[f64::INFINITY, 1.0, 2.0])],
    ];
    for list in lists {
        let mut engine = engine(RATE, &[]);
        assert!(engine.queue_body(PreparedBody::prepare(BodySpec::new(BodyKind::Modes, 8), &list, &[])).is_ok());
        for key in [0, 60, 127] {
            engine.event(&Event::NoteOn { note: NoteId { key, ..note(0) }, velocity: 1.0 });
        }
        assert_sane(&play(&mut engine, 2_000));
    }
}
