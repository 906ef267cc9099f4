//! Extreme drive signals: the energy balance closes and the output stays below its ceiling.

use crate::support::test_engine::*;
use crate::tier::size;
use urto_engine::params::ParamId::*;
use urto_engine::params::{CONTACT_MODELS, DRIVE_SOURCES, ParamId};
use urto_engine::patch::factory_presets;
use urto_engine::{CEILING, Engine, EngineConfig};

/// Signals that no gentle host sends.
fn signals(rate: f64, frames: usize) -> Vec<(&'static str, Vec<f32>)> {
    let mut chance = Chance::new(3);
    let period = (rate / 55.0) as usize;
    let mut broken: Vec<f32> = (0..frames).map(|_| chance.part() as f32 - 0.5).collect();
    let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, f32::MIN_POSITIVE, 1e-42, -0.0];
    broken.iter_mut().step_by(3).zip(odd.iter().cycle()).for_each(|(sample, odd)| *sample = *odd);
    vec![
        ("square", (0..frames).map(|i| if (i / period).is_multiple_of(2) { 1.0 } else { -1.0 }).collect()),
        ("push", vec![1.0; frames]),
        ("pull", vec![-1.0; frames]),
        ("noise", (0..frames).map(|_| 2.0 * chance.part() as f32 - 1.0).collect()),
        ("denormal", vec![1e-40; frames]),
        ("broken", broken),
    ]
}

/// Plays `signal` and checks what must hold.
fn survives(rate: f64, params: &[(ParamId, f64)], signal: &[f32], name: &str) {
    let mut engine = engine(rate, &[&[(Modes, 12.0)], params].concat());
    engine.enable_energy_balance();
    let sound = play_driven(&mut engine, signal.len(), signal);
    let worst = engine.energy_balance_report();
    let place =
        || format!("{name} at {rate} Hz with {:?}", params.iter().map(|(id, value)| (id.spec().id, value)).collect::<Vec<_>>());
    assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-12, "{worst:?}: {}", place());
    assert!(engine.energy().is_finite(), "{}", place());
    assert!(sound.left.iter().chain(&sound.right).all(|x| x.is_finite() && x.abs() <= CEILING), "{}", place());
}

#[test]
fn any_signal_is_stable_at_ten_kilonewtons() {
    for rate in [8e3, 48e3, 192e3] {
        for (name, signal) in signals(rate, 6_000) {
            for tether in [0.0, 380.0, 1e5] {
                survives(rate, &[(DriveGain, 1e4), (Tether, tether)], &signal, name);
            }
        }
    }
}

#[test]
fn any_hammer_is_stable_at_ten_kilonewtons() {
    for (name, signal) in signals(RATE, 4_000) {
        for model in 0..CONTACT_MODELS.len() {
            for (mass, stiffness) in [(1e-4, 1e6), (200.0, 1e-3), (0.02, 1e3)] {
                let params = [(DriveGain, 1e4), (Contact, model as f64), (HammerMass, mass), (Stiffness, stiffness)];
                survives(RATE, &params, &signal, name);
            }
        }
    }
}

/// Every source, with every param of drive and tether anywhere, also while they turn.
#[test]
fn any_source_is_stable_with_any_parameters() {
    let params = ParamId::ALL
        .iter()
        .filter(|id| ["Drive", "Drive signal", "Mount"].contains(&id.spec().group) || [Hold, Gravity].contains(id));
    // what is mixed in dry is as loud as it came
    let params: Vec<_> = params.copied().filter(|&id| id != DryWet).collect();
    let mut chance = Chance::new(17);
    for round in 0..60 {
        let mut set: Vec<_> = params.iter().map(|&id| (id, chance.value(id.spec()))).collect();
        set.push((DriveSource, (round % DRIVE_SOURCES.len()) as f64));
        set.push((HammerMass, chance.value(HammerMass.spec())));
        let rate = [4e3, 44.1e3, 96e3][round % 3];
        let signal: Vec<f32> = (0..3_000).map(|_| 2.0 * chance.part() as f32 - 1.0).collect();
        survives(rate, &set, &signal, DRIVE_SOURCES[round % DRIVE_SOURCES.len()]);
    }
}

#[test]
fn drive_parameters_can_change_at_any_time() {
    let mut chance = Chance::new(23);
    let params =
        [Tether, TetherDamping, RestHeight, Hold, Gravity, HammerMass, Stiffness, StrikePosition, DriveApart, DriveChannels];
    let mut score: Vec<_> = (0..600).map(|i| (i * 50, set(params[i % 10], chance.value(params[i % 10].spec())))).collect();
    score.extend((0..30).map(|i| (i * 1_000, on(40 + chance.below(40) as u8, 90))));
    score.sort_by_key(|(frame, _)| *frame);
    let noise: Vec<f32> = (0..30_000).map(|_| 2.0 * chance.part() as f32 - 1.0).collect();
    let mut engine = engine(RATE, &[(DriveGain, 1e3), (Modes, 16.0)]);
    engine.enable_energy_balance();
    let sound = perform(&mut engine, &score, 30_000, &[441], &noise);
    assert!(sound.left.iter().chain(&sound.right).all(|x| x.is_finite() && x.abs() <= CEILING));
    let worst = engine.energy_balance_report();
    assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-12, "{worst:?}");
}

/// A drum of 37 g that a stiffly mounted hammer of a tenth of a gram displaces by metres, found by the soak test: no hammer is mounted there, or each one
/// would displace it further.
#[test]
fn no_hammer_is_mounted_on_a_surface_out_of_its_reach() {
    let tom = factory_presets::all().find(|patch| patch.name == "Superball on a Tom").expect("a preset");
    let mut engine = Engine::new(EngineConfig::at(RATE), &tom);
    engine.enable_energy_balance();
    let params = [
        (DriveGain, 3142.0),
        (DriveSource, 3.0),
        (Stiffness, 0.9),
        (Exponent, 1.62),
        (StrikePosition, 0.936),
        (Tether, 52_415.0),
        (TetherDamping, 0.0),
        (HammerMass, 1e-4),
        (Damping, 3.9),
        (RestHeight, 2.66e-3),
        (HomeKey, 113.0),
        (TrackBody, 2.5556),
        (TrackHammer, 2.277),
        (TrackStiffness, 2.086),
        (Hold, 0.0),
    ];
    params.into_iter().for_each(|(param, value)| engine.event(&set(param, value)));
    engine.event(&on(48, 100));
    let mut chance = Chance::new(7);
    let noise: Vec<f32> = (0..size(1, 4) * RATE as usize).map(|_| 2.0 * chance.part() as f32 - 1.0).collect();
    let sound = play_driven(&mut engine, noise.len(), &noise);
    let report = engine.energy_balance_report();
    println!("{:.3e} J, {report:?}", engine.energy());
    assert!(sound.peak() > 0.0 && engine.energy() < 1e4, "{:.3e} J", engine.energy());
    assert!(report.balance < 1e-12 && report.unsupplied < 1e-14, "{report:?}");
}
