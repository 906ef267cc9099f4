//! Courses of strings: their strings, bridge and soundboard ring as one body, and neighbours answer to them.

use crate::support::counted_memory::calls_in;
use crate::support::test_engine::*;
use std::f64::consts::TAU;
use urto_engine::body::{BodyTuning, KeyScaling};
use urto_engine::params::ParamId::*;
use urto_engine::params::{BodyKind, DrumHead, ParamId};
use urto_engine::{BodySpec, PreparedBody};
use urto_physics::bodies::{ModalShape, Soundboard, StringCourse};

const COURSE: f64 = BodyKind::StringCourse as usize as f64;
const BOARD: f64 = DrumHead::Resonant as usize as f64;

/// Three strings of steel on a small board, which has its lowest mode a fifth above the home key.
const STRINGS: [(ParamId, f64); 16] = [
    (Body, COURSE),
    (BodyMass, 0.005),
    (Modes, 96.0),
    (CourseStrings, 3.0),
    (Split, 3e-3),
    (ResonantTune, 7.0),
    (BoardMass, 30.0),
    (BoardDamping, 0.03),
    (Decay, 15.0),
    (Loss, 0.0),
    (Viscosity, 2e-7),
    (HammerMass, 0.008),
    (StrikePosition, 0.12),
    (PickupLeft, 0.6),
    (PickupLeftHead, BOARD),
    (PickupRight, 0.9),
];

fn with(more: &[(ParamId, f64)]) -> Vec<(ParamId, f64)> {
    [&STRINGS[..], more].concat()
}

/// The partials are those of the physics, and so are the losses: those of the damping law, and the board's.
#[test]
fn the_partials_are_those_of_the_course() {
    let settings = patch(&with(&[(SympatheticStrings, 2.0)])).settings;
    let board = Soundboard { pitch: (7.0_f64 / 12.0).exp2(), mass: 30.0, aspect: settings.get(Aspect), damping: 0.03 };
    let course =
        StringCourse { strings: 3, detune: 3e-3, sympathetic: &[0.75, 1.0, 0.5], bridge: settings.get(BridgeStiffness), board };
    let known = ModalShape::string_course(&course, 96);
    let prepared = PreparedBody::prepare(BodySpec::of(&settings), &[], &[]);
    let pitch = BodyTuning::new(261.625_565_3, KeyScaling::default(), |param| settings.get(param));
    let mut modes = vec![urto_physics::modal::Mode::RIGID; 96];
    prepared.modes(96, &pitch, RATE, &mut modes);
    assert_eq!((known.len(), prepared.partials()), (96, 96));
    for (i, mode) in modes.iter().enumerate().take(40) {
        let hertz = pitch.lowest * known.ratio(i);
        assert!((prepared.partial(i, &pitch) / hertz - 1.0).abs() < 1e-9, "{i}");
        let expected = pitch.losses.sigma(hertz) + TAU * hertz * known.radiation(i);
        assert!((mode.sigma / expected - 1.0).abs() < 1e-9, "{i}");
    }
}

/// The parameters of the course do not change any other body.
#[test]
fn other_bodies_have_no_bridge() {
    let struck = |params: &[(ParamId, f64)]| {
        let mut engine = engine(RATE, params);
        engine.event(&on(60, 100));
        play(&mut engine, 9_600)
    };
    let params =
        [(CourseStrings, 1.0), (SympatheticStrings, 3.0), (BridgeStiffness, 10.0), (BoardMass, 7.0), (BoardDamping, 0.1)];
    for kind in [BodyKind::String, BodyKind::Bar, BodyKind::Plate] {
        let plain = [(Body, kind as usize as f64), (PickupLeftHead, BOARD)];
        assert_eq!(struck(&[&plain[..], &params[..]].concat()), struck(&plain), "{kind:?}");
    }
}

/// Level [dB] of the output on the left from `from` to `to` [s].
fn level(params: &[(ParamId, f64)], velocity: u8, [from, to]: [f64; 2]) -> f64 {
    let mut engine = engine(RATE, params);
    engine.event(&on(60, velocity));
    let sound = play(&mut engine, (to * RATE) as usize);
    let part = &sound.left[(from * RATE) as usize..];
    10.0 * (part.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>() / part.len() as f64).log10()
}

/// The stroke is heard from the strings, from the board and from the bridge; the board is softer, as it is 30 times as heavy.
#[test]
fn strings_board_and_bridge_are_heard() {
    let early = [0.01, 0.3];
    let board = level(&STRINGS, 100, early);
    let string = level(&with(&[(PickupLeftHead, 0.0)]), 100, early);
    let bridge = level(&with(&[(Radiation, 4.0)]), 100, early);
    println!("string {string:.1} dB, board {board:.1} dB, bridge {bridge:.1} dB");
    assert!(string > board + 6.0 && board > string - 50.0 && bridge > board, "{string} {board} {bridge}");
    // a heavier board moves less
    let heavy = level(&with(&[(BoardMass, 3000.0)]), 100, early);
    assert!(heavy < board - 15.0, "{heavy} {board}");
}

/// Three strings have a prompt sound and an aftersound; one string decays at one rate.
#[test]
fn three_strings_decay_twice() {
    let slopes = |strings: f64| {
        // only partials of which the board takes part: a soft hammer in the middle
        let params = with(&[(CourseStrings, strings), (StrikePosition, 0.5), (Stiffness, 1.0), (Modes, 24.0)]);
        let at = |from: f64| level(&params, 80, [from, from + 0.5]);
        [(at(0.1) - at(0.6)) / 0.5, (at(5.0) - at(6.0)) / 1.0]
    };
    let ([prompt, after], [one, late]) = (slopes(3.0), slopes(1.0));
    println!("three strings {prompt:.1} then {after:.1} dB/s, one string {one:.1} then {late:.1} dB/s");
    assert!(prompt > 3.0 * after, "{prompt} {after}");
    assert!(one < 1.6 * late, "{one} {late}");
}

/// A neighbour an octave below answers to a short stroke: the sound has its partial, an octave below the key.
#[test]
fn an_undamped_octave_answers() {
    let low = |sympathetic: f64| {
        let mut engine = engine(RATE, &with(&[(SympatheticStrings, sympathetic)]));
        engine.event(&on(60, 100));
        let sound = play(&mut engine, 48_000);
        let omega = TAU * 130.81 / RATE;
        // the strongest of the frequencies that the bridge may draw it to
        (0..40)
            .map(|i| omega * (0.95 + 0.002 * f64::from(i)))
            .map(|omega| {
                let wave = |f: fn(f64) -> f64| {
                    let windowed = sound.left.iter().enumerate().map(|(i, x)| {
                        let window = 1.0 - (TAU * i as f64 / 48_000.0).cos();
                        window * f64::from(*x) * f(omega * i as f64)
                    });
                    windowed.sum::<f64>()
                };
                wave(f64::sin).hypot(wave(f64::cos))
            })
            .fold(0.0, f64::max)
    };
    let more = 20.0 * (low(1.0) / low(0.0)).log10();
    println!("{more:.1} dB more an octave below");
    assert!(more > 10.0, "{more}");
}

/// The release damps all modes: the neighbours with the struck strings.
#[test]
fn the_release_damps_the_whole_course() {
    let mut engine = engine(RATE, &with(&[(SympatheticStrings, 1.0), (Release, 1.0), (ReleaseTime, 0.2)]));
    engine.event(&on(60, 100));
    let before = play(&mut engine, 9_600).energy();
    engine.event(&off(60));
    play(&mut engine, 9_600);
    let after = play(&mut engine, 9_600).energy();
    assert!(10.0 * (after / before).log10() < -40.0, "{before:e} {after:e}");
}

/// Strokes with automation of everything that acts at once add no energy.
#[test]
fn strokes_add_no_energy() {
    let mut engine = engine(RATE, &with(&[(SympatheticStrings, 4.0)]));
    let mut chance = Chance::new(5);
    engine.enable_energy_balance();
    for frame in 0..2_400 {
        if frame % 300 == 0 {
            engine.event(&on(60, 110));
        }
        if frame % 16 == 5 {
            for param in [PickupLeft, PickupLeftHead, StrikePosition, StrikeAcross, BodyMass, Tune, Decay, Stiffness, HammerMass]
            {
                let part = if param == BodyMass { 0.2 } else { chance.part() };
                engine.event(&set(param, param.spec().from_normalized(part)));
            }
        }
        play(&mut engine, 1);
    }
    let worst = engine.energy_balance_report();
    println!("{worst:?}");
    assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{worst:?}");
}

#[test]
fn blocks_of_any_length_give_the_same_bits() {
    let score = [
        (0, on(60, 100)),
        (3_000, set(PickupLeft, 0.3)),
        (4_001, on(67, 90)),
        (6_000, set(StrikeAcross, 0.0)),
        (7_000, on(60, 120)),
        (8_005, set(Tune, 1.0)),
    ];
    assert_same_in_blocks(&with(&[(SympatheticStrings, 2.0)]), &score, 12_000, &[&[1], &[16], &[37], &[480], &[64, 1, 4_096]]);
    assert_reset_restores(&with(&[(SympatheticStrings, 2.0)]), &score, 12_000);
}

#[test]
fn a_course_neither_allocates_nor_frees() {
    let mut engine = engine(RATE, &with(&[(SympatheticStrings, 4.0), (Modes, 256.0)]));
    let (mut left, mut right) = ([0.0; 441], [0.0; 441]);
    let mut chance = Chance::new(3);
    let calls = calls_in(|| {
        for block in 0..100 {
            if block % 5 == 0 {
                engine.event(&on(50 + (block / 5) as u8, 1 + chance.below(127) as u8));
            }
            for param in [PickupLeft, PickupLeftHead, Radiation, StrikePosition, StrikeAcross, Tune, BodyMass] {
                if chance.below(4) == 0 {
                    engine.event(&set(param, chance.value(param.spec())));
                }
            }
            engine.render(&mut left, &mut right, [&[], &[]]);
        }
        engine.reset();
    });
    assert_eq!(calls, 0);
}

/// What the course is made of needs another body.
#[test]
fn parameters_of_the_course_request_a_new_body() {
    let wanted = |params: &[(ParamId, f64)]| BodySpec::of(&patch(params).settings);
    let plain = wanted(&STRINGS);
    for param in [CourseStrings, SympatheticStrings, BridgeStiffness, BoardMass, BoardDamping, Split, ResonantTune, Aspect] {
        let end = if param == CourseStrings { param.spec().min } else { param.spec().max };
        assert!(!wanted(&with(&[(param, end)])).is_satisfied_by(&plain), "{param:?}");
    }
    assert!(wanted(&with(&[(StrikePosition, 0.3), (PickupLeft, 0.1)])).is_satisfied_by(&plain));
}
