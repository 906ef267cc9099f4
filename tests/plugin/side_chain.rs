//! "Hammer Drive": connected, unconnected, in odd blocks.

use clack_host::prelude::*;
use urto::engine::Event;
use urto::engine::knob::KnobId;
use urto::params::Knobs;

use crate::host::{Clap, note_on};
use crate::reference::{Stereo, assert_same, on, peak, render, turn};

const RATE: f64 = 48_000.0;
const FRAMES: usize = 6000;

/// Noise in -1..1, different left and right.
fn noise() -> [Vec<f32>; 2] {
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 23) as f32 - 1.0
    };
    let left = (0..FRAMES).map(|_| next()).collect();
    [left, (0..FRAMES).map(|_| next()).collect()]
}

fn play(sizes: &[usize], gain: f64, drive: Option<[&[f32]; 2]>) -> Stereo {
    let mut clap = Clap::running(RATE);
    let send = |clap: &Clap, span: std::ops::Range<usize>, events: &mut EventBuffer| {
        if span.start == 0 {
            events.push(&clap.turn(0, KnobId::DriveGain, gain));
            events.push(&note_on(0, 57, 0.3, None));
        }
    };
    clap.blocks(sizes.iter().copied(), send, drive)
}

fn events(gain: f64) -> Vec<(usize, Event)> {
    vec![(0, turn(&Knobs::new(|_| ()), KnobId::DriveGain, gain)), (0, on(57, 0.3))]
}

#[test]
fn the_side_chain_drives_the_hammer_in_any_blocks() {
    let [left, right] = noise();
    let mono: Vec<f32> = left.iter().zip(&right).map(|(left, right)| 0.5 * (left + right)).collect();
    let expected = render(RATE, FRAMES, &events(0.4), &mono);
    assert!(peak(&expected) > 2.0 * peak(&render(RATE, FRAMES, &events(0.0), &[])), "the drive is heard");
    for sizes in [vec![FRAMES / 2; 2], vec![64, 1, 935, 4096, 7, 897], vec![250; 24]] {
        assert_same(&play(&sizes, 0.4, Some([&left, &right])), &expected);
    }
}

#[test]
fn an_unconnected_side_chain_is_silence() {
    let expected = render(RATE, FRAMES, &events(0.4), &[]);
    for sizes in [vec![64, 512, 1, 4096, 63, 1264], vec![500; 12]] {
        assert_same(&play(&sizes, 0.4, None), &expected);
    }
}

#[test]
fn what_is_no_number_in_the_side_chain_is_silence() {
    let [mut left, right] = noise();
    for (i, broken) in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX].into_iter().enumerate() {
        left[100 * i + 50] = broken;
    }
    let heard = play(&[1000; 6], 1.0, Some([&left, &right]));
    assert!(heard.iter().flatten().all(|sample| sample.is_finite()));
}
