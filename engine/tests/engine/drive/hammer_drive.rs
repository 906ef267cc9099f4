//! The side-chain as a force on a hammer.

use crate::support::test_engine::*;
use urto_engine::drive::TracePoint;
use urto_engine::params::ParamId::*;
use urto_engine::patch::Patch;
use urto_engine::patch::Zone;
use urto_engine::{Engine, EngineConfig, Event};

fn tone(frames: usize, hertz: f64) -> Vec<f32> {
    (0..frames).map(|i| (std::f64::consts::TAU * hertz * i as f64 / RATE).sin() as f32).collect()
}

#[test]
fn without_drive_level_the_input_has_no_effect() {
    let signal = tone(48_000, 100.0);
    assert_eq!(play_driven(&mut engine(RATE, &[]), 48_000, &signal).peak(), 0.0);
    let score = [(5, on(60, 100)), (9_000, on(62, 60))];
    let with = perform(&mut engine(RATE, &[]), &score, 48_000, &[480], &signal);
    assert_eq!(with, perform(&mut engine(RATE, &[]), &score, 48_000, &[480], &[]));
}

/// The body of the home key is driven before any note; with the gate nothing is.
#[test]
fn the_drive_sounds_without_a_note_except_in_gate_mode() {
    let params = [(DriveGain, 100.0), (HomeKey, 55.0)];
    let signal = tone(9_600, 100.0);
    let mut free = engine(RATE, &params);
    assert_eq!(play_driven(&mut free, 480, &[0.0; 480]).peak(), 0.0, "silence moves nothing");
    assert!(free.is_asleep());
    let sound = play_driven(&mut free, 9_600, &signal);
    assert!(sound.peak() > 1e-3, "{}", sound.peak());
    let mut gated = engine(RATE, &[&params[..], &[(DriveNotes, 1.0), (KeyStrikes, 0.0)]].concat());
    assert_eq!(play_driven(&mut gated, 9_600, &signal).peak(), 0.0);
    assert!(gated.is_asleep());
}

/// Rings a driven body after its stroke has died away.
fn driven(engine: &mut Engine, frames: usize) -> Sound {
    engine.event(&on(60, 100));
    engine.event(&Event::ChokeAll);
    play(engine, 24_000);
    assert!(engine.is_asleep());
    play_driven(engine, frames, &tone(frames, 90.0))
}

#[test]
fn the_drive_wakes_the_body_struck_last() {
    let params = [(DriveGain, 20.0), (Decay, 0.5)];
    let sound = driven(&mut engine(RATE, &params), 24_000);
    assert!(sound.peak() > 1e-3, "{}", sound.peak());
    let twice = driven(&mut engine(RATE, &[(DriveGain, 40.0), (Decay, 0.5)]), 24_000);
    assert!(twice.energy() > 2.0 * sound.energy());
    let mut engine = engine(RATE, &params);
    engine.enable_energy_balance();
    driven(&mut engine, 24_000);
    let worst = engine.energy_balance_report();
    assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{worst:?}");
}

/// The hammer rests on the body until it is pushed; with nothing on the side-chain everything still falls asleep.
#[test]
fn an_idle_drive_hammer_lets_the_body_sleep() {
    let mut engine = engine(RATE, &[(DriveGain, 20.0), (Decay, 0.2), (Level, 0.0)]);
    engine.event(&on(60, 100));
    let mut frames = 0;
    while !engine.is_asleep() && frames < 480_000 {
        play_driven(&mut engine, 480, &[0.0; 480]);
        frames += 480;
    }
    assert!(engine.is_asleep());
    assert_eq!(engine.next_ended(), Some(note(60)));
    assert_eq!(play_driven(&mut engine, 480, &[0.0; 480]).peak(), 0.0);
}

#[test]
fn the_drive_level_can_change_at_any_time() {
    let mut chance = Chance::new(2);
    let mut score = vec![(0, on(60, 100)), (12_000, on(62, 100)), (24_000, on(60, 100))];
    for i in 0..400 {
        let gain = if i % 3 == 0 { 0.0 } else { 50.0 * chance.part() };
        score.push((i * 100, set(DriveGain, gain)));
    }
    score.sort_by_key(|(frame, _)| *frame);
    let mut engine = engine(RATE, &[]);
    engine.enable_energy_balance();
    let sound = perform(&mut engine, &score, 40_000, &[64], &tone(40_000, 60.0));
    assert!(sound.left.iter().all(|x| x.is_finite()));
    let worst = engine.energy_balance_report();
    assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{worst:?}");
}

/// What the drive shows of the last frames.
fn traced(engine: &mut Engine) -> Vec<TracePoint> {
    engine.take_trace().collect()
}

/// Plays a constant push for so many frames; the last point of the trace.
fn pushed(engine: &mut Engine, frames: usize, signal: f32) -> TracePoint {
    play_driven(engine, frames, &vec![signal; frames]);
    *traced(engine).last().expect("a trace")
}

/// Below the height nothing is touched and nothing is heard; a push that bridges it sounds.
#[test]
fn the_drive_has_to_overcome_the_rest_distance() {
    let params = [(DriveGain, 1.0), (RestHeight, 5e-3), (HammerMass, 0.02)];
    let mut engine = engine(RATE, &params);
    let soft: Vec<_> = tone(24_000, 40.0).iter().map(|x| 0.2 * x).collect();
    assert_eq!(play_driven(&mut engine, 24_000, &soft).peak(), 0.0);
    assert!(traced(&mut engine).iter().all(|point| point.contact == 0.0 && point.height > 1e-3));
    engine.event(&set(DriveGain, 50.0));
    assert!(play_driven(&mut engine, 24_000, &tone(24_000, 40.0)).peak() > 1e-3);
}

/// A constant force moves the hammer by force over stiffness, whatever its mass, from its rest distance.
#[test]
fn tether_deflection_is_force_over_stiffness() {
    for mass in [0.005, 0.05] {
        let params = [(DriveGain, 1.0), (Tether, 400.0), (TetherDamping, 5.0), (RestHeight, 5e-3), (HammerMass, mass)];
        let mut engine = engine(RATE, &params);
        let height = |engine: &mut Engine| f64::from(pushed(engine, 48_000, -1.0).height);
        assert!((height(&mut engine) / (5e-3 + 1.0 / 400.0) - 1.0).abs() < 2e-3, "{mass} kg");
        engine.event(&set(HammerMass, 3.0 * mass));
        assert!((height(&mut engine) / (5e-3 + 1.0 / 400.0) - 1.0).abs() < 2e-3, "{mass} kg, grown");
        engine.event(&set(Tether, 1000.0));
        assert!((height(&mut engine) / (5e-3 + 1.0 / 1000.0) - 1.0).abs() < 2e-3, "{mass} kg, stiffer");
        engine.event(&set(RestHeight, 9e-3));
        assert!((height(&mut engine) / (9e-3 + 1.0 / 1000.0) - 1.0).abs() < 2e-3, "{mass} kg, higher");
    }
}

/// Without a tether a hammer that is driven away is lost; another one replaces it, and the next push reaches the body.
#[test]
fn a_driven_hammer_that_leaves_the_body_returns() {
    let mut engine = engine(RATE, &[(DriveGain, 20.0), (Tether, 0.0), (TetherDamping, 0.0), (Decay, 0.3)]);
    engine.enable_energy_balance();
    for _ in 0..20 {
        let away = pushed(&mut engine, 4_800, -1.0);
        assert!(away.height < 5.0, "{away:?}");
    }
    assert!(play_driven(&mut engine, 48_000, &tone(48_000, 50.0)).peak() > 1e-3);
    let worst = engine.energy_balance_report();
    assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{worst:?}");
    // switched on while the hammer is away, the tether begins there and leads it home
    pushed(&mut engine, 2_000, -1.0);
    engine.event(&set(Tether, 500.0));
    engine.event(&set(TetherDamping, 5.0));
    let home = pushed(&mut engine, 48_000, 1e-6);
    assert!(home.height.abs() < 1e-3, "{home:?}");
}

/// Press force and weight add up, in newtons.
#[test]
fn press_force_and_gravity_act_on_the_driven_hammer() {
    let params = [(DriveGain, 1.0), (Hold, 5.0), (Gravity, 10.0), (HammerMass, 0.05), (Tether, 0.0), (TetherDamping, 0.0)];
    let mut engine = engine(RATE, &[&params[..], &[(Decay, 0.2)]].concat());
    let resting = pushed(&mut engine, 96_000, 1e-6);
    assert!((resting.contact - 5.5).abs() < 0.05, "{resting:?}");
}

#[test]
fn the_gate_is_open_while_a_key_is_held() {
    let params = [(DriveGain, 50.0), (DriveNotes, 1.0), (Decay, 0.2), (SpeedLow, 0.005), (SpeedHigh, 0.05)];
    let mut engine = engine(RATE, &params);
    let noise = |engine: &mut Engine, frames: usize| play_driven(engine, frames, &tone(frames, 70.0)).energy();
    assert_eq!(noise(&mut engine, 4_800), 0.0);
    engine.event(&on(50, 1));
    let open = noise(&mut engine, 24_000);
    engine.event(&off(50));
    noise(&mut engine, 24_000);
    let closed = noise(&mut engine, 24_000);
    assert!(open > 1.0 && closed < 1e-6 * open, "{open} {closed}");
    noise(&mut engine, 96_000);
    assert!(engine.is_asleep(), "the hammer has left");
    engine.event(&Event::Controller { channel: 0, number: 64, value: 1.0 });
    engine.event(&on(50, 1));
    engine.event(&off(50));
    noise(&mut engine, 24_000);
    assert!(noise(&mut engine, 24_000) > 0.1 * open, "the pedal holds it");
    engine.event(&Event::ChokeAll);
    noise(&mut engine, 48_000);
    assert!(noise(&mut engine, 4_800) < 1e-6 * open, "a hand on everything closes it");
}

/// After a note elsewhere has died away: the home key's body where notes mean nothing, else the note's.
#[test]
fn notes_select_the_driven_body_or_are_ignored() {
    let driven = |notes: f64, key: Option<u8>| {
        let mut engine = engine(RATE, &[(DriveGain, 20.0), (DriveNotes, notes), (Decay, 0.2)]);
        key.iter().for_each(|&key| engine.event(&on(key, 100)));
        engine.event(&Event::ChokeAll);
        play(&mut engine, 48_000);
        assert!(engine.is_asleep());
        play_driven(&mut engine, 9_600, &tone(9_600, 90.0))
    };
    let home = driven(2.0, None);
    assert_eq!(driven(2.0, Some(75)), home);
    assert_eq!(driven(0.0, None), home);
    assert_ne!(driven(0.0, Some(75)), home);
    assert_eq!(driven(0.0, Some(60)), home);
}

#[test]
fn on_one_body_a_note_moves_the_driven_hammer() {
    let driven = |key: u8| {
        let params = [(DriveGain, 20.0), (Stage, 1.0), (Decay, 0.2), (Body, 1.0), (StrikePosition, 0.5)];
        let mut engine = engine(RATE, &params);
        engine.event(&on(key, 1));
        engine.event(&Event::ChokeAll);
        play(&mut engine, 48_000);
        assert!(engine.is_asleep());
        play_driven(&mut engine, 9_600, &tone(9_600, 90.0))
    };
    assert_ne!(driven(60), driven(70));
    let mut engine = engine(RATE, &[(DriveGain, 20.0), (Stage, 1.0), (KeyStrikes, 0.0)]);
    engine.enable_energy_balance();
    let score: Vec<_> = (0..20).map(|i| (i * 1_000, on(40 + 2 * i as u8, 60))).collect();
    assert!(perform(&mut engine, &score, 20_000, &[512], &tone(20_000, 70.0)).peak() > 1e-3);
    let worst = engine.energy_balance_report();
    assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{worst:?}");
}

/// In mono both sides push one hammer; in stereo each has its own place.
#[test]
fn stereo_input_drives_one_hammer_per_channel() {
    let driven = |stereo: f64, left: f32, right: f32| {
        let mut engine = engine(RATE, &[(DriveGain, 20.0), (DriveChannels, stereo), (DriveApart, 0.4)]);
        let mut sound = [vec![0.0; 9_600], vec![0.0; 9_600]];
        let [a, b] = [left, right].map(|gain| tone(9_600, 90.0).iter().map(|x| gain * x).collect::<Vec<_>>());
        let [out_left, out_right] = &mut sound;
        engine.render(out_left, out_right, [&a, &b]);
        sound
    };
    assert_eq!(driven(0.0, 1.0, 0.0), driven(0.0, 0.0, 1.0));
    assert_eq!(driven(0.0, 1.0, -1.0), driven(0.0, 0.0, 0.0), "what is opposite cancels");
    assert_ne!(driven(1.0, 1.0, 0.0), driven(1.0, 0.0, 1.0));
    assert_ne!(driven(1.0, 1.0, -1.0), driven(1.0, 0.0, 0.0));
}

/// The wheel moves the drive level over its whole range.
#[test]
fn modulation_sources_change_the_drive_level() {
    let params = [(WheelTarget, 12.0), (WheelAmount, 1.0), (Decay, 0.2)];
    let mut engine = engine(RATE, &params);
    let drive = |engine: &mut Engine| play_driven(engine, 24_000, &tone(24_000, 90.0)).peak();
    assert_eq!(drive(&mut engine), 0.0);
    engine.event(&Event::Controller { channel: 0, number: 1, value: 0.1 });
    assert!(drive(&mut engine) > 1e-4);
    engine.event(&Event::Controller { channel: 0, number: 1, value: 0.0 });
    (0..4).for_each(|_| _ = drive(&mut engine));
    assert_eq!(drive(&mut engine), 0.0);
    assert!(engine.is_asleep());
}

/// Of a kit the zone of the last key is driven, before any the first.
#[test]
fn one_zone_of_a_kit_is_driven() {
    let bus = |bus, low| Zone { bus, ..Zone::new(&patch(&[(Decay, 0.2)]), (low, low)) };
    let kit = Patch { zones: vec![bus(1, 40), bus(2, 41)], settings: patch(&[(DriveGain, 20.0)]).settings, ..Patch::default() };
    let mut engine = Engine::new(EngineConfig::at(RATE), &kit);
    let mut heard = || {
        let mut buses = [[0.0; 4_800]; 4];
        let [a, b, c, d] = &mut buses;
        let signal = tone(4_800, 90.0);
        engine.render_outputs([a, b], &mut [[c, d]], [&signal, &[]]);
        if buses[2].iter().all(|x| *x == 0.0) {
            engine.event(&on(41, 1));
        }
        [0, 2].map(|i| buses[i].iter().map(|x| f64::from(x * x)).sum::<f64>())
    };
    let first = heard();
    assert!(first[0] > 1e-3 && first[1] == 0.0, "{first:?}");
    (0..20).for_each(|_| _ = heard());
    let second = heard();
    assert!(second[0] < 1e-6 && second[1] > 1e-3, "{second:?}");
}

/// After the signal everything comes to rest, also under a load, and wakes without a thump.
#[test]
fn a_silent_input_gives_silence_under_static_load() {
    for load in
        [&[][..], &[(Hold, 5.0)], &[(Gravity, 10.0), (HammerMass, 0.1)], &[(RestHeight, 4e-3)], &[(Tether, 0.0), (Hold, 1.0)]]
    {
        let mut engine = engine(RATE, &[&[(DriveGain, 30.0), (Decay, 0.2)], load].concat());
        let loud = play_driven(&mut engine, 9_600, &tone(9_600, 60.0)).peak();
        assert!(loud > 1e-3);
        let mut frames = 0;
        while !engine.is_asleep() && frames < 480_000 {
            play_driven(&mut engine, 480, &[0.0; 480]);
            frames += 480;
        }
        assert!(engine.is_asleep(), "{load:?}");
        assert_eq!(play_driven(&mut engine, 4_800, &[0.0; 4_800]).peak(), 0.0);
        let woken = play_driven(&mut engine, 24_000, &[1e-6; 24_000]).peak();
        assert!(woken < 1e-3 * loud, "{load:?}: {woken} after {loud}");
    }
}
