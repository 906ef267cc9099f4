//! The modulation matrix: sources, targets, and what it must not change.

use crate::support::counted_memory::calls_in;
use crate::support::test_engine::*;
use crate::tier::{repetitions, size};
use urto_engine::params::ParamId::{self, *};
use urto_engine::params::{BodyKind, MOD_SOURCES, MOD_TARGET_IDS, MOD_TARGET_PARAMS};
use urto_engine::patch::{Macro, MacroTarget, Patch, Zone, factory_presets, from_toml, to_toml};
use urto_engine::{BodySpec, Engine, EngineConfig, Event, PreparedBody};

/// Number of rows.
const ROWS: usize = 16;

/// The parameter `part` of row `row`, from 0.
fn row_param(row: usize, part: &str) -> ParamId {
    ParamId::from_id(&format!("mod_{}_{part}", row + 1)).unwrap()
}

/// The parameters of a row.
fn row(row: usize, source: &str, target: ParamId, amount: f64) -> [(ParamId, f64); 3] {
    let source = MOD_SOURCES.iter().position(|name| *name == source).unwrap();
    let target = MOD_TARGET_IDS.iter().position(|id| *id == target.spec().id).unwrap();
    [(row_param(row, "source"), source as f64), (row_param(row, "target"), target as f64), (row_param(row, "amount"), amount)]
}

/// Sixteen random rows, LFOs and envelopes of random settings, and a macro with two targets.
fn modulated(patch: &Patch, chance: &mut Chance) -> Patch {
    let mut patch = patch.clone();
    for number in 0..ROWS {
        let source = MOD_SOURCES[1 + chance.below(MOD_SOURCES.len() - 1)];
        let target = MOD_TARGET_PARAMS[1 + chance.below(MOD_TARGET_PARAMS.len() - 1)].unwrap();
        for (id, value) in row(number, source, target, 0.6 * chance.part() - 0.3) {
            patch.settings.set(id, value);
        }
        patch.settings.set(row_param(number, "curve"), 2.0 * chance.part() - 1.0);
    }
    for &id in ParamId::ALL.iter().filter(|id| id.spec().group.starts_with("LFO") || id.spec().group.starts_with("Envelope")) {
        patch.settings.set(id, chance.value(id.spec()));
    }
    let targets =
        vec![MacroTarget { param: Hardness, from: -0.5, to: 0.5 }, MacroTarget { param: Mod1Amount, from: -0.5, to: 0.5 }];
    patch.macros = vec![Macro { name: "Both".into(), targets }];
    patch
}

/// Notes, controllers, tempo, and the first macro and a few other parameters at odd frames.
fn score(chance: &mut Chance, frames: usize) -> Vec<(usize, Event)> {
    let mut score = chance.score(frames / 100, frames);
    for i in 0..frames / 600 {
        score.push((chance.below(frames), on(48 + chance.below(12) as u8, 1 + chance.below(127) as u8)));
        score.push((chance.below(frames), set([Macro1, Stiffness, Tune, Lfo1Rate, Level][i % 5], 0.5 + 0.5 * chance.part())));
        let beat = Some(0.01 * i as f64).filter(|_| i % 3 == 0);
        score.push((chance.below(frames), Event::Tempo { tempo: 60.0 + 120.0 * chance.part(), beat }));
    }
    score.sort_by_key(|(frame, _)| *frame);
    score
}

/// Patches with a modulated body per key, one body, a hi-hat, a dense body, and a kit.
fn patches(chance: &mut Chance) -> Vec<Patch> {
    let named = |name: &str| factory_presets::all().find(|patch| patch.name == name).unwrap();
    let mut patches: Vec<_> =
        [Patch::default(), named("Crash Cymbal"), named("Pedal Hi-Hat"), patch(&[(Stage, 1.0), (Rattle, 2.0)])]
            .iter()
            .map(|patch| modulated(patch, chance))
            .collect();
    let zones = patches[..2].iter().map(|zone| Zone::new(zone, (0, 127))).collect();
    let kit = Patch { zones, ..modulated(&Patch::default(), chance) };
    patches.push(kit);
    patches
}

fn small(patch: &Patch) -> Engine {
    Engine::new(EngineConfig { voices: 8, ..EngineConfig::at(RATE) }, patch)
}

#[test]
fn any_split_and_a_reset_give_the_same_bits_with_everything_modulated() {
    let frames = repetitions(12_000);
    for seed in 0..size(1, 12) {
        let mut chance = Chance::new(seed as u64);
        for patch in patches(&mut chance) {
            let score = score(&mut chance, frames);
            let mut engine = small(&patch);
            let whole = perform(&mut engine, &score, frames, &[frames], &[]);
            assert!(whole.peak() > 1e-4, "{}", patch.name);
            for blocks in [&[1][..], &[37, 16, 480]] {
                let split = perform(&mut small(&patch), &score, frames, blocks, &[]);
                let first = (0..frames).find(|&i| split.left[i] != whole.left[i] || split.right[i] != whole.right[i]);
                assert_eq!(first, None, "seed {seed}, {}, blocks {blocks:?}", patch.name);
            }
            for &param in ParamId::ALL {
                engine.event(&set(param, patch.settings.get(param)));
            }
            engine.reset();
            assert!(perform(&mut engine, &score, frames, &[480], &[]) == whole, "{} after a reset", patch.name);
        }
    }
}

#[test]
fn the_matrix_in_motion_supplies_no_energy() {
    for seed in 0..size(1, 24) {
        let mut chance = Chance::new(100 + seed as u64);
        for patch in patches(&mut chance) {
            let mut engine = small(&patch);
            engine.enable_energy_balance();
            perform(&mut engine, &score(&mut chance, 12_000), 12_000, &[480], &[]);
            let report = engine.energy_balance_report();
            println!("{}: {:e}, {:e}", patch.name, report.balance, report.unsupplied);
            assert!(report.balance <= 1e-12 && report.unsupplied <= 1e-14, "seed {seed}, {}: {report:?}", patch.name);
        }
    }
}

#[test]
fn the_matrix_neither_allocates_nor_frees() {
    let mut chance = Chance::new(7);
    for patch in patches(&mut chance) {
        let (score, mut engine) = (score(&mut chance, 24_000), small(&patch));
        let mut sound = Sound { left: vec![0.0; 480], right: vec![0.0; 480] };
        let mut events = score.iter().peekable();
        let calls = calls_in(|| {
            for block in 0..50 {
                while let Some((_, event)) = events.next_if(|(frame, _)| *frame < block * 480) {
                    engine.event(event);
                }
                engine.render(&mut sound.left, &mut sound.right, [&[], &[]]);
            }
            engine.reset();
        });
        assert_eq!(calls, 0, "{}", patch.name);
    }
}

/// Root mean square of a part of the sound.
fn rms(sound: &Sound, frames: std::ops::Range<usize>) -> f64 {
    let count = frames.len() as f64;
    (sound.left[frames].iter().map(|x| f64::from(*x).powi(2)).sum::<f64>() / count).sqrt()
}

/// A square LFO on the level: the level falls by its amount in the second half of each period.
#[test]
fn an_lfo_moves_the_level_by_its_amount() {
    let span = Level.spec().max - Level.spec().min;
    let mut params = vec![(Lfo1Shape, 4.0), (Lfo1Rate, 2.0), (Decay, 500.0), (Loss, 0.0), (Viscosity, 0.0)];
    params.extend(row(0, "lfo_1", Level, -3.0 / span));
    params.push((Level, -20.0));
    let mut engine = engine(RATE, &params);
    engine.event(&on(60, 60));
    let sound = play(&mut engine, 48_000);
    // after each jump of a common LFO the smoothers need 60 ms
    let levels = [3_600..11_000, 15_600..23_000, 27_600..35_000].map(|part| 20.0 * rms(&sound, part).log10());
    assert!((levels[1] - levels[0] - 6.0).abs() < 0.05 && (levels[1] - levels[2] - 6.0).abs() < 0.05, "{levels:?}");
}

/// T60 [s] of the sound of one key, from the levels 0.1 s apart.
fn decay_time(engine: &mut Engine, velocity: u8) -> f64 {
    engine.event(&on(60, velocity));
    let sound = play(engine, 12_000);
    let level = |at: usize| 20.0 * rms(&sound, at..at + 4_800).log10();
    60.0 * 0.1 / (level(2_400) - level(7_200))
}

/// Each voice has its own decay by its velocity; the amount is a part of the logarithmic range.
#[test]
fn velocity_moves_the_decay_of_its_own_voice() {
    let decades = (Decay.spec().max / Decay.spec().min).log10();
    let base = [(Decay, 1.5), (Loss, 0.0), (Viscosity, 0.0), (Modes, 4.0)];
    let params = [&base[..], &row(0, "velocity", Decay, -0.5 / decades)].concat();
    let [plain, hard] = [&base[..], &params].map(|params| decay_time(&mut engine(RATE, params), 127));
    // a factor of 10^-0.5
    assert!((plain / 1.5 - 1.0).abs() < 0.02 && (hard / plain * 10_f64.sqrt() - 1.0).abs() < 0.02, "{plain} {hard}");
    let struck = |events: &[Event]| {
        let mut engine = engine(RATE, &params);
        events.iter().for_each(|event| engine.event(event));
        play(&mut engine, 9_600)
    };
    let [alone, together, soft] = [&[on(60, 127)][..], &[on(60, 127), on(84, 1)], &[on(84, 1)]].map(struck);
    let difference = alone.left.iter().zip(&together.left).map(|(a, b)| f64::from((a - b).abs())).fold(0.0, f64::max);
    assert!(difference <= 1.001 * soft.peak(), "a soft strike of another key changes the hard one: {difference}");
}

/// A controller that stiffens the contact gives the same bits as the parameter: in the middle of a contact, and for the next strike of a body that
/// has no hammer any more.
#[test]
fn a_row_moves_hammers_as_the_parameter_does() {
    let slow = [(HammerMass, 0.5), (Stiffness, 10.0), (WheelAmount, 0.0)];
    let stiffer = Stiffness.spec().with_offset(10.0, 0.2);
    let moved = |params: &[(ParamId, f64)], change: Event, frame: usize| {
        let mut engine = engine(RATE, params);
        perform(&mut engine, &[(0, on(60, 100)), (frame, change), (24_000, on(60, 90))], 30_000, &[480], &[])
    };
    let params = [&slow[..], &row(0, "wheel", Stiffness, 0.2)].concat();
    let still = moved(&slow, set(Stiffness, 10.0), 0);
    // the contact lasts from frame 0 to some 200; later the body has no hammer
    for frame in [48, 12_000] {
        let wheel = Event::Controller { channel: 0, number: 1, value: 1.0 };
        let (by_row, by_hand) = (moved(&params, wheel, frame), moved(&slow, set(Stiffness, stiffer), frame));
        assert!(by_row == by_hand, "frame {frame}");
        assert_ne!(by_row.left[..24_000] == still.left[..24_000], frame < 10_000, "frame {frame}");
        assert!(by_row.left[24_100..] != still.left[24_100..], "frame {frame}");
    }
}

/// A common LFO that turns in the ninth control block of a contact gives the same bits as the parameter there.
#[test]
fn a_common_lfo_moves_hammers_as_the_parameter_does() {
    let slow = [(HammerMass, 0.5), (Stiffness, 10.0)];
    let [stiffer, softer] = [0.2, -0.2].map(|offset| Stiffness.spec().with_offset(10.0, offset));
    // 1 up to the half of a period, then -1: it is reached from 0.375 after 7.5 blocks of 16 frames
    let lfo = [(Lfo1Shape, 4.0), (Lfo1Rate, 50.0), (Lfo1Phase, 0.375)];
    let by_row = [&slow[..], &lfo, &row(0, "lfo_1", Stiffness, 0.2)].concat();
    let sound = |params: &[(ParamId, f64)], changes: &[(usize, Event)]| {
        perform(&mut engine(RATE, params), &[&[(0, on(60, 100))], changes].concat(), 200, &[480], &[])
    };
    let by_hand = |then| sound(&[(HammerMass, 0.5), (Stiffness, stiffer)], &[(128, set(Stiffness, then))]);
    let by_row = sound(&by_row, &[]);
    assert!(by_row == by_hand(softer));
    assert!(by_row.left[..128] == by_hand(stiffer).left[..128] && by_row != by_hand(stiffer));
}

/// A row that is switched off while a note rings leaves it as without the row.
#[test]
fn a_row_that_is_switched_off_moves_its_target_back() {
    let decades = (Decay.spec().max / Decay.spec().min).log10();
    let base = [(Decay, 1.5), (Loss, 0.0), (Viscosity, 0.0), (Modes, 4.0)];
    let params = [&base[..], &row(0, "velocity", Decay, -0.5 / decades), &row(1, "key", Hardness, 0.1)].concat();
    let mut engine = engine(RATE, &params);
    engine.event(&on(60, 127));
    play(&mut engine, 2_400);
    engine.event(&set(row_param(0, "source"), 0.0));
    let sound = play(&mut engine, 14_400);
    let level = |at: usize| 20.0 * rms(&sound, at..at + 4_800).log10();
    let decay = 60.0 * 0.1 / (level(4_800) - level(9_600));
    assert!((decay / 1.5 - 1.0).abs() < 0.02, "{decay}");
}

/// The random number of a strike moves its position: no two strikes are alike, and a new engine draws the same numbers.
#[test]
fn each_strike_draws_its_own_random_number() {
    let params = [&[(Decay, 0.1)][..], &row(0, "random", StrikePosition, 0.4)].concat();
    let strikes = || {
        let mut engine = engine(RATE, &params);
        (0..4)
            .map(|_| {
                engine.event(&on(60, 100));
                play(&mut engine, 48_000).left
            })
            .collect::<Vec<_>>()
    };
    let (first, again) = (strikes(), strikes());
    assert!(first == again);
    assert!(first.windows(2).all(|pair| pair[0] != pair[1]));
}

/// A macro moves its targets by its ranges; at the value where they are zero it changes no bit.
#[test]
fn a_macro_moves_its_targets_by_their_ranges() {
    let span = Tune.spec().max - Tune.spec().min;
    let targets = vec![
        MacroTarget { param: Tune, from: -12.0 / span, to: 12.0 / span },
        MacroTarget { param: StrikePosition, from: 0.2, to: -0.2 },
    ];
    let with_macro = Patch { macros: vec![Macro { name: "Up".into(), targets }], ..Patch::default() };
    let sound = |patch: &Patch, value: f64| {
        let mut engine = Engine::new(EngineConfig::at(RATE), patch);
        engine.event(&set(Macro1, value));
        engine.event(&on(60, 100));
        play(&mut engine, 12_000)
    };
    assert!(sound(&with_macro, 0.5) == sound(&Patch::default(), 0.5));
    let moved = patch(&[(Tune, 6.0), (StrikePosition, StrikePosition.spec().default - 0.1)]);
    let (by_macro, by_hand) = (sound(&with_macro, 0.75), sound(&moved, 0.5));
    let difference = by_macro.left.iter().zip(&by_hand.left).map(|(a, b)| f64::from((a - b).abs())).fold(0.0, f64::max);
    assert!(difference < 1e-6 * by_hand.peak(), "{difference} {}", by_hand.peak());
    // a saved patch with the macro turned sounds like one in which it is turned
    let mut saved = with_macro.clone();
    saved.settings.set(Macro1, 0.75);
    assert!(sound(&from_toml(&to_toml(&saved)).unwrap(), 0.75) == by_macro);
}

/// The macros of a kit move all zones.
#[test]
fn a_macro_of_a_kit_moves_its_zones() {
    let targets = vec![MacroTarget { param: Hardness, from: -0.3, to: 0.3 }];
    let zone = patch(&[(HammerMass, 0.05)]);
    let kit = |hardness: f64| Patch {
        zones: vec![Zone::new(&Patch { settings: with(&zone, hardness), ..zone.clone() }, (0, 127))],
        ..Patch::default()
    };
    let with_macro = Patch { macros: vec![Macro { name: "Hard".into(), targets }], ..kit(0.0) };
    let sound = |patch: &Patch, value: f64| {
        let mut engine = Engine::new(EngineConfig::at(RATE), patch);
        engine.event(&set(Macro1, value));
        engine.event(&on(60, 100));
        play(&mut engine, 4_800)
    };
    // the range of hardness is 2 wide
    assert!(sound(&with_macro, 1.0) == sound(&kit(0.6), 0.5));
    assert!(sound(&with_macro, 0.5) == sound(&kit(0.0), 0.5));
}

fn with(patch: &Patch, hardness: f64) -> urto_engine::params::ParamValues {
    let mut settings = patch.settings;
    settings.set(Hardness, hardness);
    settings
}

/// A strike that was harder on the same body reads a larger force and a shorter contact, and both move later parameters.
#[test]
fn the_last_contact_is_a_source() {
    let span = Level.spec().max - Level.spec().min;
    let level = |source: &str, velocity: u8| {
        let mut params = vec![(Decay, 500.0), (Loss, 0.0), (Viscosity, 0.0)];
        params.extend(row(0, source, Level, -24.0 / span));
        let loudness = |params: &[(ParamId, f64)]| {
            let mut engine = engine(RATE, params);
            engine.event(&on(60, velocity));
            20.0 * rms(&play(&mut engine, 24_000), 12_000..24_000).log10()
        };
        loudness(&params) - loudness(&params[..3])
    };
    let [soft, hard] = [20, 110].map(|velocity| level("contact_force", velocity));
    assert!(hard < soft - 1.0 && soft <= 0.0, "{soft} {hard}");
    let [soft, hard] = [20, 110].map(|velocity| level("contact_time", velocity));
    assert!(hard > soft + 0.1, "{soft} {hard}");
}

/// A preset whose macro moves its body is prepared with that body; a turn of the macro requests another one.
#[test]
fn a_macro_that_moves_the_body_asks_for_a_body_when_it_is_turned() {
    let targets = vec![MacroTarget { param: Split, from: 0.0, to: 0.5 }];
    let mut patch = patch(&[(Body, BodyKind::Head as usize as f64)]);
    patch.macros = vec![Macro { name: "Beats".into(), targets }];
    let mut engine = small(&patch);
    let prepared = PreparedBody::of(&patch).request();
    assert_ne!(prepared, BodySpec::of(&patch.settings), "the macro moves it");
    assert_eq!(engine.requested_body(), None);
    engine.event(&set(Macro1, 1.0));
    assert!(engine.requested_body().is_some_and(|body| body != prepared));
}
