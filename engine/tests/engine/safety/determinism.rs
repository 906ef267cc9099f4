//! The output is the same for any block size and after a reset, and events apply on their frame.

use crate::support::test_engine::*;
use crate::tier::{repetitions, size};
use urto_engine::params::ParamId;
use urto_engine::params::ParamId::*;
use urto_engine::{Event, NoteId};

/// Length of a score [frames].
const FRAMES: usize = 60_000;

/// Notes on a few keys and every param turning at odd frames.
fn busy_score(seed: u64, frames: usize) -> Vec<(usize, Event)> {
    let mut chance = Chance::new(seed);
    let mut score = chance.score(600, frames);
    for i in 0..60 {
        let note = NoteId { voice: Some(i), channel: 0, key: 48 + chance.below(12) as u8 };
        score.push((chance.below(frames), Event::NoteOn { note, velocity: chance.part() }));
    }
    for i in 0..2000 {
        let param = [Stiffness, Exponent, Damping, HammerMass, StrikePosition, Level, Tune, Contact, DryWet][i % 9];
        score.push((i * frames / 2000, set(param, chance.value(param.spec()))));
    }
    score.sort_by_key(|(frame, _)| *frame);
    score
}

#[test]
fn block_size_does_not_change_the_output() {
    let frames = repetitions(FRAMES);
    let score = busy_score(7, frames);
    let mut chance = Chance::new(11);
    let drive: Vec<f32> = (0..frames).map(|_| chance.part() as f32 - 0.5).collect();
    let random: Vec<usize> = (0..200).map(|_| 1 + chance.below(4096)).collect();
    let whole = perform(&mut engine(RATE, &[]), &score, frames, &[frames], &drive);
    assert!(whole.peak() > 0.1);
    for blocks in &[&[1][..], &[64, 1, 480], &random, &[16], &[37], &[4096]][..size(3, 6)] {
        let split = perform(&mut engine(RATE, &[]), &score, frames, blocks, &drive);
        let first = (0..frames).find(|&i| split.left[i] != whole.left[i] || split.right[i] != whole.right[i]);
        assert_eq!(first, None, "blocks {:?}", &blocks[..blocks.len().min(3)]);
    }
}

#[test]
fn a_reset_restores_the_initial_state() {
    let frames = repetitions(FRAMES);
    for seed in 1..=size(1, 16) {
        assert_a_reset_restores_the_initial_state(&busy_score(seed, frames), frames, seed);
    }
}

/// A key that strikes nothing sounds by the obstacle pressed against its body alone: how loud the voice was before must not decide when
/// it falls asleep.
#[test]
fn a_voice_without_a_strike_forgets_its_last_sound() {
    let score = [
        (16_000, set(KeyStrikes, 0.0)),
        (31_000, set(Rattle, 2.0)),
        (32_000, set(RattlePress, 32.0)),
        (39_617, on(105, 115)),
        (39_870, set(Tune, 21.7)),
        (59_031, on(64, 104)),
        (59_040, set(Tune, -18.9)),
    ];
    assert_a_reset_restores_the_initial_state(&score, FRAMES, 0);
}

fn assert_a_reset_restores_the_initial_state(score: &[(usize, Event)], frames: usize, seed: u64) {
    let mut played = engine(RATE, &[]);
    perform(&mut played, score, frames, &[480], &[]);
    let settings = patch(&[]).settings;
    for &param in ParamId::ALL {
        played.event(&set(param, settings.get(param)));
    }
    played.reset();
    assert!(played.is_asleep() && played.next_ended().is_none() && played.take_hit().is_none());
    let again = perform(&mut played, score, frames, &[480], &[]);
    let new = perform(&mut engine(RATE, &[]), score, frames, &[480], &[]);
    let first = (0..frames).find(|&i| again.left[i] != new.left[i] || again.right[i] != new.right[i]);
    assert_eq!(first, None, "seed {seed}");
}

#[test]
fn notes_start_on_their_frame() {
    for frame in [0, 1, 15, 16, 17, 100, 1003] {
        for rate in [44.1e3, 96e3] {
            let sound = perform(&mut engine(rate, &[]), &[(frame, on(69, 90))], 2000, &[64], &[]);
            assert_eq!(sound.left.iter().position(|x| *x != 0.0), Some(frame));
            assert_eq!(sound.right.iter().position(|x| *x != 0.0), Some(frame));
        }
    }
}
