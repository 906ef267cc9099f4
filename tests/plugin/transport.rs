//! Humanise restarts when the transport starts or jumps, so that a song repeats exactly.

use clack_host::prelude::*;
use urto_engine::params::ParamId;
use urto_engine::patch::Patch;

use crate::support::clap_host::{Clap, Side, note_on};
use crate::support::engine_reference::Stereo;
use crate::support::timed_events::{RATE, patch};

const BLOCK: usize = 480;

fn human() -> Patch {
    patch(&[(ParamId::HumanSpeed, 1.0), (ParamId::HumanPosition, 0.2), (ParamId::Decay, 0.02), (ParamId::Loss, 0.1)])
}

/// The next second of the song, 0.2 s apart notes; `place` says where each block finds the transport.
fn second(clap: &mut Clap, place: impl Fn(usize) -> Option<(bool, f64)>) -> Vec<Stereo> {
    let mut notes = Vec::new();
    for block in 0..100 {
        clap.transport(place(block));
        let mut events = EventBuffer::new();
        if block % 20 == 0 {
            events.push(&note_on(0, 60, 0.8, None));
            notes.push(Stereo::default());
        }
        let sound = clap.block(BLOCK, &events, Side::Absent).sound;
        for (all, part) in notes.last_mut().expect("a note").iter_mut().zip(sound) {
            all.extend(part);
        }
    }
    notes
}

/// Largest difference of two seconds over the largest sample: a body that is struck again is not quite at rest.
fn distance(a: &[Stereo], b: &[Stereo]) -> f32 {
    let samples = |notes: &[Stereo]| notes.iter().flatten().flatten().copied().collect::<Vec<f32>>();
    let (a, b) = (samples(a), samples(b));
    let apart = a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    apart / b.iter().fold(0.0, |most, sample| sample.abs().max(most))
}

fn running(from: f64) -> impl Fn(usize) -> Option<(bool, f64)> {
    move |block| Some((true, from + 0.01 * block as f64))
}

#[test]
fn a_song_repeats_exactly_after_each_transport_start() {
    let mut clap = Clap::with(&human());
    clap.start(RATE);
    let first = second(&mut clap, running(3.0));
    assert!(first.windows(2).all(|pair| pair[0] != pair[1]), "chance has its part in every note");
    let stopped = second(&mut clap, |_| Some((false, 4.0)));
    assert!(distance(&stopped, &first) > 0.1, "it goes on while the transport stands");
    assert!(distance(&second(&mut clap, running(3.0)), &first) < 1e-3, "started again");
    assert!(distance(&second(&mut clap, running(4.0)), &first) > 0.1, "played on");
    assert!(distance(&second(&mut clap, running(3.0)), &first) < 1e-3, "jumped back");
}

#[test]
fn without_a_transport_humanise_continues() {
    let mut clap = Clap::with(&human());
    clap.start(RATE);
    assert!(distance(&second(&mut clap, |_| None), &second(&mut clap, |_| None)) > 0.1);
    clap.reset();
    let reset = second(&mut clap, |_| None);
    clap.reset();
    assert!(second(&mut clap, |_| None) == reset, "a reset restarts humanise too");
}
