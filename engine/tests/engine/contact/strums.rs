//! Strums: several strokes of one note across the body.

use crate::support::test_engine::*;
use urto_engine::HitPulse;
use urto_engine::params::ParamId;
use urto_engine::params::ParamId::*;

/// A light bar whose motion ends between strokes.
const BODY: [(ParamId, f64); 4] = [(BodyMass, 0.05), (HammerMass, 0.005), (Decay, 0.01), (StrikePosition, 0.4)];
const STRUM: [(ParamId, f64); 3] = [(StrumStrokes, 3.0), (StrumTime, 0.2), (StrumWidth, 0.5)];

/// The contacts of a note of velocity 100 in 0.4 s, with the times at which they began [s].
fn contacts(params: &[&[(ParamId, f64)]]) -> Vec<(f64, HitPulse)> {
    let mut engine = engine(RATE, &params.concat());
    engine.enable_energy_balance();
    engine.event(&on(60, 100));
    let mut found = Vec::new();
    for block in 1..=2_400 {
        play(&mut engine, 8);
        found.extend(engine.take_hit().map(|hit| (f64::from(8 * block) / RATE - hit.duration, hit)));
    }
    let worst = engine.energy_balance_report();
    assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{worst:?}");
    found
}

/// Each stroke is that of a single hammer at its place, and at its time.
#[test]
fn a_strum_strikes_one_place_after_another() {
    for (width, places) in [(0.5, [0.15, 0.4, 0.65]), (-0.5, [0.65, 0.4, 0.15])] {
        let found = contacts(&[&BODY, &STRUM, &[(StrumWidth, width)]]);
        assert_eq!(found.len(), 3);
        for ((&(start, hit), place), time) in found.iter().zip(places).zip([0.0, 0.1, 0.2]) {
            let [(first, single)] = contacts(&[&BODY, &[(StrikePosition, place)]])[..] else { panic!("one contact") };
            println!("{place}: {:.5} s, {:.4} and {:.4} N", start - first, hit.peak_force, single.peak_force);
            assert!((start - first - time).abs() < 2e-4, "{place}: {start} s, {first} s");
            // the body as a whole still moves a little
            assert!((hit.peak_force / single.peak_force - 1.0).abs() < 0.01, "{place}: {} {}", hit.peak_force, single.peak_force);
        }
        assert!((found[0].1.peak_force / found[2].1.peak_force - 1.0).abs() > 0.03, "the places differ");
    }
}

/// A brush strums in one piece, a roll by return forces does not strum.
#[test]
fn brushes_strum_in_one_piece_and_rolls_do_not_strum() {
    assert_eq!(contacts(&[&BODY, &STRUM, &[(Striker, 3.0)]]).len(), 3);
    let roll = [(Hold, 20.0), (SpringBack, 200.0)];
    let times = |params: &[&[(ParamId, f64)]]| contacts(params).into_iter().map(|(time, _)| time).collect::<Vec<_>>();
    assert_eq!(times(&[&BODY, &roll, &STRUM]), times(&[&BODY, &roll]));
}

/// With one body the keys move a strum along it.
#[test]
fn keys_move_a_strum_over_one_body() {
    let params = [&BODY[..], &STRUM, &[(Stage, 1.0), (StrumWidth, 0.1)]].concat();
    let forces = |key| {
        let mut engine = engine(RATE, &params);
        engine.event(&on(key, 100));
        let hits = (0..2_400).filter_map(|_| {
            play(&mut engine, 8);
            engine.take_hit()
        });
        hits.map(|hit| hit.peak_force).collect::<Vec<_>>()
    };
    let [home, other] = [forces(60), forces(68)];
    assert_eq!((home.len(), other.len()), (3, 3));
    assert!(home.iter().zip(&other).all(|(a, b)| (a / b - 1.0).abs() > 1e-3), "{home:?} {other:?}");
}
