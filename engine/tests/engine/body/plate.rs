//! Plates and discs that stretch as they bend: brighter after hard strokes, gliding gongs, automation, any split of blocks.

use crate::support::spectrum::{compare, kaiser};
use crate::support::test_engine::*;
use crate::tier::size;
use std::f64::consts::TAU;
use urto_engine::Event;
use urto_engine::params::ParamId::*;
use urto_engine::params::{BodyKind, EdgeMount, ParamId};
use urto_physics::bodies::{EdgeSupport, InPlaneEdges, ModalShape, PlateStretch, StretchDetail, StretchForms, StretchSpec};
use urto_physics::modal::Potential;

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

/// A bronze gong, clamped, of 1.6 mm and 20 cm, with a dome.
fn gong(nonlinearity: f64, dome: f64) -> Vec<(ParamId, f64)> {
    vec![
        (Body, BodyKind::ClampedDisc as usize as f64),
        (BodyMass, 0.437),
        (Thickness, 1.6e-3),
        (Modes, 128.0),
        (Tune, 1.0),
        (Decay, 2.5),
        (Loss, 1e-4),
        (HammerMass, 0.12),
        (Stiffness, 30.0),
        (Exponent, 2.2),
        (StrikePosition, 0.1),
        (SpeedLow, 0.3),
        (SpeedHigh, 6.0),
        (Level, -12.0),
        (Nonlinearity, nonlinearity),
        (Dome, dome),
    ]
}

/// The sheet with free edges, or clamped with edges that slide or are held.
fn free_or_clamped(kind: BodyKind, edges: EdgeMount, nonlinearity: f64) -> Vec<(ParamId, f64)> {
    let mut params = sheet(nonlinearity);
    params.extend([(Body, kind as usize as f64), (Edges, edges as usize as f64)]);
    params
}

/// The sheet, the gong with a dome and dents, the free sheet, and the clamped one.
fn bodies(nonlinearity: f64) -> [Vec<(ParamId, f64)>; 4] {
    let mut dented = gong(nonlinearity, 2.5);
    dented.push((Dents, 0.4));
    let free = free_or_clamped(BodyKind::Plate, EdgeMount::Sliding, nonlinearity);
    [sheet(nonlinearity), dented, free, free_or_clamped(BodyKind::ClampedPlate, EdgeMount::Held, nonlinearity)]
}

/// Sound of a stroke on a free or clamped square plate of 1 mm at 131 Hz, and its lowest mode's displacements [m kg^1/2] after every 16 frames.
fn square(kind: BodyKind, edges: EdgeMount, velocity: u8) -> (Vec<f32>, Vec<f64>) {
    let place = if kind == BodyKind::Plate { 0.05 } else { 0.5 };
    let mut params = free_or_clamped(kind, edges, 1.0);
    params.extend([
        (Thickness, 1e-3),
        (Aspect, 1.0),
        (Tune, -12.0),
        (Decay, 3.0),
        (Loss, 0.01),
        (Stiffness, 100.0),
        (SpeedHigh, 10.0),
    ]);
    params.extend([StrikePosition, StrikeAcross, PickupLeft, PickupLeftAcross].map(|param| (param, place)));
    let mut engine = engine(RATE, &params);
    engine.event(&on(60, velocity));
    let (mut sound, mut motion) = (Vec::new(), Vec::new());
    for _ in 0..3_000 {
        sound.extend(play(&mut engine, 16).left);
        motion.push(engine.body_motion().map_or(0.0, |motion| f64::from(motion.modes[0].q)));
    }
    (sound, motion)
}

/// A hard stroke on a free or clamped plate begins as sharp as its lowest mode makes it by theory, and falls; a soft one stays within a cent.
#[test]
fn free_and_clamped_plates_begin_sharp() {
    let plates = [
        (BodyKind::Plate, EdgeSupport::Free, EdgeMount::Sliding),
        (BodyKind::ClampedPlate, EdgeSupport::Clamped, EdgeMount::Sliding),
        (BodyKind::ClampedPlate, EdgeSupport::Clamped, EdgeMount::Held),
    ];
    for (kind, rim, edges) in plates {
        let (sound, motion) = square(kind, edges, 127);
        let (window, apart) = (kaiser(4_800, 8.0), 240);
        let pitch = |sound: &[f32], time: f64| {
            let start = (time * RATE) as usize - (window.len() + apart) / 2;
            let near = 440.0 * (-21.0_f64 / 12.0).exp2();
            (0..4).fold(near, |near, _| near * (compare(sound, start, apart, &window, near, RATE).0 / 1200.0).exp2())
        };
        let cents = |sound: &[f32], time: f64| 1200.0 * (pitch(sound, time) / pitch(sound, 0.93)).log2();
        let in_plane = if edges == EdgeMount::Held { InPlaneEdges::Held } else { InPlaneEdges::Free };
        let spec = StretchSpec { aspect: 1.0, poisson: 0.33, edges: in_plane };
        let forms = StretchForms::new(&spec, &ModalShape::plate(rim, 1.0, 0.33, 1), 1);
        let mut own = forms.potential(StretchDetail { rigid: 0, modes: 1, stresses: 400 });
        let omega = TAU * pitch(&sound, 0.93);
        let amount = PlateStretch { rim, thickness: 1e-3, poisson: 0.33, mass: 0.8, omega, aspect: 1.0 }.amount();
        let quartic = amount * own.evaluate(&[1.0], &mut [0.0]);
        // omega'^2 = omega^2 + 3 V A^2 to first order, A^2 twice the mean of q^2
        let expected = |time: f64| {
            let middle = (time * RATE / 16.0) as usize;
            let square = motion[middle - 60..middle + 60].iter().map(|q| q * q).sum::<f64>() / 60.0;
            600.0 * (1.0 + 3.0 * quartic * square / (omega * omega)).log2()
        };
        let found = [0.3, 0.5].map(|time| [cents(&sound, time), expected(time)]);
        let soft = cents(&square(kind, edges, 1).0, 0.3);
        println!("{kind:?} {edges:?}: {found:.2?}, soft {soft:.3} cents");
        for [found, expected] in found {
            assert!((found - expected).abs() < 0.3 + 0.02 * expected, "{kind:?} {edges:?}: {found} and not {expected} cents");
        }
        assert!(
            found[0][0] > 10.0 && found[1][0] < 0.4 * found[0][0] && soft.abs() < 1.0,
            "{kind:?} {edges:?}: {found:?} {soft}"
        );
    }
}

/// The parameter of the edges has no effect on a free plate.
#[test]
fn nothing_holds_the_edges_of_a_free_plate() {
    let [sliding, held] = [EdgeMount::Sliding, EdgeMount::Held].map(|edges| square(BodyKind::Plate, edges, 90).0);
    assert_eq!(sliding, held);
}

/// Pitch of the lowest mode of the gong [cents over that after 1.2 s] 50 and 150 ms after a stroke.
fn glide(nonlinearity: f64, dome: f64, velocity: u8) -> [f64; 2] {
    let mut engine = engine(RATE, &gong(nonlinearity, dome));
    engine.event(&on(60, velocity));
    let sound = play(&mut engine, 62_400).left;
    let (window, apart) = (kaiser(1_600, 8.0), 240);
    let near = 440.0 * (-8.0_f64 / 12.0).exp2();
    let pitch = |time: f64| {
        let start = (time * RATE) as usize - (window.len() + apart) / 2;
        (0..4).fold(near, |near, _| near * (compare(&sound, start, apart, &window, near, RATE).0 / 1200.0).exp2())
    };
    [0.05, 0.15].map(|time| 1200.0 * (pitch(time) / pitch(1.2)).log2())
}

/// As in Peking opera: a hard stroke on a flat gong begins sharp and falls, on one with a dome it begins flat and rises; soft strokes and
/// linear gongs keep their pitch.
#[test]
fn flat_gongs_fall_and_domed_ones_rise() {
    let [falls, rises] = [0.0, 3.0].map(|dome| glide(1.0, dome, 127));
    let calm = [glide(1.0, 0.0, 20), glide(1.0, 3.0, 20), glide(0.0, 0.0, 127), glide(0.0, 3.0, 127)];
    println!("flat {falls:.0?}, domed {rises:.0?}, soft and linear {calm:.1?} cents");
    assert!(falls[0] > falls[1] + 15.0 && falls[1] > 40.0, "{falls:?}");
    assert!(rises[0] < rises[1] - 15.0 && rises[1] < -40.0, "{rises:?}");
    assert!(calm.iter().flatten().all(|cents| cents.abs() < 8.0), "{calm:?}");
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
    let sound = |body: usize, nonlinearity: f64, speed: f64| {
        let mut params = bodies(nonlinearity)[body].clone();
        params.extend([(Contact, 2.0), (SpeedLow, speed), (SpeedHigh, speed), (Level, -30.0)]);
        let mut engine = engine(RATE, &params);
        engine.event(&on(60, 64));
        play(&mut engine, 4_800).left
    };
    for body in 0..bodies(1.0).len() {
        let (once, twice) = (sound(body, 1.0, 1.0), sound(body, 2.0, 0.5));
        let peak = once.iter().fold(0.0, |peak: f32, x| peak.max(x.abs()));
        let worst = once.iter().zip(&twice).map(|(a, b)| (a - 2.0 * b).abs()).fold(0.0, f32::max);
        println!("{:e}", worst / peak);
        assert!(peak > 1e-4 && worst < 2e-3 * peak, "{body}: {worst} of {peak}");
    }
}

/// Nonlinearity, mass, pitch and obstacles move while the body sounds, and more keys are struck than there are copies of the potential.
#[test]
fn no_change_of_a_bending_plate_adds_energy() {
    bodies(1.0).into_iter().for_each(assert_no_change_adds_energy);
}

fn assert_no_change_adds_energy(body: Vec<(ParamId, f64)>) {
    let mut reduced = 0;
    for (seed, extra) in (1..).zip([&[][..], &[(Rattle, 2.0), (RattlePress, 1.0), (RattleCount, 2.0)]]) {
        let mut params = body.clone();
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
    let reduced = |body: &[(ParamId, f64)], struck: &dyn Fn(usize) -> Vec<u8>| {
        let mut engine = engine(RATE, body);
        for n in 0..8 {
            struck(n).into_iter().for_each(|key| engine.event(&on(key, 127)));
            play(&mut engine, 2_400);
        }
        engine.cost_totals().reduced
    };
    let [.., free, clamped] = bodies(1.0);
    for body in [sheet(1.0), gong(1.0, 0.0), gong(1.0, 2.5), free, clamped] {
        assert_eq!(reduced(&body, &|n| if n == 0 { vec![60] } else { vec![] }), 0);
        assert_eq!(reduced(&body, &|n| vec![48 + 12 * (n % 2) as u8]), 0);
        assert!(reduced(&body, &|n| if n % 4 == 0 { (0..6).map(|k| 48 + 4 * k).collect() } else { vec![] }) > 0);
    }
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
    for body in bodies(2.0) {
        assert_same_in_blocks(&body, &score(), size(6_000, 16_000), &[&[1], &[37], &[64, 1, 480]]);
    }
}

#[test]
fn a_reset_restores_a_bending_plate() {
    bodies(2.0).iter().for_each(|body| assert_reset_restores(body, &score(), size(6_000, 12_000)));
}
