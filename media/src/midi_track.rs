//! Notes as a track of a MIDI file.

use midly::num::{u4, u7, u28};
use midly::{MetaMessage, MidiMessage, Track, TrackEvent, TrackEventKind};

/// Resolution of the files.
pub const TICKS_PER_BEAT: u16 = 480;

/// One note.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Note {
    /// Beats since the start; before it, the note begins at the start.
    pub onset: f64,
    /// MIDI key.
    pub key: u8,
    /// Velocity, 1 to 127.
    pub velocity: u8,
    /// Duration [beats].
    pub length: f64,
}

/// Time of a beat in ticks.
pub fn ticks(beat: f64) -> u32 {
    (beat * f64::from(TICKS_PER_BEAT)).round().max(0.0) as u32
}

/// A meta event, `delta` ticks after the event before it.
pub fn meta_event(delta: u32, message: MetaMessage<'_>) -> TrackEvent<'_> {
    TrackEvent { delta: u28::new(delta), kind: TrackEventKind::Meta(message) }
}

/// A track that begins with `first`, a meta event, and plays `notes` on `channel`, from 0.
pub fn track<'a>(first: MetaMessage<'a>, channel: u8, notes: &[Note]) -> Track<'a> {
    let mut events: Vec<(u32, MidiMessage)> = Vec::new();
    for &Note { onset, key, velocity, length } in notes {
        let (key, vel) = (u7::new(key), u7::new(velocity));
        events.push((ticks(onset), MidiMessage::NoteOn { key, vel }));
        events.push((ticks(onset + length), MidiMessage::NoteOff { key, vel: u7::new(64) }));
    }
    // repeated notes: the note-off of a tick precedes the note-on
    events.sort_by_key(|(tick, message)| (*tick, matches!(message, MidiMessage::NoteOn { .. })));
    let mut track = vec![meta_event(0, first)];
    let mut now = 0;
    for (tick, message) in events {
        let kind = TrackEventKind::Midi { channel: u4::new(channel), message };
        track.push(TrackEvent { delta: u28::new(tick - now), kind });
        now = tick;
    }
    track.push(meta_event(0, MetaMessage::EndOfTrack));
    track
}
