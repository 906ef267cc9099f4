//! Voice allocation, voice stealing and sleep.

use crate::support::test_engine::*;
use urto_engine::params::BodyKind;
use urto_engine::params::ParamId::*;
use urto_engine::{BodySpec, Engine, EngineConfig, Event, NoteId, PreparedBody};

fn ended(engine: &mut Engine) -> Vec<NoteId> {
    std::iter::from_fn(|| engine.next_ended()).collect()
}

/// Time until `engine` sleeps [s], at most `most`.
fn time_to_sleep(engine: &mut Engine, most: f64) -> f64 {
    let mut time = 0.0;
    while !engine.is_asleep() && time < most {
        play(engine, 480);
        time += 480.0 / RATE;
    }
    time
}

#[test]
fn sleep_follows_inaudibility_and_is_exactly_silent() {
    let mut engine = engine(RATE, &[(Decay, 0.5)]);
    assert!(engine.is_asleep());
    assert_eq!(play(&mut engine, 1000).peak(), 0.0);
    engine.event(&on(60, 127));
    assert_eq!(engine.active_voices(), 1);
    let mut last = Sound::default();
    let mut time = 0.0;
    while engine.active_voices() > 0 {
        last = play(&mut engine, 16);
        time += 16.0 / RATE;
    }
    // from about -9 dB to -120 dB at 60 dB in less than half a second
    assert!(time > 0.5 && time < 1.2, "{time}");
    assert!(last.peak() < 1.1e-6, "{:e}", last.peak());
    assert!(time_to_sleep(&mut engine, 2.0) < 1.5);
    assert_eq!(play(&mut engine, 1000).peak(), 0.0);
    assert_eq!(ended(&mut engine), [note(60)]);
}

/// A heavy body moves slowly and stores much: it must not be cut off early, nor a light one be kept for ever.
#[test]
fn sleep_depends_on_level_and_not_on_mass() {
    for (mass, key) in [(1000.0, 24), (0.4, 60), (1e-3, 96)] {
        let mut engine = engine(RATE, &[(BodyMass, mass), (Decay, 1.0), (Loss, 0.0), (Viscosity, 0.0)]);
        engine.event(&on(key, 127));
        let peak = play(&mut engine, 4_800).peak();
        let mut levels = [peak; 2];
        while engine.active_voices() > 0 {
            levels = [levels[1], play(&mut engine, 256).peak()];
        }
        let level = levels[0].max(levels[1]);
        assert!(level < 1.2e-5, "{mass} kg ends at {level:e}");
    }
}

/// Damped within 0.4 s to -60 dB: 0.1 s take 15 dB. A key that rings does not notice its release.
#[test]
fn a_released_key_rings_or_is_damped() {
    for (release, fall) in [(0.0, 0.6), (1.0, 15.6)] {
        let mut engine = engine(RATE, &[(Release, release), (ReleaseTime, 0.4), (Decay, 10.0), (Loss, 0.0), (Viscosity, 0.0)]);
        engine.event(&on(60, 100));
        play(&mut engine, 48_000);
        engine.event(&off(60));
        let (early, late) = (play(&mut engine, 4_800).energy(), play(&mut engine, 4_800).energy());
        let db = 10.0 * (early / late).log10();
        assert!((db - fall).abs() < 0.3, "{db} dB");
        // struck again, the damper is off
        engine.event(&on(60, 100));
        play(&mut engine, 2_400);
        let (early, late) = (play(&mut engine, 4_800).energy(), play(&mut engine, 4_800).energy());
        assert!(10.0 * (early / late).log10() < 1.5);
    }
}

/// Two notes hold one key's body: it is damped when both are released.
#[test]
fn a_body_is_damped_when_its_last_note_is_released() {
    let mut engine = engine(RATE, &[(Release, 1.0), (ReleaseTime, 0.1), (Decay, 100.0)]);
    let voice = |voice| NoteId { voice: Some(voice), channel: 0, key: 60 };
    for i in 0..2 {
        engine.event(&Event::NoteOn { note: voice(i), velocity: 0.8 });
    }
    play(&mut engine, 9_600);
    engine.event(&Event::NoteOff { note: voice(1), velocity: 0.5 });
    play(&mut engine, 24_000);
    assert_eq!(engine.active_voices(), 1);
    engine.event(&Event::NoteOff { note: voice(0), velocity: 0.5 });
    play(&mut engine, 24_000);
    assert_eq!((engine.active_voices(), ended(&mut engine)), (0, vec![voice(0), voice(1)]));
}

#[test]
fn a_choke_ends_a_voice_immediately() {
    let mut engine = engine(RATE, &[(Decay, 100.0)]);
    engine.event(&on(60, 127));
    engine.event(&on(64, 127));
    play(&mut engine, 9_600);
    engine.event(&Event::Choke { note: note(60) });
    play(&mut engine, 4_800);
    assert_eq!((ended(&mut engine), engine.active_voices()), (vec![note(60)], 1));
    engine.event(&Event::ChokeAll);
    play(&mut engine, 4_800);
    assert_eq!((ended(&mut engine), engine.active_voices()), (vec![note(64)], 0));
}

#[test]
fn every_note_ends_once() {
    let mut chance = Chance::new(21);
    let mut engine = engine(RATE, &[(Decay, 0.2)]);
    let (mut begun, mut over) = (Vec::new(), Vec::new());
    for voice in 0..500 {
        let note = NoteId { voice: Some(voice), channel: 0, key: chance.below(128) as u8 };
        engine.event(&Event::NoteOn { note, velocity: 0.1 + 0.9 * chance.part() });
        begun.push(note);
        let frames = chance.below(600);
        play(&mut engine, frames);
        over.extend(ended(&mut engine));
    }
    time_to_sleep(&mut engine, 5.0);
    over.extend(ended(&mut engine));
    let voices = |notes: &mut Vec<NoteId>| {
        notes.sort_by_key(|note| note.voice);
        notes.clone()
    };
    assert_eq!(voices(&mut begun), voices(&mut over));
}

/// One body too many takes the place of the quietest, which fades instead of breaking off.
#[test]
fn a_stolen_voice_does_not_click() {
    let quiet_knobs = [(Modes, 1.0), (Stiffness, 0.3), (Decay, 100.0), (Loss, 0.0), (Viscosity, 0.0)];
    let config = EngineConfig { voices: 1, ..EngineConfig::at(RATE) };
    for strikes in [1, 12] {
        let mut engine = Engine::new(config, &patch(&quiet_knobs));
        engine.event(&on(57, 127));
        let before = play(&mut engine, 24_000);
        let largest_step = |s: &[f32]| s.windows(2).fold(0.0_f32, |step, x| step.max((x[1] - x[0]).abs()));
        let ordinary = largest_step(&before.left[12_000..]);
        // soft strokes on high keys: of themselves next to nothing
        for i in 0..strikes {
            engine.event(&on(58 + i, 1));
        }
        assert!(engine.active_voices() <= 5, "{}", engine.active_voices());
        let after = play(&mut engine, 4_800);
        let step = largest_step(&after.left).max((after.left[0] - before.left[23_999]).abs());
        println!("{ordinary} {step}");
        assert!(step < 1.5 * ordinary, "{strikes} strikes: a step of {step}, ordinary is {ordinary}");
        let first = ended(&mut engine)[0];
        assert_eq!(first, note(57));
    }
}

/// More bodies stolen at once than can fade: the one that is cut off leaves a ramp, not a step.
#[test]
fn voices_stolen_beyond_the_fade_limit_do_not_click() {
    let slow = [(Modes, 1.0), (Decay, 100.0), (Loss, 0.0), (Viscosity, 0.0), (Level, -20.0)];
    let mut engine = Engine::new(EngineConfig { voices: 1, ..EngineConfig::at(RATE) }, &patch(&slow));
    let mut sound = Vec::new();
    for key in 24..29 {
        engine.event(&on(key, 127));
        sound.extend(play(&mut engine, 48).left);
    }
    assert_eq!(engine.active_voices(), 5, "one plays, four fade");
    engine.event(&on(29, 1));
    assert_eq!(engine.active_voices(), 5, "one had to go");
    sound.extend(play(&mut engine, 48).left);
    let steps: Vec<_> = sound.windows(2).map(|x| (x[1] - x[0]).abs()).collect();
    let ordinary = steps[216..239].iter().fold(0.0_f32, |most, step| most.max(*step));
    println!("{ordinary} {}", steps[239]);
    assert!(steps[239] < 2.0 * ordinary, "a step of {}, ordinary is {ordinary}", steps[239]);
}

/// The 65th key takes the place of the body with the least energy, which is gone a moment later.
#[test]
fn lowest_energy_voice_is_stolen_with_a_fade() {
    let mut engine = engine(RATE, &[(Decay, 100.0), (Loss, 0.0), (Viscosity, 0.0)]);
    for key in 20..84 {
        engine.event(&on(key, if key == 51 { 5 } else { 100 }));
        play(&mut engine, 480);
    }
    engine.event(&on(90, 100));
    assert_eq!((ended(&mut engine), engine.active_voices()), (vec![note(51)], 65));
    play(&mut engine, 4_800);
    assert_eq!(engine.active_voices(), 64);
}

#[test]
fn sixty_four_voices_sound_together() {
    let mut engine = engine(RATE, &[]);
    for key in 30..94 {
        engine.event(&on(key, 100));
    }
    play(&mut engine, 480);
    assert_eq!(engine.active_voices(), 64);
    assert!(ended(&mut engine).is_empty());
}

/// Another kind of body: the old one rings out as it would have, the next stroke meets the new one.
#[test]
fn a_replaced_body_rings_out() {
    let start = [(0, on(60, 100))];
    let undisturbed = perform(&mut engine(RATE, &[]), &start, 24_000, &[480], &[]);
    let mut engine = engine(RATE, &[]);
    let first = perform(&mut engine, &start, 9_605, &[480], &[]);
    engine.event(&set(Body, 0.0));
    let wanted = engine.requested_body().unwrap();
    assert_eq!(wanted, BodySpec::new(BodyKind::String, 32));
    assert!(engine.queue_body(PreparedBody::prepare(wanted, &[], &[])).is_ok_and(|back| back.is_none()));
    assert!(engine.requested_body().is_none());
    let rest = play(&mut engine, 24_000 - 9_605);
    assert_eq!([first.left, rest.left].concat(), undisturbed.left);
    assert!(engine.take_retired_body().is_none(), "the old body is in use");
    engine.event(&on(60, 100));
    assert_eq!(engine.active_voices(), 2);
    engine.event(&Event::ChokeAll);
    time_to_sleep(&mut engine, 2.0);
    let spent = engine.take_retired_body().expect("nothing sounds with it any more");
    assert_eq!(spent.request().kind, BodyKind::Bar);
    assert!(engine.take_retired_body().is_none());
}

/// With more bodies than places none is lost: the oldest is returned.
#[test]
fn dozens_of_replaced_bodies_are_returned() {
    let mut engine = engine(RATE, &[(Decay, 100.0)]);
    let mut back = 0;
    for modes in 1..=24 {
        engine.event(&on(40 + modes as u8, 100));
        let mut body = Some(PreparedBody::prepare(BodySpec::new(BodyKind::String, modes), &[], &[]));
        let mut tries = 0;
        while let Some(given) = body.take() {
            tries += 1;
            assert!(tries < 100, "no place becomes free");
            match engine.queue_body(given) {
                Ok(spent) => back += usize::from(spent.is_some()),
                Err(refused) => body = Some(refused),
            }
            play(&mut engine, 1_600);
        }
    }
    engine.event(&Event::ChokeAll);
    time_to_sleep(&mut engine, 3.0);
    back += std::iter::from_fn(|| engine.take_retired_body()).count();
    assert_eq!(back, 24, "24 were given, one of 25 stays");
}

/// Up to 16 hammers stay on one body, here all in contact; a stroke beyond them is felt all the same.
#[test]
fn repeated_notes_on_one_key_strike_the_same_body() {
    const APART: usize = 15;
    let params = [(HammerMass, 0.3), (Stiffness, 1.0), (BodyMass, 100.0)];
    let mut engine = engine(RATE, &params);
    engine.enable_energy_balance();
    for strokes in 0..24 {
        // the same without this stroke
        let mut without = self::engine(RATE, &params);
        for _ in 0..strokes {
            without.event(&on(60, 100));
            play(&mut without, APART);
        }
        engine.event(&on(60, 100));
        let (struck, unstruck) = (play(&mut engine, APART), play(&mut without, APART));
        let apart = struck.left.iter().zip(&unstruck.left).fold(0.0_f32, |most, (a, b)| most.max((a - b).abs()));
        assert!(apart > 1e-6, "stroke {strokes} is not felt: {apart}");
        assert_eq!(engine.active_voices(), 1);
    }
    let worst = engine.energy_balance_report();
    assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{worst:?}");
}
