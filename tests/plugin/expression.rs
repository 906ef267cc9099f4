//! Note expressions of CLAP: each changes its own note only.

use clack_host::events::event_types::NoteExpressionType::{self, *};
use urto_engine::params::ParamId;

use crate::support::engine_reference::assert_same;
use crate::support::measurements::{beside, centroid, cents, level, t60};
use crate::support::timed_events::Cue::*;
use crate::support::timed_events::{Score, alone, expected, patch, sine, take};

const A3: f64 = 220.0;
/// The note that is changed, and the one that is not.
const FIRST: (usize, crate::support::timed_events::Cue) = (0, On { voice: 1, key: 57 });
const SECOND: [(usize, crate::support::timed_events::Cue); 1] = [(40, On { voice: 2, key: 64 })];

fn say(frame: usize, what: NoteExpressionType, value: f64) -> Score {
    vec![FIRST, (frame, Say { voice: 1, what, value })]
}

#[test]
fn tuning_bends_one_note() {
    let patch = sine(&[]);
    let score = say(9600, Tuning, 0.5);
    let [left, _] = alone(&patch, 24_000, &score, &SECOND);
    assert!(cents(&left, 4800, A3).abs() < 0.05, "{} cents before", cents(&left, 4800, A3));
    // settled 20 ms later
    let bent = cents(&left, 9600 + 960, A3);
    assert!((bent - 50.0).abs() < 0.5, "{bent} cents");
    assert_same(&take(&patch, 24_000, &score), &expected(&patch, 24_000, &score));
}

#[test]
fn expressions_apply_from_the_first_sample_of_a_note() {
    let patch = sine(&[]);
    let [left, _] = take(&patch, 9600, &say(0, Tuning, -1.0));
    assert!((cents(&left, 0, A3) + 100.0).abs() < 0.1, "{} cents", cents(&left, 0, A3));
}

#[test]
fn brightness_raises_the_stiffness() {
    let patch = patch(&[(ParamId::Level, -10.0)]);
    let [dark, even, bright] = [0.0, 0.5, 1.0].map(|value| {
        let score = say(0, Brightness, value);
        assert_same(&take(&patch, 14_400, &score), &expected(&patch, 14_400, &score));
        centroid(&alone(&patch, 14_400, &score, &SECOND)[0])
    });
    let plain = centroid(&take(&patch, 14_400, &[FIRST])[0]);
    assert!((even / plain - 1.0).abs() < 1e-9, "a half is neutral: {even} and {plain} Hz");
    assert!(dark < 0.8 * plain && bright > 1.25 * plain, "{dark}, {plain}, {bright} Hz");
}

/// A hand adds 40/s at full amount and pressure; without one the note decays in 4 s.
#[test]
fn pressure_damps_one_note() {
    let patch = sine(&[(ParamId::Decay, 4.0), (ParamId::PressureAmount, 0.5)]);
    let score = say(9600, Pressure, 0.6);
    let [left, _] = alone(&patch, 24_000, &score, &SECOND);
    let free = t60(&left, 4800, A3);
    assert!((free - 4.0).abs() < 0.02, "{free} s");
    let wanted = 1000_f64.ln() / (1000_f64.ln() / 4.0 + 40.0 * 0.5 * 0.6);
    let pressed = t60(&left, 10_560, A3);
    assert!((pressed / wanted - 1.0).abs() < 0.01, "{pressed} s instead of {wanted} s");
    assert_same(&take(&patch, 24_000, &score), &expected(&patch, 24_000, &score));
}

/// phi_n = sin(n pi x) on a string: a light, hard hammer excites the partials in these ratios. Half of the way is half of the length.
#[test]
fn expression_scales_the_strike() {
    use ParamId::*;
    let params = [(Body, 0.0), (Modes, 8.0), (BodyMass, 1.0), (HammerMass, 1e-3), (Stiffness, 1e5), (StrikePosition, 0.2)];
    let patch = patch(&params);
    let ratio = |value: f64| {
        let score = say(0, Expression, value);
        assert_same(&take(&patch, 4800, &score), &expected(&patch, 4800, &score));
        let [left, _] = alone(&patch, 4800, &score, &SECOND);
        level(&left, 480, 2.0 * A3) / level(&left, 480, A3)
    };
    let plain = ratio(0.5);
    let at = |x: f64| (std::f64::consts::TAU * x).sin().abs() / (std::f64::consts::PI * x).sin();
    for (value, place) in [(0.6, 0.3), (0.4, 0.1), (0.7, 0.4)] {
        let found = ratio(value) / plain * at(0.2);
        assert!((found / at(place) - 1.0).abs() < 0.03, "{value}: {found} instead of {}", at(place));
    }
    assert!(ratio(0.8) < 0.01 * plain, "in the middle the second partial has a node: {}", ratio(0.8));
}

#[test]
fn volume_and_pan_apply_to_one_note() {
    let patch = sine(&[]);
    let late = |score: &Score| {
        let sound = alone(&patch, 14_400, score, &SECOND);
        assert_same(&take(&patch, 14_400, score), &expected(&patch, 14_400, score));
        [0, 1].map(|side| level(&sound[side], 9600, A3))
    };
    let plain = late(&vec![FIRST]);
    let close = |found: f64, wanted: f64| assert!((found / wanted - 1.0).abs() < 1e-3, "{found} instead of {wanted}");
    let loud = late(&say(4800, Volume, 2.0));
    close(loud[0], 2.0 * plain[0]);
    close(loud[1], 2.0 * plain[1]);
    let aside = late(&say(4800, Pan, 0.25));
    close(aside[0], plain[0]);
    close(aside[1], 0.5 * plain[1]);
    assert!(late(&say(4800, Pan, 0.0))[1] < 1e-4 * plain[1], "hard left");
}

/// Two semitones in 100 ms, told every millisecond.
#[test]
fn a_bend_does_not_click() {
    const A5: f64 = 880.0;
    let bend = (0..=100).map(|i| (9600 + 48 * i, Say { voice: 1, what: Tuning, value: 0.02 * i as f64 }));
    let score: Score = [(0, On { voice: 1, key: 81 })].into_iter().chain(bend).collect();
    let [left, _] = take(&sine(&[]), 24_000, &score);
    let high = A5 * 2_f64.powf(2.0 / 12.0);
    let db = beside(&left[4800..], A5, high);
    assert!(db < -80.0, "{db} dB beside the partial");
    assert!(cents(&left, 14_400 + 960, high).abs() < 0.5);
}

#[test]
fn a_tuning_step_settles_within_20_ms() {
    for semitones in [-12.0, 2.0, 12.0] {
        let [left, _] = take(&sine(&[]), 19_200, &say(9600, Tuning, semitones));
        let off = cents(&left, 9600 + 960, A3 * 2_f64.powf(semitones / 12.0));
        assert!(off.abs() < 1.0, "{semitones} semitones: {off} cents off");
    }
}

#[test]
fn expressions_end_with_their_note() {
    let patch = sine(&[(ParamId::Decay, 0.02), (ParamId::Release, 1.0)]);
    let again: Score = vec![FIRST, (0, Say { voice: 1, what: Tuning, value: 7.0 }), (12_000, Off { voice: 1, key: 57 })];
    let again = [again, vec![(24_000, On { voice: 3, key: 57 })]].concat();
    let [left, _] = take(&patch, 28_800, &again);
    assert!(cents(&left, 24_000, A3).abs() < 1.0, "{} cents", cents(&left, 24_000, A3));
}
