//! Morph from one body to another.

use crate::support::spectrum::{LENGTH, spectrum};
use crate::support::test_engine::*;
use urto_engine::body::{BodySpec, BodyTuning, KeyScaling, PreparedBody};
use urto_engine::params::BODY_KINDS;
use urto_engine::params::BodyKind;
use urto_engine::params::ParamId::*;
use urto_engine::patch::{ListedMode, Patch};
use urto_engine::{Engine, EngineConfig, Event};

/// The value of [`MorphTo`] for a value of [`Body`](urto_engine::params::ParamId::Body).
fn to(kind: f64) -> f64 {
    kind + 1.0
}

const LIST: f64 = 2.0;

fn list(ratios: [f64; 3], ends: [f64; 2]) -> Vec<ListedMode> {
    let mode = |ratio| ListedMode { ratio, decay: None, mass: 1.0, shape: vec![ends[0], 0.6, ends[1]].into() };
    ratios.map(mode).to_vec()
}

/// Three partials that become three others, slow to decay.
fn three_partials() -> Patch {
    let mut patch = patch(&[
        (Body, LIST),
        (MorphTo, to(LIST)),
        (Modes, 3.0),
        (Decay, 60.0),
        (Loss, 1e-5),
        (Viscosity, 0.0),
        (Stiffness, 1e4),
    ]);
    patch.modes = list([1.0, 4.1, 9.7], [1.0, 0.9]);
    patch.morph_modes = list([1.5, 3.2, 12.0], [0.3, 0.8]);
    patch
}

/// Largest magnitude [dB below the highest] of one second, in which `moves` happen, at least 200 Hz away from where partials come by.
fn beside_the_partials(moves: &[(usize, Event)]) -> f64 {
    let mut engine = Engine::new(EngineConfig::at(RATE), &three_partials());
    engine.event(&on(69, 80));
    play(&mut engine, 24_000);
    let sound = perform(&mut engine, moves, LENGTH, &[512], &[]);
    assert_eq!(engine.active_voices(), 1);
    let ways = [(1.0, 1.5), (3.2, 4.1), (9.7, 12.0)];
    let taken = |f: f64| ways.iter().any(|(low, high)| f > 440.0 * low - 200.0 && f < 440.0 * high + 200.0);
    let outside = spectrum(&sound.left).into_iter().enumerate().filter(|(bin, _)| !taken(*bin as f64));
    outside.map(|(_, db)| db).fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn a_one_second_morph_adds_no_spurious_components() {
    // as hosts send a sweep: a step every 512 frames
    let sweep: Vec<_> = (1..=93).map(|i| (i * 512, set(Morph, i as f64 / 93.0))).collect();
    let (still, swept) = (beside_the_partials(&[]), beside_the_partials(&sweep));
    println!("still {still:.1} dB, swept {swept:.1} dB");
    assert!(swept < -80.0, "{swept:.1} dB");
    let jump = beside_the_partials(&[(24_000, set(Morph, 0.1))]);
    assert!(jump < -80.0, "a jump of a tenth: {jump:.1} dB");
}

/// A body that has turned into its other wholly sounds like that one, and one that has not turned keeps its bits.
#[test]
fn a_morph_ends_at_both_bodies_exactly() {
    let kinds = |a: &str, b: &str| [a, b].map(|name| BODY_KINDS.iter().position(|kind| *kind == name).unwrap() as f64);
    for [a, b] in [
        kinds("String", "Bar"),
        kinds("Bar", "String"),
        kinds("Kettle", "Glass"),
        kinds("Chain", "Plate"),
        kinds("Marimba", "Modes"),
        kinds("Head", "Disc"),
    ] {
        let sound = |params: &[_]| {
            let mut all = vec![(Modes, 40.0), (Decay, 3.0)];
            all.extend_from_slice(params);
            let mut engine = engine(RATE, &all);
            let score = [(0, on(60, 90)), (3_000, on(67, 60)), (6_000, on(60, 80)), (9_000, set(Tune, -7.0))];
            perform(&mut engine, &score, 14_400, &[480], &[])
        };
        let (start, end) = (sound(&[(Body, a)]), sound(&[(Body, b)]));
        assert_eq!(start, sound(&[(Body, a), (MorphTo, to(b))]), "{a} to {b}");
        let turned = sound(&[(Body, a), (MorphTo, to(b)), (Morph, 1.0)]);
        let off = |one: &Sound, other: &Sound| {
            let pairs = one.left[..6_000].iter().zip(&other.left[..6_000]);
            pairs.map(|(x, y)| f64::from(x - y).powi(2)).sum::<f64>().sqrt() / one.energy().sqrt()
        };
        println!("{a} to {b}: {:e}, apart {:e}", off(&end, &turned), off(&end, &start));
        assert!(off(&end, &turned) < 1e-5 && off(&end, &start) > 0.01, "{a} to {b}: {:e}", off(&end, &turned));
    }
}

/// Without another body the param does nothing, to the bit.
#[test]
fn without_a_second_body_the_morph_has_no_effect() {
    let mut chance = Chance::new(9);
    let start = [(0, on(60, 100)), (9_000, on(60, 60))];
    let mut score = start.to_vec();
    score.extend((0..200).map(|i| (i * 90, set(Morph, chance.part()))));
    score.sort_by_key(|(frame, _)| *frame);
    let still = perform(&mut engine(RATE, &[]), &start, 20_000, &[512], &[]);
    assert_eq!(still, perform(&mut engine(RATE, &[]), &score, 20_000, &[512], &[]));
}

/// Partials go in log frequency, and keep their order between all kinds of bodies.
#[test]
fn partials_move_in_octaves_and_keep_their_order() {
    let mut pitch = BodyTuning::new(220.0, KeyScaling::default(), |param| param.spec().default);
    for (i, kind) in BodyKind::ALL.into_iter().enumerate() {
        let to = BodyKind::ALL[(i * 7 + 5) % BodyKind::ALL.len()];
        let body = PreparedBody::prepare(BodySpec { to: Some(to), ..BodySpec::new(kind, 24 + i) }, &[], &[]);
        let mut at = |morph: f64| -> Vec<f64> {
            pitch.morph = morph;
            (0..body.partials()).map(|i| body.partial(i, &pitch)).collect()
        };
        let (start, middle, end) = (at(0.0), at(0.5), at(1.0));
        // doublets may change places by rounding
        let in_order = |partials: &Vec<f64>| partials.is_sorted_by(|a, b| *b > a * (1.0 - 1e-12));
        assert!([&start, &middle, &end].into_iter().all(in_order), "{kind:?} to {to:?}");
        for ((a, m), b) in start.iter().zip(&middle).zip(&end) {
            assert!((m / (a * b).sqrt() - 1.0).abs() < 1e-12, "{kind:?} to {to:?}: {a} {m} {b}");
        }
    }
}

/// A morph at every frame, also in contact, adds no energy, and the energy balance closes.
#[test]
fn a_morph_in_contact_adds_no_energy() {
    let mut chance = Chance::new(31);
    for (kind, other) in [(0, 1), (1, 0), (13, 19), (2, 23), (17, 2), (10, 12)] {
        let mut params = vec![(Body, f64::from(kind)), (MorphTo, to(f64::from(other))), (Modes, 48.0)];
        params.push((Stiffness, 3.0));
        let mut patch = patch(&params);
        patch.modes = list([1.0, 2.7, 5.9], [1.0, -1.0]);
        patch.modes[1].decay = Some(3.0);
        patch.morph_modes = patch.modes.clone();
        let mut engine = Engine::new(EngineConfig::at(RATE), &patch);
        engine.enable_energy_balance();
        for frame in 0..6_000 {
            if frame % 500 == 0 {
                engine.event(&on(60 + (frame / 500 % 3) as u8, 20 + chance.below(108) as u8));
            }
            engine.event(&set(Morph, chance.part()));
            if frame % 3 == 0 {
                engine.event(&set(Tune, 6.0 * chance.part()));
                engine.event(&set(StrikePosition, chance.part()));
            }
            play(&mut engine, 1);
        }
        let worst = engine.energy_balance_report();
        println!("{kind} to {other}: {worst:?}");
        assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{kind} to {other}: {worst:?}");
    }
}

#[test]
fn block_size_does_not_change_the_output() {
    let params = [(Body, 0.0), (MorphTo, to(17.0)), (Modes, 60.0)];
    let mut score = vec![(0, on(50, 100)), (5_000, on(57, 90)), (9_000, on(50, 110))];
    score.extend((0..60).map(|i| (i * 211, set(Morph, (i as f64 * 0.37).sin().abs()))));
    score.sort_by_key(|(frame, _)| *frame);
    let whole = perform(&mut engine(RATE, &params), &score, 14_000, &[14_000], &[]);
    assert!(whole.peak() > 0.01);
    for blocks in [&[1][..], &[7, 64, 3], &[480]] {
        assert!(perform(&mut engine(RATE, &params), &score, 14_000, blocks, &[]) == whole, "{blocks:?}");
    }
}
