//! Bodies whose tension grows with their deflection: falling pitch, automation, any split of blocks.

use crate::support::spectrum::{compare, kaiser};
use crate::support::test_engine::*;
use crate::tier::size;
use urto_engine::params::ParamId::*;
use urto_engine::params::{BodyKind, ParamId};
use urto_engine::patch::factory_presets;
use urto_engine::{Engine, EngineConfig, Event};

/// Numbers of body types.
const STRING: f64 = BodyKind::String as usize as f64;
const HEAD: f64 = BodyKind::Head as usize as f64;

/// A head of 12 inches, of which a strike in the middle excites only round modes.
fn tom(nonlinearity: f64) -> Vec<(ParamId, f64)> {
    vec![
        (Body, HEAD),
        (BodyMass, 0.0255),
        (Modes, 64.0),
        (Tune, -9.6305),
        (Decay, 1.4),
        (Loss, 4e-3),
        (HammerMass, 0.03),
        (Stiffness, 5.0),
        (StrikePosition, 0.0),
        (PickupLeft, 0.0),
        (PickupRight, 0.0),
        (SpeedLow, 0.3),
        (SpeedHigh, 6.0),
        (Nonlinearity, nonlinearity),
    ]
}

/// Pitch of the lowest mode [cents over 150 Hz] at these times [s] after a stroke.
fn pitches(params: &[(ParamId, f64)], velocity: u8, times: [f64; 4]) -> [f64; 4] {
    const WINDOW: usize = 1680;
    const APART: usize = 240;
    let mut engine = engine(RATE, params);
    engine.event(&on(60, velocity));
    let sound = play(&mut engine, 24_000);
    let window = kaiser(WINDOW, 8.0);
    times.map(|time| {
        let middle = (time * RATE) as usize;
        compare(&sound.left, middle.saturating_sub((WINDOW + APART) / 2), APART, &window, 150.0, RATE).0
    })
}

/// A hard stroke starts sharp and falls, a soft one hardly; without nonlinearity no pitch moves.
#[test]
fn the_pitch_of_a_tom_falls_after_a_hard_stroke() {
    let times = [0.04, 0.07, 0.12, 0.3];
    let glide = |nonlinearity, velocity| {
        let [a, b, c, rest] = pitches(&tom(nonlinearity), velocity, times);
        [a - rest, b - rest, c - rest]
    };
    let (hard, medium, soft, linear) = (glide(1.0, 127), glide(1.0, 70), glide(1.0, 10), glide(0.0, 127));
    println!("hard {hard:.1?}, medium {medium:.1?}, soft {soft:.1?}, linear {linear:.2?} cents");
    assert!(hard[0] > 60.0 && hard.is_sorted_by(|a, b| a > b), "{hard:?}");
    assert!(
        hard.iter().zip(medium).all(|(hard, medium)| *hard > 1.5 * medium) && medium[0] > 2.0 * soft[0],
        "{medium:?} {soft:?}"
    );
    assert!(linear.iter().all(|cents| cents.abs() < 3.0), "{linear:?}");
}

/// Pitch of a preset, played `shift` semitones higher, 20, 50, 100 and 150 ms after a stroke [cents over that at 300 ms], near `hertz`.
fn preset_glide(name: &str, shift: f64, hertz: f64, velocity: u8) -> [f64; 4] {
    let mut patch = factory_presets::built_in().find(|patch| patch.name == name).expect("it exists");
    patch.settings.set(Tune, patch.settings.get(Tune) + shift);
    let mut engine = Engine::new(EngineConfig::at(RATE), &patch);
    engine.event(&on(60, velocity));
    let sound = play(&mut engine, 24_000);
    let mono: Vec<f32> = sound.left.iter().zip(&sound.right).map(|(left, right)| left + right).collect();
    let (length, apart) = ((4.5 / hertz * RATE) as usize, 240);
    let window = kaiser(length, 7.0);
    let pitch = |time: f64, near: f64| {
        let start = ((time * RATE) as usize).saturating_sub((length + apart) / 2);
        (0..4).fold(near, |near, _| near * (compare(&mono, start, apart, &window, near, RATE).0 / 1200.0).exp2())
    };
    let rest = pitch(0.3, hertz);
    [0.02, 0.05, 0.1, 0.15].map(|time| 1200.0 * (pitch(time, 1.08 * rest) / rest).log2())
}

/// Toms fall as hard strokes on two recorded ones of 137 and 73.5 Hz do, within 30 cents, and less after softer strokes.
#[test]
fn toms_fall_as_recorded() {
    let recorded = [
        ("Twelve-Inch Tom", -1.565, 137.0, [250.0, 211.0, 139.0, 80.0]),
        ("Floor Tom", -2.524, 73.5, [252.0, 240.0, 159.0, 104.0]),
    ];
    for (name, shift, hertz, known) in recorded {
        let [hard, medium, soft] = [120, 75, 25].map(|velocity| preset_glide(name, shift, hertz, velocity));
        println!("{name}: {hard:.0?}, medium {medium:.0?}, soft {soft:.0?}");
        assert!(hard.iter().zip(known).all(|(cents, known)| (cents - known).abs() <= 30.0), "{name}: {hard:?}");
        assert!((0..4).all(|i| soft[i] < medium[i] && medium[i] < hard[i]), "{name}: {medium:?} {soft:?}");
    }
}

/// n times the nonlinearity is n times the amplitude: with a linear contact, the same sound n times as loud.
#[test]
fn nonlinearity_is_amplitude() {
    let sound = |nonlinearity: f64, speed: f64| {
        let mut params = tom(nonlinearity);
        params.extend([(Contact, 2.0), (SpeedLow, speed), (SpeedHigh, speed), (Level, -30.0)]);
        let mut engine = engine(RATE, &params);
        engine.event(&on(60, 100));
        play(&mut engine, 9_600).left
    };
    let (thick, thin) = (sound(1.0, 4.0), sound(4.0, 1.0));
    let peak = thick.iter().fold(0.0, |peak: f32, x| peak.max(x.abs()));
    let worst = thick.iter().zip(&thin).map(|(thick, thin)| (thick - 4.0 * thin).abs()).fold(0.0, f32::max);
    println!("{}", worst / peak);
    assert!(peak > 1e-3 && worst < 1e-4 * peak, "{worst} of {peak}");
}

/// Strings twang: the first 20 ms of a hard stroke are sharper than its end.
#[test]
fn a_wire_struck_hard_twangs() {
    let wire = |nonlinearity: f64| {
        vec![
            (Body, STRING),
            (BodyMass, 0.004),
            (Modes, 32.0),
            (Tune, -9.6305),
            (HammerMass, 0.02),
            (SpeedHigh, 8.0),
            (StrikePosition, 0.5),
            (PickupLeft, 0.5),
            (Decay, 0.6),
            (Nonlinearity, nonlinearity),
        ]
    };
    let times = [0.05, 0.08, 0.12, 0.4];
    let [early, _, later, late] = pitches(&wire(2.0), 127, times);
    let [linear, .., end] = pitches(&wire(0.0), 127, times);
    println!("{early:.1} {later:.1} {late:.1}, linear {linear:.2} {end:.2} cents");
    assert!(early > later + 10.0 && later > late + 2.0, "{early} {later} {late}");
    assert!((linear - end).abs() < 3.0, "{linear} {end}");
}

/// Plays strokes while `params` jump at every frame; the worst of the balances.
fn automate(engine: &mut Engine, params: &[ParamId], seed: u64) -> (f64, f64) {
    let mut chance = Chance::new(seed);
    engine.enable_energy_balance();
    for frame in 0..size(4_000, 24_000) {
        if frame % 500 == 0 {
            engine.event(&on(55 + (frame / 500 % 3) as u8, 60 + chance.below(68) as u8));
        }
        for &param in params {
            if chance.below(20) == 0 {
                engine.event(&set(param, chance.value(param.spec())));
            }
        }
        play(engine, 1);
    }
    let worst = engine.energy_balance_report();
    (worst.balance, worst.unsupplied)
}

/// The meter tells the extra tension over that at rest: E/stress times the stretch of a steel string of usual stress.
#[test]
fn the_meter_tells_the_tension_of_a_string() {
    let (mass, hertz) = (0.005, 261.625_565);
    let params = [(Body, STRING), (BodyMass, mass), (Modes, 12.0), (Nonlinearity, 1.0), (SpeedLow, 2.0), (SpeedHigh, 2.0)];
    let mut engine = engine(RATE, &params);
    engine.event(&on(60, 100));
    let length = (0.7e9_f64 / 7800.0).sqrt() / (2.0 * hertz);
    let mut largest = 0.0_f64;
    for _ in 0..300 {
        play(&mut engine, 16);
        let motion = engine.body_motion().expect("it sounds");
        let square = |(i, q): (usize, f64)| ((i + 1) as f64 * std::f64::consts::PI * q).powi(2);
        let sum: f64 = motion.modes[..motion.count].iter().map(|mode| f64::from(mode.q)).enumerate().map(square).sum();
        largest = largest.max(300.0 * sum / (2.0 * length * length * mass));
    }
    play(&mut engine, 16);
    let read = engine.take_stiffening();
    println!("{read:?}, by the motion {largest}");
    assert!(
        (f64::from(read.tension) / largest - 1.0).abs() < 0.02 && largest > 0.01 && read.deflection == 0.0,
        "{read:?} {largest}"
    );
}

/// Nonlinearity, mass, pitch, morph and obstacles move while the body sounds.
#[test]
fn no_change_of_a_body_with_tension_adds_energy() {
    let extras: [&[(ParamId, f64)]; 4] = [
        &[],
        &[(Rattle, 2.0), (RattlePress, 1.0), (RattleCount, 2.0)],
        &[(MorphTo, 2.0), (Morph, 0.3)],
        &[(Body, STRING), (BodyMass, 0.004), (Hold, 5.0)],
    ];
    for (seed, extra) in (1..).zip(extras) {
        let mut params = tom(1.0);
        params.extend_from_slice(extra);
        let mut engine = engine(RATE, &params);
        let moved = [Nonlinearity, BodyMass, Tune, Decay, Morph, Material, HammerMass, Stiffness, RattleGap, Inharmonicity];
        let (balance, unsupplied) = automate(&mut engine, &moved, seed);
        println!("{extra:?}: balance {balance:e}, unsupplied {unsupplied:e}");
        assert!(balance <= 1e-12 && unsupplied <= 1e-14, "{extra:?}: {balance:e} {unsupplied:e}");
    }
}

/// Strokes on a few keys, bends, moving parameters, and silence in which the tension comes to rest.
fn score() -> Vec<(usize, Event)> {
    let mut chance = Chance::new(5);
    let mut score: Vec<(usize, Event)> =
        (0..30).map(|i| (i * 700 + chance.below(300), on(57 + (i % 5) as u8, 30 + chance.below(97) as u8))).collect();
    for i in 0..40 {
        let param = [Nonlinearity, Tune, BodyMass, PickupLeft, StrikePosition][i % 5];
        let value = if param == Nonlinearity { 3.0 * chance.part() } else { chance.value(param.spec()) };
        score.push((chance.below(20_000), set(param, value)));
    }
    score.push((20_500, set(Nonlinearity, 1.0)));
    score.sort_by_key(|(frame, _)| *frame);
    score
}

#[test]
fn block_size_does_not_change_a_body_with_tension() {
    for extra in [&[][..], &[(Rattle, 1.0), (RattleGap, 5e-4)], &[(DriveGain, 20.0), (DriveSource, 1.0)]] {
        let mut params = tom(2.0);
        params.extend_from_slice(extra);
        assert_same_in_blocks(&params, &score(), 40_000, &[&[1], &[37], &[64, 1, 480], &[4096]]);
    }
}

#[test]
fn a_reset_restores_a_body_with_tension() {
    assert_reset_restores(&tom(2.0), &score(), 24_000);
}

/// A body that is struck so softly that its tension is inaudible sounds as the linear one, and so does one without tension.
#[test]
fn soft_strokes_sound_as_without_tension() {
    let sound = |nonlinearity: f64, extra: &[(ParamId, f64)]| {
        let mut params = tom(nonlinearity);
        params.extend_from_slice(extra);
        let mut engine = engine(RATE, &params);
        engine.event(&on(60, 1));
        play(&mut engine, 24_000).left
    };
    let soft = [(SpeedLow, 0.005), (HammerMass, 1e-3)];
    let (with, without) = (sound(1.0, &soft), sound(0.0, &soft));
    let peak = without.iter().fold(0.0, |peak: f32, x| peak.max(x.abs()));
    let worst = with.iter().zip(&without).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    println!("{:e}", worst / peak);
    assert!(worst < 1e-3 * peak, "{worst} of {peak}");
    let bar = [(Body, BodyKind::Bar as usize as f64)];
    assert!(sound(1.0, &bar) == sound(0.0, &bar), "a free bar has no tension");
}
