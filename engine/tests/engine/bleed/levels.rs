//! Levels of answers: wires under a kick, and a mode in resonance by its closed form, by level and distance.

use crate::bleed::{assert_same, difference, level, preset, with_bleed};
use crate::support::test_engine::*;
use urto_engine::params::ParamId::*;
use urto_engine::patch::{Patch, Zone};
use urto_engine::{Engine, Event};

/// Drums on the keys 36 and 38.
fn pair(kick: &str, snare: &str) -> Patch {
    let zone = |name: &str, key: u8| Zone { plays: 60, ..Zone::new(&preset(name), (key, key)) };
    Patch { zones: vec![zone(kick, 36), zone(snare, 38)], ..Patch::default() }
}

/// The kit with other wires; what rattles on the kick itself stays.
fn with_wires(kit: &Patch, change: impl Fn(&mut Zone)) -> Patch {
    let mut kit = kit.clone();
    kit.zones.iter_mut().filter(|zone| zone.settings.get(ShellDrive) == 1.0 && !zone.holds(36)).for_each(change);
    kit
}

/// Sound of a kick of `velocity` over a second.
fn kick(kit: &Patch, bleed: f64, velocity: u8) -> Sound {
    kick_again(&mut with_bleed(kit, 0.0), bleed, velocity)
}

/// The same, after a reset.
fn kick_again(engine: &mut Engine, bleed: f64, velocity: u8) -> Sound {
    engine.event(&set(Bleed, bleed));
    engine.reset();
    engine.event(&on(36, velocity));
    play(engine, 48_000)
}

/// Asserts that the wires of `kit` answer to a kick at velocity 110 25 to 40 dB below it.
fn assert_wires_answer(kit: &Patch) {
    let mut engine = with_bleed(kit, 0.0);
    let [dry, both] = [0.0, 1.0].map(|bleed| kick_again(&mut engine, bleed, 110));
    let heads = kick(&with_wires(kit, |zone| zone.settings.set(ShellLevel, -60.0)), 1.0, 110);
    let (wires, all) = (level(&difference(&both, &heads), &dry), level(&difference(&both, &dry), &dry));
    let names: Vec<_> = kit.zones.iter().take(3).map(|zone| &zone.name).collect();
    println!("{names:?}: wires {wires:.1} dB, with heads {all:.1} dB");
    assert!((-40.0..-25.0).contains(&wires) && (-40.0..-20.0).contains(&all), "{names:?}: {wires} {all}");
}

#[test]
fn wires_answer_to_a_kick() {
    for (kick, snare) in [
        ("Felt Kick", "Snare with Wires"),
        ("Open Bass Drum", "Snare with Wires"),
        ("Open Bass Drum", "Field Snare"),
        ("Falling Kick", "Snare with Wires"),
    ] {
        assert_wires_answer(&pair(kick, snare));
    }
}

#[test]
#[ignore = "thorough tier: builds whole kits"]
fn wires_of_whole_kits_answer_to_a_kick() {
    for name in ["Studio Kit", "Pedal Kit"] {
        assert_wires_answer(&preset(name));
    }
}

/// A kick of a kit whose mod wheel is up, which lifts the wires off.
fn kick_with_lifted_wires(kit: &Patch) -> Sound {
    let mut engine = with_bleed(kit, 1.0);
    engine.event(&Event::Controller { channel: 0, number: 1, value: 1.0 });
    play(&mut engine, 480);
    engine.event(&on(36, 110));
    play(&mut engine, 48_000)
}

/// Wires that are lifted off, by their gap or by the mod wheel, do not answer: on the batter head the same bits as without wires until the snare rests,
/// 120 dB below its answer, which it does later with wires; under the resonant head the same bits at any level of the wires. Without wires, the modes that
/// move the resonant head alone are left out.
#[test]
fn wires_that_are_off_do_not_answer() {
    let kit = pair("Open Bass Drum", "Snare with Wires");
    let (batter, resonant) = ((0.0, -60.0, 32_000), (1.0, -40.0, 48_000));
    for (head, off, frames) in [batter, resonant] {
        let lifted = |gap: f64, level: Option<f64>| {
            with_wires(&kit, |zone| {
                zone.settings.set(RattleHead, head);
                zone.settings.set(RattleGap, gap);
                zone.settings.set(RattlePress, 0.0);
                level.into_iter().for_each(|level| zone.settings.set(ShellLevel, level));
            })
        };
        let begin = |sound: &Sound| Sound { left: sound.left[..frames].to_vec(), right: sound.right[..frames].to_vec() };
        let [wires, none] = [None, Some(off)].map(|level| kick(&lifted(0.01, level), 1.0, 110));
        assert_same(&begin(&wires), &begin(&none));
        let [by_wheel, none] = [None, Some(off)].map(|level| kick_with_lifted_wires(&lifted(0.0, level)));
        assert_same(&begin(&by_wheel), &begin(&none));
        let without = kick(&lifted(0.01, Some(-60.0)), 1.0, 110);
        let rest = level(&difference(&wires, &without), &kick(&kit, 0.0, 110));
        assert!(rest < -100.0, "head {head}: {rest:.0} dB");
    }
}

/// A bar of one mode.
fn bar(key: u8, level: f64, pan: f64) -> Zone {
    let patch = patch(&[(Modes, 1.0), (Decay, 0.5), (Loss, 0.0), (Viscosity, 0.0), (PickupLeft, 0.5), (PickupRight, 0.5)]);
    Zone { plays: 60, level, pan, ..Zone::new(&patch, (key, key)) }
}

/// Energy of both sides of the answer of the second zone to the first, over that of the strike on a side that has all of it.
fn answer(first: Zone, second: Zone, bleed: f64) -> [f64; 2] {
    let kit = Patch { zones: vec![first, second], ..Patch::default() };
    let (dry, wet) = (kick(&kit, 0.0, 90), kick(&kit, bleed, 90));
    let answer = difference(&wet, &dry);
    let energy = |side: &[f32]| side.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>();
    let strike = energy(&dry.left).max(energy(&dry.right));
    [energy(&answer.left) / strike, energy(&answer.right) / strike]
}

/// A bar answers to its like with the closed form of a mode in resonance: to A exp(-sigma t) it answers with A a t exp(-sigma t)/2, of which the
/// energy is a^2/(8 sigma^2) of the strike's. a = 2e 10^(-36/20) sigma/1.1: the share of its loss, of which a mode alone takes in 1/1.1.
#[test]
fn a_mode_in_resonance_answers_at_its_level() {
    let share = 2.0 * std::f64::consts::E * 0.0158 / 1.1;
    for bleed in [0.25, 1.0, 2.0] {
        let [left, right] = answer(bar(36, 0.0, 0.0), bar(38, 0.0, 0.0), bleed);
        let error = 10.0 * (left / ((bleed * share).powi(2) / 8.0)).log10();
        println!("bleed {bleed}: {:.2} dB, {error:.4} dB from the closed form", 10.0 * left.log10());
        assert!(error.abs() < 0.02 && left == right, "{error}");
    }
}

/// A louder zone is answered louder, the level of the answering zone is that of its answer, and distance is by pan.
#[test]
fn level_and_distance_set_the_answer() {
    let near = |a: f64, b: f64| assert!((10.0 * (a / b).log10()).abs() < 0.01, "{a} {b}");
    let [plain, _] = answer(bar(36, 0.0, 0.0), bar(38, 0.0, 0.0), 1.0);
    // relative to the strike, which is louder as well
    near(answer(bar(36, 6.0, 0.0), bar(38, 0.0, 0.0), 1.0)[0], plain);
    near(answer(bar(36, 0.0, 0.0), bar(38, -6.020_599_913, 0.0), 1.0)[0], 0.25 * plain);
    // 2 m apart instead of 0.5 m or less
    let [left, right] = answer(bar(36, 0.0, -1.0), bar(38, 0.0, 1.0), 1.0);
    near(right, plain / 17.0);
    // below that, the struck voice itself rings on
    assert!(left < 1e-11, "{left:e} beside");
    // zones of one choke group are one instrument
    let [first, second] = [36, 38].map(|key| Zone { choke: 3, ..bar(key, 0.0, 0.0) });
    assert!(answer(first, second, 1.0)[0] < 1e-11, "one instrument");
}
