//! MIDI program changes load presets and notify the host.

use std::ops::Range;
use std::time::{Duration, Instant};

use clack_host::events::event_types::MidiEvent;
use clack_host::prelude::*;
use urto_engine::params::ParamId;
use urto_engine::patch::factory_presets;

use crate::support::clap_host::{Clap, Side, note_on};
use crate::support::engine_reference::{Stereo, assert_same, on, peak, render_patch};

const RATE: f64 = 48_000.0;

fn program(time: u32, number: u8) -> MidiEvent {
    MidiEvent::new(time, 0, [0xc5, number, 0])
}

fn one_note(clap: &mut Clap) -> Stereo {
    let strike = |_: &Clap, span: Range<usize>, events: &mut EventBuffer| {
        if span.start == 0 {
            events.push(&note_on(0, 64, 0.7, None));
        }
    };
    clap.blocks([512; 6], strike, None)
}

fn expected(number: usize) -> Stereo {
    let patch = factory_presets::built_in().nth(number).expect("built in");
    render_patch(&patch, RATE, 6 * 512, &[(0, on(64, 0.7))], &[])
}

/// Asks for a program and lets time go by until the host has been told of it `rescans` times.
fn change(clap: &mut Clap, number: u8, rescans: u32) {
    let mut events = EventBuffer::new();
    events.push(&program(7, number));
    clap.block(64, &events, Side::Absent);
    let begun = Instant::now();
    while clap.idle().0 < rescans {
        assert!(begun.elapsed() < Duration::from_secs(20), "program {number} did not come");
        std::thread::sleep(Duration::from_millis(2));
        clap.block(64, &EventBuffer::new(), Side::Absent);
    }
    clap.block(64, &EventBuffer::new(), Side::Absent);
}

#[test]
fn a_program_change_loads_a_preset_and_notifies_the_host() {
    let mut clap = Clap::running(RATE);
    let before = clap.values();
    for (changes, number) in [1, 3, 0].into_iter().enumerate() {
        change(&mut clap, number, changes as u32 + 1);
        assert_eq!(clap.idle(), (changes as u32 + 1, changes as u32 + 1), "changes once");
        clap.reset();
        assert_same(&one_note(&mut clap), &expected(number.into()));
        // the state that is saved now is that of the preset, to the last bit
        let patch = factory_presets::built_in().nth(number.into()).expect("built in");
        let saved = clap.save();
        assert!(String::from_utf8_lossy(&saved).contains(&patch.name));
        let mut fresh = Clap::new();
        assert!(fresh.load(&saved));
        assert_eq!(fresh.values(), clap.values());
        assert_ne!(fresh.values(), before);
        fresh.start(RATE);
        assert_same(&one_note(&mut fresh), &expected(number.into()));
        let travel = clap.values()[ParamId::HammerMass as usize];
        let shown = clap.text(ParamId::HammerMass, travel).0;
        assert_eq!(
            shown,
            urto_engine::params::value_text::show(ParamId::HammerMass.spec(), patch.settings.get(ParamId::HammerMass))
        );
    }
}

/// The controller is the player's, not the preset's.
#[test]
fn parameters_outside_patches_stay_unchanged() {
    let mut clap = Clap::running(RATE);
    let mut events = EventBuffer::new();
    events.push(&clap.turn(0, ParamId::Mpe, 2.0 / 3.0));
    events.push(&clap.turn(0, ParamId::Level, 0.1));
    clap.block(64, &events, Side::Absent);
    let before = clap.values();
    change(&mut clap, 1, 1);
    let after = clap.values();
    assert_eq!(after[ParamId::Mpe as usize], before[ParamId::Mpe as usize]);
    assert_ne!(after[ParamId::Level as usize], before[ParamId::Level as usize]);
}

#[test]
fn an_unused_program_number_changes_nothing() {
    let mut clap = Clap::running(RATE);
    let before = (clap.values(), clap.save());
    let mut events = EventBuffer::new();
    events.push(&program(0, 127));
    clap.block(64, &events, Side::Absent);
    std::thread::sleep(Duration::from_millis(100));
    clap.block(64, &EventBuffer::new(), Side::Absent);
    assert_eq!((clap.idle(), (clap.values(), clap.save())), ((0, 0), before));
}

/// What sounds goes on while the program changes, and notes are never silent meanwhile.
#[test]
fn notes_continue_during_program_changes() {
    let mut clap = Clap::running(RATE);
    let mut events = EventBuffer::new();
    for block in 0_u32..300 {
        events.clear();
        if block % 10 == 0 {
            events.push(&program(3, (block / 10 % 4) as u8));
        }
        events.push(&note_on(20, 48 + (block % 24) as u16 as u8, 0.8, None));
        let heard = clap.block(64, &events, Side::Absent).sound;
        assert!(heard.iter().flatten().all(|sample| sample.is_finite()) && peak(&heard) > 0.0, "block {block}");
        clap.idle();
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Offline, the preset plays from the frame of its program change on, the same every time.
#[test]
fn offline_rendering_waits_for_the_preset() {
    let render = || {
        let mut clap = Clap::new();
        clap.offline();
        clap.start(RATE);
        let play = |_: &Clap, span: Range<usize>, events: &mut EventBuffer| {
            if span.start == 0 {
                events.push(&program(100, 1));
                events.push(&note_on(101, 64, 0.7, None));
            }
        };
        clap.blocks([1024; 4], play, None)
    };
    let heard = render();
    assert_same(&heard, &render());
    let patch = factory_presets::built_in().nth(1).expect("built in");
    assert_same(&heard, &render_patch(&patch, RATE, 4096, &[(101, on(64, 0.7))], &[]));
}
