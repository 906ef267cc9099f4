//! Rolling and scraping under the driven hammer: sound without notes, speed, load, energy balance.

use urto_fourier::spectrum;

use crate::support::test_engine::*;
use urto_engine::Event;
use urto_engine::params::ParamId;
use urto_engine::params::ParamId::*;
use urto_engine::params::{MOD_TARGETS, ROLLING_SURFACES};

/// A steel ball on a plate.
const BALL: [(ParamId, f64); 9] = [
    (Roll, 1.0),
    (HammerMass, 0.0167),
    (RollRadius, 8e-3),
    (Roughness, 2e-6),
    (RollSpeed, 0.2),
    (Tether, 0.0),
    (TetherDamping, 0.0),
    (Gravity, 9.81),
    (Level, 40.0),
];

fn ball(more: &[(ParamId, f64)]) -> Vec<(ParamId, f64)> {
    [&BALL[..], more].concat()
}

fn rms(sound: &Sound) -> f64 {
    (sound.energy() / (2 * sound.left.len()) as f64).sqrt()
}

/// Rolls for so many seconds and gives the last of them.
fn rolled(params: &[(ParamId, f64)], seconds: usize) -> Sound {
    let mut engine = engine(RATE, params);
    play(&mut engine, (seconds - 1) * 48_000);
    play(&mut engine, 48_000)
}

/// Power around a frequency [Hz] over the power beside it.
fn line(sound: &Sound, hertz: f64) -> f64 {
    let n = sound.left.len();
    let hann = |i: usize| (std::f64::consts::PI * i as f64 / n as f64).sin().powi(2);
    let window: Vec<f64> = sound.left.iter().enumerate().map(|(i, x)| f64::from(*x) * hann(i)).collect();
    let bins = spectrum(&window);
    let bin = (hertz * n as f64 / RATE).round() as usize;
    let power = |range: std::ops::Range<usize>| range.clone().map(|k| bins[k].norm_sqr()).sum::<f64>() / range.len() as f64;
    power(bin - 2..bin + 3) / (0.5 * (power(bin - 25..bin - 8) + power(bin + 9..bin + 26)))
}

/// Off, all that has to do with rolling is not there, whatever its params say.
#[test]
fn rolling_off_has_no_effect() {
    let params: Vec<_> =
        ball(&[(RollSeed, 7.0), (RollSway, 1.0), (RollGrain, 1e-3)]).into_iter().filter(|(param, _)| *param != Roll).collect();
    let plain: Vec<_> = params.iter().filter(|(param, _)| matches!(param, HammerMass | Gravity | Level)).copied().collect();
    let score = [(5, on(60, 100)), (9_000, on(62, 60))];
    let with = perform(&mut engine(RATE, &params), &score, 24_000, &[480], &[]);
    assert_eq!(with, perform(&mut engine(RATE, &plain), &score, 24_000, &[480], &[]));
}

#[test]
fn rolling_needs_no_note_and_decays_at_speed_zero() {
    let mut engine = engine(RATE, &ball(&[]));
    let sound = play(&mut engine, 48_000);
    assert!(rms(&sound) > 1e-4, "{}", rms(&sound));
    engine.event(&set(RollSpeed, 0.0));
    play(&mut engine, 480_000);
    let after = play(&mut engine, 48_000);
    assert!(rms(&after) < 1e-3 * rms(&sound), "{} after {}", rms(&after), rms(&sound));
    engine.event(&set(Roll, 0.0));
    play(&mut engine, 480_000);
    assert!(engine.is_asleep(), "it has rolled away");
    engine.event(&set(Roll, 1.0));
    engine.event(&set(RollSpeed, 0.2));
    assert!(rms(&play(&mut engine, 48_000)) > 0.2 * rms(&sound), "and comes back");
}

/// Over several surfaces: a ball on one of them bounces as it will.
#[test]
fn rolling_is_louder_with_speed_and_roughness() {
    const SURFACES: i32 = 4;
    let loud = |param: (ParamId, f64)| {
        let on = |seed: i32| rms(&rolled(&ball(&[param, (RollSeed, f64::from(seed))]), 3)).powi(2);
        ((1..=SURFACES).map(on).sum::<f64>() / f64::from(SURFACES)).sqrt()
    };
    let [slow, medium, fast] = [0.05, 0.2, 0.8].map(|speed| loud((RollSpeed, speed)));
    assert!(medium > 1.2 * slow && fast > 1.2 * medium, "{slow} {medium} {fast}");
    let rough = loud((Roughness, 6e-6));
    assert!(rough > 1.2 * medium, "{medium} {rough}");
}

/// The wheel moves the speed over all of its param's travel; pressure presses.
#[test]
fn wheel_and_pressure_modulate_speed_and_load() {
    let speed = MOD_TARGETS.iter().position(|name| *name == "Roll speed").expect("there is such a target");
    let wheel = Event::Controller { channel: 0, number: 1, value: 1.0 };
    let params = ball(&[(RollSpeed, 0.0), (WheelTarget, speed as f64), (WheelAmount, 0.4)]);
    let mut engine = engine(RATE, &params);
    assert_eq!(play(&mut engine, 24_000).peak(), 0.0, "it stands");
    assert!(engine.is_asleep());
    engine.event(&wheel);
    play(&mut engine, 24_000);
    assert!(rms(&play(&mut engine, 48_000)) > 1e-4);
}

/// The pitch of a guiro: speed over distance, of a point that is pressed hard enough to follow its ribs instead of flying from one to another.
#[test]
fn ribs_have_the_pitch_of_speed_over_distance() {
    let ribs = |speed: f64| {
        rolled(
            &ball(&[
                (Roll, 2.0),
                (RollGrain, 1e-3),
                (Roughness, 1e-5),
                (RollRadius, 2e-4),
                (RollSpeed, speed),
                (Hold, 5.0),
                (Level, 30.0),
            ]),
            2,
        )
    };
    for speed in [0.31, 0.37] {
        let sound = ribs(speed);
        let (own, other) = (line(&sound, speed / 1e-3), line(&sound, 1.09 * speed / 1e-3));
        println!("{speed} m/s: {own} at {} Hz, beside it {other}", speed / 1e-3);
        assert!(own > 20.0 && own > 5.0 * other, "{own} {other}");
    }
}

/// With any parameters: block size does not change the output, a reset restores the initial state, the energy balance closes.
#[test]
fn rolling_parameters_can_change_at_any_time() {
    const FRAMES: usize = 24_000;
    let mut chance = Chance::new(5);
    let params = [
        Roll,
        RollSpeed,
        RollRadius,
        Roughness,
        RollSlope,
        RollGrain,
        RollLength,
        RollSway,
        RollSeed,
        Hold,
        Gravity,
        HammerMass,
        StrikePosition,
    ];
    let mut score = vec![(0, set(DriveChannels, 1.0)), (3_000, on(60, 90)), (9_000, on(67, 90))];
    score.extend((0..600).map(|i| {
        let param = params[chance.below(params.len())];
        let value = match param {
            HammerMass => 0.005 + 0.03 * chance.part(),
            Roll => (chance.below(4 * ROLLING_SURFACES.len()).min(ROLLING_SURFACES.len() - 1)) as f64,
            _ => chance.value(param.spec()),
        };
        (i * 40, set(param, value))
    }));
    score.sort_by_key(|(frame, _)| *frame);
    let mut whole = engine(RATE, &BALL);
    whole.enable_energy_balance();
    let sound = perform(&mut whole, &score, FRAMES, &[FRAMES], &[]);
    assert!(sound.peak() > 1e-3 && sound.left.iter().all(|x| x.is_finite()));
    let worst = whole.energy_balance_report();
    println!("{worst:?}");
    assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{worst:?}");
    assert_eq!(sound, perform(&mut engine(RATE, &BALL), &score, FRAMES, &[1, 77, 512, 3], &[]));
    let mut again = engine(RATE, &BALL);
    perform(&mut again, &score, 5_000, &[64], &[]);
    let settings = patch(&BALL).settings;
    for &param in ParamId::ALL {
        again.event(&set(param, settings.get(param)));
    }
    again.reset();
    assert_eq!(play(&mut again, 9_600), play(&mut engine(RATE, &BALL), 9_600));
}
