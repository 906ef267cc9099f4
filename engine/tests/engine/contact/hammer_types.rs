//! Point masses, sticks, clappers and brushes: their differences and their energy balance.

use crate::support::test_engine::*;
use urto_engine::params::HAMMER_TYPES;
use urto_engine::params::HammerType;
use urto_engine::params::ParamId;
use urto_engine::params::ParamId::*;
use urto_engine::{Engine, EngineConfig, Event, HitPulse};

const BRUSH: f64 = HammerType::Brush as usize as f64;

fn player(kind: HammerType, params: &[(ParamId, f64)]) -> Engine {
    Engine::new(EngineConfig::at(RATE), &patch(&[&[(Striker, kind as usize as f64)], params].concat()))
}

/// All contacts that end within `frames`.
fn contacts(engine: &mut Engine, frames: usize) -> Vec<HitPulse> {
    let mut frame = || {
        play(engine, 1);
        engine.take_hit()
    };
    (0..frames).filter_map(|_| frame()).collect()
}

/// The first contact of a stroke on a body that hardly moves.
fn first_contact(kind: HammerType, params: &[(ParamId, f64)]) -> HitPulse {
    let mut engine = player(kind, &[&[(BodyMass, 100.0), (StrikePosition, 0.5)], params].concat());
    engine.event(&on(60, 100));
    contacts(&mut engine, 960)[0]
}

/// The sound of a stroke, half a second.
fn stroke(kind: HammerType, params: &[(ParamId, f64)]) -> Sound {
    let mut engine = player(kind, params);
    engine.event(&on(60, 100));
    play(&mut engine, 24_000)
}

#[test]
fn types_are_in_the_order_of_their_names() {
    assert_eq!(HammerType::ALL.len(), HAMMER_TYPES.len());
    for (i, kind) in HammerType::ALL.into_iter().enumerate() {
        assert_eq!((patch(&[(Striker, i as f64)]).settings.hammer_type(), kind as usize), (kind, i));
        assert_eq!(format!("{kind:?}").to_lowercase(), HAMMER_TYPES[i].to_lowercase().replace(' ', ""));
    }
}

#[test]
fn hammer_types_differ_and_use_their_own_parameters() {
    for (i, kind) in HammerType::ALL.into_iter().enumerate() {
        let plain = stroke(kind, &[]);
        assert!(plain.peak() > 0.01, "{kind:?}: {}", plain.peak());
        assert!(HammerType::ALL[..i].iter().all(|&other| stroke(other, &[]) != plain), "{kind:?}");
        let bends = matches!(kind, HammerType::Stick | HammerType::Clapper);
        assert_eq!(stroke(kind, &[(Bending, 500.0)]) != plain, bends, "{kind:?}");
        assert_eq!(stroke(kind, &[(Scatter, 0.9)]) != plain, kind == HammerType::Brush, "{kind:?}");
        assert!(stroke(kind, &[(HammerMass, 0.06)]) != plain, "{kind:?}");
    }
}

/// Its tip is lighter than what turns, the more so the shorter the contact; far above the contact's own time it is rigid.
#[test]
fn a_stick_leaves_earlier_than_its_rigid_mass() {
    let hard = [(Stiffness, 2e3)];
    let (point, stick) = (first_contact(HammerType::PointMass, &hard), first_contact(HammerType::Stick, &hard));
    let clapper = first_contact(HammerType::Clapper, &hard);
    println!("{:e} {:e} {:e} s", point.duration, stick.duration, clapper.duration);
    assert!(stick.duration < 0.6 * point.duration && stick.peak_force < 0.5 * point.peak_force);
    assert!((stick.velocity_in / point.velocity_in - 1.0).abs() < 1e-6 && (stick.energy_in / point.energy_in - 1.0).abs() < 1e-6);
    assert!(clapper.duration > stick.duration && clapper.peak_force > stick.peak_force, "a clapper's weight is at its head");
    let soft = [(Stiffness, 1.0), (Bending, 12e3)];
    let (point, stiff) = (first_contact(HammerType::PointMass, &soft[..1]), first_contact(HammerType::Stick, &soft));
    assert!((stiff.duration / point.duration - 1.0).abs() < 1e-3, "{:e} {:e}", stiff.duration, point.duration);
    assert!((stiff.peak_force / point.peak_force - 1.0).abs() < 1e-3);
}

/// A stick that swings on is not taken away while its bending brings it back: it strikes again, as a point mass does not.
#[test]
fn a_bending_stick_strikes_more_than_once() {
    let params = [(BodyMass, 100.0), (StrikePosition, 0.5), (Stiffness, 1e3), (Damping, 0.0), (Bending, 60.0)];
    let strikes = |kind| {
        let mut engine = player(kind, &params);
        engine.event(&on(60, 100));
        contacts(&mut engine, 4_800).len()
    };
    assert_eq!(strikes(HammerType::PointMass), 1);
    assert!(strikes(HammerType::Stick) >= 2, "{}", strikes(HammerType::Stick));
}

/// Without scatter the bristles are one point mass on twelve springs; with scatter they arrive one after the other.
#[test]
fn a_brush_strikes_many_times() {
    let counted = |scatter: f64| {
        let mut engine = player(HammerType::Brush, &[(BodyMass, 100.0), (StrikePosition, 0.5), (Scatter, scatter)]);
        engine.event(&on(60, 100));
        let hits = contacts(&mut engine, 1_440);
        // one contact is recorded at a time
        (hits.len(), hits.iter().map(|hit| hit.mass).sum::<f64>())
    };
    let (together, apart) = (counted(0.0), counted(1.0));
    println!("{together:?} {apart:?}");
    assert_eq!(together.0, 1);
    assert!(apart.0 >= 6 && apart.1 < 0.02 * 1.000_001, "{apart:?}");
}

/// Bristles on their way follow the params of mass and place: each keeps its share of the one and its distance from the other.
#[test]
fn a_moving_brush_keeps_its_scatter() {
    let params = [(BodyMass, 100.0), (StrikePosition, 0.4), (Scatter, 1.0)];
    let masses = |event: Option<Event>| -> Vec<f64> {
        let mut engine = player(HammerType::Brush, &params);
        engine.event(&on(60, 100));
        event.iter().for_each(|event| engine.event(event));
        contacts(&mut engine, 1_440).iter().map(|hit| hit.mass).collect()
    };
    let (heavy, light) = (masses(None), masses(Some(set(HammerMass, 0.01))));
    assert!(light.len() >= 4 && light.iter().all(|l| heavy.iter().any(|m| (l / m - 0.5).abs() < 1e-12)), "{heavy:?} {light:?}");
    let sound = |place: Option<f64>| {
        let mut engine = player(HammerType::Brush, &params);
        engine.event(&on(60, 100));
        place.iter().for_each(|&place| engine.event(&set(StrikePosition, place)));
        play(&mut engine, 4_800)
    };
    let (plain, same, moved) = (sound(None), sound(Some(0.4)), sound(Some(0.3)));
    let apart = |a: &Sound, b: &Sound| a.left.iter().zip(&b.left).fold(0.0_f32, |most, (a, b)| most.max((a - b).abs()));
    assert!(f64::from(apart(&plain, &same)) < 1e-6 * plain.peak(), "{}", apart(&plain, &same));
    assert!(f64::from(apart(&plain, &moved)) > 0.1 * plain.peak());
}

/// The scatter of a brush is chance with a seed: every stroke is another, a reset engine repeats them all.
#[test]
fn brush_strikes_vary_and_repeat_after_a_reset() {
    let mut engine = player(HammerType::Brush, &[(Decay, 0.05)]);
    let stroke = |engine: &mut Engine| {
        engine.event(&on(60, 100));
        play(engine, 48_000)
    };
    let (first, second) = (stroke(&mut engine), stroke(&mut engine));
    assert!(engine.is_asleep() && first != second);
    engine.reset();
    assert_eq!((stroke(&mut engine), stroke(&mut engine)), (first.clone(), second));
    assert_eq!(stroke(&mut player(HammerType::Brush, &[(Decay, 0.05)])), first);
}

#[test]
fn a_brush_starts_on_its_frame() {
    for frame in [0, 5, 16, 1003] {
        let score = [(frame, on(69, 90))];
        let sound = perform(&mut player(HammerType::Brush, &[(Scatter, 1.0)]), &score, 2_000, &[64], &[]);
        assert_eq!(sound.left.iter().position(|x| *x != 0.0), Some(frame));
    }
}

/// One event of careless automation: params of contact, hammer and body, all over their travel where contacts still happen.
fn turn(chance: &mut Chance) -> Event {
    let params = [
        Stiffness,
        Exponent,
        Damping,
        HammerMass,
        StrikePosition,
        StrikeAcross,
        Striker,
        Bending,
        Scatter,
        BodyMass,
        Tune,
        Decay,
        Loss,
    ];
    let param = params[chance.below(params.len())];
    let value = match param {
        Stiffness => 10_f64.powf(-1.0 + 4.0 * chance.part()),
        HammerMass => 10_f64.powf(-3.0 + 3.0 * chance.part()),
        BodyMass => 10_f64.powf(-2.0 + 3.0 * chance.part()),
        Striker => chance.below(HAMMER_TYPES.len()) as f64,
        _ => chance.value(param.spec()),
    };
    set(param, value)
}

/// Masses of sticks, clappers and all bristles jump at every frame, in contact, with everything else that acts.
#[test]
fn parameter_steps_add_no_energy_with_any_hammer_type() {
    for (seed, kind) in (23..).zip(HammerType::ALL) {
        let mut engine = player(kind, &[(Stiffness, 5.0), (BodyMass, 0.05)]);
        let mut chance = Chance::new(seed);
        engine.enable_energy_balance();
        let mut hits = 0;
        for frame in 0..6_000 {
            if frame % 400 == 0 {
                engine.event(&on(60 + (frame / 800 % 2) as u8, 40 + chance.below(88) as u8));
            }
            engine.event(&set(HammerMass, 10_f64.powf(-3.0 + 3.0 * chance.part())));
            engine.event(&set(StrikePosition, chance.part()));
            engine.event(&set(Stiffness, 10_f64.powf(-1.0 + 4.0 * chance.part())));
            play(&mut engine, 1);
            hits += usize::from(engine.take_hit().is_some());
        }
        let worst = engine.energy_balance_report();
        println!("{kind:?}: {hits} contacts, {worst:?}");
        assert!(hits > 10, "{kind:?}: {hits} contacts");
        assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{kind:?}: {worst:?}");
    }
}

#[test]
fn changing_the_hammer_type_during_strikes_adds_no_energy() {
    for seed in 0..4 {
        let mut engine = player(HammerType::Stick, &[(Body, 17.0), (StrikeAcross, 0.3)]);
        let mut chance = Chance::new(seed);
        engine.enable_energy_balance();
        for frame in 0..6_000 {
            if frame % 150 == 0 {
                engine.event(&on(57 + chance.below(3) as u8, 40 + chance.below(88) as u8));
            }
            for _ in 0..3 {
                engine.event(&turn(&mut chance));
            }
            play(&mut engine, 1);
        }
        let worst = engine.energy_balance_report();
        println!("{worst:?}");
        assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "seed {seed}: {worst:?}");
    }
}

#[test]
fn block_size_does_not_change_a_strike() {
    let mut chance = Chance::new(31);
    let mut score: Vec<_> = (0..30).map(|i| (400 * i + 13 * i * i, on(60 + (i % 3) as u8, 90))).collect();
    score.extend((0..2_000).map(|i| (12 * i, turn(&mut chance))));
    score.extend((0..40).map(|i| (600 * i, set(Striker, chance.below(HAMMER_TYPES.len()) as f64))));
    score.sort_by_key(|(frame, _)| *frame);
    let whole = perform(&mut player(HammerType::Brush, &[]), &score, 24_000, &[24_000], &[]);
    assert!(whole.peak() > 0.01);
    for blocks in [&[1][..], &[17], &[64, 3, 480]] {
        assert_eq!(whole, perform(&mut player(HammerType::Brush, &[]), &score, 24_000, blocks, &[]), "{blocks:?}");
    }
}

/// A brush on a body that is full of hammers takes the places of the weakest; every stroke is felt.
#[test]
fn brushes_in_quick_succession_all_strike() {
    let mut engine = player(HammerType::Brush, &[(HammerMass, 0.1), (Stiffness, 1.0)]);
    engine.enable_energy_balance();
    for _ in 0..20 {
        engine.event(&on(60, 100));
        assert!(play(&mut engine, 100).energy() > 0.0);
    }
    let worst = engine.energy_balance_report();
    assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{worst:?}");
    engine.event(&set(Striker, BRUSH - 3.0));
    play(&mut engine, 48_000);
    assert_eq!(engine.active_voices(), 1);
}
