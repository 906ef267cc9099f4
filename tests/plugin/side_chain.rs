//! "Hammer Drive": connected, unconnected, in odd blocks.

use clack_host::prelude::*;
use urto::engine::Event;
use urto::engine::knob::KnobId;
use urto::engine::patch::Patch;
use urto::params::Knobs;

use crate::host::{Clap, Side, note_on};
use crate::reference::{Stereo, assert_same, noise, on, peak, render, render_driven, turn};

const RATE: f64 = 48_000.0;
const FRAMES: usize = 6000;

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
    let [left, right] = noise(FRAMES);
    let expected = render_driven(&Patch::default(), RATE, FRAMES, &events(0.4), [&left, &right]);
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
    let [mut left, right] = noise(FRAMES);
    for (i, broken) in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX].into_iter().enumerate() {
        left[100 * i + 50] = broken;
    }
    let heard = play(&[1000; 6], 1.0, Some([&left, &right]));
    assert!(heard.iter().flatten().all(|sample| sample.is_finite()));
}

#[test]
fn a_constant_a_mono_and_a_double_side_chain_are_what_they_hold() {
    let play = |side: &dyn Fn(std::ops::Range<usize>) -> Side<'static>| {
        let mut clap = Clap::running(RATE);
        let mut sound: Stereo = Default::default();
        for size in [64, 1, 935, 4096, 7, 897] {
            let (start, mut events) = (sound[0].len(), EventBuffer::new());
            if start == 0 {
                events.push(&clap.turn(0, KnobId::DriveGain, 0.4));
                events.push(&note_on(0, 57, 0.3, None));
            }
            let block = clap.block(size, &events, side(start..start + size)).sound;
            sound.iter_mut().zip(block).for_each(|(all, part)| all.extend(part));
        }
        sound
    };
    let [left, _]: [&'static [f32]; 2] = noise(FRAMES).map(|channel| &*channel.leak());
    let level: &'static [f32] = vec![0.25; FRAMES].leak();
    let none: &'static [f32] = vec![0.0; FRAMES].leak();
    assert_same(&play(&|span| Side::Constant(&level[span.clone()], &level[span])), &render(RATE, FRAMES, &events(0.4), level));
    assert_same(&play(&|span| Side::Constant(&none[span.clone()], &none[span])), &render(RATE, FRAMES, &events(0.4), none));
    assert_same(&play(&|span| Side::Mono(&left[span])), &render(RATE, FRAMES, &events(0.4), left));
    assert_same(&play(&|_| Side::Doubles), &render(RATE, FRAMES, &events(0.4), &[]));
}
