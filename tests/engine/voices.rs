//! How bodies follow each other: one or many, legato, choked, stolen.

use crate::playing::*;
use crate::ringing::Spectrum;
use urto::engine::choke::Chokes;
use urto::engine::knob::KnobId::{self, *};
use urto::engine::{Config, Engine, Event, NoteId};

/// One slow mode, softly struck.
const SLOW: [(KnobId, f64); 6] = [(Body, 0.0), (Modes, 1.0), (Decay, 200.0), (Loss, 0.0), (Viscosity, 0.0), (Stiffness, 1.0)];

fn with(knobs: &[(KnobId, f64)]) -> Vec<(KnobId, f64)> {
    SLOW.iter().chain(knobs).copied().collect()
}

fn ended(engine: &mut Engine) -> Vec<u8> {
    std::iter::from_fn(|| engine.next_ended()).map(|note| note.key).collect()
}

/// Frequency of the loudest line [Hz].
fn pitch(engine: &mut Engine) -> f64 {
    let spectrum = Spectrum::new(&play(engine, 48_000).left, RATE);
    let loud = |hertz: &u32| spectrum.loudest(f64::from(*hertz) - 0.5, f64::from(*hertz) + 0.5);
    f64::from((50..2_000).max_by(|a, b| loud(a).total_cmp(&loud(b))).unwrap())
}

#[test]
fn played_mono_the_last_key_sounds_alone() {
    let mut engine = engine(RATE, &with(&[(Playing, 1.0)]));
    for key in [60, 64, 67] {
        engine.event(&on(key, 100));
        play(&mut engine, 4_800);
        assert_eq!(engine.sounding(), 1);
    }
    assert_eq!(ended(&mut engine), [60, 64]);
    assert_eq!(pitch(&mut engine), 392.0);
}

#[test]
fn played_legato_a_body_glides_to_the_next_key_and_back() {
    let mut engine = engine(RATE, &with(&[(Playing, 2.0), (Glide, 0.1)]));
    engine.event(&on(60, 100));
    play(&mut engine, 9_600);
    let before = play(&mut engine, 4_800).energy();
    engine.event(&on(72, 100));
    play(&mut engine, 6_000);
    let after = play(&mut engine, 4_800).energy();
    assert!((after / before - 1.0).abs() < 0.05, "it glides without a strike: {after} over {before}");
    assert_eq!((pitch(&mut engine), engine.sounding()), (523.0, 1));
    engine.event(&off(72));
    play(&mut engine, 6_000);
    assert_eq!((pitch(&mut engine), ended(&mut engine)), (262.0, vec![]));
    engine.event(&off(60));
    engine.event(&on(67, 100));
    play(&mut engine, 4_800);
    assert_eq!(pitch(&mut engine), 392.0, "played apart, another body is struck");
}

#[test]
fn a_legato_strike_is_as_hard_as_it_is_set() {
    let energy = |legato: f64| {
        let mut engine = engine(RATE, &with(&[(Playing, 2.0), (Legato, legato), (SpeedLow, 0.5), (SpeedHigh, 0.5)]));
        engine.event(&on(48, 1));
        play(&mut engine, 24_000);
        engine.event(&Event::ChokeAll);
        engine.event(&on(48, 1));
        play(&mut engine, 24_000);
        engine.event(&on(60, 100));
        play(&mut engine, 24_000).energy()
    };
    assert!(energy(0.5) != energy(0.0) && energy(1.0) != energy(0.5));
}

#[test]
fn keys_of_a_choke_group_choke_each_other() {
    let mut patch = patch(&with(&[(Decay, 100.0)]));
    patch.chokes = Chokes::new(&[vec![42, 44, 46]]).unwrap();
    let mut engine = Engine::new(Config::at(RATE), &patch);
    for key in [46, 60, 46, 42] {
        engine.event(&on(key, 100));
        play(&mut engine, 9_600);
    }
    assert_eq!((ended(&mut engine), engine.sounding()), (vec![46, 46], 2));
}

#[test]
fn polyphony_is_as_large_as_it_is_set() {
    let mut engine = engine(RATE, &with(&[(Voices, 3.0)]));
    for key in 60..70 {
        engine.event(&on(key, 100));
        play(&mut engine, 4_800);
    }
    assert_eq!((engine.sounding(), ended(&mut engine).len()), (3, 7));
    engine.event(&set(Voices, 1.0));
    engine.event(&on(50, 100));
    play(&mut engine, 4_800);
    assert_eq!(engine.sounding(), 1);
}

/// Largest second difference: a step of s shows as s, a smooth motion hardly.
fn roughness(sound: &[f32]) -> f64 {
    sound.windows(3).map(|x| (f64::from(x[2]) - 2.0 * f64::from(x[1]) + f64::from(x[0])).abs()).fold(0.0, f64::max)
}

/// A roll over more keys than there are places, for ten seconds: no steal steps, and the quietest goes.
#[test]
fn stealing_in_dense_rolls_neither_clicks_nor_takes_the_loud() {
    let config = Config::at(RATE);
    let all = config.objects;
    let knobs = with(&[(Stiffness, 0.1), (HammerMass, 0.05), (BodyMass, 0.4), (Level, -20.0)]);
    let mut engine = Engine::new(config, &patch(&knobs));
    let mut chance = Chance::new(3);
    let (mut rough, mut peak, mut stolen) = (0.0_f64, 0.0_f64, 0);
    let mut last = vec![0.0; 2];
    // loud low keys that are struck once have to outlive the soft ones that come and go
    for key in 24..24 + all as u8 / 2 {
        engine.event(&Event::NoteOn { note: note(key), velocity: 1.0 });
        last.extend(play(&mut engine, 480).left);
    }
    let begin = last.len();
    for i in 0..800 {
        let id = NoteId { voice: Some(i), channel: 1, key: 60 + chance.below(60) as u8 };
        engine.event(&Event::NoteOn { note: id, velocity: 0.02 + 0.2 * chance.part() });
        let frames = 200 + chance.below(800);
        let sound = play(&mut engine, frames);
        peak = peak.max(sound.peak());
        last.extend(&sound.left);
        while let Some(note) = engine.next_ended() {
            assert_eq!(note.channel, 1, "a loud body was stolen: {note:?}");
            stolen += 1;
        }
    }
    rough = rough.max(roughness(&last[begin..]));
    println!("{stolen} stolen, roughness {:.1} dB below the peak", 20.0 * (rough / peak).log10());
    assert!(stolen > 200, "{stolen}");
    // the same keys where all have room
    let ordinary = {
        let mut engine = Engine::new(Config { objects: 256, ..config }, &patch(&knobs));
        engine.event(&set(Voices, 64.0));
        let mut chance = Chance::new(3);
        let mut sound = Vec::new();
        for i in 0..40 {
            let id = NoteId { voice: Some(i), channel: 1, key: 60 + chance.below(60) as u8 };
            engine.event(&Event::NoteOn { note: id, velocity: 0.22 });
            sound.extend(play(&mut engine, 700).left);
        }
        roughness(&sound)
    };
    assert!(rough < ordinary + 1e-4 * peak, "roughness {rough:e}, ordinary {ordinary:e}, peak {peak:e}");
}
