//! The cost budget of hammers: ordinary input stays below it, and extreme input is limited by it.

use crate::support::test_engine::*;
use crate::tier::size;
use urto_engine::params::ParamId::*;
use urto_engine::params::{ParamId, UpdateRate};
use urto_engine::patch::Patch;
use urto_engine::patch::Zone;
use urto_engine::patch::factory_presets;
use urto_engine::{CostTotals, Engine, EngineConfig};

/// Work of 64 frames that may not be exceeded [samples of a resonator of the reference body]: 220 times the reference cost a sample, and once a third more
/// when a crowd comes at once, until hammers leave.
const WINDOW: f32 = (220 * 64 * 64) as f32 * 4.0 / 3.0;

/// Frames between two strokes.
const APART: usize = 4_800;

/// The patch played for a second and a half, `struck` what it does at stroke number n.
fn played(patch: &Patch, driven: bool, struck: impl Fn(&mut Engine, usize)) -> CostTotals {
    let mut engine = Engine::new(EngineConfig::at(RATE), patch);
    let drive: Vec<f32> = (0..APART).map(|n| (0.05 * n as f32).sin()).collect();
    for n in 0..15 {
        struck(&mut engine, n);
        play_driven(&mut engine, APART, if driven { &drive } else { &[] });
    }
    let spent = engine.cost_totals();
    assert!(spent.most_in_window < WINDOW, "{}: {spent:?}", patch.name);
    spent
}

/// Every built-in preset and kit; every sixth in the everyday tier.
fn each(mut look: impl FnMut(&Patch)) {
    factory_presets::all().step_by(size(6, 1)).for_each(|patch| look(&patch));
}

/// Strokes and rolls on two keys, and all but a few frames of chords: six keys, so many brushes at once are too many; on one body, where two players
/// have room, two. What rattles on several
/// bodies at once has to share: four wires on a drum cost 60 to 140 times the reference a sample for as long as it sounds. What stays in contact
/// may be short of work on one body too, in one frame of a thousand, and nothing leaves.
#[test]
fn normal_use_stays_below_the_cost_limit() {
    let (mut few, mut all) = (0, 0);
    each(|patch| {
        let lasting = patch.family == "lasting contact";
        let wires = patch.settings.get(Rattle) > 0.5 || patch.zones.iter().any(|zone| zone.settings.get(Rattle) > 0.5);
        let single = played(patch, false, |engine, n| {
            if n % 5 == 0 {
                engine.event(&on(60, 110))
            }
        });
        let key = |n: usize| 48 + 12 * (n % 2) as u8;
        let strike = |engine: &mut Engine, n: usize| engine.event(&on(key(n), 60 + 4 * n as u8));
        let roll = played(patch, false, strike);
        // a key that is let go presses its hammer no more
        let released = lasting.then(|| {
            played(patch, false, |engine, n| {
                engine.event(&off(key(n + 1)));
                strike(engine, n);
            })
        });
        let chord = played(patch, false, |engine, n| {
            let keys = if patch.settings.get(Stage) == 0.0 { 6 } else { 2 };
            (0..keys).filter(|_| n == 0).for_each(|k| engine.event(&on(48 + 4 * k, 100)));
        });
        for (what, spent) in [("single", &single), ("roll", &roll), ("chord", &chord)] {
            let CostTotals { bound, frames, relieved, thinned, reduced, most_in_window, .. } = spent;
            println!(
                "{}: {what} {bound} of {frames} frames, {relieved} left, {thinned} thinned, {reduced} reduced, window {most_in_window:.0}",
                patch.name
            );
        }
        assert_eq!((single.relieved, single.thinned, roll.thinned), (0, 0, 0), "{}", patch.name);
        assert_eq!((single.reduced, roll.reduced), (0, 0), "{}: all modes share the potential", patch.name);
        assert_eq!((single.faded, roll.faded, chord.faded), (0, 0, 0), "{}: no body fades for others", patch.name);
        match released {
            Some(released) => {
                assert_eq!(released.relieved, 0, "{}", patch.name);
                for spent in [&single, &released] {
                    assert!(1_000 * spent.bound <= spent.frames, "{}: {spent:?}", patch.name);
                }
            }
            None => assert_eq!((single.bound, roll.bound, roll.relieved), (0, 0, 0), "{}", patch.name),
        }
        if !wires && !lasting {
            few += chord.bound;
            all += chord.frames;
        }
    });
    println!("{few} of {all} frames of chords");
    assert!(few * 200 < all, "{few} of {all} frames of chords");
}

/// Wires that the motion of the head drives cost little while they ring: single strokes and rolls on two snares stay below the limit, and cost a
/// tenth of what obstacles do.
#[test]
fn driven_wires_stay_below_the_cost_limit() {
    let snare = factory_presets::all().find(|patch| patch.name == "Snare with Wires").expect("a built-in preset");
    assert!(snare.settings.get(Rattle) == 0.0 && snare.settings.get(ShellDrive) == 1.0);
    let mut rattling = snare.clone();
    [(Rattle, 2.0), (RattleCount, 3.0), (ShellDrive, 0.0)].iter().for_each(|&(param, value)| rattling.settings.set(param, value));
    let roll = |patch: &Patch| played(patch, false, |engine, n| engine.event(&on(48 + 12 * (n % 2) as u8, 60 + 4 * n as u8)));
    let (wires, obstacles) = (roll(&snare), roll(&rattling));
    println!("wires {wires:?}, obstacles {obstacles:?}");
    assert!(wires.bound == 0 && wires.relieved == 0, "{wires:?}");
    assert!(wires.work < 0.1 * obstacles.work, "{} {}", wires.work, obstacles.work);
}

/// Hammers of a gram that chatter through the stiffest contact there is.
fn chatter(modes: f64, bodies: u8, more: &[(ParamId, f64)]) -> CostTotals {
    let params = [(Modes, modes), (Stiffness, 1e6), (HammerMass, 1e-3), (Hold, 50.0), (Damping, 0.0), (Decay, 20.0)];
    let mut engine = engine(RATE, &[&params, more].concat());
    engine.enable_energy_balance();
    for stroke in 0..16 {
        (0..bodies).for_each(|k| engine.event(&on(30 + k, 127)));
        play(&mut engine, 64 + stroke);
    }
    play(&mut engine, 4_800);
    let worst = engine.energy_balance_report();
    assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{worst:?}");
    engine.cost_totals()
}

/// Sixteen hammers on as many bodies as there are hammers for, a crowd of onsets, wires on all of them: no window takes more than it may.
#[test]
fn any_valid_input_stays_within_the_cost_budget() {
    for (modes, bodies) in [(64.0, 1), (256.0, 1), (4.0, 6), (64.0, 6), (256.0, 6), (64.0, 32)] {
        let spent = chatter(modes, bodies, &[]);
        println!("{modes} {bodies}: {spent:?}");
        assert!(spent.bound > 0 && spent.most_in_window < WINDOW, "{modes} modes, {bodies} bodies: {spent:?}");
    }
    let spent = chatter(64.0, 16, &[(Rattle, 2.0), (RattlePress, 20.0), (RattleCount, 4.0)]);
    println!("wires: {spent:?}");
    assert!(spent.relieved > 0, "{spent:?}");
}

/// More tam-tams with all of their modes than can ring together, while every parameter that acts on what sounds moves in every control block: the
/// weakest fade, and the rest stays within the cost of hammers in ordinary use.
#[test]
fn ringing_dense_bodies_stay_within_the_cost_budget() {
    let mut patch = factory_presets::all().find(|patch| patch.name == "Symphonic Tam-Tam").expect("a preset");
    for (param, value) in [(Modes, 256.0), (Density, 1.0), (Voices, 32.0)] {
        patch.settings.set(param, value);
    }
    let moved: Vec<ParamId> =
        ParamId::ALL.iter().copied().filter(|param| param.spec().update_rate == UpdateRate::OnGrid).collect();
    let mut engine = Engine::new(EngineConfig::at(RATE), &patch);
    for key in 40..68 {
        engine.event(&on(key, 100));
        play(&mut engine, 960);
        engine.event(&off(key));
    }
    for block in 0..size(250, 4_000) {
        for (n, &param) in moved.iter().enumerate() {
            let place = f64::from((block + n) as u32 % 7) / 7.0;
            engine.event(&set(param, param.spec().from_normalized(0.4 + 0.2 * place)));
        }
        play(&mut engine, 64);
        assert!(block > 50 || engine.active_voices() > 12, "{} bodies", engine.active_voices());
    }
    let spent = engine.cost_totals();
    println!("{spent:?}");
    assert!(spent.faded > 0 && spent.most_in_window < (220 * 64 * 64) as f32, "{spent:?}");
}

/// The search for the eigenvectors of a linear contact is dear, and counted where it takes place; a contact that is played with them is cheap.
#[test]
fn an_eigenbasis_is_counted_once() {
    let mut engine = engine(RATE, &[(Contact, 2.0), (Modes, 64.0), (Body, 0.0), (Hold, 20.0)]);
    engine.event(&on(45, 60));
    play(&mut engine, 4_800);
    let first = engine.cost_totals();
    assert!((150e3..300e3).contains(&first.most_in_frame), "{first:?}");
    assert!(first.work - f64::from(first.most_in_frame) < 4_800.0 * 400.0, "{first:?}");
    play(&mut engine, 4_800);
    let then = engine.cost_totals();
    assert!(then.work - first.work < 4_800.0 * 250.0 && then.most_in_frame == first.most_in_frame, "{then:?}");
    assert_eq!(then.bound, 0);
}

/// Wires in every zone of a kit, more than can sound together: whichever zone is played last, the quietest lose theirs until the others fit.
#[test]
fn zones_of_a_kit_share_the_cost_budget() {
    let wires = patch(&[(Modes, 80.0), (Decay, 20.0), (Rattle, 2.0), (RattleCount, 4.0), (RattlePress, 20.0)]);
    let zones = (0..16).map(|n| Zone { plays: 60, ..Zone::new(&wires, (40 + n, 40 + n)) }).collect();
    let mut engine = Engine::new(EngineConfig::at(RATE), &Patch { zones, ..Patch::default() });
    for n in 0..16 {
        engine.event(&on(40 + n, 100));
        play(&mut engine, 480);
    }
    play(&mut engine, 4_800);
    let first = engine.cost_totals();
    play(&mut engine, 4_800);
    let then = engine.cost_totals();
    let lasting = (then.work - first.work) / 4_800.0;
    println!("{lasting} {first:?}");
    assert!(then.relieved > 0 && first.most_in_window < WINDOW, "{first:?}");
    assert!(lasting < 208.0 * 64.0, "work of a frame: {lasting}");
}

/// Wires of dear laws in all zones of a kit at once, found by the soak test: the zones render a control block one after another, and lose wires
/// before the first of them does.
#[test]
fn obstacles_of_all_zones_at_once_stay_within_the_cost_budget() {
    let params = [(Contact, 1.0), (Exponent, 2.7), (Stiffness, 1e5), (Modes, 64.0), (Decay, 20.0), (RattleCount, 4.0)];
    let zone = patch(
        &[&params[..], &[(RattlePress, 20.0), (RattleContact, 1.0), (RattleExponent, 2.7), (RattleStiffness, 1e5)]].concat(),
    );
    let zones = (0..12).map(|n| Zone { plays: 60, ..Zone::new(&zone, (40 + n, 40 + n)) }).collect();
    let mut engine = Engine::new(EngineConfig::at(RATE), &Patch { zones, ..Patch::default() });
    for round in 0..4 {
        (0..12).for_each(|n| engine.event(&on(40 + n, 127)));
        play(&mut engine, 4_800 + 7 * round);
        engine.event(&set(Rattle, 2.0));
        play(&mut engine, 480);
        engine.event(&set(Rattle, 0.0));
    }
    let spent = engine.cost_totals();
    println!("{} {spent:?}", spent.most_in_window / WINDOW);
    assert!(spent.relieved > 0 && spent.most_in_window < 1.1 * WINDOW, "{spent:?}");
}

/// Zones share the budget in their order, and lose wires, the same in any split into blocks: wires, a dense body and a body under tension at their limit.
#[test]
fn block_size_does_not_change_a_kit_at_its_cost_limit() {
    const FRAMES: usize = 9_600;
    let wires =
        [(Modes, 64.0), (Decay, 20.0), (Rattle, 2.0), (RattleCount, 4.0), (RattlePress, 20.0), (Exponent, 2.7), (Contact, 1.0)];
    let preset = |name: &str| factory_presets::all().find(|patch| patch.name == name).expect("a preset");
    let sounds =
        [patch(&wires), preset("Crash Cymbal"), preset("Slack Wire"), patch(&wires), preset("Symphonic Tam-Tam"), patch(&wires)];
    let zones = (0..18).map(|n| Zone { plays: 60, ..Zone::new(&sounds[n % 6], (40 + n as u8, 40 + n as u8)) }).collect();
    let kit = Patch { zones, ..Patch::default() };
    let score: Vec<_> = (0..80).map(|n| (n * 117 + n * n % 31, on(40 + (n * 7 % 18) as u8, 127))).collect();
    let perform = |blocks: &[usize]| {
        let mut engine = Engine::new(EngineConfig::at(RATE), &kit);
        (perform(&mut engine, &score, FRAMES, blocks, &[]), engine.cost_totals())
    };
    let (whole, spent) = perform(&[FRAMES]);
    println!("{spent:?}");
    assert!(spent.bound > 1_000 && spent.relieved > 0 && spent.most_in_window < WINDOW, "{spent:?}");
    for blocks in [&[1][..], &[37, 1], &[512]].into_iter().take(size(2, 3)) {
        let (split, others) = perform(blocks);
        let first = (0..FRAMES).find(|&i| split.left[i] != whole.left[i] || split.right[i] != whole.right[i]);
        assert_eq!((first, others.substeps), (None, spent.substeps), "blocks {blocks:?}");
    }
}

/// A body that the drive has just started to excite has the least energy of all, but is the one in focus: bodies that still ring from earlier
/// keys lose their obstacles, not this one.
#[test]
fn driven_bodies_keep_their_obstacles() {
    let mut shaken = factory_presets::all().find(|patch| patch.name == "Wires on Noise").expect("a preset");
    let obstacles =
        [(ShellDrive, 0.0), (Rattle, 2.0), (RattleCount, 4.0), (RattlePosition, 0.3), (RattleAcross, 0.5), (RattlePress, 0.1)];
    let contact = [(RattleFrequency, 60.0), (RattleStiffness, 1_000.0), (RattleLoss, 0.4)];
    obstacles.iter().chain(&contact).for_each(|&(param, value)| shaken.settings.set(param, value));
    // by chance one is a decibel louder than another
    let takes = [1.0, 1.01, 1.02, 1.03, 1.04, 1.05];
    let take = |before: &[u8], heavier: f64| {
        let mut shaken = shaken.clone();
        shaken.settings.set(HammerMass, heavier * shaken.settings.get(HammerMass));
        let mut engine = Engine::new(EngineConfig::at(RATE), &shaken);
        for &key in before {
            engine.event(&on(key, 127));
            play(&mut engine, 12_000);
            engine.event(&off(key));
        }
        engine.event(&on(72, 90));
        let sound = play(&mut engine, 24_000);
        assert_eq!(engine.cost_totals().relieved > 0, !before.is_empty(), "too much after the others, and not alone");
        10.0 * sound.energy().log10()
    };
    let louder = takes.map(|heavier| take(&[48, 55], heavier) - take(&[], heavier));
    let mean = louder.iter().sum::<f64>() / louder.len() as f64;
    assert!(mean.abs() < 1.5, "after others louder by {louder:.1?} dB, {mean:.2} dB");
}

/// Bodies that a force of 10 kN presses into the stiffest contact, in `zones` zones, by `signal` over
/// the frames, while all are struck again and again.
fn pressed(zones: u8, more: &[(ParamId, f64)], signal: impl Fn(usize) -> f32) -> CostTotals {
    let driven = [(DriveGain, 1e4), (DriveChannels, 1.0), (Stiffness, 1e5), (HammerMass, 1e-3), (Modes, 64.0)];
    let zone = patch(&[&driven, more].concat());
    let list = (0..zones).map(|n| Zone { plays: 60, ..Zone::new(&zone, (40 + n, 40 + n)) }).collect();
    let mut engine = Engine::new(EngineConfig::at(RATE), &Patch { zones: list, ..Patch::default() });
    engine.enable_energy_balance();
    for n in 0..8 {
        (0..zones).for_each(|zone| engine.event(&on(40 + zone, 100)));
        let drive: Vec<f32> = (n * 1_200..(n + 1) * 1_200).map(&signal).collect();
        play_driven(&mut engine, drive.len(), &drive);
    }
    let worst = engine.energy_balance_report();
    assert!(worst.balance <= 1e-12 && worst.unsupplied <= 1e-14, "{worst:?}");
    engine.cost_totals()
}

/// Driven hammers are not removed: a kit of driven zones drives only those of the last notes.
#[test]
fn driven_hammers_stay_within_the_cost_budget() {
    let push = |_| 1.0;
    let square = |n: usize| if n % 96 < 48 { 1.0 } else { -1.0 };
    for zones in [4, 16] {
        for exponent in [1.5, 2.3] {
            let more = [(Exponent, exponent)];
            for (name, spent) in [("push", pressed(zones, &more, push)), ("square", pressed(zones, &more, square))] {
                println!("{zones} zones, {name}, exponent {exponent}: {spent:?}");
                assert!(spent.bound > 0 && spent.most_in_window < WINDOW, "{zones} zones, {name}: {spent:?}");
            }
        }
    }
}
