//! Every body type: pitch, sound, energy balance and sleep.

use crate::support::test_engine::*;
use urto_engine::body::{BodyScratch, BodySize, BodyTuning, KeyScaling};
use urto_engine::params::BodyKind;
use urto_engine::params::ParamId::*;
use urto_engine::params::ParamValues;
use urto_engine::params::{BODY_KINDS, ParamId};
use urto_engine::{BodySpec, Engine, EngineConfig};
use urto_physics::bodies::BodyPosition;
use urto_physics::modal::Mode;

/// An engine with a body of `kind`, struck and heard beside its lines of symmetry.
fn player(kind: BodyKind, modes: f64) -> Engine {
    let params = [(Body, kind as usize as f64), (Modes, modes), (StrikePosition, 0.37), (StrikeAcross, 0.45), (Decay, 0.4)];
    let heard = [(PickupLeftAcross, 0.41), (PickupRightAcross, 0.6), (PickupRight, 0.8)];
    engine(RATE, &[&params[..], &heard[..]].concat())
}

#[test]
fn types_are_in_the_order_of_their_names() {
    assert_eq!(BodyKind::ALL.len(), BODY_KINDS.len());
    for (i, kind) in BodyKind::ALL.into_iter().enumerate() {
        let mut settings = ParamValues::default();
        settings.set(Body, i as f64);
        assert_eq!((settings.body_kind(), kind as usize), (kind, i));
        let letters = |name: &str| name.to_lowercase().replace([' ', '-'], "");
        assert_eq!(letters(&format!("{kind:?}")), letters(BODY_KINDS[i]));
    }
}

#[test]
fn every_body_type_sounds_balances_energy_and_sleeps() {
    for kind in BodyKind::ALL {
        let mut engine = player(kind, 64.0);
        engine.enable_energy_balance();
        engine.event(&on(57, 110));
        let sound = play(&mut engine, 4_800);
        let worst = engine.energy_balance_report();
        println!("{kind:?}: peak {:.4}, {worst:?}", sound.peak());
        assert!(sound.peak() > 1e-3, "{kind:?} peaks at {}", sound.peak());
        assert!(sound.left != sound.right, "{kind:?}");
        assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{kind:?}: {worst:?}");
        play(&mut engine, 96_000);
        assert!(engine.is_asleep(), "{kind:?}");
    }
}

/// Frequencies rise, the ratio 1 stands on the key, and no body is asked for more modes than were wanted.
#[test]
fn every_body_type_is_tuned_to_its_key() {
    let settings = ParamValues::default();
    let pitch = BodyTuning::new(440.0, KeyScaling::default(), |param| settings.get(param));
    for kind in BodyKind::ALL {
        let body = urto_engine::PreparedBody::prepare(BodySpec::new(kind, 48), &[], &[]);
        assert!((1..=48).contains(&body.partials()), "{kind:?}");
        let partials: Vec<_> = (0..body.partials()).map(|i| body.partial(i, &pitch)).collect();
        assert!(partials.is_sorted(), "{kind:?}: {partials:?}");
        let nearest = partials.iter().map(|f| (f / 440.0).ln().abs()).fold(f64::INFINITY, f64::min);
        // nothing sounds at the strike note of a chime
        assert!(nearest < 1e-3 || kind == BodyKind::Chime, "{kind:?}: {partials:?}");
        let mut modes = vec![Mode::RIGID; body.rigid() + body.partials()];
        let damped = &body.modes(body.partials(), &pitch, RATE, &mut modes)[body.rigid()..];
        assert_eq!(damped.len(), partials.len());
        for (mode, f) in damped.iter().zip(&partials) {
            let heard = (mode.omega * mode.omega - mode.sigma * mode.sigma).sqrt() / std::f64::consts::TAU;
            assert!((heard / f.min(20e3) - 1.0).abs() < 1e-9, "{kind:?}: {heard} instead of {f}");
        }
    }
}

/// A dense body with thinned modes keeps its driving-point mobility at the prepared strike position.
#[test]
fn mode_thinning_keeps_the_driving_point_mobility() {
    for kind in
        [BodyKind::Head, BodyKind::Kettle, BodyKind::Disc, BodyKind::ClampedDisc, BodyKind::Plate, BodyKind::SupportedPlate]
    {
        let strike = BodyPosition { along: 0.31, across: 0.44 };
        let mobility = |modes: usize| {
            let body = urto_engine::PreparedBody::prepare(BodySpec { strike, ..BodySpec::new(kind, modes) }, &[], &[]);
            let count = body.suspensions() + body.partials();
            body.hammer_weights(strike, BodySize { mass: 0.3, morph: 0.0 }, count, &mut BodyScratch::new(count))
                .iter()
                .map(|w| w * w)
                .sum::<f64>()
        };
        let (dense, thinned) = (mobility(512), mobility(96));
        println!("{kind:?}: {dense} {thinned}");
        assert!((thinned / dense - 1.0).abs() < 1e-9, "{kind:?}: {thinned} instead of {dense}");
    }
}

/// Both coordinates reach hammers and pickups; a hammer that moves asks for no other body.
#[test]
fn an_off_axis_strike_excites_torsional_modes_of_a_bar() {
    let strike = |across: f64| {
        let mut engine = player(BodyKind::Marimba, 24.0);
        engine.event(&set(StrikeAcross, across));
        assert!(engine.requested_body().is_none());
        engine.event(&on(57, 100));
        play(&mut engine, 4_800)
    };
    let (axis, left, right) = (strike(0.5), strike(0.1), strike(0.9));
    assert!(axis != left && left != right);
    // on strings there is no across
    let string = |across: f64| {
        let mut engine = player(BodyKind::String, 24.0);
        engine.event(&set(PickupLeftAcross, across));
        engine.event(&on(57, 100));
        play(&mut engine, 4_800)
    };
    assert_eq!(string(0.1), string(0.9));
}

/// Automation across the body adds no energy.
#[test]
fn moving_the_position_y_in_contact_adds_no_energy() {
    for kind in [BodyKind::Plate, BodyKind::Kettle, BodyKind::Vibraphone, BodyKind::Bowl] {
        let mut engine =
            Engine::new(EngineConfig::at(RATE), &patch(&[(Body, kind as usize as f64), (Stiffness, 1.0), (HammerMass, 0.1)]));
        let mut chance = Chance::new(5);
        engine.enable_energy_balance();
        for frame in 0..2_000 {
            if frame % 250 == 0 {
                engine.event(&on(60, 100));
            }
            for param in [StrikeAcross, StrikePosition, PickupLeftAcross] {
                engine.event(&set(param, chance.part()));
            }
            play(&mut engine, 1);
        }
        let worst = engine.energy_balance_report();
        assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{kind:?}: {worst:?}");
    }
}

/// Partials of a kind with one param of its shape moved, over the lowest.
fn ratios(kind: BodyKind, param: ParamId, value: f64) -> Vec<f64> {
    let patch = patch(&[(Body, kind as usize as f64), (Modes, 40.0), (param, value)]);
    let body = urto_engine::PreparedBody::of(&patch);
    let pitch = BodyTuning::new(100.0, KeyScaling::default(), |param| patch.settings.get(param));
    (0..body.partials()).map(|i| body.partial(i, &pitch) / 100.0).collect()
}

#[test]
fn shape_parameters_move_partials() {
    let near = |ratio: f64, wanted: f64| assert!((ratio / wanted - 1.0).abs() < 1e-9, "{ratio} instead of {wanted}");
    // (1,1), (2,1), (3,1) of a plate three times as long as wide: p^2/9 + q^2
    let plate = ratios(BodyKind::SupportedPlate, Aspect, 3.0);
    near(plate[1], 13.0 / 10.0);
    near(plate[2], 18.0 / 10.0);
    assert!(ratios(BodyKind::Head, AirLoad, 1.4)[1] > 1.7);
    let head = ratios(BodyKind::Head, Split, 0.01);
    near(head[2] / head[1], 1.01);
    let bell = ratios(BodyKind::Bell, Split, 0.01);
    near(bell[1] / bell[0], 1.0055 / 0.9945);
    let disc = ratios(BodyKind::Disc, RatioPower, 1.0);
    let cymbal = ratios(BodyKind::Disc, RatioPower, 0.8);
    (0..20).for_each(|i| near(cymbal[i], disc[i].powf(0.8)));
    for kind in BodyKind::ALL {
        let (even, uneven) = (ratios(kind, Irregularity, 0.0), ratios(kind, Irregularity, 0.05));
        assert!(uneven.is_sorted() && (even == uneven) == (even.len() == 1), "{kind:?}");
    }
}

/// A body that was prepared with another shape is not used.
#[test]
fn shape_parameters_request_a_new_body() {
    let mut engine = engine(RATE, &[(Body, BodyKind::Disc as usize as f64)]);
    assert!(engine.requested_body().is_none());
    for param in [Aspect, AirLoad, Split, Irregularity, RatioPower] {
        engine.event(&set(param, param.spec().max));
        let wanted = engine.requested_body().expect("another body");
        assert!(engine.queue_body(urto_engine::PreparedBody::prepare(wanted, &[], &[])).is_ok());
        engine.install_body();
        assert!(engine.requested_body().is_none());
    }
}
