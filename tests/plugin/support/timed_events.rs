//! Events of a CLAP host by frame, and the engine events that they become.

use clack_host::events::Match;
use clack_host::events::event_types::{
    MidiEvent, NoteExpressionEvent, NoteExpressionType, NoteOffEvent, NoteOnEvent, ParamModEvent,
};
use clack_host::prelude::*;
use urto_engine::params::ParamId;
use urto_engine::patch::Patch;
use urto_engine::{Event, Expression, NoteId};

use crate::support::clap_host::Clap;
use crate::support::engine_reference::{Stereo, peak, render_patch};

/// Rate of takes [Hz].
pub const RATE: f64 = 48_000.0;
const BLOCK: usize = 512;
/// Velocity of all notes that a host sends with a voice.
const VELOCITY: f64 = 0.8;

/// One thing that a host sends.
#[derive(Clone, Copy, Debug)]
pub enum Cue {
    /// A note with its voice, on channel 0.
    On { voice: u32, key: u8 },
    /// The same note goes up.
    Off { voice: u32, key: u8 },
    /// A note expression for a voice, without channel or key.
    Say { voice: u32, what: NoteExpressionType, value: f64 },
    /// Modulation of a param for a voice, without channel or key.
    Move { voice: u32, param: ParamId, travel: f64 },
    /// Modulation of a param for all notes.
    MoveAll { param: ParamId, travel: f64 },
    /// A param is set, 0 to 1.
    Turn { param: ParamId, travel: f64 },
    /// A message of MIDI.
    Midi([u8; 3]),
}

use Cue::*;

/// Cues and their frames, in order.
pub type Score = Vec<(usize, Cue)>;

/// The patch with some params elsewhere.
pub fn patch(params: &[(ParamId, f64)]) -> Patch {
    let mut patch = Patch::default();
    params.iter().for_each(|&(param, value)| patch.settings.set(param, value));
    patch
}

/// One mode of a string that hardly decays, softly struck: a sine, far from the limiter.
pub fn sine(params: &[(ParamId, f64)]) -> Patch {
    use ParamId::*;
    let mut sine = patch(&[(Body, 0.0), (Modes, 1.0), (Decay, 200.0), (Loss, 0.0), (Viscosity, 0.0), (Stiffness, 3.0)]);
    params.iter().for_each(|&(param, value)| sine.settings.set(param, value));
    sine
}

/// What the plugin makes of `score` in `frames`.
pub fn take(patch: &Patch, frames: usize, score: &[(usize, Cue)]) -> Stereo {
    let mut clap = Clap::with(patch);
    clap.start(RATE);
    perform(&mut clap, frames, score)
}

/// What a running plugin makes of `score`.
pub fn perform(clap: &mut Clap, frames: usize, score: &[(usize, Cue)]) -> Stereo {
    let send = |clap: &Clap, span: std::ops::Range<usize>, events: &mut EventBuffer| {
        for (frame, cue) in score.iter().filter(|(frame, _)| span.contains(frame)) {
            push(clap, (frame - span.start) as u32, cue, events);
        }
    };
    clap.blocks((0..frames.div_ceil(BLOCK)).map(|_| BLOCK), send, None)
}

fn push(clap: &Clap, time: u32, cue: &Cue, events: &mut EventBuffer) {
    let of = |voice: u32| Pckn::new(Match::All, Match::All, Match::All, voice);
    let with = |voice: u32, key: u8| Pckn::new(0u16, 0u16, u16::from(key), voice);
    match *cue {
        On { voice, key } => events.push(&NoteOnEvent::new(time, with(voice, key), VELOCITY)),
        Off { voice, key } => events.push(&NoteOffEvent::new(time, with(voice, key), 0.5)),
        Say { voice, what, value } => events.push(&NoteExpressionEvent::new(time, of(voice), what, value)),
        Move { voice, param, travel } => events.push(&ParamModEvent::new(time, clap.id(param), of(voice), travel)),
        MoveAll { param, travel } => events.push(&ParamModEvent::new(time, clap.id(param), Pckn::match_all(), travel)),
        Turn { param, travel } => events.push(&clap.turn(time, param, travel)),
        Midi(bytes) => events.push(&MidiEvent::new(time, 0, bytes)),
    }
}

/// The same by the engine alone, without modulation and parameter changes.
pub fn expected(patch: &Patch, frames: usize, score: &[(usize, Cue)]) -> Stereo {
    let key = |voice: u32| {
        let on = score.iter().find_map(|(_, cue)| matches!(cue, On { voice: v, .. } if *v == voice).then_some(*cue));
        let Some(On { key, .. }) = on else { panic!("voice {voice} has not begun") };
        key
    };
    let voice = |voice: u32, key: u8| NoteId { voice: Some(voice as i32), channel: 0, key };
    let event = |cue: &Cue| match *cue {
        On { voice: v, key } => Event::NoteOn { note: voice(v, key), velocity: f64::from(VELOCITY as f32) },
        Off { voice: v, key } => Event::NoteOff { note: voice(v, key), velocity: 0.5 },
        Say { voice: v, what, value } => {
            let what = match what {
                NoteExpressionType::Volume => Expression::Volume,
                NoteExpressionType::Pan => Expression::Pan,
                NoteExpressionType::Tuning => Expression::Tuning,
                NoteExpressionType::Expression => Expression::Expression,
                NoteExpressionType::Brightness => Expression::Brightness,
                NoteExpressionType::Pressure => Expression::Pressure,
                _ => panic!("{what:?}"),
            };
            Event::NoteExpression { note: voice(v, key(v)), what, value: f64::from(value as f32) }
        }
        Midi(bytes) => message(bytes),
        Move { .. } | MoveAll { .. } | Turn { .. } => panic!("{cue:?}"),
    };
    let events: Vec<_> = score.iter().map(|(frame, cue)| (*frame, event(cue))).collect();
    render_patch(patch, RATE, frames.div_ceil(BLOCK) * BLOCK, &events, &[])
}

/// The engine's event for a message of MIDI.
pub fn message([status, first, second]: [u8; 3]) -> Event {
    let channel = status & 15;
    let part = |byte: u8| f64::from(f32::from(byte) / 127.0);
    let note = NoteId { voice: None, channel, key: first };
    match status >> 4 {
        8 => Event::NoteOff { note, velocity: part(second) },
        9 if second > 0 => Event::NoteOn { note, velocity: part(second) },
        10 => Event::NoteExpression { note, what: Expression::Pressure, value: part(second) },
        11 => Event::Controller { channel, number: first, value: part(second) },
        13 => Event::Pressure { channel, value: part(first) },
        _ => panic!("{status:x}"),
    }
}

/// The sound of `first` alone, from a rendering with `second`, which has to be unaffected by the changes of `first`.
pub fn alone(patch: &Patch, frames: usize, first: &[(usize, Cue)], second: &[(usize, Cue)]) -> Stereo {
    let mut both: Score = first.iter().chain(second).copied().collect();
    both.sort_by_key(|(frame, _)| *frame);
    let both = take(patch, frames, &both);
    let (first, second) = (take(patch, frames, first), take(patch, frames, second));
    assert!(peak(&first) > 0.005 && peak(&second) > 0.005 && peak(&both) < 0.5, "{}", peak(&both));
    for (channel, both) in both.iter().enumerate() {
        let rest = |frame: usize| (both[frame] - first[channel][frame] - second[channel][frame]).abs();
        let apart = (0..both.len()).map(rest).fold(0.0, f32::max);
        assert!(apart < 1e-6, "the other note changes by {apart:e}");
    }
    first
}
