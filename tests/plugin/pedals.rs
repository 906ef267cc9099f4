//! Sustain, sostenuto and soft pedal and release velocity, on their own channel only.

use urto_engine::params::ParamId;
use urto_engine::patch::Patch;

use crate::support::engine_reference::assert_same;
use crate::support::measurements::{centroid, level, t60};
use crate::support::timed_events::Cue;
use crate::support::timed_events::Cue::*;
use crate::support::timed_events::{Score, alone, expected, patch, sine, take};

const A3: f64 = 220.0;
const FRAMES: usize = 28_800;
/// Decay of the body, and time of its damper [s].
const FREE: f64 = 2.0;
const DAMPED: f64 = 0.2;

/// A note on channel 0, and another on channel 3.
const FIRST: (usize, Cue) = (0, Midi([0x90, 57, 100]));
const SECOND: [(usize, Cue); 2] = [(40, Midi([0x93, 64, 100])), (9600, Midi([0x83, 64, 64]))];

fn damped() -> Patch {
    sine(&[(ParamId::Decay, FREE), (ParamId::Release, 1.0), (ParamId::ReleaseTime, DAMPED)])
}

/// Both times to -60 dB at once: rates add.
fn together(damper: f64) -> f64 {
    1.0 / (1.0 / FREE + damper / DAMPED)
}

/// Time to -60 dB from `start` on [s]; the other note stays as it is.
fn time(score: &[(usize, Cue)], start: usize) -> f64 {
    let sound = alone(&damped(), FRAMES, score, &SECOND);
    assert_same(&take(&damped(), FRAMES, score), &expected(&damped(), FRAMES, score));
    t60(&sound[0], start, A3)
}

fn close(found: f64, wanted: f64) {
    assert!((found / wanted - 1.0).abs() < 0.02, "{found} s instead of {wanted} s");
}

#[test]
fn sustain_lifts_the_dampers_in_proportion() {
    let play = |pedal: u8| time(&[FIRST, (0, Midi([0xb0, 64, pedal])), (9600, Midi([0x80, 57, 64]))], 9616);
    close(play(0), together(1.0));
    close(play(127), FREE);
    close(play(64), together((63.0_f64 / 127.0).powi(2)));
    let other = [FIRST, (0, Midi([0xb5, 64, 127])), (9600, Midi([0x80, 57, 64]))];
    close(time(&other, 9616), together(1.0));
    let lifted: Score = vec![FIRST, (0, Midi([0xb0, 64, 127])), (9600, Midi([0x80, 57, 64])), (16_000, Midi([0xb0, 64, 0]))];
    close(time(&lifted, 9616), FREE);
    close(time(&lifted, 16_016), together(1.0));
}

#[test]
fn sostenuto_holds_the_keys_held_when_it_is_pressed() {
    let (down, off) = ((4800, Midi([0xb0, 66, 127])), (9600, Midi([0x80, 57, 64])));
    close(time(&[FIRST, down, off], 9616), FREE);
    close(time(&[down, (4801, Midi([0x90, 57, 100])), off], 9616), together(1.0));
    let lifted = [FIRST, down, off, (16_000, Midi([0xb0, 66, 0]))];
    close(time(&lifted, 9616), FREE);
    close(time(&lifted, 16_016), together(1.0));
}

#[test]
fn the_soft_pedal_lowers_speed_and_stiffness() {
    let patch = patch(&[(ParamId::Level, -6.0), (ParamId::SoftPedal, 1.0)]);
    let hear = |pedal: u8, channel: u8| {
        let score = [(0, Midi([0xb0 | channel, 67, pedal])), (16, Midi([0x90, 57, 100]))];
        assert_same(&take(&patch, 14_400, &score), &expected(&patch, 14_400, &score));
        let [left, _] = alone(&patch, 14_400, &score, &SECOND[..1]);
        (level(&left, 960, A3), centroid(&left[16..]))
    };
    let (plain, soft, half) = (hear(0, 0), hear(127, 0), hear(64, 0));
    // half a decade of speed at full amount
    assert!((soft.0 / plain.0 - 0.316).abs() < 0.05, "{} of {}", soft.0, plain.0);
    assert!(soft.1 < 0.8 * plain.1 && half.1 > soft.1 && half.1 < plain.1, "{}, {}, {} Hz", soft.1, half.1, plain.1);
    assert_eq!(hear(127, 5), plain, "the pedal of another channel");
}

#[test]
fn a_fast_release_damps_faster() {
    let mut patch = damped();
    patch.settings.set(ParamId::ReleaseVelocity, 0.5);
    let play = |velocity: u8| {
        let score = [FIRST, (9600, Midi([0x80, 57, velocity]))];
        t60(&alone(&patch, FRAMES, &score, &SECOND)[0], 9616, A3)
    };
    // two decades from 0 to 127 at full amount
    for velocity in [1_u8, 64, 100] {
        close(play(velocity), together(10_f64.powf(f64::from(velocity) / 127.0 - 0.5)));
    }
}

#[test]
fn all_notes_off_releases_and_all_sound_off_chokes_its_channel() {
    close(time(&[FIRST, (9600, Midi([0xb0, 123, 0]))], 9616), together(1.0));
    close(time(&[FIRST, (9600, Midi([0xb1, 123, 0]))], 9616), FREE);
    let choked = time(&[FIRST, (9600, Midi([0xb0, 120, 0]))], 9616);
    assert!(choked < 0.04, "{choked} s");
}
