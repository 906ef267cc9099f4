//! Parameters that change while a body rings.

use crate::support::spectrum::{LENGTH, spectrum};
use crate::support::test_engine::*;
use urto_engine::params::ParamId;
use urto_engine::params::ParamId::*;
use urto_engine::patch::{ListedMode, Patch};
use urto_engine::tuning::{ReferencePitch, TuningSource};
use urto_engine::{Engine, EngineConfig, Event};

/// Knobs of contact and hammer are nothing to a body that rings alone.
#[test]
fn contact_parameters_do_not_change_a_free_body() {
    let mut chance = Chance::new(5);
    let mut automation = Vec::new();
    for frame in 10_000..20_000 {
        for param in [Stiffness, Exponent, Damping, HammerMass, StrikePosition] {
            automation.push((frame, set(param, chance.value(param.spec()))));
        }
    }
    let start = [(0, on(60, 100))];
    let mut score = start.to_vec();
    score.extend(automation);
    let untouched = perform(&mut engine(RATE, &[]), &start, 30_000, &[512], &[]);
    assert!(untouched.left[25_000..].iter().any(|x| x.abs() > 1e-3));
    assert_eq!(untouched, perform(&mut engine(RATE, &[]), &score, 30_000, &[512], &[]));
    // and it would show if a hammer were there
    let struck = [start[0], (12_000, on(60, 100))];
    score.push((12_000, on(60, 100)));
    score.sort_by_key(|(frame, _)| *frame);
    let (plain, moved) = (
        perform(&mut engine(RATE, &[]), &struck, 30_000, &[512], &[]),
        perform(&mut engine(RATE, &[]), &score, 30_000, &[512], &[]),
    );
    assert_ne!(plain, moved);
}

/// Three partials far apart, slow to decay.
fn three_partials() -> Patch {
    let mut patch = patch(&[(Body, 2.0), (Modes, 3.0), (Decay, 60.0), (Loss, 1e-5), (Viscosity, 0.0), (Stiffness, 1e4)]);
    let mode = |ratio| ListedMode { ratio, decay: None, mass: 1.0, shape: vec![1.0, 0.6, 0.9].into() };
    patch.modes = [1.0, 4.1, 9.7].map(mode).to_vec();
    patch
}

/// Largest magnitude [dB] further than `apart` [Hz] from where the partials are or come by.
fn beside_the_partials(param: ParamId, values: &[f64], apart: f64) -> f64 {
    let mut patch = three_partials();
    patch.settings.set(param, values[0]);
    let mut engine = Engine::new(EngineConfig::at(RATE), &patch);
    engine.event(&on(69, 80));
    play(&mut engine, 24_000);
    let moves = values.len() - 1;
    let score: Vec<_> = (1..=moves).map(|i| (8_000 + i * 32_000 / (moves + 1), set(param, values[i]))).collect();
    let sound = perform(&mut engine, &score, LENGTH, &[512], &[]);
    let bend = |value: f64| if param == Tune { (value / 12.0).exp2() } else { 1.0 };
    let (low, high) = values.iter().fold((1.0, 1.0), |(low, high): (f64, f64), v| (low.min(bend(*v)), high.max(bend(*v))));
    let taken = |f: f64| [440.0, 4.1 * 440.0, 9.7 * 440.0].iter().any(|p| f > p * low - apart && f < p * high + apart);
    let outside = spectrum(&sound.left).into_iter().enumerate().filter(|(bin, _)| !taken(*bin as f64));
    outside.map(|(_, db)| db).fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn smoothed_parameters_add_no_spurious_components() {
    println!("at rest: {:.1} dB", beside_the_partials(Level, &[0.0], 100.0));
    for (param, values) in [
        (Level, &[0.0, -12.0][..]),
        (BodyMass, &[0.4, 1.6]),
        (PickupLeft, &[0.1, 0.4, 0.2]),
        (Tune, &[0.0, 1.0]),
        (Decay, &[60.0, 3.0]),
        (Loss, &[1e-5, 1e-3]),
        (Viscosity, &[0.0, 1e-6]),
        (Inharmonicity, &[0.0, 0.0001]),
    ] {
        let worst = beside_the_partials(param, values, 200.0);
        println!("{param:?} {values:?}: {worst:.1} dB");
        assert!(worst < -80.0, "{param:?} {values:?}: {worst:.1} dB");
    }
    // an octave in 30 ms is a chirp, which has a spectrum of its own further out
    let octave = beside_the_partials(Tune, &[0.0, -12.0], 600.0);
    assert!(octave < -80.0, "{octave:.1} dB");
    // a controller that sweeps, as hosts send it: a step every 512 frames
    for param in [Level, BodyMass, PickupLeft, Tune, Decay] {
        let centre = param.spec().default;
        let values: Vec<f64> = (0..60).map(|i| centre * (1.0 + 0.003 * f64::from(i)) + 0.003 * f64::from(i)).collect();
        let worst = beside_the_partials(param, &values, 200.0);
        println!("{param:?} swept: {worst:.1} dB");
        assert!(worst < -80.0, "{param:?} swept: {worst:.1} dB");
    }
}

/// A held note glides to another tuning, 14 cents away: by another reference, by concert pitch, by octave stretch.
#[test]
fn retuning_adds_no_spurious_components() {
    let up =
        TuningSource { reference: Some(ReferencePitch { key: 69, hertz: 443.6 }), ..TuningSource::default() }.tuning().unwrap();
    type Retuned<'a> = (u8, &'a dyn Fn(&mut Engine));
    let ways: [Retuned; 3] = [
        (69, &|engine| engine.tune(&up.into())),
        (69, &|engine| engine.event(&set(ConcertPitch, 443.6))),
        (81, &|engine| engine.event(&set(Stretch, 14.0))),
    ];
    for (way, (key, retune)) in ways.into_iter().enumerate() {
        let mut engine = Engine::new(EngineConfig::at(RATE), &three_partials());
        engine.event(&on(key, 80));
        play(&mut engine, 24_000);
        let mut sound = play(&mut engine, 24_000);
        retune(&mut engine);
        sound.left.extend(play(&mut engine, 24_000).left);
        let lowest = engine.tuning().hertz(key).unwrap();
        let taken = |f: f64| [1.0, 4.1, 9.7].iter().any(|ratio| (f - ratio * lowest).abs() < 200.0);
        let outside = spectrum(&sound.left).into_iter().enumerate().filter(|(bin, _)| !taken(*bin as f64));
        let worst = outside.map(|(_, db)| db).fold(f64::NEG_INFINITY, f64::max);
        println!("way {way}: {worst:.1} dB");
        assert!(worst < -80.0, "way {way}: {worst:.1} dB");
    }
}

/// After three quarters of a second a param stands where it was set, to the bit: as if it had always stood there. The DC blocker forgets
/// what was before with 5 Hz; 0.2 s earlier the last bit of one frame in ten thousand still shows it.
#[test]
fn smoothed_parameters_reach_their_target_exactly() {
    for (param, value) in [(Level, -7.3), (BodyMass, 0.77), (PickupLeft, 0.31)] {
        let mut moved = engine(RATE, &[]);
        let mut still = engine(RATE, &[(param, value)]);
        let start = [(0, on(60, 100))];
        let sound = perform(&mut moved, &[start[0], (2_000, set(param, value))], 48_000, &[512], &[]);
        let there = perform(&mut still, &start, 48_000, &[512], &[]);
        if param == BodyMass {
            // a lighter body would have been struck otherwise; what follows has to agree
            for engine in [&mut moved, &mut still] {
                engine.event(&Event::ChokeAll);
                play(engine, 96_000);
                assert!(engine.is_asleep());
            }
            let again = |engine: &mut Engine| perform(engine, &start, 9_600, &[512], &[]);
            assert_eq!(again(&mut moved), again(&mut still));
        } else {
            assert_eq!(sound.left[40_000..], there.left[40_000..], "{param:?}");
        }
    }
}
