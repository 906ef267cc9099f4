//! Networks of one kit: no more ports play at once than those of four hi-hats.

use crate::body::hi_hat::HAT;
use crate::support::counted_memory::calls_in;
use crate::support::test_engine::*;
use urto_engine::patch::{Patch, Zone};
use urto_engine::{Engine, EngineConfig, KitPlayer};

/// Keys of the hats, one zone each.
const KEYS: [u8; 5] = [60, 61, 62, 63, 64];

/// A kit of five hats that do not choke each other.
fn hats() -> Engine {
    let sound = patch(&HAT);
    let zones = KEYS.map(|key| Zone { plays: 60, ..Zone::new(&sound, (key, key)) });
    let kit = Patch { zones: zones.into(), ..Patch::default() };
    let mut engine = Engine::new(EngineConfig::at(RATE), &Patch::default());
    assert!(engine.install_kit(KitPlayer::of(&kit, RATE)).is_ok());
    engine
}

/// Strikes the first `count` hats 50 ms apart, the second one most softly, in blocks of `block` frames. The left channel, with 50 ms after the last.
fn strike_hats(engine: &mut Engine, count: usize, block: usize) -> Vec<f32> {
    let frames = 2_400;
    let (mut left, mut right) = (vec![0.0; count * frames], vec![0.0; frames]);
    for (n, left) in left.chunks_mut(frames).enumerate() {
        engine.event(&on(KEYS[n], if n == 1 { 20 } else { 100 }));
        for (left, right) in left.chunks_mut(block).zip(right.chunks_mut(block)) {
            engine.render(left, right, [&[], &[]]);
        }
    }
    left
}

#[test]
fn the_hat_that_moves_least_fades_for_a_fifth_one() {
    let mut engine = hats();
    strike_hats(&mut engine, 4, 64);
    assert_eq!((engine.cost_totals().faded, engine.active_voices()), (0, 4));
    let mut engine = hats();
    strike_hats(&mut engine, 5, 64);
    play(&mut engine, 4_800);
    assert_eq!((engine.cost_totals().faded, engine.active_voices()), (1, 4));
    // it was the second: struck again, it takes the place of another
    engine.event(&on(KEYS[1], 100));
    play(&mut engine, 9_600);
    assert_eq!((engine.cost_totals().faded, engine.active_voices()), (2, 4));
}

#[test]
fn a_hat_that_fades_changes_nothing_in_other_blocks_and_frees_nothing() {
    let mut engine = hats();
    let (mut left, mut right) = ([0.0; 48], [0.0; 48]);
    let calls = calls_in(|| {
        for key in KEYS {
            engine.event(&on(key, 100));
            for _ in 0..50 {
                engine.render(&mut left, &mut right, [&[], &[]]);
            }
        }
    });
    assert_eq!((calls, engine.cost_totals().faded), (0, 1));
    let sound = strike_hats(&mut hats(), 5, 64);
    for block in [1, 37, 480] {
        assert!(strike_hats(&mut hats(), 5, block) == sound, "blocks of {block} frames");
    }
}
