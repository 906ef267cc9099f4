//! Polyphonic, mono and legato voices, choke groups and voice stealing.

use crate::support::spectrum::Spectrum;
use crate::support::test_engine::*;
use urto_engine::params::ParamId;
use urto_engine::params::ParamId::*;
use urto_engine::patch::ChokeGroups;
use urto_engine::{Engine, EngineConfig, Event, NoteId};

/// One slow mode, softly struck.
const SLOW: [(ParamId, f64); 6] = [(Body, 0.0), (Modes, 1.0), (Decay, 200.0), (Loss, 0.0), (Viscosity, 0.0), (Stiffness, 1.0)];

fn with(params: &[(ParamId, f64)]) -> Vec<(ParamId, f64)> {
    SLOW.iter().chain(params).copied().collect()
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
fn in_mono_mode_only_the_last_key_sounds() {
    let mut engine = engine(RATE, &with(&[(Playing, 1.0)]));
    for key in [60, 64, 67] {
        engine.event(&on(key, 100));
        play(&mut engine, 4_800);
        assert_eq!(engine.active_voices(), 1);
    }
    assert_eq!(ended(&mut engine), [60, 64]);
    assert_eq!(pitch(&mut engine), 392.0);
}

#[test]
fn legato_glides_to_the_next_key_and_back() {
    let mut engine = engine(RATE, &with(&[(Playing, 2.0), (Glide, 0.1)]));
    engine.event(&on(60, 100));
    play(&mut engine, 9_600);
    let before = play(&mut engine, 4_800).energy();
    engine.event(&on(72, 100));
    play(&mut engine, 6_000);
    let after = play(&mut engine, 4_800).energy();
    assert!((after / before - 1.0).abs() < 0.05, "it glides without a strike: {after} over {before}");
    assert_eq!((pitch(&mut engine), engine.active_voices()), (523.0, 1));
    engine.event(&off(72));
    play(&mut engine, 6_000);
    assert_eq!((pitch(&mut engine), ended(&mut engine)), (262.0, vec![]));
    engine.event(&off(60));
    engine.event(&on(67, 100));
    play(&mut engine, 4_800);
    assert_eq!(pitch(&mut engine), 392.0, "played apart, another body is struck");
}

#[test]
fn the_legato_level_scales_legato_strikes() {
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
    patch.choke_groups = ChokeGroups::new(&[vec![42, 44, 46]]).unwrap();
    let mut engine = Engine::new(EngineConfig::at(RATE), &patch);
    for key in [46, 60, 46, 42] {
        engine.event(&on(key, 100));
        play(&mut engine, 9_600);
    }
    assert_eq!((ended(&mut engine), engine.active_voices()), (vec![46, 46], 2));
}

/// A hand that chokes a body also takes the hammer away that a pressed key holds against it.
#[test]
fn a_choke_removes_a_pressed_hammer() {
    let mut patch = patch(&with(&[(PressureTarget, 9.0), (PressureAmount, 1.0)]));
    patch.choke_groups = ChokeGroups::new(&[vec![42, 44]]).unwrap();
    for choked in [on(44, 100), Event::Choke { note: note(42) }, Event::ChokeAll] {
        let mut engine = Engine::new(EngineConfig::at(RATE), &patch);
        engine.event(&on(42, 100));
        engine.event(&Event::Pressure { channel: 0, value: 1.0 });
        play(&mut engine, 9_600);
        engine.event(&choked);
        play(&mut engine, 24_000);
        assert_eq!(ended(&mut engine), [42], "after {choked:?}");
    }
}

#[test]
fn polyphony_follows_its_parameter() {
    let mut engine = engine(RATE, &with(&[(Voices, 3.0)]));
    for key in 60..70 {
        engine.event(&on(key, 100));
        play(&mut engine, 4_800);
    }
    assert_eq!((engine.active_voices(), ended(&mut engine).len()), (3, 7));
    engine.event(&set(Voices, 1.0));
    engine.event(&on(50, 100));
    play(&mut engine, 4_800);
    assert_eq!(engine.active_voices(), 1);
}

/// Keys that are struck by chance, softly or not, while loud ones ring: who is stolen is who has the least.
#[test]
fn stealing_in_dense_rolls_takes_the_lowest_energy() {
    let params = with(&[(Stiffness, 0.1), (HammerMass, 0.05), (Level, -20.0)]);
    let config = EngineConfig::at(RATE);
    let mut engine = Engine::new(config, &patch(&params));
    let mut chance = Chance::new(3);
    for key in 24..24 + config.voices as u8 / 2 {
        engine.event(&Event::NoteOn { note: note(key), velocity: 1.0 });
        play(&mut engine, 480);
    }
    let mut stolen = 0;
    for i in 0..800 {
        let key = 24 + config.voices as u8 / 2 + chance.below(60) as u8;
        let id = NoteId { voice: Some(i), channel: 1, key };
        engine.event(&Event::NoteOn { note: id, velocity: 0.02 + 0.2 * chance.part() });
        let frames = 200 + chance.below(800);
        play(&mut engine, frames);
        while let Some(note) = engine.next_ended() {
            assert_eq!(note.channel, 1, "a loud body was stolen: {note:?}");
            stolen += 1;
        }
    }
    assert!(stolen > 200, "{stolen}");
}

/// A roll over all keys, as low sines in which a step would stand alone, once with half of the places that it needs and once shared by two
/// instruments, which have them all.
#[test]
fn stealing_in_dense_rolls_does_not_click() {
    let params = with(&[(Stiffness, 0.01), (HammerMass, 0.05), (Tune, -24.0), (SpeedLow, 1.0), (SpeedHigh, 2.0), (Level, -30.0)]);
    let hear = |which: fn(u32) -> bool| {
        let mut engine = Engine::new(EngineConfig { voices: 64, ..EngineConfig::at(RATE) }, &patch(&params));
        let (mut sound, mut stolen) = (Vec::new(), 0);
        for i in 0..128 {
            if which(i) {
                engine.event(&on((i * 37 % 128) as u8, 100));
            }
            sound.extend(play(&mut engine, 331).left);
            stolen += ended(&mut engine).len();
        }
        (sound, stolen)
    };
    let (sound, stolen) = hear(|_| true);
    let ((even, none), (odd, neither)) = (hear(|i| i % 2 == 0), hear(|i| i % 2 == 1));
    assert_eq!((stolen, none, neither), (64, 0, 0));
    let whole: Vec<_> = even.iter().zip(&odd).map(|(a, b)| a + b).collect();
    let (rough, ordinary) = (roughness(&sound), roughness(&whole));
    let peak = f64::from(whole.iter().fold(0.0_f32, |most, x| most.max(x.abs())));
    println!("{stolen} stolen; second difference {rough:.3e}, {ordinary:.3e} without, peak {peak:.3}");
    assert!(rough < ordinary + 1e-4 * peak, "{:.1} dB below the peak", 20.0 * ((rough - ordinary) / peak).log10());
}

/// Largest second difference: a step of s shows as s, a smooth motion hardly.
fn roughness(sound: &[f32]) -> f64 {
    sound.windows(3).map(|x| (f64::from(x[2]) - 2.0 * f64::from(x[1]) + f64::from(x[0])).abs()).fold(0.0, f64::max)
}
