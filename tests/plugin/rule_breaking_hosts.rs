//! Hosts that break the rules of the formats: the plugin plays or is silent, and never crashes.

use clack_host::events::Match;
use clack_host::events::event_types::{MidiEvent, NoteChokeEvent, NoteOffEvent, NoteOnEvent, ParamModEvent, ParamValueEvent};
use clack_host::prelude::*;
use urto_engine::params::ParamId;

use crate::support::clap_host::{Clap, Side, note_on};
use crate::support::engine_reference::{Stereo, dice, peak};

fn finite(sound: &Stereo) -> bool {
    sound.iter().flatten().all(|sample| sample.is_finite() && sample.abs() <= 1.0)
}

#[test]
fn unordered_and_out_of_range_events_are_harmless() {
    let mut clap = Clap::running(48_000.0);
    let mut next = dice(7);
    for round in 0..60 {
        let frames = 1 + (next() % 700) as usize;
        let mut events = EventBuffer::new();
        for _ in 0..40 {
            let time = if next().is_multiple_of(4) { next() } else { next() % 1500 };
            let address = Pckn::new(0u16, (next() % 40) as u16, (next() % 300) as u16, Match::All);
            let param = ParamId::ALL[next() as usize % ParamId::ALL.len()];
            let wild = [f64::NAN, f64::INFINITY, -1e300, 1e300, -0.5, 2.0, 0.5][next() as usize % 7];
            match next() % 8 {
                0 => events.push(&NoteOnEvent::new(time, address, wild)),
                1 => events.push(&NoteOffEvent::new(time, address, wild)),
                2 => events.push(&NoteChokeEvent::new(time, address)),
                3 => events.push(&MidiEvent::new(time, 0, [next() as u8, next() as u8, next() as u8])),
                4 => {
                    let id = ClapId::from_raw(clap.listed()[param as usize].id).expect("an id");
                    events.push(&ParamModEvent::new(time, id, Pckn::match_all(), wild));
                }
                5 => events.push(&ParamValueEvent::new(time, ClapId::new(next() >> 2), Pckn::match_all(), wild)),
                _ => events.push(&clap.turn(time, param, wild)),
            }
        }
        assert!(finite(&clap.block(frames, &events, Side::Absent).sound), "round {round}");
    }
    clap.stop();
    clap.start(48_000.0);
    let mut calm = EventBuffer::new();
    for &param in ParamId::ALL {
        let id = ClapId::from_raw(clap.listed()[param as usize].id).expect("an id");
        calm.push(&ParamModEvent::new(0, id, Pckn::match_all(), 0.0));
    }
    assert!(finite(&clap.block(64, &calm, Side::Absent).sound));
}

#[test]
fn a_late_event_is_applied_inside_the_block() {
    let mut clap = Clap::running(48_000.0);
    let mut events = EventBuffer::new();
    events.push(&clap.turn(30, ParamId::Level, 0.8));
    events.push(&note_on(2, 60, 0.9, None));
    events.push(&clap.turn(5000, ParamId::HammerMass, 0.6));
    let sound = clap.block(64, &events, Side::Absent).sound;
    assert!(sound.iter().all(|channel| channel[..30].iter().all(|&sample| sample == 0.0)));
    assert!(peak(&sound) > 0.0);
    let travel = clap.values()[ParamId::HammerMass as usize];
    assert!((travel - 0.6).abs() < 1e-6, "{travel}");
}

#[test]
fn rates_from_8_to_384_khz_sound() {
    for rate in [8e3, 11_025.0, 22_050.0, 44_100.0, 88_200.0, 192e3, 384e3] {
        let mut clap = Clap::running(rate);
        let mut events = EventBuffer::new();
        events.push(&note_on(3, 60, 0.9, None));
        let sound = clap.block(4096, &events, Side::Absent).sound;
        assert!(finite(&sound) && peak(&sound) > 0.001, "{rate} Hz: {}", peak(&sound));
    }
    for rate in [0.0, -44_100.0, 1e-3, 1e12, f64::NAN, f64::INFINITY] {
        let mut clap = Clap::running(rate);
        let mut events = EventBuffer::new();
        events.push(&note_on(0, 60, 0.9, None));
        assert!(finite(&clap.block(256, &events, Side::Absent).sound), "{rate} Hz");
    }
}

#[test]
fn instances_open_and_close_while_others_play() {
    let strike = || {
        let mut clap = Clap::running(44_100.0);
        let mut events = EventBuffer::new();
        events.push(&clap.turn(0, ParamId::Body, 0.0));
        events.push(&note_on(1, 60, 0.9, None));
        finite(&clap.block(512, &events, Side::Absent).sound)
    };
    let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(move || (0..12).all(|_| strike()))).collect();
    assert!(threads.into_iter().all(|thread| thread.join().expect("no panic")));
}
