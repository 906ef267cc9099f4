//! Edits of single partials: frequency, level, decay, mute and solo.

use crate::support::spectrum::{LENGTH, spectrum};
use crate::support::test_engine::*;
use urto_engine::params::ParamId::*;
use urto_engine::patch::{ListedMode, PartialEdit, Patch};
use urto_engine::{Engine, EngineConfig, PreparedBody};

/// Three partials far apart, slow to decay, struck softly enough by a light hammer that it hardly matters what they weigh.
fn three_partials(trims: &[PartialEdit]) -> Patch {
    let mut patch =
        patch(&[(Body, 2.0), (Modes, 3.0), (Decay, 60.0), (Loss, 0.0), (Viscosity, 0.0), (Stiffness, 1e4), (HammerMass, 1e-3)]);
    let mode = |ratio| ListedMode { ratio, decay: None, mass: 1.0, shape: vec![1.0, 0.6, 0.9].into() };
    patch.modes = [1.0, 4.1, 9.7].map(mode).to_vec();
    patch.settings.set(BodyMass, 10.0);
    patch.partial_edits = trims.to_vec();
    patch
}

/// Magnitude [dB] of every partial at its `ratio`, over the first.
fn levels(trims: &[PartialEdit], ratios: [f64; 3]) -> [f64; 3] {
    let mut engine = Engine::new(EngineConfig::at(RATE), &three_partials(trims));
    engine.event(&on(69, 80));
    let bins = spectrum(&play(&mut engine, LENGTH).left);
    let peak = |ratio: f64| {
        let bin = (440.0 * ratio).round() as usize;
        bins[bin - 3..=bin + 3].iter().copied().fold(f64::NEG_INFINITY, f64::max)
    };
    let peaks = ratios.map(peak);
    peaks.map(|level| level - peaks[0])
}

#[test]
fn a_partial_edit_moves_only_its_partial() {
    let plain = levels(&[], [1.0, 4.1, 9.7]);
    let trims = [PartialEdit { level: -9.0, ..PartialEdit::new(1) }, PartialEdit { ratio: 0.9, ..PartialEdit::new(2) }];
    let trimmed = levels(&trims, [1.0, 4.1, 9.7 * 0.9]);
    let change = [1, 2].map(|i| trimmed[i] - plain[i]);
    println!("{plain:.2?} {trimmed:.2?}");
    assert!((change[0] + 9.0).abs() < 0.3 && change[1].abs() < 2.0, "{change:?} dB");
    assert!(levels(&trims, [1.0, 4.1, 9.7])[2] < -90.0, "nothing is left where it was");
}

#[test]
fn muted_partials_are_silent_and_reordered_partials_keep_their_level() {
    let muted = levels(&[PartialEdit { muted: true, ..PartialEdit::new(1) }], [1.0, 4.1, 9.7]);
    assert!(muted[1] < -90.0 && muted[2] > -60.0, "{muted:?}");
    let passed = levels(&[PartialEdit { ratio: 12.0 / 4.1, level: -20.0, ..PartialEdit::new(1) }], [1.0, 9.7, 12.0]);
    let plain = levels(&[], [1.0, 4.1, 9.7]);
    assert!((passed[1] - plain[2]).abs() < 0.5 && passed[2] < passed[1] - 15.0, "{passed:?} {plain:?}");
}

#[test]
fn a_partial_edit_scales_the_decay_time() {
    let late = |decay: f64| {
        let trims = [0, 1, 2].map(|mode| PartialEdit { decay, ..PartialEdit::new(mode) });
        let mut engine = Engine::new(EngineConfig::at(RATE), &three_partials(&trims));
        engine.event(&on(69, 80));
        let energy = |sound: &Sound| 10.0 * sound.energy().log10();
        play(&mut engine, 24_000);
        let first = energy(&play(&mut engine, 4_800));
        play(&mut engine, 43_200);
        energy(&play(&mut engine, 4_800)) - first
    };
    // T60 is 60 s times the factor
    for decay in [0.05, 0.1] {
        let fallen = late(decay);
        assert!((fallen + 1.0 / decay).abs() < 0.2, "{fallen} dB in one second");
    }
}

/// Lighter, heavier and held modes add no energy, and the energy balance closes.
#[test]
fn partial_edits_add_no_energy() {
    let trims = [
        PartialEdit { level: 24.0, ..PartialEdit::new(0) },
        PartialEdit { level: -60.0, ratio: 5.0, ..PartialEdit::new(3) },
        PartialEdit { muted: true, ..PartialEdit::new(2) },
    ];
    for body in [0.0, 1.0, 3.0, 12.0, 17.0] {
        let mut patch = patch(&[(Body, body), (Modes, 40.0), (MorphTo, 2.0)]);
        patch.partial_edits = trims.to_vec();
        let mut engine = Engine::new(EngineConfig::at(RATE), &patch);
        engine.enable_energy_balance();
        for (i, morph) in [0.0, 0.3, 1.0, 0.7].into_iter().enumerate() {
            engine.event(&set(Morph, morph));
            engine.event(&on(50 + 5 * i as u8, 110));
            play(&mut engine, 3_000);
        }
        let worst = engine.energy_balance_report();
        assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{body}: {worst:?}");
    }
}

/// Solo is for the ear: the hammer feels the whole body.
#[test]
fn a_solo_changes_pickups_but_not_the_contact() {
    let patch = three_partials(&[]);
    let hit = |solo: &[usize]| {
        let mut engine = Engine::new(EngineConfig::at(RATE), &patch);
        assert!(engine.queue_body(PreparedBody::of(&patch).soloed(solo)).is_ok());
        engine.install_body();
        engine.event(&on(69, 80));
        let sound = play(&mut engine, LENGTH);
        (engine.take_hit().expect("a hit"), spectrum(&sound.left))
    };
    let (all, alone) = (hit(&[]), hit(&[1]));
    assert_eq!((all.0.duration, all.0.peak_force), (alone.0.duration, alone.0.peak_force));
    assert!(alone.1[440] < -90.0 && alone.1[1804] > -1.0 && all.1[440] > -1.0);
}
