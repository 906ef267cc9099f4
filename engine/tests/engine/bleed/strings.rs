//! Sympathetic strings: bodies of one sound that no damper touches answer to other keys.

use crate::bleed::{assert_same, difference, level, preset, strikes, with_bleed};
use crate::support::spectrum::kaiser;
use crate::support::test_engine::*;
use std::f64::consts::TAU;
use urto_engine::Event;
use urto_engine::params::ParamId::*;
use urto_engine::patch::Patch;

/// Strings with dampers.
fn strings() -> Patch {
    patch(&[(Body, 0.0), (Modes, 24.0), (Decay, 6.0), (Release, 1.0), (ReleaseTime, 0.1)])
}

/// Sound of `struck` over two seconds while `held` is down, which was struck softly long before.
fn over_held(patch: &Patch, bleed: f64, [held, struck]: [u8; 2]) -> Sound {
    let mut engine = with_bleed(patch, bleed);
    engine.event(&set(Release, 1.0));
    engine.event(&on(held, 1));
    play(&mut engine, 9_600);
    engine.event(&on(struck, 110));
    play(&mut engine, 96_000)
}

/// Of two strings a fifth apart the lower one's third partial is the upper one's second: there the held string answers to the struck one 30 to
/// 50 dB below it, whichever is held. Keys are in equal temperament, 2 cents off.
#[test]
fn a_held_string_answers_a_fifth_away() {
    let mut off_range = false;
    let window = kaiser(12_000, 8.0);
    for name in ["Piano C4 Wire", "Cimbalom Cotton", "Santur Bare Wood"] {
        for (keys, partial) in [([57, 64], 659.26), ([64, 57], 660.0)] {
            let patch = preset(name);
            let (dry, wet) = (over_held(&patch, 0.0, keys), over_held(&patch, 1.0, keys));
            let answer = difference(&wet, &dry);
            // energy within some 10 Hz, over the two seconds
            let size = |sound: &Sound| {
                let turned = |i: usize| (TAU * partial * i as f64 / RATE).sin_cos();
                let at = |start: usize| {
                    let weighted = sound.left[start..].iter().zip(&window).map(|(x, weight)| f64::from(*x) * weight).enumerate();
                    let (sin, cos) = weighted.fold((0.0, 0.0), |(s, c), (i, x)| (s + x * turned(i).0, c + x * turned(i).1));
                    sin * sin + cos * cos
                };
                (0..96_000 - window.len()).step_by(window.len() / 2).map(at).sum::<f64>()
            };
            let shared = 10.0 * (size(&answer) / size(&dry)).log10();
            println!("{name}, {keys:?}: {shared:.1} dB on the shared partial, {:.1} dB of all", level(&answer, &dry));
            off_range |= !(-50.0..-30.0).contains(&shared);
        }
    }
    assert!(!off_range);
}

/// A string whose damper is down does not answer; the sustain pedal lifts it.
#[test]
fn dampers_end_the_answers() {
    let answer = |held: bool, pedal: bool| {
        let [dry, wet] = [0.0, 1.0].map(|bleed| {
            let mut engine = with_bleed(&strings(), bleed);
            engine.event(&Event::Controller { channel: 0, number: 64, value: f64::from(u8::from(pedal)) });
            engine.event(&on(57, 100));
            if !held {
                engine.event(&off(57));
            }
            play(&mut engine, 96_000);
            engine.event(&on(69, 100));
            play(&mut engine, 24_000)
        });
        level(&difference(&wet, &dry), &dry)
    };
    let (held, damped, sustained) = (answer(true, false), answer(false, false), answer(false, true));
    println!("held {held:.1} dB, damped {damped:.1} dB, with pedal {sustained:.1} dB");
    assert!((-55.0..-25.0).contains(&held) && (sustained - held).abs() < 0.5);
    assert!(damped < -200.0, "{damped}");
    // a damper that falls on a string while it answers
    let late = |released: bool| {
        let [dry, wet] = [0.0, 1.0].map(|bleed| {
            let mut engine = with_bleed(&strings(), bleed);
            engine.event(&on(57, 60));
            play(&mut engine, 9_600);
            engine.event(&on(69, 110));
            play(&mut engine, 24_000);
            engine.event(&off(69));
            if released {
                engine.event(&off(57));
            }
            play(&mut engine, 9_600);
            play(&mut engine, 9_600)
        });
        difference(&wet, &dry).energy()
    };
    let fall = 10.0 * (late(true) / late(false)).log10();
    println!("a damper takes {fall:.1} dB in 0.2 s");
    assert!(fall < -40.0, "{fall}");
}

/// A string that has died away answers as long as its key is down, and sleeps after it is up.
#[test]
fn a_silent_string_waits_while_its_key_is_down() {
    let mut patch = strings();
    patch.settings.set(Decay, 0.3);
    let after = |bleed| {
        let mut engine = with_bleed(&patch, bleed);
        engine.event(&on(57, 60));
        play(&mut engine, 96_000);
        let waiting = engine.active_voices();
        engine.event(&on(69, 110));
        let sound = play(&mut engine, 24_000);
        [57, 69].iter().for_each(|&key| engine.event(&off(key)));
        play(&mut engine, 96_000);
        assert!(engine.is_asleep(), "bleed {bleed}");
        (waiting, sound)
    };
    let ((none, dry), (one, wet)) = (after(0.0), after(1.0));
    assert_eq!((none, one), (0, 1));
    let answer = level(&difference(&wet, &dry), &dry);
    println!("{answer:.1} dB");
    assert!((-60.0..-25.0).contains(&answer), "{answer}");
    // without an amount it has ended, and another sounds as if it had never been there
    let mut engine = with_bleed(&patch, 0.0);
    play(&mut engine, 96_000);
    engine.event(&on(69, 110));
    assert_same(&play(&mut engine, 24_000), &dry);
}

/// Held strings that are stolen fade and sleep.
#[test]
fn stolen_strings_end() {
    let mut patch = strings();
    patch.settings.set(Voices, 4.0);
    let mut engine = with_bleed(&patch, 1.0);
    for key in 40..60 {
        engine.event(&on(key, 100));
        play(&mut engine, 2_400);
    }
    play(&mut engine, 24_000);
    assert_eq!(engine.active_voices(), 4, "the others have been stolen");
    (40..60).for_each(|key| engine.event(&off(key)));
    play(&mut engine, 96_000);
    assert!(engine.is_asleep());
}

/// A body does not answer to itself: alone it sounds the same to the bit, and so do all without an amount.
#[test]
fn one_key_alone_sounds_the_same() {
    let play = |bleed, keys: &[u8]| {
        let mut engine = with_bleed(&strings(), bleed);
        let score: Vec<_> = keys.iter().enumerate().map(|(i, &key)| (i * 5_003, on(key, 100))).collect();
        perform(&mut engine, &score, 30_000, &[480], &[])
    };
    assert_same(&play(1.0, &[60, 60, 60]), &play(0.0, &[60, 60, 60]));
    let mut turned_off = with_bleed(&strings(), 1.0);
    turned_off.event(&set(Bleed, 0.0));
    let score = [(0, on(60, 100)), (5_003, on(67, 100))];
    assert_same(&perform(&mut turned_off, &score, 30_000, &[480], &[]), &play(0.0, &[60, 67]));
    assert!(play(1.0, &[60, 67]) != play(0.0, &[60, 67]));
}

/// Strikes, releases, the pedal, bends and knobs at odd frames, more voices than may answer, in blocks of any size and after a reset.
#[test]
fn blocks_and_resets_do_not_change_the_answers() {
    let params = [(Body, 0.0), (Modes, 12.0), (Release, 1.0), (ReleaseTime, 0.2), (Bleed, 1.5), (Level, -20.0)];
    let mut chance = Chance::new(8);
    let mut score: Vec<_> = (0..80).map(|i| (i * 293, on(40 + chance.below(40) as u8, 30 + chance.below(90) as u8))).collect();
    score.extend((0..40).map(|i| (i * 541 + 7, off(40 + chance.below(40) as u8))));
    score.extend((0..20).map(|i| {
        let param = [Tune, Decay, PickupLeft, BodyMass, Bleed, Modes][i % 6];
        (i * 1_103 + 5, set(param, chance.value(param.spec())))
    }));
    let pedal = |value| Event::Controller { channel: 0, number: 64, value };
    score.extend([(2_001, pedal(1.0)), (15_003, pedal(0.0)), (18_001, Event::ChokeAll)]);
    score.extend([(6_007, Event::Bend { channel: 0, value: 0.6 }), (12_007, Event::Bend { channel: 0, value: 0.0 })]);
    score.sort_by_key(|(frame, _)| *frame);
    assert_same_in_blocks(&params, &score, 24_000, &[&[1], &[37], &[64, 1, 480]]);
    assert_reset_restores(&params, &score, 24_000);
}

/// Every hit is the same to the bit, so is the energy of all bodies, and the energy balance closes.
#[test]
fn contacts_are_independent_of_the_answers() {
    let strikes = |bleed| strikes(&mut with_bleed(&strings(), bleed), &[57, 64, 57, 60]);
    assert_eq!(strikes(2.0), strikes(0.0));
}
