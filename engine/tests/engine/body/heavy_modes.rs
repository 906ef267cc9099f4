//! Heavy modes of a frame or a shell: nothing where they are off, stereo of drums, any division into blocks. The tip of a hammer.

use crate::support::test_engine::*;
use urto_engine::body::{BodyScratch, BodySize};
use urto_engine::params::ParamId::*;
use urto_engine::params::{BodyKind, ParamId};
use urto_engine::patch::{ListedMode, Patch, ResidualBand};
use urto_engine::{BodySpec, Engine, EngineConfig, Event, PreparedBody};
use urto_physics::bodies::BodyPosition;

/// A drum whose pickups hear the same.
const DRUM: [(ParamId, f64); 12] = [
    (Body, BodyKind::Head as usize as f64),
    (BodyMass, 0.1),
    (Modes, 48.0),
    (Stage, 1.0),
    (HomeKey, 48.0),
    (Decay, 0.5),
    (HammerMass, 0.02),
    (Stiffness, 1e4),
    (Level, -40.0),
    (StrikePosition, 0.3),
    (PickupLeft, 0.5),
    (PickupRight, 0.5),
];

fn drum(params: &[(ParamId, f64)]) -> Engine {
    engine(RATE, &[&DRUM[..], params].concat())
}

fn struck(mut engine: Engine, frames: usize) -> Sound {
    engine.event(&on(48, 110));
    play(&mut engine, frames)
}

/// At their minimum the levels are off, and no other parameter of knock and shell changes a bit.
#[test]
fn levels_at_their_minimum_change_nothing() {
    let plain = struck(drum(&[]), 20_000);
    let others = [
        (KnockDecay, 1.0),
        (KnockLoss, 0.1),
        (KnockLow, 50.0),
        (KnockHigh, 5e3),
        (KnockSlope, 6.0),
        (ShellDecay, 1.0),
        (ShellWidth, 0.3),
        (ShellModes, 50.0),
        (KnockLevel, KnockLevel.spec().min),
        (ShellLevel, ShellLevel.spec().min),
    ];
    assert_eq!(struck(drum(&others), 20_000), plain);
    for level in [KnockLevel, ShellLevel] {
        assert_ne!(struck(drum(&[(level, 0.0)]), 20_000), plain);
    }
    let spec = |params: &[(ParamId, f64)]| BodySpec::of(&patch(params).settings);
    assert!(spec(&[(KnockSlope, 3.0)]).is_satisfied_by(&spec(&[])), "no new body is needed");
    assert!(!spec(&[(KnockLevel, -20.0)]).is_satisfied_by(&spec(&[])));
}

/// The shell moves differently at the two pickups, so a drum becomes stereo; the frame under a bar does not.
#[test]
fn a_shell_makes_a_drum_stereo() {
    assert!(struck(drum(&[]), 20_000).side_over_mid() < -100.0);
    let found = struck(drum(&[(ShellLevel, 30.0)]), 20_000).side_over_mid();
    println!("side over mid {found:.1} dB");
    assert!((-20.0..-3.0).contains(&found), "{found}");
    assert!(struck(drum(&[(KnockLevel, 20.0)]), 20_000).side_over_mid() < -80.0);
}

/// A shell that is 10 dB louder is 10 dB louder at the pickups.
#[test]
fn the_level_is_that_of_the_parameter() {
    let side = |level| {
        let sound = struck(drum(&[(ShellLevel, level)]), 10_000);
        sound.left.iter().zip(&sound.right).map(|(l, r)| f64::from(l - r).powi(2)).sum::<f64>()
    };
    let rise = 10.0 * (side(30.0) / side(20.0)).log10();
    assert!((rise - 10.0).abs() < 0.01, "{rise}");
}

/// A quarter of the modes of a shell sounds as loud as all of them, and the body has as many fewer.
#[test]
fn fewer_modes_of_a_shell_are_as_loud() {
    let side = |modes| {
        let sound = struck(drum(&[(ShellLevel, 30.0), (ShellModes, modes)]), 20_000);
        sound.left.iter().zip(&sound.right).map(|(l, r)| f64::from(l - r).powi(2)).sum::<f64>()
    };
    let [all, quarter] = [400.0, 100.0].map(side);
    let change = 10.0 * (quarter / all).log10();
    assert!(change != 0.0 && change.abs() < 1.0, "{change} dB");
    let room = |modes| PreparedBody::of(&patch(&[&DRUM[..], &[(ShellLevel, 30.0), (ShellModes, modes)]].concat())).heavy_room();
    assert_eq!(room(400.0) - room(100.0), 300);
}

/// Strikes, pickups, mass and pitch that move, with a contact that lasts, in any division into blocks; with a field and a cascade too.
#[test]
fn block_size_does_not_change_heavy_modes() {
    let disc = [(Body, BodyKind::Disc as usize as f64), (Modes, 12.0), (BodyMass, 0.4), (Density, 0.3), (Cascade, 1e4)];
    let heavy = [(ShellLevel, 0.0), (KnockLevel, -10.0)];
    for more in [&disc[..], &[(Hold, 2.0)], &[(Contact, 2.0)], &[]] {
        let params = [&heavy[..], more].concat();
        let moves = [(9_000, set(PickupLeft, 0.7)), (9_500, set(BodyMass, 0.2)), (13_001, set(Tune, -1.5))];
        let mut score = vec![(0, on(48, 120)), (5_003, on(48, 60))];
        score.extend(moves);
        let play = |blocks: &[usize]| perform(&mut drum(&params), &score, 20_000, blocks, &[]);
        let whole = play(&[20_000]);
        assert!(whole.peak() > 0.0);
        for blocks in [&[64][..], &[1, 977, 16, 3]] {
            assert_eq!(play(blocks), whole, "{more:?} {blocks:?}");
        }
    }
}

/// A tip of a centimetre does not excite waves shorter than itself, pickups hear all; a point is as before, and bars keep their weights.
#[test]
fn a_tip_darkens_the_strike_on_a_head() {
    let weights = |kind: BodyKind, tip: f64| {
        let params = [(Body, kind as usize as f64), (TipRadius, tip), (BodyMass, 0.1)];
        let body = PreparedBody::of(&patch(&params));
        let (count, size) = (body.partials() + body.suspensions(), BodySize { mass: 0.1, morph: 0.0 });
        let mut scratch = BodyScratch::new(count);
        let place = BodyPosition { along: 0.31, across: 0.1 };
        let struck = body.hammer_weights(place, size, count, &mut scratch).to_vec();
        (struck, body.pickup_weights(place, size, count, &mut scratch).to_vec())
    };
    let ((point, heard), (soft, still_heard)) = (weights(BodyKind::Head, 0.0), weights(BodyKind::Head, 0.02));
    // above the sixteen lowest, thinning chooses other modes
    let exact = |weights: Vec<f64>| weights[..16].to_vec();
    let [point, heard, soft, still_heard] = [point, heard, soft, still_heard].map(exact);
    assert_eq!(heard, still_heard);
    let factors: Vec<f64> = point.iter().zip(&soft).map(|(point, soft)| soft / point).collect();
    // radius of a head of 0.1 kg: sqrt(0.1/(pi 1390 0.25e-3)) = 0.303 m; k from zeros of the Bessel functions J0 and J5
    for (n, zero) in [(0, 2.4048), (15, 8.7715)] {
        let expected = f64::exp(-(0.5 * zero / 0.3027 * 0.02_f64).powi(2));
        assert!((factors[n] - expected).abs() < 1e-3, "mode {n}: {} {expected}", factors[n]);
    }
    assert!(factors.windows(2).all(|pair| pair[1] <= pair[0] + 1e-12), "{factors:?}");
    assert_eq!(weights(BodyKind::Marimba, 0.0), weights(BodyKind::Marimba, 0.02));
}

/// Modes of a residual follow the key. Those above the band limit are silent, also after a bend, and do not gather at the limit.
#[test]
fn a_residual_above_the_band_limit_is_silent() {
    let mut patch = patch(&[
        (Body, BodyKind::Modes as usize as f64),
        (HomeKey, 60.0),
        (Level, -30.0),
        (Stiffness, 1e6),
        (HammerMass, 0.002),
        (BendRange, 24.0),
    ]);
    patch.modes = vec![ListedMode { ratio: 1.0, decay: Some(5.0), mass: 1.0, shape: vec![1.0].into() }];
    let plain = patch.clone();
    patch.residual = vec![ResidualBand { from: 30.0, to: 60.0, modes: 200, decay: 5.0, sides: [1.0; 2], correlation: 1.0 }];
    let played = |patch: &Patch, key: u8, bend: f64| {
        let mut engine = Engine::new(EngineConfig { voices: 1, ..EngineConfig::at(RATE) }, patch);
        engine.event(&on(key, 110));
        play(&mut engine, 960);
        engine.event(&Event::Bend { channel: 0, value: bend });
        play(&mut engine, 2_400);
        play(&mut engine, 4_800).left
    };
    let share = |key: u8, bend: f64| {
        let (with, without) = (played(&patch, key, bend), played(&plain, key, bend));
        let energy = |side: &[f32]| side.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>();
        let apart: Vec<f32> = with.iter().zip(&without).map(|(a, b)| a - b).collect();
        10.0 * (energy(&apart) / energy(&without)).log10()
    };
    let (home, high, bent) = (share(60, 0.0), share(84, 0.0), share(70, 1.0));
    println!("residual over partials: {home:.1} dB, two octaves higher {high:.1} dB, bent {bent:.1} dB");
    assert!(home > -60.0 && high < home - 60.0 && bent < home - 60.0, "{home}, {high}, {bent}");
}
