//! CLAP and VST3 give the same output for the same notes, automation, controllers, side-chain and blocks.

use clack_host::events::Match;
use clack_host::events::event_types::{MidiEvent, NoteOnEvent};
use clack_host::prelude::*;
use urto_engine::params::ParamId;

use crate::support::clap_host::{Clap, Side};
use crate::support::engine_reference::{Stereo, assert_same, dice, noise, peak};
use crate::support::vst3_com_host::{Sent, Vst3, Wire};

const RATE: f64 = 44_100.0;
const FRAMES: usize = 8_000;

/// What a player does.
#[derive(Clone, Copy)]
enum Done {
    Strike { channel: u8, key: u8, velocity: f32 },
    Turn { param: ParamId, travel: f32 },
    AllSoundOff { channel: u8 },
}

/// Knobs that need no new body, which would come when the worker has it.
const TURNED: [ParamId; 12] = [
    ParamId::Stiffness,
    ParamId::Exponent,
    ParamId::Damping,
    ParamId::HammerMass,
    ParamId::StrikePosition,
    ParamId::BodyMass,
    ParamId::Tune,
    ParamId::Decay,
    ParamId::PickupLeft,
    ParamId::DriveGain,
    ParamId::Level,
    ParamId::Release,
];

/// A performance, in order of frames; of what happens at one frame, params come first.
fn performance(seed: u64) -> Vec<(usize, Done)> {
    let mut next = dice(seed);
    let mut done = Vec::new();
    for frame in (0..FRAMES).step_by(23) {
        let param = TURNED[next() as usize % TURNED.len()];
        let travel =
            if param == ParamId::Release { f64::from(next() % 2) } else { 0.3 + 0.4 * f64::from(next() % 1000) / 1000.0 };
        done.push((frame, Done::Turn { param, travel: travel as f32 }));
        let channel = (next() % 16) as u8;
        if next().is_multiple_of(12) {
            let (key, velocity) = (40 + (next() % 40) as u8, (1 + next() % 127) as f32 / 127.0);
            done.push((frame, Done::Strike { channel, key, velocity }));
        } else if next().is_multiple_of(20) {
            done.push((frame + 5, Done::AllSoundOff { channel }));
        }
    }
    done
}

fn blocks(seed: u64) -> Vec<std::ops::Range<usize>> {
    let (mut next, mut start, mut blocks) = (dice(seed), 0, Vec::new());
    while start < FRAMES {
        let size = [1, 17, 64, 256, 511, 1024][next() as usize % 6].min(FRAMES - start);
        blocks.push(start..start + size);
        start += size;
    }
    blocks
}

fn as_clap(done: &[(usize, Done)], blocks: &[std::ops::Range<usize>], drive: &[Vec<f32>; 2]) -> Stereo {
    let mut plugin = Clap::running(RATE);
    let mut sound: Stereo = Default::default();
    for span in blocks {
        let mut events = EventBuffer::new();
        for (frame, done) in done.iter().filter(|(frame, _)| span.contains(frame)) {
            let time = (frame - span.start) as u32;
            match *done {
                Done::Strike { channel, key, velocity } => {
                    let address = Pckn::new(0u16, u16::from(channel), u16::from(key), Match::All);
                    events.push(&NoteOnEvent::new(time, address, f64::from(velocity)));
                }
                Done::Turn { param, travel } => events.push(&plugin.turn(time, param, f64::from(travel))),
                Done::AllSoundOff { channel } => events.push(&MidiEvent::new(time, 0, [0xB0 | channel, 120, 0])),
            }
        }
        let side = Side::Signal(&drive[0][span.clone()], &drive[1][span.clone()]);
        for (all, part) in sound.iter_mut().zip(plugin.block(span.len(), &events, side).sound) {
            all.extend(part);
        }
    }
    sound
}

fn as_vst3(done: &[(usize, Done)], blocks: &[std::ops::Range<usize>], drive: &[Vec<f32>; 2]) -> Stereo {
    let clap = Clap::new();
    let plugin = Vst3::running(RATE);
    plugin.switch(true);
    let mut sound: Stereo = Default::default();
    for span in blocks {
        let send = |(frame, done): &(usize, Done)| {
            let at = (frame - span.start) as i32;
            match *done {
                Done::Strike { channel, key, velocity } => {
                    Sent::NoteOn { at, channel: channel.into(), key: key.into(), velocity }
                }
                Done::Turn { param, travel } => Sent::Turn { at, id: clap.listed()[param as usize].id, travel: travel.into() },
                Done::AllSoundOff { channel } => {
                    Sent::Turn { at, id: plugin.mapped(channel.into(), 120).expect("mapped"), travel: 0.0 }
                }
            }
        };
        let sent: Vec<Sent> = done.iter().filter(|(frame, _)| span.contains(frame)).map(send).collect();
        let wire = Wire::Channels(drive.iter().map(|channel| Some(&channel[span.clone()])).collect());
        for (all, part) in sound.iter_mut().zip(plugin.block(span.len(), &sent, &wire)) {
            all.extend(part);
        }
    }
    sound
}

#[test]
fn both_formats_give_the_same_output() {
    let drive = noise(FRAMES);
    for seed in 1..=3 {
        let (done, blocks) = (performance(seed), blocks(seed));
        let heard = as_clap(&done, &blocks, &drive);
        assert!(peak(&heard) > 0.05, "seed {seed} is heard");
        assert_same(&as_vst3(&done, &blocks, &drive), &heard);
    }
}
