//! One body under all keys: strike positions, number of hammers, cost.

use crate::support::spectrum::Spectrum;
use crate::support::test_engine::*;
use urto_engine::params::ParamId;
use urto_engine::params::ParamId::*;
use urto_engine::{Event, Expression, NoteId};

const SURFACE: [(ParamId, f64); 3] = [(Stage, 1.0), (HomeKey, 60.0), (StrikePosition, 0.5)];

fn with(params: &[(ParamId, f64)]) -> Vec<(ParamId, f64)> {
    SURFACE.iter().chain(params).copied().collect()
}

/// Second partial of a string over its first, for a strike of `key`, after which `events` happen in the same frame.
fn second_over_first(key: u8, events: &[Event]) -> f64 {
    let mut engine = engine(RATE, &with(&[(Body, 0.0), (Modes, 2.0), (PickupLeft, 0.21), (Stiffness, 1e4)]));
    engine.event(&on(key, 100));
    events.iter().for_each(|event| engine.event(event));
    let spectrum = Spectrum::new(&play(&mut engine, 24_000).left, RATE);
    spectrum.loudest(500.0, 550.0) / spectrum.loudest(240.0, 280.0)
}

/// The middle of a string has no second partial; four octaves away is the end, two octaves the half of the way there.
#[test]
fn the_key_sets_the_position_and_not_the_pitch() {
    assert!(second_over_first(60, &[]) < 1e-3);
    let quarter = second_over_first(72, &[]);
    assert!(quarter > 0.2, "{quarter}");
    assert!((second_over_first(48, &[]) / quarter - 1.0).abs() < 1e-3, "the other side is alike");
    let tuned = Event::NoteExpression { note: note(60), what: Expression::Tuning, value: 12.0 };
    assert!((second_over_first(60, &[tuned]) / quarter - 1.0).abs() < 1e-3, "so does a note's own tuning");
}

#[test]
fn all_keys_share_one_body() {
    let mut engine = engine(RATE, &SURFACE);
    for key in [36, 60, 61, 84] {
        engine.event(&on(key, 100));
        play(&mut engine, 480);
    }
    assert_eq!(engine.active_voices(), 1);
    engine.event(&set(Stage, 0.0));
    for key in [36, 61] {
        engine.event(&on(key, 100));
    }
    assert_eq!(engine.active_voices(), 3, "keys have bodies of their own again");
}

/// A note on the surface has ended when it is released and its hammer has gone; the body sounds on.
#[test]
fn notes_end_before_their_shared_body() {
    let mut engine = engine(RATE, &with(&[(Decay, 100.0)]));
    engine.event(&on(64, 100));
    play(&mut engine, 9_600);
    assert_eq!(engine.next_ended(), None);
    engine.event(&off(64));
    play(&mut engine, 9_600);
    assert_eq!((engine.next_ended(), engine.active_voices()), (Some(note(64)), 1));
}

/// Sixteen hammers pressed against one body while more come down; everything that may move moves.
#[test]
fn sixteen_pressed_hammers_balance_energy() {
    for body in [0.0, 16.0] {
        let params = with(&[(Body, body), (Modes, 64.0), (PressureTarget, 9.0), (PressureAmount, 1.0), (HammerMass, 0.05)]);
        let mut engine = engine(RATE, &params);
        engine.enable_energy_balance();
        let mut chance = Chance::new(9);
        for key in 40..56 {
            engine.event(&on(key, 90));
            play(&mut engine, 100);
            let pressed = Event::NoteExpression { note: note(key), what: Expression::Pressure, value: 0.2 + 0.8 * chance.part() };
            engine.event(&pressed);
        }
        for _ in 0..60 {
            let key = 40 + chance.below(16) as u8;
            match chance.below(4) {
                0 => engine.event(&on(key, 100)),
                1 => engine.event(&Event::NoteExpression { note: note(key), what: Expression::Pressure, value: chance.part() }),
                2 => engine.event(&set(Stiffness, 10_f64.powf(5.0 * chance.part()))),
                _ => engine.event(&set(StrikePosition, chance.part())),
            }
            play(&mut engine, 480);
        }
        let worst = engine.energy_balance_report();
        println!("body {body}: {worst:?}");
        assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{worst:?}");
        assert_eq!(engine.active_voices(), 1);
        for key in 40..56 {
            (0..20).for_each(|_| engine.event(&off(key)));
        }
        play(&mut engine, 9_600);
        let ended = std::iter::from_fn(|| engine.next_ended()).count();
        assert!(ended >= 16, "{ended}");
    }
}

/// Where a body that another note shares is bent by its own channel's wheel, it is bent for both.
#[test]
fn pitch_bend_tunes_the_body_and_mpe_bend_moves_the_position() {
    let params = with(&[(Body, 0.0), (Modes, 2.0), (Stiffness, 1e4), (Mpe, 1.0)]);
    let hear = |bend: Event| {
        let mut engine = engine(RATE, &params);
        engine.event(&bend);
        engine.event(&Event::NoteOn { note: NoteId { voice: None, channel: 2, key: 60 }, velocity: 0.8 });
        let spectrum = Spectrum::new(&play(&mut engine, 24_000).left, RATE);
        (spectrum.loudest(255.0, 268.0) > spectrum.loudest(287.0, 300.0), spectrum.loudest(500.0, 560.0))
    };
    let (unbent, second) = hear(Event::Bend { channel: 2, value: 0.25 });
    assert!(unbent && second > 0.1, "{second}");
    let (unbent, second) = hear(Event::Bend { channel: 0, value: 1.0 });
    assert!(!unbent && second < 0.05, "{second}");
}
