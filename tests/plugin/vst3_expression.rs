//! Note expressions, pressure, controllers and transport in VST3.

use urto_engine::params::ParamId;
use urto_engine::patch::Patch;
use urto_engine::{Event, Expression, NoteId};
use vst3_host::Plugin;
use vst3_host::midi::{MidiChannel, MidiEvent, NoteExpressionType, NoteId as Voice, PluginEvent, PluginEventData};

use crate::support::clap_host::state;
use crate::support::engine_reference::{Stereo, assert_same, render_patch};
use crate::support::measurements::{beside, centroid, cents, level, t60};
use crate::support::timed_events::{RATE, patch, sine};
use crate::support::vst3_bundle::{BLOCK, Bundle, play};

const A3: f64 = 220.0;
const BLOCKS: usize = 94;
const CHANNELS: [MidiChannel; 3] = [MidiChannel::Ch1, MidiChannel::Ch2, MidiChannel::Ch3];

/// One thing that a host sends.
#[derive(Clone, Copy)]
enum Sent {
    /// A note with a voice of the host's.
    On {
        channel: usize,
        key: u8,
    },
    /// A note expression of the note that began as the first, second ..
    Say {
        note: usize,
        what: NoteExpressionType,
        value: f64,
    },
    Midi(MidiEvent),
}

use Sent::*;

/// What the plugin with `patch` makes of what is sent, in order of frames.
fn take(bundle: &Bundle, patch: &Patch, sent: &[(usize, Sent)]) -> Stereo {
    let mut plugin = bundle.load();
    // as CLAP without the length in front
    plugin.load_state(&state(patch)[8..]).expect("loads");
    let mut voices: Vec<Voice> = Vec::new();
    play(&mut plugin, BLOCKS, |plugin, start| {
        for (frame, sent) in sent.iter().filter(|(frame, _)| (start..start + BLOCK).contains(frame)) {
            send(plugin, (frame - start) as i32, sent, &mut voices);
        }
    })
}

fn send(plugin: &mut Plugin, at: i32, sent: &Sent, voices: &mut Vec<Voice>) {
    match *sent {
        On { channel, key } => voices.push(plugin.note_on_at(CHANNELS[channel], key, 100, at).expect("a note")),
        Say { note, what, value } => plugin.send_note_expression_at(voices[note], what, value, at).expect("an expression"),
        Midi(event) => plugin.send_midi_event_at(event, at).expect("a message"),
    }
}

/// `first` beside `second`, which stays as it is; the sound of `first`.
fn alone(bundle: &Bundle, patch: &Patch, first: &[(usize, Sent)], second: &[(usize, Sent)]) -> Stereo {
    let mut both: Vec<_> = first.iter().chain(second).copied().collect();
    both.sort_by_key(|(frame, _)| *frame);
    let (both, first, second) = (take(bundle, patch, &both), take(bundle, patch, first), take(bundle, patch, second));
    for (channel, both) in both.iter().enumerate() {
        let rest = |frame: usize| (both[frame] - first[channel][frame] - second[channel][frame]).abs();
        let apart = (0..both.len()).map(rest).fold(0.0, f32::max);
        assert!(apart < 1e-6, "the other note changes by {apart:e}");
    }
    first
}

const FIRST: (usize, Sent) = (16, On { channel: 0, key: 57 });
const SECOND: [(usize, Sent); 1] = [(40, On { channel: 0, key: 64 })];

fn say(frame: usize, what: NoteExpressionType, value: f64) -> [(usize, Sent); 2] {
    [FIRST, (frame, Say { note: 0, what, value })]
}

fn control(channel: usize, controller: u8, value: u8) -> Sent {
    Midi(MidiEvent::ControlChange { channel: CHANNELS[channel], controller, value })
}

#[test]
fn supported_note_expressions_are_listed_with_their_defaults() {
    let bundle = Bundle::new("expressions");
    let offered = bundle.load().note_expressions().expect("expressions");
    let found: Vec<_> = offered.iter().map(|info| (info.kind, info.default_value)).collect();
    use NoteExpressionType::*;
    assert_eq!(found, [(Volume, 0.25), (Pan, 0.5), (Tuning, 0.5), (Expression, 0.5), (Brightness, 0.5)]);
}

#[test]
fn tuning_bends_one_note_without_a_click() {
    let bundle = Bundle::new("tuning");
    let half = say(9600, NoteExpressionType::Tuning, 0.5 + 0.5 / 240.0);
    let [left, _] = alone(&bundle, &sine(&[]), &half, &SECOND);
    assert!(cents(&left, 4800, A3).abs() < 0.05);
    let bent = cents(&left, 9600 + 960, A3);
    assert!((bent - 50.0).abs() < 0.5, "{bent} cents");
    let slide = (0..=100)
        .map(|i| (9600 + 48 * i, Say { note: 0, what: NoteExpressionType::Tuning, value: 0.5 + 0.02 * i as f64 / 240.0 }));
    let score: Vec<_> = [(16, On { channel: 0, key: 81 })].into_iter().chain(slide).collect();
    let db = beside(&take(&bundle, &sine(&[]), &score)[0][4800..], 880.0, 880.0 * 2_f64.powf(2.0 / 12.0));
    assert!(db < -80.0, "{db} dB beside the partial");
}

#[test]
fn brightness_expression_volume_and_pan_act_as_named() {
    let bundle = Bundle::new("brightness");
    let quiet = patch(&[(ParamId::Level, -10.0)]);
    let [dark, even, bright] = [0.0, 0.5, 1.0]
        .map(|value| centroid(&alone(&bundle, &quiet, &say(16, NoteExpressionType::Brightness, value), &SECOND)[0]));
    assert!(dark < 0.8 * even && bright > 1.25 * even, "{dark}, {even}, {bright} Hz");

    use ParamId::*;
    let params = [(Body, 0.0), (Modes, 8.0), (BodyMass, 1.0), (HammerMass, 1e-3), (Stiffness, 1e5), (StrikePosition, 0.2)];
    let string = patch(&params);
    let [plain, middle] = [0.5, 0.8].map(|value| {
        let [left, _] = alone(&bundle, &string, &say(16, NoteExpressionType::Expression, value), &SECOND);
        level(&left, 480, 2.0 * A3) / level(&left, 480, A3)
    });
    assert!(middle < 0.01 * plain, "in the middle the second partial has a node: {middle}, {plain}");

    let late = |score: &[(usize, Sent)]| {
        let sound = alone(&bundle, &sine(&[]), score, &SECOND);
        [0, 1].map(|side| level(&sound[side], 9600, A3))
    };
    let (plain, loud) = (late(&[FIRST]), late(&say(4800, NoteExpressionType::Volume, 0.5)));
    let aside = late(&say(4800, NoteExpressionType::Pan, 0.25));
    for (found, wanted) in [(loud[0], 2.0 * plain[0]), (aside[0], plain[0]), (aside[1], 0.5 * plain[1])] {
        assert!((found / wanted - 1.0).abs() < 1e-3, "{found} instead of {wanted}");
    }
}

/// nice-plug finds the first note with such a number; the newest is meant.
#[test]
fn a_reused_voice_id_addresses_the_newest_voice() {
    let bundle = Bundle::new("again");
    let mut plugin = bundle.load();
    plugin.load_state(&state(&sine(&[]))[8..]).expect("loads");
    let on = |pitch| PluginEventData::NoteOn { channel: 0, pitch, tuning: 0.0, velocity: 0.8, length: 0, note_id: 7 };
    let up = PluginEventData::NoteExpressionValue { type_id: 2, note_id: 7, value: 0.5 + 1.0 / 240.0 };
    let [left, _] = play(&mut plugin, BLOCKS, |plugin, start| {
        let events = match start {
            0 => vec![on(57)],
            2560 => vec![on(76), up.clone()],
            _ => vec![],
        };
        events
            .into_iter()
            .for_each(|data| plugin.send_plugin_event(PluginEvent { data, ..PluginEvent::sysex(Vec::new()) }).expect("an event"));
    });
    // E5 and a semitone
    let (first, second) = (cents(&left, 4800, A3), cents(&left, 4800, 440.0 * 2_f64.powf(8.0 / 12.0)));
    assert!(first.abs() < 0.5 && second.abs() < 0.5, "{first} and {second} cents");
}

#[test]
fn key_pressure_and_release_velocity_are_applied() {
    let bundle = Bundle::new("pressure");
    let patch = sine(&[(ParamId::Decay, 4.0)]);
    let (first, second) = ((16, On { channel: 0, key: 57 }), (40, On { channel: 0, key: 64 }));
    let press = (9600, Midi(MidiEvent::PolyAftertouch { channel: MidiChannel::Ch1, note: 57, pressure: 127 }));
    let [left, _] = alone(&bundle, &patch, &[first, press], &[second]);
    let pressed = t60(&left, 10_560, A3);
    let wanted = 1000_f64.ln() / (1000_f64.ln() / 4.0 + 20.0);
    assert!((pressed / wanted - 1.0).abs() < 0.01, "{pressed} s instead of {wanted} s");

    let damped =
        sine(&[(ParamId::Decay, 2.0), (ParamId::Release, 1.0), (ParamId::ReleaseTime, 0.2), (ParamId::ReleaseVelocity, 0.5)]);
    for velocity in [20_u8, 120] {
        let strike = (16, Midi(MidiEvent::NoteOn { channel: MidiChannel::Ch1, note: 57, velocity: 100 }));
        let off = (9600, Midi(MidiEvent::NoteOff { channel: MidiChannel::Ch1, note: 57, velocity }));
        let time = t60(&alone(&bundle, &damped, &[strike, off], &[second])[0], 9616, A3);
        let wanted = 1.0 / (0.5 + 10_f64.powf(f64::from(velocity) / 127.0 - 0.5) / 0.2);
        assert!((time / wanted - 1.0).abs() < 0.02, "{time} s instead of {wanted} s");
    }
}

/// Bend, pressure, brightness and pedals of MPE through hidden parameters; the bits are those of the engine.
#[test]
fn mpe_and_pedals_work_through_hidden_parameters() {
    let bundle = Bundle::new("mpe");
    let zone = [(0, control(0, 101, 0)), (1, control(0, 100, 6)), (2, control(0, 6, 15))];
    let (first, second) = ((16, On { channel: 1, key: 57 }), (40, On { channel: 2, key: 64 }));
    let bend = |channel: usize, value: u16| Midi(MidiEvent::PitchBend { channel: CHANNELS[channel], value });
    let with = |more: &[(usize, Sent)]| [&zone[..], more].concat();
    let patch = sine(&[(ParamId::Decay, 4.0)]);
    let press = Midi(MidiEvent::ChannelAftertouch { channel: CHANNELS[1], pressure: 127 });
    let [left, _] = alone(&bundle, &patch, &with(&[first, (9600, bend(1, 8192 + 512)), (16_000, press)]), &with(&[second]));
    let bent = A3 * 2_f64.powf(4.0 * 512.0 / 8191.0);
    assert!(cents(&left, 10_560, bent).abs() < 0.5, "{} cents", cents(&left, 10_560, bent));
    let wanted = 1000_f64.ln() / (1000_f64.ln() / 4.0 + 20.0);
    let pressed = t60(&left, 16_960, bent);
    assert!((pressed / wanted - 1.0).abs() < 0.01, "{pressed} s instead of {wanted} s");

    let quiet = urto_engine::patch::Patch {
        settings: crate::support::timed_events::patch(&[(ParamId::Level, -10.0)]).settings,
        ..Patch::default()
    };
    let [dark, even, bright] = [0, 64, 127]
        .map(|value| centroid(&alone(&bundle, &quiet, &with(&[(16, control(1, 74, value)), first]), &with(&[second]))[0]));
    assert!(dark < 0.8 * even && bright > 1.25 * even, "{dark}, {even}, {bright} Hz");

    let damped = sine(&[(ParamId::Decay, 2.0), (ParamId::Release, 1.0), (ParamId::ReleaseTime, 0.2)]);
    let note = (16, Midi(MidiEvent::NoteOn { channel: CHANNELS[0], note: 57, velocity: 100 }));
    let off = (9600, Midi(MidiEvent::NoteOff { channel: CHANNELS[0], note: 57, velocity: 64 }));
    for (controller, at) in [(64, 8), (66, 4800)] {
        let heard = take(&bundle, &damped, &[note, (at, control(0, controller, 127)), off].map(|cue| cue));
        let time = t60(&heard[0], 9616, A3);
        assert!((time / 2.0 - 1.0).abs() < 0.02, "{time} s with pedal {controller}");
    }
    let plain = |channel, key| NoteId { voice: None, channel, key };
    let velocity = f64::from(100.0_f32 / 127.0);
    let expected = [
        (16, Event::NoteOn { note: plain(0, 57), velocity }),
        (4800, Event::NoteExpression { note: plain(0, 57), what: Expression::Pressure, value: f64::from(100.0_f32 / 127.0) }),
        (9600, Event::NoteOff { note: plain(0, 57), velocity: f64::from(64.0_f32 / 127.0) }),
    ];
    let press = (4800, Midi(MidiEvent::PolyAftertouch { channel: CHANNELS[0], note: 57, pressure: 100 }));
    assert_same(&take(&bundle, &damped, &[note, press, off]), &render_patch(&damped, RATE, BLOCKS * BLOCK, &expected, &[]));
}

#[test]
fn a_transport_start_restarts_humanise() {
    let bundle = Bundle::new("transport");
    let mut plugin = bundle.load();
    let human = patch(&[(ParamId::HumanSpeed, 1.0), (ParamId::Decay, 0.02), (ParamId::Loss, 0.1)]);
    plugin.load_state(&state(&human)[8..]).expect("loads");
    const PART: usize = 40_960;
    let sound = play(&mut plugin, 3 * PART / BLOCK, |plugin, start| {
        if start % PART == 0 {
            plugin.set_playing(start != PART).expect("a transport");
        }
        if start % (PART / 4) == 0 {
            plugin.send_midi_note(60, 100, MidiChannel::Ch1).expect("a note");
        }
    });
    let part = |i: usize| [0, 1].map(|side| sound[side][i * PART..(i + 1) * PART].to_vec());
    let [first, stopped, again] = [part(0), part(1), part(2)];
    let distance = |a: &Stereo, b: &Stereo| {
        let apart = a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        apart / b.iter().flatten().fold(0.0, |most, sample| sample.abs().max(most))
    };
    assert!(distance(&stopped, &first) > 0.1 && distance(&again, &first) < 1e-3, "{}", distance(&again, &first));
}
