//! Threads of CLAP: one calls the instance and another one processes, which can change with every block. Also reset, stop, restart and
//! loading between blocks.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

use clack_host::prelude::*;
use urto::host_params::HostParams;
use urto_engine::Event;
use urto_engine::params::ParamId;

use crate::support::clap_host::{Clap, Side, note_on, process};
use crate::support::engine_reference::{Stereo, assert_same, on, peak, render, turn};

const RATE: f64 = 48_000.0;
const BLOCK: usize = 64;
/// Blocks between two notes.
const STEP: usize = 20;
/// Blocks after which the events repeat.
const PHRASE: usize = 40 * STEP;
/// States that are saved, and loaded, while the plugin plays.
const STATES: usize = 40;

/// Where the stiffness stands in a block, 0 to 1.
fn stiffness(block: usize) -> f64 {
    0.4 + 0.01 * (block % STEP) as f64
}

/// The key that is struck in a block, if there is one.
fn struck(block: usize) -> Option<u8> {
    block.is_multiple_of(STEP).then_some(40 + (7 * (block / STEP) % 40) as u8)
}

/// What a host sends in each block of the phrase.
fn phrase(clap: &Clap) -> Vec<EventBuffer> {
    let block = |block| {
        let mut events = EventBuffer::new();
        events.push(&clap.turn(5, ParamId::Stiffness, stiffness(block)));
        if let Some(key) = struck(block) {
            events.push(&note_on(17, key, 0.8, None));
        }
        events
    };
    (0..PHRASE).map(block).collect()
}

/// The engine alone in so many blocks, the phrase over and over.
fn expected(rate: f64, blocks: usize) -> Stereo {
    let params = HostParams::new(|_| ());
    let mut events: Vec<(usize, Event)> = Vec::new();
    for block in 0..blocks {
        events.push((block * BLOCK + 5, turn(&params, ParamId::Stiffness, stiffness(block))));
        events.extend(struck(block % PHRASE).map(|key| (block * BLOCK + 17, on(key, 0.8))));
    }
    render(rate, blocks * BLOCK, &events, &[])
}

fn append(all: &mut Stereo, part: Stereo) {
    all.iter_mut().zip(part).for_each(|(all, part)| all.extend(part));
}

fn plays(clap: &mut Clap, phrase: &[EventBuffer], blocks: usize) -> Stereo {
    let mut heard: Stereo = Default::default();
    for events in &phrase[..blocks] {
        append(&mut heard, clap.block(BLOCK, events, Side::Absent).sound);
    }
    heard
}

/// Ends the play when it goes, also where a call fails.
struct EndGuard<'a>(&'a AtomicBool);

impl Drop for EndGuard<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// Another thread plays the phrase for as long as `calls` calls the instance, and once at least.
fn while_it_plays<T>(clap: &mut Clap, calls: impl FnOnce(&mut Clap) -> T) -> (Stereo, T) {
    let phrase = phrase(clap);
    let mut audio = clap.audio.take().expect("runs");
    let end = AtomicBool::new(false);
    thread::scope(|scope| {
        let renderer = scope.spawn(|| {
            let mut heard: Stereo = Default::default();
            for (block, events) in phrase.iter().cycle().enumerate() {
                if block >= PHRASE && end.load(Relaxed) {
                    break;
                }
                append(&mut heard, process(&mut audio, None, BLOCK, events, Side::Absent).sound);
            }
            (heard, audio)
        });
        let end_guard = EndGuard(&end);
        let called = calls(clap);
        drop(end_guard);
        let (heard, audio) = renderer.join().expect("it plays to the end");
        clap.audio = Some(audio);
        (heard, called)
    })
}

#[test]
fn states_are_saved_and_values_read_while_another_thread_renders() {
    let mut clap = Clap::running(RATE);
    let default = clap.values()[ParamId::Stiffness as usize];
    let (heard, saved) = while_it_plays(&mut clap, |clap| {
        let save = |_| {
            clap.text(ParamId::Stiffness, 0.5);
            clap.values();
            clap.idle();
            clap.save()
        };
        (0..STATES).map(save).collect::<Vec<_>>()
    });
    assert!(peak(&heard) > 0.01);
    assert_same(&heard, &expected(RATE, heard[0].len() / BLOCK));
    for state in saved {
        let mut fresh = Clap::new();
        assert!(fresh.load(&state), "what is saved while it plays loads");
        let travel = fresh.values()[ParamId::Stiffness as usize];
        let sent = (0..STEP).any(|block| (travel - stiffness(block)).abs() < 1e-6);
        assert!(sent || travel == default, "where it stood in some block, not {travel}");
    }
}

#[test]
fn states_load_while_another_thread_renders() {
    let mut states = [0.0, 17.0 / 255.0].map(|travel| {
        let mut other = Clap::new();
        let mut events = EventBuffer::new();
        events.push(&other.turn(0, ParamId::Body, travel));
        events.push(&other.turn(0, ParamId::Modes, 17.0 / 255.0));
        other.flush(&events);
        other.save()
    });
    let mut clap = Clap::running(RATE);
    let (heard, ()) = while_it_plays(&mut clap, |clap| {
        for _ in 0..STATES {
            assert!(clap.load(&states[0]));
            states.reverse();
        }
    });
    assert!(peak(&heard) > 0.01 && heard.iter().flatten().all(|sample| sample.is_finite()));
    clap.block(BLOCK, &EventBuffer::new(), Side::Absent);
    clap.stop();
    clap.start(RATE);
    let mut fresh = Clap::new();
    assert!(fresh.load(&clap.save()));
    fresh.start(RATE);
    let phrase = phrase(&clap);
    assert_same(&plays(&mut clap, &phrase, STEP), &plays(&mut fresh, &phrase, STEP));
}

#[test]
fn every_block_can_come_from_a_different_thread() {
    let mut clap = Clap::running(RATE);
    let phrase = phrase(&clap);
    let mut heard: Stereo = Default::default();
    for events in &phrase[..3 * STEP] {
        let audio = clap.audio.as_mut().expect("runs");
        let block = thread::scope(|scope| scope.spawn(|| process(audio, None, BLOCK, events, Side::Absent)).join());
        append(&mut heard, block.expect("it processes").sound);
    }
    assert_same(&heard, &expected(RATE, 3 * STEP));
}

#[test]
fn reset_and_restart_restore_the_initial_state() {
    let mut clap = Clap::running(RATE);
    let phrase = phrase(&clap);
    // the hammer has struck 47 frames ago: it is still on the body, or has just left it
    for blocks in [1, 1, 2, STEP + 1] {
        plays(&mut clap, &phrase, blocks);
        clap.reset();
    }
    assert_same(&plays(&mut clap, &phrase, STEP), &expected(RATE, STEP));
    for rate in [44_100.0, 96_000.0, RATE] {
        clap.stop();
        clap.start(rate);
        assert_same(&plays(&mut clap, &phrase, STEP), &expected(rate, STEP));
    }
}
