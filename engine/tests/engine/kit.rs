//! Kits: zones with their own sounds, levels, panning, outputs and choke groups.

use crate::support::test_engine::*;
use crate::tier::size;
use urto_engine::params::ParamId;
use urto_engine::params::ParamId::*;
use urto_engine::patch::Patch;
use urto_engine::patch::factory_presets;
use urto_engine::patch::patch_toml;
use urto_engine::patch::{Zone, ZoneLayer};
use urto_engine::{CEILING, Engine, EngineConfig, Event, Expression, KitPlayer, NoteId};

/// A bar of `tune` semitones above its key, in a zone of `keys`.
fn zone(keys: (u8, u8), tune: f64) -> Zone {
    let patch = patch(&[(Tune, tune), (Modes, 12.0), (Decay, 1.0)]);
    Zone { plays: keys.0, ..Zone::new(&patch, keys) }
}

fn kit(zones: Vec<Zone>) -> Patch {
    Patch { zones, ..Patch::default() }
}

fn kit_engine(zones: Vec<Zone>) -> Engine {
    Engine::new(EngineConfig { sample_rate: RATE, voices: 8, modes: 64 }, &kit(zones))
}

/// Largest difference of two sounds over the largest sample of the first.
fn difference(a: &Sound, b: &Sound) -> f32 {
    let peak = a.left.iter().chain(&a.right).fold(0.0_f32, |peak, x| peak.max(x.abs()));
    let pairs = a.left.iter().zip(&b.left).chain(a.right.iter().zip(&b.right));
    pairs.fold(0.0_f32, |most, (a, b)| most.max((a - b).abs())) / peak
}

#[test]
fn a_zone_sounds_like_its_patch() {
    let params = [(Tune, 7.0), (Modes, 12.0), (Level, -2.0)];
    let mut alone = engine(RATE, &params);
    alone.event(&on(72, 100));
    let wanted = play(&mut alone, 24_000);
    let mut kit = kit_engine(vec![Zone { plays: 72, ..Zone::new(&patch(&params), (36, 40)) }]);
    kit.event(&on(36, 100));
    let heard = play(&mut kit, 24_000);
    assert!(difference(&wanted, &heard) < 1e-6, "{:e}", difference(&wanted, &heard));
    kit.reset();
    kit.event(&on(37, 100));
    assert!(difference(&wanted, &play(&mut kit, 24_000)) > 0.1, "the next key plays a semitone higher");
}

#[test]
fn keys_outside_all_zones_are_silent_and_cost_nothing() {
    let mut kit = kit_engine(vec![zone((36, 40), 0.0)]);
    for key in [0, 35, 41, 60, 127] {
        kit.event(&on(key, 127));
    }
    assert_eq!(kit.active_voices(), 0);
    assert!(kit.is_asleep() && play(&mut kit, 512).energy() == 0.0);
}

/// A closed hat on 42 chokes the open one on 46, and is not choked by a drum of no group.
#[test]
fn zones_of_one_group_choke_each_other() {
    let hat = |key: u8| Zone { choke: 1, ..zone((key, key), 24.0) };
    let left_after = |next: u8| {
        let mut kit = kit_engine(vec![hat(42), hat(46), zone((36, 36), 0.0)]);
        kit.event(&on(46, 120));
        play(&mut kit, 4_800);
        let before = kit.energy();
        kit.event(&on(next, 1));
        play(&mut kit, 4_800);
        kit.energy() / before
    };
    assert!(left_after(42) < 1e-2, "{}", left_after(42));
    assert!(left_after(36) > 0.1 && left_after(46) > 0.1, "{} {}", left_after(36), left_after(46));
}

/// Two zones on one key share its velocities; between them both sound, and neither sounds outside of its range.
#[test]
fn velocities_choose_between_zones_and_fade() {
    let layer = |velocities| ZoneLayer { velocities, fade: 20, ..ZoneLayer::default() };
    let zones = || {
        let (soft, hard) = (zone((38, 38), 0.0), zone((38, 38), 24.0));
        vec![Zone { layer: layer([1, 80]), ..soft }, Zone { layer: layer([61, 127]), ..hard }]
    };
    let sound_of = |zones: Vec<Zone>, velocity: u8| {
        let mut kit = kit_engine(zones);
        kit.event(&on(38, velocity));
        play(&mut kit, 4_800)
    };
    for (velocity, alone) in [(40, 0), (60, 0), (81, 1), (127, 1)] {
        let heard = sound_of(zones(), velocity);
        let mut plain = zones().remove(alone);
        plain.layer = ZoneLayer::default();
        assert_eq!(heard, sound_of(vec![plain], velocity), "velocity {velocity}");
    }
    let faded = sound_of(zones(), 65);
    let parts = [0, 1].map(|i| sound_of(vec![zones().remove(i)], 65));
    let mut whole = zones().remove(1);
    whole.layer = ZoneLayer::default();
    let gain = layer([61, 127]).gain(65.0 / 127.0).expect("in the range");
    let level = (parts[1].energy() / sound_of(vec![whole], 65).energy()).sqrt();
    assert!((level - gain).abs() < 1e-3, "{level} for {gain}");
    assert!(faded.energy() > parts[0].energy().max(parts[1].energy()), "both sound");
}

/// Each strike sounds in one zone of a group, in turn.
#[test]
fn zones_of_a_group_take_turns() {
    let layer = ZoneLayer { group: 2, ..ZoneLayer::default() };
    let zones = [0.0, 7.0, 19.0].map(|tune| Zone { layer, ..zone((38, 38), tune) });
    let alone = zones.clone().map(|zone| {
        let mut kit = kit_engine(vec![Zone { layer: ZoneLayer::default(), ..zone }]);
        kit.event(&on(38, 90));
        play(&mut kit, 2_400)
    });
    let mut kit = kit_engine(zones.into());
    for turn in 0..5 {
        kit.event(&Event::ChokeAll);
        play(&mut kit, 48_000);
        kit.event(&on(38, 90));
        let heard = play(&mut kit, 2_400);
        assert!(difference(&alone[turn % 3], &heard) < 1e-3, "turn {turn}");
    }
}

/// A hand on a cymbal: e-drums send polyphonic pressure for it.
#[test]
fn pressure_chokes_a_zone_that_asks_for_it() {
    let left_after = |pressure_chokes: bool, value: f64, key: u8| {
        // without the damping by pressure that sounds have by default
        let patch = patch(&[(Modes, 12.0), (Decay, 1.0), (PressureAmount, 0.0)]);
        let mut kit = kit_engine(vec![Zone { pressure_chokes, plays: 49, ..Zone::new(&patch, (49, 49)) }]);
        kit.event(&on(49, 120));
        play(&mut kit, 4_800);
        let before = kit.energy();
        let note = NoteId { voice: None, channel: 0, key };
        kit.event(&Event::NoteExpression { note, what: Expression::Pressure, value });
        play(&mut kit, 4_800);
        kit.energy() / before
    };
    assert!(left_after(true, 1.0, 49) < 1e-2);
    for (chokes, value, key) in [(false, 1.0, 49), (true, 0.2, 49), (true, 1.0, 50)] {
        assert!(left_after(chokes, value, key) > 0.1, "{chokes} {value} {key}");
    }
}

#[test]
fn zone_level_and_pan_apply_to_its_sound() {
    let loudness = |level, pan| {
        let mut kit = kit_engine(vec![Zone { level, pan, ..zone((36, 36), 0.0) }]);
        kit.event(&on(36, 60));
        let sound = play(&mut kit, 9_600);
        [sound.left, sound.right].map(|side| side.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt())
    };
    let [left, right] = loudness(0.0, 0.0);
    let near = |a: f64, b: f64| assert!((a - b).abs() <= 1e-5 * b.max(1e-9), "{a} instead of {b}");
    let half = loudness(-6.020_599_913, 0.0);
    near(half[0], 0.5 * left);
    near(half[1], 0.5 * right);
    let aside = loudness(0.0, -0.75);
    near(aside[0], left);
    near(aside[1], 0.25 * right);
}

#[test]
fn a_zone_plays_on_its_bus_or_else_on_the_main_output() {
    let zones = || vec![zone((36, 36), 0.0), Zone { bus: 3, ..zone((38, 38), 5.0) }];
    let render = |key: u8, buses: usize| {
        let mut kit = kit_engine(zones());
        kit.event(&on(key, 100));
        let mut sound = vec![vec![0.0_f32; 1_000]; 2 * (buses + 1)];
        let mut channels: Vec<_> = sound.iter_mut().map(Vec::as_mut_slice).collect();
        let (main, sides) = channels.split_at_mut(2);
        let [left, right] = main else { unreachable!("two channels") };
        let (sides, _) = sides.as_chunks_mut::<2>();
        let mut pairs: Vec<[&mut [f32]; 2]> = sides.iter_mut().map(|[left, right]| [&mut left[..], &mut right[..]]).collect();
        kit.render_outputs([left, right], &mut pairs, [&[]; 2]);
        sound.chunks(2).map(|pair| pair.iter().flatten().any(|x| *x != 0.0)).collect::<Vec<_>>()
    };
    assert_eq!(render(36, 3), [true, false, false, false]);
    assert_eq!(render(38, 3), [false, false, true, false]);
    assert_eq!(render(38, 1), [true, false], "there is no bus 3");
    assert_eq!(render(38, 0), [true]);
}

/// Knobs, notes and chokes at odd frames, in blocks of any size.
#[test]
fn block_size_does_not_change_a_kit() {
    let zones = || {
        let hats = [42, 46].map(|key| Zone { choke: 1, bus: 2, ..zone((key, key), 12.0) });
        [vec![zone((36, 40), 0.0)], hats.into()].concat()
    };
    let mut chance = Chance::new(11);
    let mut score: Vec<_> =
        (0..120).map(|_| ((chance.part() * 20_000.0) as usize, [36, 38, 40, 42, 46][chance.below(5)])).collect();
    score.sort_by_key(|(frame, _)| *frame);
    let render = |block: &dyn Fn() -> usize| {
        let mut kit = kit_engine(zones());
        let mut sound = [vec![0.0_f32; 20_000], vec![0.0; 20_000]];
        let [left, right] = &mut sound;
        let (mut frame, mut next) = (0, 0);
        while frame < left.len() {
            while next < score.len() && score[next].0 <= frame {
                kit.event(&on(score[next].1, 90));
                kit.event(&set(Hardness, next as f64 / 120.0));
                next += 1;
            }
            let due = score.get(next).map_or(left.len(), |(frame, _)| *frame);
            let end = left.len().min(due).min(frame + block());
            kit.render(&mut left[frame..end], &mut right[frame..end], [&[]; 2]);
            frame = end;
        }
        sound
    };
    let wanted = render(&|| 512);
    assert!(wanted == render(&|| 1) && wanted == render(&|| 37));
}

/// The host hears of a note once, by its own key, when no zone sounds it any more.
#[test]
fn a_note_in_two_zones_ends_once() {
    let short = |tune| {
        let patch = patch(&[(Tune, tune), (Modes, 4.0), (Decay, 0.05), (Release, 1.0)]);
        Zone { plays: 80, ..Zone::new(&patch, (30, 34)) }
    };
    let mut kit = kit_engine(vec![short(0.0), Zone { settings: patch(&[(Decay, 0.8)]).settings, ..short(3.0) }]);
    kit.event(&on(32, 100));
    kit.event(&off(32));
    let mut ends = Vec::new();
    for second in 0..400 {
        play(&mut kit, 480);
        ends.extend(std::iter::from_fn(|| kit.next_ended()).map(|note| (note.key, second)));
    }
    assert!(kit.is_asleep());
    assert!(ends.len() == 1 && ends[0].0 == 32, "{ends:?}");
    let hit = kit.take_hit().expect("a hit");
    assert_eq!(hit.key, 32);
}

/// As far as a param of the kit is from its default, so far are the zones: 12 semitones up are the patch an octave higher.
#[test]
fn kit_parameters_offset_the_zones() {
    let sound = |zones: Vec<Zone>, tune: f64| {
        let mut kit = kit_engine(zones);
        kit.event(&set(Tune, tune));
        kit.event(&on(36, 100));
        play(&mut kit, 9_600)
    };
    let moved = sound(vec![zone((36, 36), -5.0)], 12.0);
    assert!(difference(&sound(vec![zone((36, 36), 7.0)], 0.0), &moved) < 1e-6);
    assert!(difference(&sound(vec![zone((36, 36), -5.0)], 0.0), &moved) > 0.1);
}

#[test]
fn changing_the_kit_lets_the_previous_one_ring_out() {
    let player = |tune| KitPlayer::of(&kit(vec![zone((36, 36), tune)]), RATE);
    let mut engine = kit_engine(vec![zone((36, 36), 0.0)]);
    engine.event(&on(36, 100));
    play(&mut engine, 2_400);
    let before = engine.energy();
    assert!(matches!(engine.install_kit(player(5.0)), Ok(None)), "nobody has rung out yet");
    assert_eq!(engine.energy(), before, "what sounds goes on");
    engine.event(&on(36, 100));
    play(&mut engine, 480);
    assert_eq!(engine.active_voices(), 2);
    let mut refused = engine.install_kit(None).err().expect("those before still sound");
    assert!(refused.is_none());
    let mut rounds = 0;
    while let Err(again) = engine.install_kit(refused) {
        refused = again;
        play(&mut engine, 480);
        rounds += 1;
        assert!(rounds < 40, "they are damped");
    }
    engine.event(&on(36, 100));
    assert_eq!(engine.active_voices(), 2, "the patch alone plays again, beside the last kit");
    let mut cells = 0;
    while engine.take_retired_kit().is_none() {
        play(&mut engine, 4_800);
        cells += 1;
        assert!(cells < 400);
    }
}

/// A replaced kit whose zone is driven by its own sine stays silent after a reset, and can be freed.
#[test]
fn a_reset_does_not_drive_a_replaced_kit() {
    let driven = patch(&[(DriveSource, 1.0), (DriveGain, 20.0), (DriveFrequency, 80.0), (Modes, 12.0)]);
    let mut engine = kit_engine(vec![Zone { plays: 60, ..Zone::new(&driven, (36, 36)) }]);
    play(&mut engine, 4_800);
    assert_eq!(engine.active_voices(), 1, "the sine drives its zone");
    assert!(matches!(engine.install_kit(None), Ok(None)), "it still sounds");
    engine.reset();
    assert_eq!(play(&mut engine, 4_800).energy(), 0.0);
    assert!(engine.take_retired_kit().is_some());
}

#[test]
fn every_zone_balances_its_energy() {
    let mut kit = kit_engine(vec![zone((36, 40), 0.0), zone((36, 40), 7.0), zone((50, 60), 19.0)]);
    kit.enable_energy_balance();
    let mut chance = Chance::new(5);
    for _ in 0..60 {
        kit.event(&on([36, 38, 40, 50, 55, 60][chance.below(6)], 1 + (chance.part() * 126.0) as u8));
        kit.event(&set(Stiffness, 10.0_f64.powf(4.0 * chance.part())));
        kit.event(&set(HammerMass, 0.3 * chance.part()));
        play(&mut kit, 700);
    }
    let worst = kit.energy_balance_report();
    assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{worst:?}");
    assert!(kit.energy() > 0.0);
}

/// A crew that comes late stands as the params do.
#[test]
fn a_kit_starts_with_the_current_parameters() {
    let mut late = kit_engine(Vec::new());
    let params: [(ParamId, f64); 3] = [(Tune, 4.0), (Decay, 3.0), (Level, -6.0)];
    params.iter().for_each(|&(param, value)| late.event(&set(param, value)));
    assert!(late.install_kit(KitPlayer::of(&kit(vec![zone((36, 36), 0.0)]), RATE)).is_ok());
    let mut early = kit_engine(vec![zone((36, 36), 0.0)]);
    params.iter().for_each(|&(param, value)| early.event(&set(param, value)));
    play(&mut early, 16);
    play(&mut late, 16);
    for engine in [&mut late, &mut early] {
        engine.event(&on(36, 100));
    }
    assert_eq!(difference(&play(&mut early, 9_600), &play(&mut late, 9_600)), 0.0);
}

/// Every zone of every built-in kit sounds on each of its keys, as loud as the others of its kit but for 30 dB, below the ceiling; a
/// busy bar of all of them ends in silence.
#[test]
fn factory_kits_sound_on_all_their_keys() {
    for kit in factory_presets::kits().step_by(size(4, 1)) {
        assert!(kit.zones.len() >= 16, "{}: {} zones", kit.name, kit.zones.len());
        assert!(kit.zones.iter().any(|zone| zone.holds(36)) && kit.zones.iter().any(|zone| zone.holds(38)), "{}", kit.name);
        let mut engine = Engine::new(EngineConfig::at(RATE), &kit);
        let mut peaks = Vec::new();
        for zone in &kit.zones {
            for key in zone.keys.0..=zone.keys.1 {
                assert_eq!(kit.zones.iter().filter(|zone| zone.holds(key)).count(), 1, "{}: key {key}", kit.name);
                engine.reset();
                engine.event(&on(key, 100));
                let peak = play(&mut engine, 9_600).peak();
                assert!(peak.is_finite() && peak < f64::from(CEILING), "{}, {}: {peak}", kit.name, zone.name);
                peaks.push((peak, zone.name.clone()));
            }
        }
        let loudest = peaks.iter().map(|(peak, _)| *peak).fold(0.0, f64::max);
        for (peak, name) in peaks {
            assert!(peak > 0.03 * loudest, "{}, {name}: {peak:e} beside {loudest}", kit.name);
        }
    }
}

/// In state, text and back a kit stays the same, and no longer needs the presets that it began with.
#[test]
fn factory_kits_round_trip() {
    for kit in factory_presets::kits() {
        let text = patch_toml::to_toml(&kit);
        assert!(!text.contains("preset ="));
        assert_eq!(patch_toml::from_toml(&text), Ok(kit));
    }
}
