//! Hosts that open and close hundreds of instances while others play: no error, the same output, no thread left.
//!
//! Runs in its own process because it counts the threads of its process.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::Instant;

use clack_host::prelude::*;
use urto_engine::params::ParamId;

use crate::support::clap_host::{Clap, Side, note_on};
use crate::support::engine_reference::{Stereo, assert_same, dice, on, peak, render};
use crate::support::vst3_com_host::{Sent, Vst3, Wire};
use crate::tier::{in_own_process, size};

const RATE: f64 = 48_000.0;
/// Rounds in the everyday and in the thorough tier.
const ROUNDS: [u64; 2] = [2, 20];
/// Instances of a round, in all threads together.
const INSTANCES: usize = 200;
const THREADS: usize = 4;
const BLOCK: usize = 64;
/// What those that stay play over and over [frames].
const PHRASE: usize = 32 * BLOCK;

/// An instance in one of the two formats.
enum Instance {
    Clap(Box<Clap>),
    Vst3(Box<Vst3>),
}

impl Instance {
    fn new(clap: bool) -> Self {
        if clap { Self::Clap(Box::new(Clap::running(RATE))) } else { Self::Vst3(Box::new(Vst3::running(RATE))) }
    }

    /// One block with a note at its first frame, and a body asked of the worker.
    fn play(&mut self, key: u8, body: Option<f64>) -> Stereo {
        match self {
            Self::Clap(plugin) => {
                let mut events = EventBuffer::new();
                if let Some(travel) = body {
                    events.push(&plugin.turn(0, ParamId::Modes, travel));
                }
                events.push(&note_on(0, key, 0.8, None));
                plugin.block(BLOCK, &events, Side::Absent).sound
            }
            Self::Vst3(plugin) => {
                let note = Sent::NoteOn { at: 0, channel: 0, key: key.into(), velocity: 0.8 };
                let turn = body.map(|travel| Sent::Turn { at: 0, id: MODES, travel });
                let sent: Vec<Sent> = turn.into_iter().chain([note]).collect();
                plugin.block(BLOCK, &sent, &Wire::Absent)
            }
        }
    }
}

/// The host's number for the number of modes.
const MODES: u32 = 104_069_936;

/// Opens `count` instances, plays them and closes them, all in the order of the dice.
fn come_and_go(seed: u64, count: usize) {
    let mut next = dice(seed);
    let (mut open, mut opened): (Vec<Instance>, usize) = (Vec::new(), 0);
    while opened < count || !open.is_empty() {
        let chosen = next() as usize % open.len().max(1);
        match next() % 4 {
            0 | 1 if opened < count => {
                open.push(Instance::new(next().is_multiple_of(2)));
                opened += 1;
            }
            2 if !open.is_empty() => drop(open.swap_remove(chosen)),
            _ if !open.is_empty() => {
                let body = (next().is_multiple_of(2)).then(|| f64::from(next() % 40) / 255.0);
                let sound = open[chosen].play(30 + (next() % 60) as u8, body);
                assert!(peak(&sound) > 0.0 && sound.iter().flatten().all(|sample| sample.is_finite()));
            }
            _ => {}
        }
    }
}

/// Plays a phrase again and again until told to end; every time it has to be the same.
fn stay(clap: bool, expected: &Stereo, end: &AtomicBool) -> usize {
    let mut phrases = 0;
    while !end.load(Relaxed) {
        let mut instance = Instance::new(clap);
        let mut heard: Stereo = Default::default();
        for key in phrase() {
            for (all, part) in heard.iter_mut().zip(instance.play(key, None)) {
                all.extend(part);
            }
        }
        assert_same(&heard, expected);
        phrases += 1;
    }
    phrases
}

fn phrase() -> impl Iterator<Item = u8> {
    (0..PHRASE / BLOCK).map(|block| 48 + (7 * block % 24) as u8)
}

/// Threads of this process; where it cannot be told, always the same.
fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").map_or(0, Iterator::count)
}

#[test]
fn instances_open_and_close_in_any_order_while_others_play() {
    in_own_process("many_instances::instances_open_and_close_in_any_order_while_others_play", come_and_go_in_rounds);
}

fn come_and_go_in_rounds() {
    let events: Vec<_> = phrase().enumerate().map(|(block, key)| (block * BLOCK, on(key, 0.8))).collect();
    let expected = render(RATE, PHRASE, &events, &[]);
    assert_eq!(Clap::new().listed()[ParamId::Modes as usize].id, MODES);
    let before = threads();
    for round in 0..size(ROUNDS[0], ROUNDS[1]) {
        let begun = Instant::now();
        let end = AtomicBool::new(false);
        let phrases: usize = thread::scope(|scope| {
            let staying: Vec<_> = [true, false]
                .map(|clap| {
                    scope.spawn({
                        let (expected, end) = (&expected, &end);
                        move || stay(clap, expected, end)
                    })
                })
                .into();
            let coming: Vec<_> = (0..THREADS as u64)
                .map(|thread| scope.spawn(move || come_and_go(1 + 1000 * round + thread, INSTANCES / THREADS)))
                .collect();
            let come = coming.into_iter().all(|thread| thread.join().is_ok());
            end.store(true, Relaxed);
            assert!(come, "round {round}");
            staying.into_iter().map(|thread| thread.join().expect("the same bits all the time")).sum()
        });
        assert!(phrases > 1, "some play all the time");
        assert_eq!(threads(), before, "round {round}: no thread is left behind");
        println!("round {round}: {INSTANCES} instances and {phrases} phrases in {:.2} s", begun.elapsed().as_secs_f64());
    }
}
