//! Zones of a kit that answer to each other: off, in any blocks, after a reset, asleep, choked, and without an effect on contacts.

use crate::bleed::{assert_same, difference, level, preset, strikes, with_bleed};
use crate::support::test_engine::*;
use urto_engine::Event;
use urto_engine::params::ParamId::*;
use urto_engine::patch::{Patch, Zone};

/// Kick, snare with wires, two hats of one group, and a two-zone string, small enough for many runs.
fn small_kit() -> Patch {
    let zone = |name: &str, key: u8| Zone { plays: 60, ..Zone::new(&preset(name), (key, key)) };
    let strings = Zone { pan: 0.5, bus: 2, ..Zone::new(&patch(&[(Body, 0.0), (Modes, 16.0), (Release, 1.0)]), (60, 72)) };
    let hats = [42, 46].map(|key| Zone {
        choke: 1,
        pan: -0.3,
        ..Zone::new(&patch(&[(Body, 14.0), (Modes, 40.0), (Decay, 0.5)]), (key, key))
    });
    let zones = [vec![zone("Felt Kick", 36), zone("Snare with Wires", 38), strings], hats.into()].concat();
    Patch { zones, ..Patch::default() }
}

/// Strikes, chokes, knobs and the bleed itself at odd frames.
fn score() -> Vec<(usize, Event)> {
    let mut chance = Chance::new(5);
    let mut score: Vec<_> =
        (0..60).map(|i| (i * 401, on([36, 38, 42, 46, 60, 64, 67][chance.below(7)], 40 + chance.below(88) as u8))).collect();
    let turned = [Tune, PickupLeft, RattleGap, StrikePosition, Decay, MonopoleLoss];
    score.extend((0..40).map(|i| {
        let param = turned[i % turned.len()];
        (i * 577 + 3, set(param, chance.value(param.spec())))
    }));
    score.extend([(5_001, set(Bleed, 0.3)), (9_007, Event::ChokeAll), (11_111, set(Bleed, 2.0)), (16_001, set(Bleed, 0.0))]);
    score.extend([(7_777, off(60)), (19_003, set(Bleed, 1.0)), (20_005, Event::Choke { note: note(64) })]);
    score.sort_by_key(|(frame, _)| *frame);
    score
}

#[test]
fn block_size_does_not_change_the_answers() {
    let play = |blocks: &[usize]| {
        let mut engine = with_bleed(&small_kit(), 1.0);
        let sound = perform(&mut engine, &score(), 24_000, blocks, &[]);
        assert_eq!(engine.cost_totals().bound, 0, "the cost budget, which zones share in their order, does not matter");
        sound
    };
    let whole = play(&[24_000]);
    assert!(whole.peak() > 0.0 && whole.left.iter().all(|x| x.is_finite()));
    for blocks in [&[1][..], &[37, 1], &[512]] {
        println!("blocks {blocks:?}");
        assert_same(&play(blocks), &whole);
    }
}

/// Without an amount nothing changes, also when it was there before anything sounded; with it the same strikes sound, and more.
#[test]
fn without_an_amount_the_bits_are_the_same() {
    let quiet: Vec<_> = score().into_iter().filter(|(_, event)| !matches!(event, Event::Set { param: Bleed, .. })).collect();
    let play = |engine: &mut urto_engine::Engine| perform(engine, &quiet, 24_000, &[480], &[]);
    let dry = play(&mut with_bleed(&small_kit(), 0.0));
    let mut turned_off = with_bleed(&small_kit(), 1.0);
    turned_off.event(&set(Bleed, 0.0));
    assert_same(&play(&mut turned_off), &dry);
    // a zone whose neighbours are there sounds as it does alone
    let [pair, alone] = [2, 1].map(|zones| {
        let zone = |key| Zone { plays: 60, ..Zone::new(&patch(&[(Modes, 4.0)]), (key, key)) };
        let kit = Patch { zones: [36, 38].map(zone)[..zones].to_vec(), ..Patch::default() };
        perform(&mut with_bleed(&kit, 0.0), &[(0, on(36, 100))], 9_600, &[480], &[])
    });
    assert_same(&pair, &alone);
    let strikes: Vec<_> = quiet.iter().filter(|(_, event)| !matches!(event, Event::Set { .. })).cloned().collect();
    let [dry, wet] = [0.0, 1.0].map(|bleed| perform(&mut with_bleed(&small_kit(), bleed), &strikes, 24_000, &[480], &[]));
    let more = level(&difference(&wet, &dry), &dry);
    println!("answers {more:.1} dB");
    assert!((-50.0..-15.0).contains(&more), "{more}");
}

#[test]
fn a_reset_restores_the_initial_state() {
    let mut played = with_bleed(&small_kit(), 1.0);
    perform(&mut played, &score(), 24_000, &[480], &[]);
    let mut settings = small_kit().settings;
    [(Bleed, 1.0), (Level, -20.0)].iter().for_each(|&(param, value)| settings.set(param, value));
    for &param in urto_engine::params::ParamId::ALL {
        played.event(&set(param, settings.get(param)));
    }
    played.reset();
    assert!(played.is_asleep());
    let again = perform(&mut played, &score(), 24_000, &[480], &[]);
    assert_same(&again, &perform(&mut with_bleed(&small_kit(), 1.0), &score(), 24_000, &[480], &[]));
}

/// Every hit is the same to the bit, so is the energy of all bodies, and the energy balance closes.
#[test]
fn contacts_are_independent_of_the_answers() {
    let strikes = |bleed| strikes(&mut with_bleed(&small_kit(), bleed), &[36, 38, 36, 42, 38, 60, 64]);
    assert_eq!(strikes(2.0), strikes(0.0));
}

/// A kit falls asleep after its answers, not much later than without them, and ends with exact zeros.
#[test]
fn answers_end() {
    let mut kit = small_kit();
    kit.zones.retain(|zone| zone.keys.0 < 60);
    let seconds = |bleed| {
        let mut engine = with_bleed(&kit, bleed);
        [36, 38, 46].iter().for_each(|&key| engine.event(&on(key, 110)));
        [36, 38, 46].iter().for_each(|&key| engine.event(&off(key)));
        (1..2_000).find(|_| play(&mut engine, 480).energy() == 0.0 && engine.is_asleep()).expect("it sleeps")
    };
    let (dry, wet) = (seconds(0.0), seconds(1.0));
    println!("asleep after {dry} and {wet} hundredths of a second");
    assert!(wet >= dry && wet < 2 * dry);
}

/// A choke damps the answer of its zone as it damps the zone.
#[test]
fn a_choke_damps_the_answer() {
    let zone = |key: u8, choke| {
        let patch = patch(&[(Modes, 1.0), (Decay, 4.0), (Loss, 0.0)]);
        Zone { choke, plays: 60, ..Zone::new(&patch, (key, key)) }
    };
    let kit = Patch { zones: vec![zone(36, 0), zone(38, 1), Zone { plays: 30, ..zone(40, 1) }], ..Patch::default() };
    let late = |choke: Option<Event>| {
        let [dry, wet] = [0.0, 1.0].map(|bleed| {
            let mut engine = with_bleed(&kit, bleed);
            engine.event(&on(36, 100));
            play(&mut engine, 24_000);
            engine.event(&Event::Choke { note: note(36) });
            play(&mut engine, 4_800);
            choke.iter().for_each(|event| engine.event(event));
            play(&mut engine, 4_800);
            play(&mut engine, 4_800)
        });
        difference(&wet, &dry).energy()
    };
    let rings = late(None);
    for choke in [Event::Choke { note: note(38) }, Event::ChokeAll, on(40, 1)] {
        let damped = late(Some(choke));
        println!("{:.1} dB", 10.0 * (damped / rings).log10());
        assert!(damped < 1e-2 * rings, "{damped:e} {rings:e}");
    }
}

/// A hi-hat answers while its pedal leaves the cymbals apart.
#[test]
fn a_closed_hi_hat_does_not_answer() {
    let zone = |name: &str, key: u8| Zone { plays: 60, ..Zone::new(&preset(name), (key, key)) };
    let kit = Patch { zones: vec![zone("Snare with Wires", 38), zone("Pedal Hi-Hat", 42)], ..Patch::default() };
    let answer = |pedal| {
        let [dry, wet] = [0.0, 1.0].map(|bleed| {
            let mut kit = kit.clone();
            kit.settings.set(HiHatPedal, pedal);
            let mut engine = with_bleed(&kit, bleed);
            engine.event(&on(38, 110));
            play(&mut engine, 24_000)
        });
        level(&difference(&wet, &dry), &dry)
    };
    let (open, half, closed) = (answer(0.0), answer(0.25), answer(0.8));
    println!("open {open:.1} dB, half {half:.1} dB");
    assert!((open - half - 6.02).abs() < 0.1 && (-80.0..-25.0).contains(&open), "{open} {half}");
    assert!(closed < -200.0, "{closed}");
}

/// The cost of the answers is charged to the budget of the contacts, and ends with them.
#[test]
fn answers_are_charged() {
    let work = |bleed| {
        let mut engine = with_bleed(&small_kit(), bleed);
        engine.event(&on(36, 100));
        play(&mut engine, 9_600);
        engine.cost_totals().work
    };
    let per_frame = (work(1.0) - work(0.0)) / 9_600.0;
    println!("{per_frame:.0} samples of one mode in a frame");
    // four zones of up to 48 modes, and 400 modes of the wires
    assert!((200.0..700.0).contains(&per_frame), "{per_frame}");
}
