//! Repeated strikes: a body builds up, stays bounded, and never has more energy than its hammers supplied.

use crate::support::test_engine::*;
use urto_engine::params::BodyKind;
use urto_engine::params::ParamId::{Body as BodyKnob, *};
use urto_engine::patch::factory_presets;
use urto_engine::{Engine, EngineConfig, Event};

/// Peaks of every second of a roll of so many strokes a second on one key.
fn roll(engine: &mut Engine, key: u8, rate: f64, seconds: usize) -> Vec<f64> {
    let apart = (RATE / rate) as usize;
    let mut second = |_| {
        let strokes = (0..rate as usize).map(|_| {
            engine.event(&on(key, 90));
            let peak = play(engine, apart).peak();
            engine.event(&off(key));
            peak
        });
        strokes.fold(0.0, f64::max)
    };
    (0..seconds).map(&mut second).collect()
}

#[test]
fn a_roll_on_a_gong_builds_up_and_stays_bounded() {
    let mut patch = factory_presets::built_in().find(|patch| patch.name.contains("Gong")).expect("there is a gong");
    let level = patch.settings.get(Level);
    patch.settings.set(Level, level - 24.0);
    // strokes that come exactly on time meet the body in the same phase each time, and nothing builds up
    patch.settings.set(HumanTime, 0.02);
    let mut engine = Engine::new(EngineConfig::at(RATE), &patch);
    engine.enable_energy_balance();
    let single = {
        let mut once = Engine::new(EngineConfig::at(RATE), &patch);
        once.event(&on(48, 90));
        play(&mut once, 48_000).peak()
    };
    let peaks = roll(&mut engine, 48, 20.0, 16);
    println!("once {single:.4}, rolled {peaks:.4?}");
    assert!(peaks[3] > 1.5 * single, "it builds up: {peaks:?} over {single}");
    let (before, after) = (&peaks[8..12], &peaks[12..]);
    let most = |peaks: &[f64]| peaks.iter().copied().fold(0.0, f64::max);
    assert!(most(after) < 1.15 * most(before), "it stays bounded: {peaks:?}");
    // twenty strokes a second into a body that loses 60 dB in seconds: at most their sum, which no roll of free strokes exceeds
    assert!(most(&peaks) < 20.0 * single, "{peaks:?} over {single}");
    assert_eq!(engine.active_voices(), 1);
    let ended = std::iter::from_fn(|| engine.next_ended()).count();
    assert!(ended >= 318, "of 320 notes {ended} have ended: what is struck again belongs to the last");
    let worst = engine.energy_balance_report();
    assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{worst:?}");
}

/// No two strokes of a roll are the same, without any chance: the body is elsewhere each time.
#[test]
fn a_strike_on_a_ringing_body_differs() {
    let mut engine = engine(RATE, &[(Decay, 20.0), (Loss, 0.0), (Viscosity, 0.0)]);
    let mut contacts = Vec::new();
    for _ in 0..8 {
        engine.event(&on(40, 100));
        play(&mut engine, 2_400);
        let hit = engine.take_hit().expect("a stroke makes a contact");
        contacts.push((hit.peak_force, hit.duration));
    }
    let differ = |i: usize| (contacts[i].0 / contacts[0].0 - 1.0).abs() > 1e-3;
    assert!((1..8).all(differ), "{contacts:?}");
}

/// Every hammer brings its own energy and not more: at a stroke the sum of all rises by m v^2/2, between strokes it falls.
#[test]
fn a_second_hammer_adds_only_its_own_energy() {
    let mut engine = engine(RATE, &[(SpeedLow, 2.0), (SpeedHigh, 2.0), (HammerMass, 0.03), (BodyMass, 0.2), (Decay, 30.0)]);
    let mut chance = Chance::new(12);
    let mut brought = 0.0;
    for _ in 0..300 {
        let before = engine.energy();
        engine.event(&on(60, 100));
        let gained = engine.energy() - before;
        assert!((gained / 0.06 - 1.0).abs() < 1e-12, "a stroke brings {gained} J");
        brought += gained;
        let mut last = engine.energy();
        for _ in 0..chance.below(40) + 1 {
            play(&mut engine, 16);
            let now = engine.energy();
            assert!(now <= last * (1.0 + 1e-13), "{now} after {last}");
            last = now;
        }
        assert!(last < brought);
    }
    engine.event(&Event::ChokeAll);
    play(&mut engine, 9_600);
    assert_eq!(engine.energy(), 0.0);
}

/// A body that has come to rest and is struck again keeps the weights of its pickups, but only while nothing that they follow from has moved: it sounds
/// as in a new engine with the same parameters.
#[test]
fn a_body_at_rest_is_heard_where_the_pickups_are_now() {
    let disc = BodyKind::Disc as usize as f64;
    let params = [(BodyKnob, disc), (Density, 0.2), (Decay, 0.1)];
    let sound = |engine: &mut Engine| {
        engine.event(&on(60, 100));
        let sound = play(engine, 4_800);
        engine.event(&off(60));
        while engine.active_voices() > 0 {
            play(engine, 480);
        }
        sound.left
    };
    let at = |place: f64| engine(RATE, &[&params[..], &[(PickupLeft, place)]].concat());
    let [near, far] = [0.3, 0.8].map(|place| sound(&mut at(place)));
    // the end of the sound before is below -120 dB
    let largest = |sound: &[f32]| sound.iter().fold(0.0_f32, |most, x| most.max(x.abs()));
    let apart = |a: &[f32], b: &[f32]| a.iter().zip(b).fold(0.0_f32, |most, (a, b)| most.max((a - b).abs())) / largest(b);
    assert!(apart(&near, &far) > 0.1);
    let mut engine = at(0.3);
    for time in 0..3 {
        assert!(apart(&sound(&mut engine), &near) < 1e-6, "struck again {time}");
    }
    let move_to = |engine: &mut Engine, place: f64| {
        engine.event(&set(PickupLeft, place));
        play(engine, 48_000);
    };
    move_to(&mut engine, 0.8);
    assert!(apart(&sound(&mut engine), &far) < 1e-6, "moved while it rested");
    engine.event(&on(60, 100));
    move_to(&mut engine, 0.3);
    engine.event(&off(60));
    move_to(&mut engine, 0.8);
    assert_eq!(engine.active_voices(), 0);
    assert!(apart(&sound(&mut engine), &far) < 1e-6, "moved while it sounded, and back");
}
