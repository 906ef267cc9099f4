//! Pieces of the README's clips; each demonstrates one effect of contact physics.

use anyhow::Result;
use midly::num::{u4, u7, u15, u28};
use midly::{Format, Header, MetaMessage, MidiMessage, Smf, Timing, Track, TrackEvent, TrackEventKind};

/// Resolution of the files. Without a tempo event a MIDI file has 120 beats per minute.
const TICKS_PER_BEAT: u16 = 480;

/// One piece.
#[derive(Clone, Copy)]
pub struct Piece {
    /// File name without extension.
    pub name: &'static str,
    /// Preset or kit.
    pub preset: &'static str,
    /// Name of the piece whose sound drives the hammer.
    pub driven_by: Option<&'static str>,
    /// Time from the last event to the end [s].
    pub tail: f64,
    /// Notes and movements of the modulation wheel.
    score: fn() -> Vec<Event>,
}

/// A MIDI message and its time.
struct Event {
    /// Beats since the start.
    beat: f64,
    message: Message,
}

#[derive(Clone, Copy)]
enum Message {
    NoteOn {
        key: u8,
        velocity: u8,
    },
    NoteOff {
        key: u8,
    },
    /// Modulation wheel, controller 1.
    Wheel(u8),
}

/// All pieces in the order of the README.
pub fn all() -> impl Iterator<Item = Piece> {
    let default = Piece { name: "", preset: "", driven_by: None, tail: 2.0, score: Vec::new };
    [
        Piece { name: "seven_speeds", preset: "Rosewood Marimba", score: seven_speeds, ..default },
        Piece { name: "harder_mallet", preset: "Bass Marimba Yarn", score: harder_mallet, ..default },
        Piece { name: "bounce", preset: "Bouncing Marble", score: bounce, tail: 0.5, ..default },
        Piece { name: "tam_tam", preset: "Symphonic Tam-Tam", score: tam_tam, tail: 6.0, ..default },
        Piece { name: "kit", preset: "Studio Kit", score: groove, ..default },
        Piece { name: "wires", preset: "Snare with Wires", score: snare, tail: 1.0, ..default },
        Piece { name: "driven_plate", preset: "Vocal Plate", driven_by: Some("kit"), ..default },
    ]
    .into_iter()
}

/// One key at seven velocities, then a melody.
fn seven_speeds() -> Vec<Event> {
    let mut events: Vec<Event> = (0..7).flat_map(|i| note(0.5 * f64::from(i), 48, 15 + 18 * i as u8)).collect();
    let melody = [(55, 70), (60, 84), (64, 76), (67, 92), (72, 104), (67, 60), (64, 68), (60, 96)];
    events.extend(melody.iter().enumerate().flat_map(|(i, &(key, velocity))| note(4.0 + 0.375 * i as f64, key, velocity)));
    events
}

/// Eight strikes of one velocity while the modulation wheel hardens the mallet.
fn harder_mallet() -> Vec<Event> {
    let strike = |i: u8| {
        let beat = 0.75 * f64::from(i);
        [Event { beat, message: Message::Wheel(18 * i) }].into_iter().chain(note(beat, [36, 43, 48, 43][usize::from(i) % 4], 96))
    };
    (0..8).flat_map(strike).collect()
}

/// Three marbles that fall from different heights.
fn bounce() -> Vec<Event> {
    [(0.0, 60, 100), (3.0, 67, 70), (5.0, 72, 45)]
        .into_iter()
        .flat_map(|(beat, key, velocity)| held_note(beat, key, velocity, 4.0))
        .collect()
}

/// A crescendo roll and one loud strike.
fn tam_tam() -> Vec<Event> {
    let mut events: Vec<Event> = (0..24).flat_map(|i| note(0.25 * f64::from(i), 60, 20 + 3 * i as u8)).collect();
    events.extend(note(7.0, 60, 118));
    events
}

/// Two bars of a drum groove on the keys of General MIDI.
fn groove() -> Vec<Event> {
    let mut events = Vec::new();
    for bar in 0..2 {
        let start = 4.0 * f64::from(bar);
        for eighth in 0..8 {
            events.extend(note(start + 0.5 * f64::from(eighth), 42, if eighth % 2 == 0 { 88 } else { 58 }));
        }
        for (beat, key, velocity) in
            [(0.0, 36, 112), (1.0, 38, 104), (1.75, 38, 34), (2.25, 36, 84), (2.5, 36, 104), (3.0, 38, 110)]
        {
            events.extend(note(start + beat, key, velocity));
        }
    }
    for (i, key) in [50, 50, 48, 47, 45, 43].into_iter().enumerate() {
        events.extend(note(6.5 + 0.25 * i as f64, key, 84 + 6 * i as u8));
    }
    events.extend(note(8.0, 36, 118));
    events.extend(note(8.0, 49, 110));
    events
}

/// A snare drum from very soft to very loud: the response of the wires depends on the velocity.
fn snare() -> Vec<Event> {
    let beats = [0.0, 0.75, 1.0, 1.5, 2.0, 2.25, 2.5, 2.75, 3.0, 3.5, 4.0, 4.125, 4.25, 4.375, 4.5, 5.0];
    let velocities = [30, 24, 62, 36, 84, 30, 40, 54, 100, 44, 28, 40, 56, 74, 96, 122];
    beats.into_iter().zip(velocities).flat_map(|(beat, velocity)| note(beat, 60, velocity)).collect()
}

/// A short note.
fn note(beat: f64, key: u8, velocity: u8) -> [Event; 2] {
    held_note(beat, key, velocity, 0.2)
}

/// A note of `beats` beats.
fn held_note(beat: f64, key: u8, velocity: u8, beats: f64) -> [Event; 2] {
    let note_on = Event { beat, message: Message::NoteOn { key, velocity } };
    [note_on, Event { beat: beat + beats, message: Message::NoteOff { key } }]
}

impl Piece {
    /// The piece as a MIDI file.
    pub fn midi_file(&self) -> Result<Vec<u8>> {
        let mut events: Vec<(u32, Message)> = (self.score)().iter().map(|event| (ticks(event.beat), event.message)).collect();
        // repeated notes: the note-off of a tick precedes the note-on
        events.sort_by_key(|(tick, message)| (*tick, matches!(message, Message::NoteOn { .. })));
        let (mut track, mut now): (Track, u32) = (Vec::new(), 0);
        for (tick, message) in events {
            let message = match message {
                Message::NoteOn { key, velocity } => MidiMessage::NoteOn { key: u7::new(key), vel: u7::new(velocity) },
                Message::NoteOff { key } => MidiMessage::NoteOff { key: u7::new(key), vel: u7::new(64) },
                Message::Wheel(value) => MidiMessage::Controller { controller: u7::new(1), value: u7::new(value) },
            };
            let kind = TrackEventKind::Midi { channel: u4::new(0), message };
            track.push(TrackEvent { delta: u28::new(tick - now), kind });
            now = tick;
        }
        track.push(TrackEvent { delta: u28::new(0), kind: TrackEventKind::Meta(MetaMessage::EndOfTrack) });
        let header = Header::new(Format::SingleTrack, Timing::Metrical(u15::new(TICKS_PER_BEAT)));
        let mut bytes = Vec::new();
        Smf { header, tracks: vec![track] }.write_std(&mut bytes)?;
        Ok(bytes)
    }
}

fn ticks(beat: f64) -> u32 {
    (beat * f64::from(TICKS_PER_BEAT)).round() as u32
}

#[cfg(test)]
mod tests {
    use super::all;
    use std::path::Path;

    #[test]
    fn the_readme_links_to_every_clip() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
        for piece in all() {
            let file = format!("assets/audio/{}.flac", piece.name);
            assert!(readme.contains(&format!("({file})")), "README.md does not link to {file}");
            assert!(root.join(&file).exists(), "{file} is missing; render it with `cargo xtask clips`");
        }
    }
}
