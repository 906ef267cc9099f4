//! Drums with two heads: their resonant head is heard and touched through the air in the drum.

use crate::support::test_engine::*;
use std::f64::consts::TAU;
use urto_engine::body::{BodyScratch, BodySize, BodyTuning, KeyScaling};
use urto_engine::params::ParamId::*;
use urto_engine::params::{BodyKind, DrumHead, ParamId};
use urto_engine::{BodySpec, Engine, PreparedBody};
use urto_physics::bodies::{BodyPosition, ModalShape, TwoHeads};
use urto_physics::modal::Mode;

const DRUM: f64 = BodyKind::TwoHeadedDrum as usize as f64;
const HEAD: f64 = BodyKind::Head as usize as f64;
const RESONANT: f64 = DrumHead::Resonant as usize as f64;

/// A snare drum of 14 inches without its wires.
const SNARE: [(ParamId, f64); 14] = [
    (Body, DRUM),
    (BodyMass, 0.026),
    (AirLoad, 1.63),
    (AirStiffness, 1.2),
    (DrumDepth, 0.4),
    (ResonantTune, 2.0),
    (ResonantMass, 0.4),
    (Modes, 96.0),
    (Tune, -6.29),
    (Decay, 0.8),
    (Loss, 6e-3),
    (HammerMass, 0.015),
    (SpeedHigh, 8.0),
    (Stiffness, 8.0),
];

/// Wires under the lower head.
const WIRES: [(ParamId, f64); 9] = [
    (Rattle, 2.0),
    (RattleHead, RESONANT),
    (RattleCount, 3.0),
    (RattlePosition, 0.3),
    (RattleMass, 2e-3),
    (RattleFrequency, 60.0),
    (RattlePress, 0.1),
    (RattleStiffness, 1000.0),
    (RattleLoss, 0.4),
];

fn with(params: &[(ParamId, f64)], more: &[(ParamId, f64)]) -> Vec<(ParamId, f64)> {
    [params, more].concat()
}

fn struck(params: &[(ParamId, f64)], velocity: u8, seconds: f64) -> Sound {
    let mut engine = engine(RATE, params);
    engine.event(&on(60, velocity));
    play(&mut engine, (seconds * RATE) as usize)
}

fn body(params: &[(ParamId, f64)]) -> Box<PreparedBody> {
    PreparedBody::of(&patch(params))
}

/// Without shared air the drum is a single head, to the bit; with it, it is not.
#[test]
fn without_shared_air_the_drum_is_a_single_head() {
    let alone = struck(&with(&SNARE, &[(Body, HEAD)]), 100, 0.3);
    assert_eq!(struck(&with(&SNARE, &[(AirStiffness, 0.0)]), 100, 0.3), alone);
    for radiation in [0.0, 3.0] {
        let of = |kind: f64| {
            struck(&with(&SNARE, &[(AirStiffness, 0.0), (Body, kind), (Radiation, radiation), (MonopoleLoss, 5.0)]), 60, 0.2)
        };
        assert_eq!(of(DRUM), of(HEAD), "{radiation}");
    }
    assert_ne!(struck(&SNARE, 100, 0.3), alone);
}

/// The parameters of the drum do not change any other body.
#[test]
fn other_bodies_have_no_second_head() {
    let params = [(ResonantTune, 7.0), (ResonantMass, 0.3), (AirStiffness, 3.0), (DrumDepth, 0.1)];
    let heads = [(PickupLeftHead, RESONANT), (PickupRightHead, RESONANT), (RattleHead, RESONANT)];
    for kind in [BodyKind::Bar, BodyKind::Head, BodyKind::Plate] {
        let plain = [(Body, kind as usize as f64), (Rattle, 2.0), (RattleGap, 1e-5)];
        assert_eq!(struck(&with(&plain, &[&params[..], &heads[..]].concat()), 100, 0.2), struck(&plain, 100, 0.2), "{kind:?}");
    }
}

/// The partials are those of the physics, over the batter head alone.
#[test]
fn the_partials_are_those_of_two_heads() {
    let drum = TwoHeads { air: 1.63, stiffness: 1.2, depth: 0.4, tuning: 2_f64.powf(2.0 / 12.0), mass: 0.4, split: 0.0 };
    let (known, alone) = ModalShape::two_heads(&drum, 30);
    let prepared = body(&with(&SNARE, &WIRES));
    let patch = patch(&SNARE);
    let pitch = BodyTuning::new(261.625_565_3, KeyScaling::default(), |param| patch.settings.get(param));
    for i in 0..30 {
        assert!((prepared.partial(i, &pitch) / (pitch.lowest * known.ratio(i)) - 1.0).abs() < 1e-9, "{i}");
        assert_eq!(prepared.family(i), known.family(i));
    }
    let [low, high] = [0, 1].map(|nth| {
        let i = (0..30).filter(|&i| known.family(i) == Some((0, 1))).nth(nth).expect("a pair");
        prepared.partial(i, &pitch)
    });
    println!("(0,1) {low:.1} and {high:.1} Hz, batter head alone {:.1} Hz", low / alone);
    // published for a snare drum: 182 and 330 Hz
    assert!((high / low / (330.0 / 182.0) - 1.0).abs() < 0.05, "{low} {high}");
}

/// A pickup under the resonant head hears the stroke through the air: nothing without air, more the stiffer it is.
#[test]
fn the_resonant_head_is_heard_through_the_air() {
    let below = [(PickupLeftHead, RESONANT), (PickupLeft, 0.3), (PickupRight, 0.3)];
    let energy = |air: f64| {
        let sound = struck(&with(&SNARE, &with(&below, &[(AirStiffness, air)])), 100, 0.3);
        let power = |channel: &[f32]| channel.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>();
        power(&sound.left) / power(&sound.right)
    };
    let shares = [0.0, 0.02, 1.2].map(energy);
    println!("{shares:?}");
    assert!(shares[0] < 1e-12 && shares[1] > 1e-3 && shares[2] > 8.0 * shares[1], "{shares:?}");
}

/// The wires lie under the lower head: they rattle although the stick meets the other one, and not without air between.
#[test]
fn wires_rattle_under_the_resonant_head() {
    let highs = |more: &[(ParamId, f64)]| {
        let sound = struck(&with(&SNARE, more), 110, 0.2);
        // differences of neighbouring samples: mostly above some kHz
        let late = &sound.left[2_400..7_200];
        late.windows(2).map(|pair| f64::from(pair[1] - pair[0]).powi(2)).sum::<f64>()
    };
    let below = [(PickupLeftHead, RESONANT)];
    let (wires, none) = (highs(&with(&WIRES, &below)), highs(&below));
    println!("{:.1} dB more", 10.0 * (wires / none).log10());
    assert!(wires > 6.0 * none, "{wires:e} {none:e}");
    // far from the wires, the head rings as if they were absent
    let out_of_reach = struck(&with(&with(&SNARE, &WIRES), &[(RattleGap, 0.01), (RattlePress, 0.0)]), 100, 0.2);
    assert!(out_of_reach.peak() > 1e-3);
}

/// Strokes, wires and automation of the resonant head's parameters add no energy.
#[test]
fn wires_and_strokes_add_no_energy() {
    let mut engine = engine(RATE, &with(&SNARE, &WIRES));
    let mut chance = Chance::new(9);
    engine.enable_energy_balance();
    for frame in 0..2_400 {
        if frame % 300 == 0 {
            engine.event(&on(60, 110));
        }
        if frame % 16 == 5 {
            for param in [RattleGap, RattlePosition, RattlePress, PickupLeft, PickupLeftHead, RattleHead, BodyMass] {
                let spec = param.spec();
                let part = if param == RattleGap { 0.1 * chance.part() } else { chance.part() };
                engine.event(&set(param, spec.from_normalized(if param == BodyMass { 0.2 } else { part })));
            }
        }
        play(&mut engine, 1);
    }
    let worst = engine.energy_balance_report();
    assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{worst:?}");
}

/// What the drum is made of needs another body; so do wires on the resonant head, but not their place.
#[test]
fn drum_parameters_request_a_new_body() {
    let wanted = |params: &[(ParamId, f64)]| BodySpec::of(&patch(params).settings);
    let plain = wanted(&SNARE);
    for param in [ResonantTune, ResonantMass, AirStiffness, DrumDepth] {
        assert!(!wanted(&with(&SNARE, &[(param, param.spec().max)])).is_satisfied_by(&plain), "{param:?}");
    }
    let wires = wanted(&with(&SNARE, &WIRES));
    assert!(!wires.is_satisfied_by(&plain) && !plain.is_satisfied_by(&wires));
    assert!(wanted(&with(&SNARE, &with(&WIRES, &[(RattlePosition, 0.8)]))).is_satisfied_by(&wires));
    assert!(wanted(&with(&SNARE, &with(&WIRES, &[(RattleHead, 0.0)]))).is_satisfied_by(&plain));
    let mut engine = engine(RATE, &SNARE);
    engine.event(&set(ResonantTune, 5.0));
    let request = engine.requested_body().expect("another body");
    assert!(engine.queue_body(PreparedBody::prepare(request, &[], &[])).is_ok());
    engine.install_body();
    assert!(engine.requested_body().is_none());
}

/// Heads in step displace no volume: the loss of monopoles passes them by, and doubles for heads apart.
#[test]
fn only_a_net_volume_is_radiated() {
    let equal = with(&SNARE, &[(ResonantTune, 0.0), (ResonantMass, 1.0)]);
    let decays = |loss: f64| {
        let patch = patch(&with(&equal, &[(MonopoleLoss, loss)]));
        let prepared = PreparedBody::of(&patch);
        let pitch = BodyTuning::new(200.0, KeyScaling::default(), |param| patch.settings.get(param));
        let mut modes = vec![Mode::RIGID; 40];
        prepared.modes(40, &pitch, RATE, &mut modes);
        let pair: Vec<usize> = (0..40).filter(|&i| prepared.family(i) == Some((0, 1))).collect();
        [pair[0], pair[1]].map(|i| modes[i].sigma)
    };
    let (without, losing) = (decays(0.0), decays(10.0));
    let added = [losing[0] - without[0], losing[1] - without[1]];
    assert!(added[0].abs() < 1e-6 && (added[1] - 20.0).abs() < 1e-6, "{added:?}");
}

/// Only the batter head stretches: the tension of the drum is that of its share in every mode, and glides as that of a single head.
#[test]
fn hard_strokes_begin_higher() {
    let pitch = |nonlinearity: f64| {
        let params =
            [(Nonlinearity, nonlinearity), (StrikePosition, 0.0), (PickupLeft, 0.0), (SpeedHigh, 15.0), (HammerMass, 0.04)];
        let sound = struck(&with(&SNARE, &params), 127, 0.12);
        // crossings of zero in the first 100 ms
        sound.left[240..5_040].windows(2).filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0).count()
    };
    let (linear, stretched) = (pitch(0.0), pitch(3.0));
    println!("{linear} {stretched} crossings");
    assert!(stretched > linear);
    assert!(body(&SNARE).has_tension());
    let mut engine = engine(RATE, &with(&SNARE, &with(&WIRES, &[(Nonlinearity, 2.0)])));
    engine.enable_energy_balance();
    engine.event(&on(60, 127));
    play(&mut engine, 4_800);
    let worst = engine.energy_balance_report();
    assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{worst:?}");
}

/// The field continues the modes of the batter head and leaves the resonant head still.
#[test]
fn a_field_belongs_to_the_batter_head() {
    let dense = body(&with(&SNARE, &[(Density, 0.3), (Modes, 40.0)]));
    assert!(dense.is_dense() && dense.partials() > 200, "{}", dense.partials());
    let count = dense.partials();
    let size = BodySize { mass: 0.026, morph: 0.0 };
    let weights = |along: f64| {
        let mut scratch = BodyScratch::new(count);
        dense.pickup_weights(BodyPosition { along, across: 0.1 }, size, count, &mut scratch).to_vec()
    };
    let (batter, resonant) = (weights(0.4), weights(1.6));
    assert!((0..count).filter(|&i| dense.is_statistical(i)).all(|i| resonant[i] == 0.0 && batter[i].is_finite()));
    assert!((0..count).filter(|&i| dense.is_statistical(i)).any(|i| batter[i] != 0.0));
    // as dense as above the modes of a single head of the same size
    let single = body(&with(&SNARE, &[(Density, 0.3), (Modes, 40.0), (Body, HEAD)]));
    assert!((count as f64 / single.partials() as f64 - 1.0).abs() < 0.15, "{count} {}", single.partials());
}

/// Partial edits, and a change to a bar and back, keep a drum with wires.
#[test]
fn a_drum_morphs_and_is_edited() {
    let bar = BodyKind::Bar as usize as f64;
    let params = with(&with(&SNARE, &WIRES), &[(MorphTo, 1.0 + bar), (Morph, 0.5)]);
    let mut engine: Engine = engine(RATE, &params);
    engine.enable_energy_balance();
    engine.event(&on(60, 100));
    for step in 0..60 {
        engine.event(&set(Morph, 0.5 + 0.5 * (TAU * f64::from(step) / 60.0).sin()));
        assert!(play(&mut engine, 80).left.iter().all(|x| x.is_finite()));
    }
    let worst = engine.energy_balance_report();
    assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{worst:?}");
    let edit = urto_engine::patch::PartialEdit { ratio: 2.0, ..urto_engine::patch::PartialEdit::new(0) };
    let edited = body(&SNARE).with_partial_edits(&[edit]);
    assert!((0..edited.partials()).any(|i| edited.place(i) == Some(0) && i > 0));
}
