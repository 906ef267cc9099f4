//! The side-chain input: connected, unconnected, any block size.

use clack_host::prelude::*;
use clack_host::process::ProcessStatus;
use urto::host_params::HostParams;
use urto_engine::Event;
use urto_engine::params::ParamId;
use urto_engine::patch::Patch;

use crate::support::clap_host::{Clap, Side, note_on};
use crate::support::drum_loop::{drums, is_silent, largest_step, time_to_silence};
use crate::support::engine_reference::{Stereo, assert_same, noise, on, peak, render, render_driven, turn};

const RATE: f64 = 48_000.0;
const FRAMES: usize = 6000;

fn play(sizes: &[usize], gain: f64, drive: Option<[&[f32]; 2]>) -> Stereo {
    let mut clap = Clap::running(RATE);
    let send = |clap: &Clap, span: std::ops::Range<usize>, events: &mut EventBuffer| {
        if span.start == 0 {
            events.push(&clap.turn(0, ParamId::DriveGain, gain));
            events.push(&note_on(0, 57, 0.3, None));
        }
    };
    clap.blocks(sizes.iter().copied(), send, drive)
}

fn events(gain: f64) -> Vec<(usize, Event)> {
    vec![(0, turn(&HostParams::new(|_| ()), ParamId::DriveGain, gain)), (0, on(57, 0.3))]
}

#[test]
fn the_side_chain_drives_the_hammer_for_any_block_size() {
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
fn non_finite_side_chain_samples_are_silence() {
    let [mut left, right] = noise(FRAMES);
    for (i, broken) in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX].into_iter().enumerate() {
        left[100 * i + 50] = broken;
    }
    let heard = play(&[1000; 6], 1.0, Some([&left, &right]));
    assert!(heard.iter().flatten().all(|sample| sample.is_finite()));
}

#[test]
fn constant_mono_and_double_precision_side_chains_agree() {
    let play = |side: &dyn Fn(std::ops::Range<usize>) -> Side<'static>| {
        let mut clap = Clap::running(RATE);
        let mut sound: Stereo = Default::default();
        for size in [64, 1, 935, 4096, 7, 897] {
            let (start, mut events) = (sound[0].len(), EventBuffer::new());
            if start == 0 {
                events.push(&clap.turn(0, ParamId::DriveGain, 0.4));
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

/// Sounds that last a tenth of a second, so that tests need not wait.
fn short(clap: &Clap, events: &mut EventBuffer) {
    events.push(&clap.turn(0, ParamId::Decay, 0.0));
    events.push(&clap.turn(0, ParamId::Loss, 1.0));
}

/// Blocks of 480 frames with the side-chain that `side` gives for the span of each; `gains` are travels of the drive at frames.
fn drive_through<'a>(
    frames: usize,
    gains: &[(usize, f64)],
    side: impl Fn(std::ops::Range<usize>) -> Side<'a>,
) -> (Stereo, Vec<ProcessStatus>, Clap) {
    let mut clap = Clap::running(RATE);
    let (mut sound, mut said): (Stereo, Vec<_>) = Default::default();
    for start in (0..frames).step_by(480) {
        let (span, mut events) = (start..frames.min(start + 480), EventBuffer::new());
        if start == 0 {
            short(&clap, &mut events);
        }
        for &(frame, travel) in gains.iter().filter(|(frame, _)| span.contains(frame)) {
            events.push(&clap.turn((frame - start) as u32, ParamId::DriveGain, travel));
        }
        let block = clap.block(span.len(), &events, side(span));
        sound.iter_mut().zip(block.sound).for_each(|(all, part)| all.extend(part));
        said.push(block.status);
    }
    (sound, said, clap)
}

#[test]
fn a_drum_loop_sounds_without_a_note_at_positive_drive_level() {
    let frames = 144_000;
    let [left, right] = drums(48_000);
    let nothing = vec![0.0; frames];
    let side = |span: std::ops::Range<usize>| match left.get(span.clone()) {
        Some(left) => Side::Signal(left, &right[span]),
        None => Side::Constant(&nothing[span.clone()], &nothing[span]),
    };
    let (up, down) = (9_605, 39_000);
    let (sound, said, mut clap) = drive_through(frames, &[(up, 0.3), (down, 0.0)], side);
    assert!(is_silent(&sound, 0..up), "gain 0 is what it begins with");
    assert!(sound.iter().all(|channel| channel[up..down].iter().any(|sample| sample.abs() > 0.01)), "{}", peak(&sound));
    // at 0 it has nothing to say, though the loop goes on
    let tail = time_to_silence(&sound);
    assert!(tail < 96_000, "silent from {tail} on");
    assert_eq!(said.last(), Some(&ProcessStatus::ContinueIfNotQuiet));
    assert!(clap.latency_and_tail().1.contains("Finite(0)"));
}

#[test]
fn a_silent_side_chain_gives_silence_within_the_tail() {
    let (frames, end) = (144_000, 24_000);
    let [left, right] = drums(end);
    let nothing = vec![0.0; frames];
    let side = |span: std::ops::Range<usize>| match left.get(span.clone()) {
        Some(left) => Side::Signal(left, &right[span]),
        None => Side::Constant(&nothing[span.clone()], &nothing[span]),
    };
    let (sound, said, _) = drive_through(frames, &[(0, 0.3)], side);
    assert!(peak(&sound) > 0.01);
    assert_ne!(said[end / 480 - 1], ProcessStatus::ContinueIfNotQuiet, "while it sounds");
    let tail = time_to_silence(&sound);
    assert!(tail < frames - 4800, "silent from {tail} on");
    assert_eq!(said.last(), Some(&ProcessStatus::ContinueIfNotQuiet), "with the gain still up");
}

/// Connected late, taken away while it plays, and connected again: no larger step than the drums make anyway, and nothing before.
#[test]
fn connecting_and_removing_the_side_chain_does_not_click() {
    let frames = 48_000;
    let [left, right] = drums(frames);
    let (late, away, again) = (5 * 480, 35 * 480, 60 * 480);
    let there = |frame: usize| (late..away).contains(&frame) || frame >= again;
    let side = |span: std::ops::Range<usize>| match there(span.start) {
        true => Side::Signal(&left[span.clone()], &right[span]),
        false => Side::Absent,
    };
    let (whole, ..) = drive_through(frames, &[(0, 0.3)], |span| Side::Signal(&left[span.clone()], &right[span]));
    let (sound, ..) = drive_through(frames, &[(0, 0.3)], side);
    assert!(is_silent(&sound, 0..late), "not connected");
    let usual = largest_step(&whole, 0..frames);
    for change in [late, away, again] {
        let step = largest_step(&sound, change - 100..change + 100);
        assert!(step <= usual, "a step of {step} at {change}, of {usual} at most in the loop");
    }
    assert!(peak(&sound) <= 1.0 && sound.iter().flatten().all(|sample| sample.is_finite()));
}
