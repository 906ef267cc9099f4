//! Modes that the motion of the body drives: the wires of a snare drum buzz as long as the head moves, do not touch contacts, and sound
//! the same in any division into blocks.

use crate::support::test_engine::*;
use std::f64::consts::TAU;
use urto_engine::params::ParamId;
use urto_engine::params::ParamId::*;
use urto_engine::patch::factory_presets;
use urto_engine::{Engine, EngineConfig};

/// A snare without obstacles whose shell ends within 0.1 s by itself.
const SNARE: [(ParamId, f64); 20] = [
    (Body, 12.0),
    (BodyMass, 0.05),
    (Modes, 64.0),
    (Tune, -6.0),
    (Decay, 0.7),
    (Loss, 6e-3),
    (HammerMass, 0.015),
    (SpeedHigh, 8.0),
    (Stiffness, 8.0),
    (StrikePosition, 0.2),
    (RattlePosition, 0.3),
    (RattleMass, 2e-3),
    (RattleFrequency, 60.0),
    (RattlePress, 0.02),
    (ShellLevel, 0.0),
    (ShellDecay, 0.05),
    (ShellLoss, 3e-4),
    (ShellLow, 400.0),
    (ShellHigh, 15e3),
    (Level, -30.0),
];

const STRIKE: (ParamId, f64) = (ShellDrive, 0.0);
const MOTION: (ParamId, f64) = (ShellDrive, 1.0);

fn struck(params: &[(ParamId, f64)], velocity: u8, seconds: f64) -> Sound {
    let mut engine = engine(RATE, params);
    engine.event(&on(60, velocity));
    play(&mut engine, (seconds * RATE) as usize)
}

fn with(more: &[(ParamId, f64)]) -> Vec<(ParamId, f64)> {
    [&SNARE, more].concat()
}

/// Level [dB] of the left channel above 3 kHz from `start` to `end` [s], by two high-passes of first order.
fn buzz(sound: &Sound, [start, end]: [f64; 2]) -> f64 {
    let factor = (-TAU * 3e3 / RATE).exp();
    let (mut low, mut last) = ([0.0; 2], 0.0);
    let mut power = 0.0;
    let range = (start * RATE) as usize..(end * RATE) as usize;
    for (i, &x) in sound.left.iter().enumerate() {
        let mut y = f64::from(x);
        for low in &mut low {
            *low += (1.0 - factor) * (y - *low);
            y -= *low;
        }
        if range.contains(&i) {
            power += y * y;
        }
        last = y;
    }
    assert!(last.is_finite());
    10.0 * (power / range.len() as f64).max(1e-30).log10()
}

/// Wires buzz while the head moves, long after modes that only the strike drives have ended, and end with the head.
#[test]
fn wires_buzz_as_long_as_the_head_moves() {
    let course = |drive, decay: f64| {
        let sound = struck(&with(&[drive, (Decay, decay)]), 110, 0.4);
        [[0.0, 0.05], [0.15, 0.2], [0.3, 0.35]].map(|part| buzz(&sound, part))
    };
    let (strike, motion, damped) = (course(STRIKE, 0.7), course(MOTION, 0.7), course(MOTION, 0.1));
    println!("strike {strike:.1?} dB, motion {motion:.1?} dB, of a damped head {damped:.1?} dB");
    assert!(motion[1] - motion[0] > strike[1] - strike[0] + 15.0 && motion[2] - motion[0] > strike[2] - strike[0] + 20.0);
    assert!(motion[2] - motion[0] > -45.0);
    assert!(damped[2] - damped[0] < motion[2] - motion[0] - 30.0);
}

/// A soft strike does not lift the wires off: relative to a hard one they buzz less than in proportion.
#[test]
fn soft_strokes_hardly_lift_the_wires_off() {
    let after = [0.03, 0.2];
    let [soft, hard] = [1, 127].map(|velocity| buzz(&struck(&with(&[MOTION, (SpeedLow, 0.02)]), velocity, 0.2), after));
    let [soft_head, hard_head] = [1, 127].map(|velocity| {
        let plain = struck(&with(&[(ShellLevel, -60.0), (SpeedLow, 0.02)]), velocity, 0.2);
        let range = (0.03 * RATE) as usize..(0.2 * RATE) as usize;
        10.0 * plain.left[range].iter().map(|x| f64::from(x * x)).sum::<f64>().log10()
    });
    println!("buzz {soft:.1} and {hard:.1} dB, head {soft_head:.1} and {hard_head:.1} dB");
    assert!(hard - soft > hard_head - soft_head + 6.0);
    // a stronger preload holds them down for longer
    let tight = buzz(&struck(&with(&[MOTION, (RattlePress, 20.0)]), 127, 0.2), after);
    assert!(tight < hard - 12.0, "{tight}");
}

/// The gap lifts the wires off: beyond the reach of the head they are silent.
#[test]
fn wires_out_of_reach_are_silent() {
    let plain = struck(&with(&[(ShellLevel, -60.0)]), 120, 0.3);
    assert_eq!(struck(&with(&[MOTION, (RattleGap, 0.01), (RattlePress, 0.0)]), 120, 0.3), plain);
    let mut engine = engine(RATE, &with(&[MOTION]));
    engine.event(&on(60, 120));
    let before = play(&mut engine, 4_800);
    engine.event(&set(RattleGap, 0.01));
    engine.event(&set(RattlePress, 0.0));
    let after = play(&mut engine, 14_400);
    let fall = buzz(&before, [0.02, 0.1]) - buzz(&after, [0.2, 0.3]);
    assert!(fall > 60.0, "{fall}");
}

/// The head does not feel them: every hit is the same to the bit, and with it the restitution, and the energy balance closes. (At
/// the limit of the cost budget, which counts wires too, substeps differ.)
#[test]
fn contacts_are_the_same_with_and_without_wires() {
    let hits = |params: &[(ParamId, f64)]| {
        let mut engine = engine(RATE, params);
        engine.enable_energy_balance();
        let mut hits = Vec::new();
        for velocity in [127, 40, 90] {
            engine.event(&on(60, velocity));
            play(&mut engine, 4_801);
            hits.extend(std::iter::from_fn(|| engine.take_hit()).map(|hit| format!("{hit:?}")));
        }
        assert_eq!(engine.cost_totals().bound, 0, "the cost budget does not matter");
        assert!(engine.energy_balance_report().balance < 1e-12);
        (hits, engine.energy())
    };
    for more in [&[][..], &[(Hold, 1.0)], &[(Contact, 2.0)]] {
        let (plain, energy) = hits(&[&with(more)[..], &[(ShellLevel, -60.0)]].concat());
        assert!(plain.len() >= 3);
        assert_eq!(hits(&[&with(more)[..], &[MOTION]].concat()), (plain, energy), "{more:?}");
    }
}

/// At its minimum the level is off, whatever drives the shell, and other parameters of the strands change nothing.
#[test]
fn without_a_level_nothing_changes() {
    let plain = struck(&with(&[(ShellLevel, -60.0)]), 110, 0.2);
    assert_eq!(struck(&with(&[(ShellLevel, -60.0), MOTION]), 110, 0.2), plain);
    let strike = struck(&with(&[STRIKE]), 110, 0.2);
    assert_eq!(struck(&with(&[STRIKE, (RattleGap, 1e-3), (RattlePress, 3.0), (RattlePosition, 0.7)]), 110, 0.2), strike);
    assert_ne!(struck(&with(&[MOTION]), 110, 0.2), strike);
}

/// Strikes on a moving head, bends, gains, damping, moving pickups and moving wires, obstacles and lasting contacts, in any division.
#[test]
fn block_size_does_not_change_the_wires() {
    let disc = [(Body, 14.0), (Modes, 12.0), (BodyMass, 0.4), (Density, 0.1), (Cascade, 1e4)];
    for more in [&[][..], &disc, &[(Hold, 2.0)], &[(Contact, 2.0)], &[(Rattle, 2.0)]] {
        let params = with(&[&[MOTION, (Release, 1.0), (ReleaseTime, 0.5)][..], more].concat());
        let score = [
            (0, on(60, 120)),
            (5_003, on(60, 60)),
            (6_007, set(RattlePosition, 0.6)),
            (7_001, set(RattlePress, 0.3)),
            (9_000, set(PickupLeft, 0.7)),
            (9_500, set(BodyMass, 0.1)),
            (13_001, set(Tune, -1.5)),
            (15_001, off(60)),
            (17_003, on(60, 90)),
            (18_001, set(RattleGap, 1e-3)),
        ];
        let play = |blocks: &[usize]| perform(&mut engine(RATE, &params), &score, 24_000, blocks, &[]);
        let whole = play(&[24_000]);
        assert!(whole.peak() > 0.0);
        for blocks in [&[64][..], &[1, 977, 16, 3], &[512]] {
            assert_eq!(play(blocks), whole, "{more:?} {blocks:?}");
        }
    }
}

/// A head whose pitch moves rings frame by frame, another one ahead of its state: wires hear both alike.
#[test]
fn ringing_ahead_does_not_change_the_wires() {
    let mut moving = engine(RATE, &with(&[MOTION]));
    let steady = struck(&with(&[MOTION]), 110, 0.3);
    let score: Vec<_> = (0..900).map(|i| (i * 16 + 1, set(Tune, -6.0 + 1e-9 * (i % 2) as f64))).collect();
    let score = [vec![(0, on(60, 110))], score].concat();
    let sound = perform(&mut moving, &score, 14_400, &[14_400], &[]);
    let difference: f64 = sound.left.iter().zip(&steady.left).map(|(a, b)| f64::from(a - b).powi(2)).sum::<f64>();
    let level = 10.0 * (difference / steady.left.iter().map(|x| f64::from(x * x)).sum::<f64>()).log10();
    println!("difference {level:.0} dB");
    assert!(level < -50.0, "{level}");
}

/// Both pickups hear them differently if the shell is wide.
#[test]
fn wide_wires_are_stereo() {
    let side = |width| {
        let sound = struck(&with(&[MOTION, (ShellWidth, width), (PickupLeft, 0.5), (PickupRight, 0.5)]), 110, 0.3);
        let power = |sign: f64| -> f64 {
            sound.left.iter().zip(&sound.right).map(|(l, r)| (f64::from(*l) + sign * f64::from(*r)).powi(2)).sum()
        };
        10.0 * (power(-1.0) / power(1.0)).log10()
    };
    let (wide, narrow) = (side(1.0), side(0.0));
    assert!(wide > -20.0 && narrow < -80.0, "{wide} {narrow}");
}

/// Wires die away with the head: modes that nobody hears any more do not come to rest while the wires follow them, which would be a blow on these.
#[test]
fn wires_die_away_without_a_click() {
    const WINDOW: usize = (0.01 * RATE) as usize;
    let preset = factory_presets::sustained().find(|patch| patch.name == "Snare with Wires").expect("a preset");
    for velocity in [10, 25, 50, 75] {
        let mut engine = Engine::new(EngineConfig::at(RATE), &preset);
        engine.event(&on(60, velocity));
        let sound = play(&mut engine, RATE as usize);
        let level = |window: &[f32]| window.iter().map(|x| f64::from(x * x)).sum::<f64>().max(1e-20).log10() * 10.0;
        let levels: Vec<f64> = sound.left.chunks(WINDOW).map(level).collect();
        let rise = levels.windows(4).skip(10).map(|levels| levels[3] - levels[..3].iter().copied().fold(f64::MIN, f64::max));
        let largest = rise.fold(f64::MIN, f64::max);
        assert!(largest < 3.0, "{velocity}: {largest:.1} dB, {levels:.0?}");
    }
}

/// A drum with wires falls asleep, not later than its head.
#[test]
fn wires_do_not_prevent_sleep() {
    let alone = seconds_until_sleep(&with(&[(ShellLevel, -60.0)]));
    for more in [&[][..], &[(RattlePress, 0.0)], &[(RattleGap, 1e-4)], &[(Release, 1.0)]] {
        let wires = seconds_until_sleep(&with(&[&[MOTION], more].concat()));
        println!("{more:?}: {wires:.2} s, without wires {alone:.2} s");
        assert!(wires < 1.2 * alone);
    }
}
