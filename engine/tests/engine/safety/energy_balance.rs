//! Energy balance under automation of every parameter at every sample, also in contact.

use crate::support::test_engine::*;
use crate::tier::size;
use urto_engine::params::ParamId::*;
use urto_engine::params::{ParamId, UpdateRate};
use urto_engine::patch::factory_presets;
use urto_engine::{Engine, EngineConfig};

/// Mean number of changes at every frame where `params` are more.
const CHANGES: usize = 16;

/// Plays notes while `params` jump at every frame; the worst of the ledgers.
fn automate(engine: &mut Engine, params: &[ParamId], seed: u64) -> (f64, f64) {
    let mut chance = Chance::new(seed);
    engine.enable_energy_balance();
    for frame in 0..6_000 {
        if frame % 500 == 0 {
            engine.event(&on(60 + (frame / 500 % 3) as u8, 20 + chance.below(108) as u8));
        }
        for &param in params {
            if params.len() > CHANGES && chance.below(params.len()) >= CHANGES {
                continue;
            }
            // around what makes a playable hammer: contact for much of the time
            let span = param.spec();
            let value = match param {
                Stiffness => 10_f64.powf(-1.0 + 4.0 * chance.part()),
                HammerMass => 10_f64.powf(-3.0 + 3.0 * chance.part()),
                _ => chance.value(span),
            };
            engine.event(&set(param, value));
        }
        play(engine, 1);
    }
    let worst = engine.energy_balance_report();
    (worst.balance, worst.unsupplied)
}

#[test]
fn contact_parameters_add_no_energy_at_any_frame() {
    for (seed, patch) in (1..).zip(factory_presets::built_in().chain(factory_presets::added())).step_by(size(12, 1)) {
        let mut engine = Engine::new(EngineConfig::at(RATE), &patch);
        let (balance, unsupplied) =
            automate(&mut engine, &[Contact, Stiffness, Exponent, Damping, HammerMass, StrikePosition], seed);
        println!("{}: balance {balance:e}, unsupplied {unsupplied:e}", patch.name);
        assert!(balance <= 1e-12 && unsupplied <= 1e-14, "{}: {balance:e} {unsupplied:e}", patch.name);
    }
}

#[test]
fn no_parameter_change_adds_energy() {
    let at_every_frame = [Stiffness, HammerMass, BodyMass, Tune, Inharmonicity, Decay, Loss, Viscosity, PickupLeft, Level];
    let acts_at_once = |id: &ParamId| matches!(id.spec().update_rate, UpdateRate::Immediate | UpdateRate::OnGrid);
    let all: Vec<_> = ParamId::ALL.iter().copied().filter(acts_at_once).collect();
    for params in [&at_every_frame[..], &all] {
        changes_add_no_energy(params);
    }
}

fn changes_add_no_energy(params: &[ParamId]) {
    let mut engine = engine(RATE, &[(Release, 1.0), (ReleaseTime, 0.05)]);
    engine.event(&on(60, 100));
    engine.event(&off(60));
    let (balance, unsupplied) = automate(&mut engine, params, 17);
    println!("balance {balance:e}, unsupplied {unsupplied:e}");
    assert!(balance <= 1e-12 && unsupplied <= 1e-14, "{balance:e} {unsupplied:e}");
}
