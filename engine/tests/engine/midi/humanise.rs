//! Humanise varies strikes, and repeats exactly with the same seed.

use crate::support::test_engine::*;
use urto_engine::Event;
use urto_engine::params::ParamId;
use urto_engine::params::ParamId::*;

const HUMAN: [(ParamId, f64); 4] = [(HumanTime, 0.01), (HumanPosition, 0.1), (HumanSpeed, 0.5), (HumanMass, 0.5)];

/// Four strikes of one key, far apart, each from its own beginning.
fn strikes(params: &[(ParamId, f64)]) -> Vec<Sound> {
    let mut engine = engine(RATE, params);
    let mut strike = || {
        engine.event(&on(60, 100));
        let sound = play(&mut engine, 4_800);
        engine.event(&Event::ChokeAll);
        play(&mut engine, 24_000);
        assert!(engine.is_asleep());
        sound
    };
    (0..4).map(|_| strike()).collect()
}

fn human(seed: f64) -> Vec<(ParamId, f64)> {
    HUMAN.into_iter().chain([(HumanSeed, seed)]).collect()
}

#[test]
fn humanise_varies_strikes_and_repeats_with_the_seed() {
    let first = strikes(&human(0.0));
    assert!((1..4).all(|i| first[i] != first[i - 1]), "no two alike");
    assert_eq!(strikes(&human(0.0)), first);
    assert!(strikes(&human(1.0))[0] != first[0]);
    let plain = strikes(&[]);
    assert!((1..4).all(|i| plain[i] == plain[0]), "without the params all are alike");
}

/// Each param alone changes what it says.
#[test]
fn humanise_timing_only_delays() {
    let begin = |sound: &Sound| sound.left.iter().position(|x| *x != 0.0).unwrap();
    let begins: Vec<_> = strikes(&[(HumanTime, 0.01)]).iter().map(begin).collect();
    assert!(begins.iter().all(|&frame| (1..=482).contains(&frame)), "{begins:?}");
    assert!(begins.windows(2).all(|pair| pair[0] != pair[1]), "{begins:?}");
    for param in [HumanPosition, HumanSpeed, HumanMass] {
        let sounds = strikes(&[(param, 0.4)]);
        let first = strikes(&[]).iter().map(begin).next().unwrap();
        assert!(sounds.iter().all(|sound| begin(sound) == first) && sounds[0] != sounds[1], "{param:?}");
    }
}

#[test]
fn a_transport_start_restarts_humanise() {
    let mut engine = engine(RATE, &human(7.0));
    let take = |engine: &mut urto_engine::Engine| {
        let mut sound = Sound::default();
        engine.event(&Event::TransportRestart);
        for key in [60, 64, 67] {
            engine.event(&on(key, 100));
            let part = play(engine, 4_800);
            sound.left.extend(part.left);
        }
        engine.event(&Event::ChokeAll);
        play(engine, 48_000);
        assert!(engine.is_asleep());
        sound
    };
    let first = take(&mut engine);
    assert_eq!(take(&mut engine), first);
}
