//! The contact models: their differences, changes between them, and exact linear contacts.

use crate::support::test_engine::*;
use urto_engine::params::CONTACT_MODELS;
use urto_engine::params::ContactModel;
use urto_engine::params::ParamId;
use urto_engine::params::ParamId::*;
use urto_engine::{Engine, EngineConfig, Event, HitPulse};

fn player(model: ContactModel, params: &[(ParamId, f64)]) -> Engine {
    Engine::new(EngineConfig::at(RATE), &patch(&[&[(Contact, model as usize as f64)], params].concat()))
}

/// The first contact that ends within a tenth of a second.
fn next_hit(engine: &mut Engine) -> HitPulse {
    let mut frame = || {
        play(engine, 1);
        engine.take_hit()
    };
    (0..4_800).find_map(|_| frame()).expect("a contact")
}

fn hit(model: ContactModel, velocity: u8, params: &[(ParamId, f64)]) -> HitPulse {
    let mut engine = player(model, params);
    engine.event(&on(60, velocity));
    next_hit(&mut engine)
}

#[test]
fn models_are_in_the_order_of_their_names() {
    assert_eq!(ContactModel::ALL.len(), CONTACT_MODELS.len());
    for (i, model) in ContactModel::ALL.into_iter().enumerate() {
        assert_eq!((patch(&[(Contact, i as f64)]).settings.contact_model(), model as usize), (model, i));
    }
}

/// Only with Hunt and Crossley's law is more lost by a faster stroke, only with the linear one is it as long as a slow one.
#[test]
fn loss_and_contact_time_depend_on_speed_as_in_the_law() {
    // so heavy a body is a wall
    let wall = [(BodyMass, 1000.0), (Damping, 0.6), (Decay, 0.5)];
    let back = |model, velocity| {
        let hit = hit(model, velocity, &wall);
        (-hit.velocity_out / hit.velocity_in, hit.duration)
    };
    let [crossley, restitution, linear] = ContactModel::ALL.map(|model| [back(model, 30), back(model, 127)]);
    assert!(crossley[1].0 < 0.7 * crossley[0].0, "{crossley:?}");
    assert!((restitution[1].0 / restitution[0].0 - 1.0).abs() < 0.02, "{restitution:?}");
    assert!((linear[1].0 / linear[0].0 - 1.0).abs() < 0.02, "{linear:?}");
    assert!(crossley[1].1 < 0.8 * crossley[0].1 && restitution[1].1 < 0.8 * restitution[0].1);
    assert!((linear[1].1 / linear[0].1 - 1.0).abs() < 0.02, "{linear:?}");
}

/// No substep of a pulse is missing and nothing stays stored; where a sample is exact its force is known as a mean only. The remainder for
/// the body's damping is more than nothing.
#[test]
fn every_contact_model_balances_the_energy_of_the_hammer() {
    for model in ContactModel::ALL {
        for velocity in [20, 64, 127] {
            let hit = hit(model, velocity, &[]);
            let missing = (hit.accounted() - 1.0).abs();
            assert!(missing < if model == ContactModel::Linear { 1e-3 } else { 1e-12 }, "{model:?} at {velocity}: {missing:e}");
            assert!(hit.energy_decay() > 0.0, "{model:?} at {velocity}: the body is damped");
        }
    }
}

/// A sample of exact play is one step, whatever the quality; more than 64 modes are played with substeps.
#[test]
fn linear_contacts_are_exact_up_to_64_modes() {
    let steps = |modes: f64| {
        let hit = hit(ContactModel::Linear, 80, &[(ParamId::Modes, modes), (Body, 0.0)]);
        f64::from(hit.substeps) / (hit.duration * RATE)
    };
    let [few, many] = [steps(64.0), steps(66.0)];
    assert!((few - 1.0).abs() < 0.1 && many > 3.0, "{few} {many} steps a sample");
    let alpha = |alpha| hit(ContactModel::Linear, 80, &[(Exponent, alpha)]);
    assert_eq!(alpha(1.3).duration, alpha(3.0).duration);
}

/// The sound of the exact play is that of fine substeps.
#[test]
fn exact_contacts_and_substeps_agree() {
    let params = [(Damping, 0.0), (ParamId::Modes, 40.0), (Quality, 2.0)];
    let mut exact = player(ContactModel::Linear, &params);
    // alpha 1 is the same law for Hunt and Crossley
    let mut fine = player(ContactModel::HuntCrossley, &[&params[..], &[(Exponent, 1.0)]].concat());
    for engine in [&mut exact, &mut fine] {
        engine.event(&on(57, 90));
    }
    let (a, b) = (play(&mut exact, 24_000), play(&mut fine, 24_000));
    let difference: f64 = a.left.iter().zip(&b.left).map(|(a, b)| f64::from(a - b).powi(2)).sum();
    let level = 10.0 * (2.0 * difference / a.energy()).log10();
    println!("{level:.1} dB");
    assert!(level < -30.0, "{level} dB");
}

#[test]
fn a_contact_keeps_its_law_until_it_ends() {
    for from in ContactModel::ALL {
        let to = ContactModel::ALL[(from as usize + 1) % 3];
        let undisturbed = hit(from, 60, &[(HammerMass, 0.2)]);
        let mut engine = player(from, &[(HammerMass, 0.2)]);
        engine.event(&on(60, 60));
        play(&mut engine, 10);
        engine.event(&set(Contact, to as usize as f64));
        let first = next_hit(&mut engine);
        assert!((first.velocity_out / undisturbed.velocity_out - 1.0).abs() < 2e-3, "{from:?}");
        play(&mut engine, 96_000);
        engine.take_hit();
        engine.event(&on(72, 60));
        let second = next_hit(&mut engine);
        let mut other = player(to, &[(HammerMass, 0.2)]);
        other.event(&on(72, 60));
        assert_eq!(second.velocity_out, next_hit(&mut other).velocity_out, "{from:?}");
    }
}

/// An engine whose hammer leans on its body through a linear contact, played exactly.
fn pressed_hammer() -> Engine {
    let mut engine = player(ContactModel::Linear, &[(Hold, 20.0), (ParamId::Modes, 40.0), (Body, 0.0), (Decay, 20.0)]);
    engine.event(&on(45, 40));
    play(&mut engine, 4_800);
    engine
}

/// Substeps of the next frames.
fn steps(engine: &mut Engine, frames: usize) -> u64 {
    let before = engine.cost_totals().substeps;
    play(engine, frames);
    engine.cost_totals().substeps - before
}

/// Who looks at a body that has lent its state sees what there is: opening the ledger takes it back.
#[test]
fn the_displacement_under_a_pressed_hammer_is_reported() {
    let mut engine = pressed_hammer();
    assert_eq!(steps(&mut engine, 100), 100, "played exactly");
    let (energy, swing) = (engine.energy(), engine.body_motion().expect("it sounds"));
    engine.enable_energy_balance();
    let balance = engine.energy();
    assert!((energy / balance - 1.0).abs() < 1e-12 && balance > 0.0, "{energy} {balance}");
    let settled = engine.body_motion().expect("it sounds");
    for (lent, settled) in swing.modes.iter().zip(settled.modes) {
        assert!(settled.q != 0.0 && settled.v != 0.0, "{settled:?}");
        assert!((lent.q / settled.q - 1.0).abs() < 1e-6 && (lent.v / settled.v - 1.0).abs() < 1e-6, "{lent:?} {settled:?}");
    }
    assert_eq!(steps(&mut engine, 100), 100, "it goes on");
    let worst = engine.energy_balance_report();
    assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-12, "{worst:?}");
}

/// Any end of a contact returns its eigenbasis to the pool: there are only a few, and none is lost.
#[test]
fn exact_contacts_end_cleanly_on_any_event() {
    let mut engine = pressed_hammer();
    for round in 0..12 {
        assert_eq!(steps(&mut engine, 64), 64, "round {round}");
        match round % 4 {
            0 => engine.reset(),
            1 => {
                engine.event(&Event::ChokeAll);
                while !engine.is_asleep() {
                    play(&mut engine, 480);
                }
            }
            2 => engine.event(&set(StrikePosition, if round < 5 { 0.3 } else { 0.4 })),
            _ => engine.event(&set(BodyMass, 0.2 + 0.01 * f64::from(round))),
        }
        play(&mut engine, 4_800);
        engine.event(&Event::ChokeAll);
        play(&mut engine, 9_600);
        engine.event(&on(45, 40));
        play(&mut engine, 4_800);
    }
}
