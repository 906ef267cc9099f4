//! Supported plates that stretch as they bend: brighter after hard strokes, automation, any split of blocks.

use crate::support::test_engine::*;
use crate::tier::size;
use urto_engine::Event;
use urto_engine::params::ParamId::*;
use urto_engine::params::{BodyKind, ParamId};

/// A steel sheet of 0.5 mm, struck with a soft mallet.
fn sheet(nonlinearity: f64) -> Vec<(ParamId, f64)> {
    vec![
        (Body, BodyKind::SupportedPlate as usize as f64),
        (BodyMass, 0.8),
        (Thickness, 5e-4),
        (Modes, 96.0),
        (Tune, -36.0),
        (Decay, 3.0),
        (Loss, 1e-3),
        (HammerMass, 0.08),
        (Stiffness, 5.0),
        (SpeedLow, 0.02),
        (SpeedHigh, 4.0),
        (Nonlinearity, nonlinearity),
    ]
}

/// Energy of the differences of a sound over that of the sound: the square of its brightness.
fn brightness(sound: &[f32]) -> f64 {
    let square = |x: f64| x * x;
    let all: f64 = sound.iter().map(|x| square(f64::from(*x))).sum();
    sound.windows(2).map(|pair| square(f64::from(pair[1] - pair[0]))).sum::<f64>() / all
}

/// After the mallet has left, the sound of a hard stroke goes on to get brighter than that of a linear plate; a soft one does not.
#[test]
fn a_hard_stroke_on_a_sheet_gets_brighter() {
    let rise = |nonlinearity: f64, velocity: u8| {
        let mut engine = engine(RATE, &sheet(nonlinearity));
        engine.event(&on(60, velocity));
        let sound = play(&mut engine, 19_200).left;
        [brightness(&sound[2_400..7_200]), brightness(&sound[9_600..19_200])]
    };
    let [hard, linear] = [rise(1.0, 127), rise(0.0, 127)];
    let [soft, soft_linear] = [rise(1.0, 1), rise(0.0, 1)];
    println!("hard {hard:?}, linear {linear:?}, soft {soft:?}, linear {soft_linear:?}");
    assert!(hard[0] > 1.5 * linear[0] || hard[1] > 1.5 * linear[1], "{hard:?} {linear:?}");
    assert!((0..2).all(|i| soft[i] < 2.0 * soft_linear[i]), "{soft:?} {soft_linear:?}");
}

/// n times the nonlinearity is n times the amplitude: with a linear contact, the same sound n times as loud.
#[test]
fn nonlinearity_is_amplitude() {
    let sound = |nonlinearity: f64, speed: f64| {
        let mut params = sheet(nonlinearity);
        params.extend([(Contact, 2.0), (SpeedLow, speed), (SpeedHigh, speed), (Level, -30.0)]);
        let mut engine = engine(RATE, &params);
        engine.event(&on(60, 64));
        play(&mut engine, 4_800).left
    };
    let (once, twice) = (sound(1.0, 1.0), sound(2.0, 0.5));
    let peak = once.iter().fold(0.0, |peak: f32, x| peak.max(x.abs()));
    let worst = once.iter().zip(&twice).map(|(a, b)| (a - 2.0 * b).abs()).fold(0.0, f32::max);
    println!("{:e}", worst / peak);
    assert!(peak > 1e-4 && worst < 2e-3 * peak, "{worst} of {peak}");
}

/// Nonlinearity, mass, pitch and obstacles move while the body sounds, and more keys are struck than there are copies of the potential.
#[test]
fn no_change_of_a_bending_plate_adds_energy() {
    let mut reduced = 0;
    for (seed, extra) in (1..).zip([&[][..], &[(Rattle, 2.0), (RattlePress, 1.0), (RattleCount, 2.0)]]) {
        let mut params = sheet(1.0);
        params.extend_from_slice(extra);
        let mut engine = engine(RATE, &params);
        engine.enable_energy_balance();
        let mut chance = Chance::new(seed);
        for frame in 0..size(3_000, 24_000) {
            if frame % 600 == 0 {
                engine.event(&on(57 + chance.below(5) as u8, 1 + chance.below(127) as u8));
            }
            for param in [Nonlinearity, BodyMass, Tune, Decay, HammerMass, Stiffness, RattleGap] {
                if chance.below(40) == 0 {
                    engine.event(&set(param, chance.value(param.spec())));
                }
            }
            play(&mut engine, 1);
        }
        let worst = engine.energy_balance_report();
        println!("{extra:?}: balance {:e}, unsupplied {:e}", worst.balance, worst.unsupplied);
        reduced += engine.cost_totals().reduced;
        assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{extra:?}: {:e} {:e}", worst.balance, worst.unsupplied);
    }
    assert!(reduced > 0, "fewer modes take part for a while");
}

/// Single strokes and a roll on two keys never have fewer modes in the potential; chords of six keys do.
#[test]
fn all_modes_share_the_potential_in_normal_use() {
    let reduced = |struck: &dyn Fn(usize) -> Vec<u8>| {
        let mut engine = engine(RATE, &sheet(1.0));
        for n in 0..8 {
            struck(n).into_iter().for_each(|key| engine.event(&on(key, 127)));
            play(&mut engine, 2_400);
        }
        engine.cost_totals().reduced
    };
    assert_eq!(reduced(&|n| if n == 0 { vec![60] } else { vec![] }), 0);
    assert_eq!(reduced(&|n| vec![48 + 12 * (n % 2) as u8]), 0);
    assert!(reduced(&|n| if n % 4 == 0 { (0..6).map(|k| 48 + 4 * k).collect() } else { vec![] }) > 0);
}

/// The meter tells the deflection in thicknesses: that of the lowest modes, which are nearly all of it.
#[test]
fn the_meter_tells_the_deflection_in_thicknesses() {
    let mut engine = engine(RATE, &sheet(1.0));
    engine.event(&on(60, 127));
    let mut largest = 0.0_f64;
    for _ in 0..300 {
        play(&mut engine, 16);
        let motion = engine.body_motion().expect("it sounds");
        let square: f64 = motion.modes[..motion.count].iter().map(|mode| f64::from(mode.q).powi(2)).sum();
        largest = largest.max(2.0 * (square / 0.8).sqrt() / 5e-4);
    }
    play(&mut engine, 16);
    let read = engine.take_stiffening();
    println!("{read:?}, lowest modes {largest}");
    assert!(
        (f64::from(read.deflection) / largest - 1.0).abs() < 0.03 && largest > 0.5 && read.tension == 0.0,
        "{read:?} {largest}"
    );
    play(&mut engine, 16);
    let later = engine.take_stiffening().deflection;
    assert!(later > 0.0 && later < read.deflection, "since the last reading: {later}");
}

/// Strokes on a few keys, bends, moving parameters, and silence in which the potential comes to rest.
fn score() -> Vec<(usize, Event)> {
    let mut chance = Chance::new(5);
    let mut score: Vec<(usize, Event)> =
        (0..12).map(|i| (i * 900 + chance.below(300), on(57 + (i % 5) as u8, 30 + chance.below(97) as u8))).collect();
    for i in 0..24 {
        let param = [Nonlinearity, Tune, BodyMass, PickupLeft][i % 4];
        let value = if param == Nonlinearity { 3.0 * chance.part() } else { chance.value(param.spec()) };
        score.push((chance.below(11_000), set(param, value)));
    }
    score.push((11_200, set(Nonlinearity, 1.0)));
    score.sort_by_key(|(frame, _)| *frame);
    score
}

#[test]
fn block_size_does_not_change_a_bending_plate() {
    assert_same_in_blocks(&sheet(2.0), &score(), 16_000, &[&[1], &[37], &[64, 1, 480]]);
}

#[test]
fn a_reset_restores_a_bending_plate() {
    assert_reset_restores(&sheet(2.0), &score(), 12_000);
}
