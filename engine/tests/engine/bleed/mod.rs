//! Bodies that answer to the sound of others: the zones of a kit to each other, and held keys to other keys.

mod kits;
mod levels;
mod strings;

use crate::support::test_engine::*;
use urto_engine::params::ParamId::{Bleed, Level};
use urto_engine::patch::{Patch, factory_presets};
use urto_engine::{Engine, EngineConfig};

/// The factory preset `name`.
fn preset(name: &str) -> Patch {
    factory_presets::all().find(|patch| patch.name == name).unwrap_or_else(|| panic!("{name}"))
}

/// `patch` with this amount of bleed, far below the limiter.
fn with_bleed(patch: &Patch, amount: f64) -> Engine {
    let mut patch = patch.clone();
    patch.settings.set(Bleed, amount);
    patch.settings.set(Level, -20.0);
    Engine::new(EngineConfig::at(RATE), &patch)
}

/// What `a` has more than `b`.
fn difference(a: &Sound, b: &Sound) -> Sound {
    let less = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a - b).collect();
    Sound { left: less(&a.left, &b.left), right: less(&a.right, &b.right) }
}

/// Level of `a` over that of `b` [dB].
fn level(a: &Sound, b: &Sound) -> f64 {
    10.0 * (a.energy().max(1e-30) / b.energy()).log10()
}

/// What the hits of `score` have measured, and the energy of all bodies [J] after them.
fn strikes(engine: &mut Engine, keys: &[u8]) -> (Vec<String>, f64) {
    engine.enable_energy_balance();
    let mut hits = Vec::new();
    for (i, &key) in keys.iter().enumerate() {
        engine.event(&on(key, 127 - 20 * (i % 5) as u8));
        play(engine, 3_001);
        hits.extend(std::iter::from_fn(|| engine.take_hit()).map(|hit| format!("{hit:?}")));
    }
    assert!(engine.energy_balance_report().balance < 1e-12);
    assert!(hits.len() >= keys.len(), "{hits:?}");
    (hits, engine.energy())
}

/// Asserts that both are the same to the bit.
fn assert_same(a: &Sound, b: &Sound) {
    let first = (0..a.left.len()).find(|&i| a.left[i] != b.left[i] || a.right[i] != b.right[i]);
    assert_eq!(first.map(|i| (i, a.left[i], b.left[i])), None, "the first frame that differs");
}
