//! The pieces: each shows one thing that follows from contact.

use anyhow::Result;
use midly::num::{u4, u7, u15, u28};
use midly::{Format, Header, MetaMessage, MidiMessage, Smf, Timing, Track, TrackEvent, TrackEventKind};

/// At 120 beats a minute, which a MIDI file has where it says nothing.
const TICKS_PER_BEAT: u16 = 480;

/// One piece.
#[derive(Clone, Copy)]
pub struct Piece {
    /// Name of the file.
    pub name: &'static str,
    /// The preset or kit that plays.
    pub preset: &'static str,
    /// The piece whose sound pushes the hammer.
    pub driven_by: Option<&'static str>,
    /// What follows the last event [s].
    pub tail: f64,
    /// Its notes and the moves of the wheel.
    score: fn() -> Vec<Event>,
}

/// What happens at a beat.
type Event = (f64, Touch);

#[derive(Clone, Copy)]
enum Touch {
    /// Key and velocity.
    Strike(u8, u8),
    Release(u8),
    Wheel(u8),
}

/// All of them, in the README's order.
pub fn all() -> impl Iterator<Item = Piece> {
    let plain = Piece { name: "", preset: "", driven_by: None, tail: 2.0, score: Vec::new };
    [
        Piece { name: "seven_speeds", preset: "Rosewood Marimba", score: seven_speeds, ..plain },
        Piece { name: "harder_mallet", preset: "Bass Marimba Yarn", score: harder_mallet, ..plain },
        Piece { name: "bounce", preset: "Bouncing Marble", score: bounce, tail: 0.5, ..plain },
        Piece { name: "tam_tam", preset: "Symphonic Tam-Tam", score: tam_tam, tail: 6.0, ..plain },
        Piece { name: "kit", preset: "Studio Kit", score: groove, ..plain },
        Piece { name: "wires", preset: "Snare with Wires", score: snare, tail: 1.0, ..plain },
        Piece { name: "driven_plate", preset: "Vocal Plate", driven_by: Some("kit"), ..plain },
    ]
    .into_iter()
}

/// One key at seven speeds of the hammer, then a line.
fn seven_speeds() -> Vec<Event> {
    let mut events: Vec<Event> = (0..7).flat_map(|i| note(0.5 * f64::from(i), 48, 15 + 18 * i as u8)).collect();
    let line = [(55, 70), (60, 84), (64, 76), (67, 92), (72, 104), (67, 60), (64, 68), (60, 96)];
    events.extend(line.iter().enumerate().flat_map(|(i, &(key, velocity))| note(4.0 + 0.375 * i as f64, key, velocity)));
    events
}

/// Eight strokes of one speed while the wheel hardens the mallet.
fn harder_mallet() -> Vec<Event> {
    let stroke = |i: u8| {
        let beat = 0.75 * f64::from(i);
        [(beat, Touch::Wheel(18 * i))].into_iter().chain(note(beat, [36, 43, 48, 43][usize::from(i) % 4], 96))
    };
    (0..8).flat_map(stroke).collect()
}

/// Three marbles dropped from different heights.
fn bounce() -> Vec<Event> {
    [(0.0, 60, 100), (3.0, 67, 70), (5.0, 72, 45)]
        .into_iter()
        .flat_map(|(beat, key, velocity)| held(beat, key, velocity, 4.0))
        .collect()
}

/// A roll that grows, and one blow.
fn tam_tam() -> Vec<Event> {
    let mut events: Vec<Event> = (0..24).flat_map(|i| note(0.25 * f64::from(i), 60, 20 + 3 * i as u8)).collect();
    events.extend(note(7.0, 60, 118));
    events
}

/// Two bars of a drum kit on the keys of General MIDI.
fn groove() -> Vec<Event> {
    let mut events = Vec::new();
    for bar in 0..2 {
        let at = 4.0 * f64::from(bar);
        for eighth in 0..8 {
            events.extend(note(at + 0.5 * f64::from(eighth), 42, if eighth % 2 == 0 { 88 } else { 58 }));
        }
        for (beat, key, velocity) in
            [(0.0, 36, 112), (1.0, 38, 104), (1.75, 38, 34), (2.25, 36, 84), (2.5, 36, 104), (3.0, 38, 110)]
        {
            events.extend(note(at + beat, key, velocity));
        }
    }
    for (i, key) in [50, 50, 48, 47, 45, 43].into_iter().enumerate() {
        events.extend(note(6.5 + 0.25 * i as f64, key, 84 + 6 * i as u8));
    }
    events.extend(note(8.0, 36, 118));
    events.extend(note(8.0, 49, 110));
    events
}

/// A snare drum from a whisper to a blow: what the wires answer is not a sample of it.
fn snare() -> Vec<Event> {
    let beats = [0.0, 0.75, 1.0, 1.5, 2.0, 2.25, 2.5, 2.75, 3.0, 3.5, 4.0, 4.125, 4.25, 4.375, 4.5, 5.0];
    let velocities = [30, 24, 62, 36, 84, 30, 40, 54, 100, 44, 28, 40, 56, 74, 96, 122];
    beats.into_iter().zip(velocities).flat_map(|(beat, velocity)| note(beat, 60, velocity)).collect()
}

fn note(beat: f64, key: u8, velocity: u8) -> [Event; 2] {
    held(beat, key, velocity, 0.2)
}

fn held(beat: f64, key: u8, velocity: u8, beats: f64) -> [Event; 2] {
    [(beat, Touch::Strike(key, velocity)), (beat + beats, Touch::Release(key))]
}

impl Piece {
    /// As the bytes of a MIDI file.
    pub fn song(&self) -> Result<Vec<u8>> {
        let mut events: Vec<(u32, Touch)> = (self.score)().iter().map(|&(beat, touch)| (ticks(beat), touch)).collect();
        // at one tick a key is released before it is struck again
        events.sort_by_key(|(tick, touch)| (*tick, matches!(touch, Touch::Strike(..))));
        let (mut track, mut now): (Track, u32) = (Vec::new(), 0);
        for (tick, touch) in events {
            let message = match touch {
                Touch::Strike(key, velocity) => MidiMessage::NoteOn { key: u7::new(key), vel: u7::new(velocity) },
                Touch::Release(key) => MidiMessage::NoteOff { key: u7::new(key), vel: u7::new(64) },
                Touch::Wheel(value) => MidiMessage::Controller { controller: u7::new(1), value: u7::new(value) },
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

    /// The README leads to every clip, and each is there.
    #[test]
    fn the_readme_leads_to_every_clip() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
        for piece in all() {
            let file = format!("assets/audio/{}.flac", piece.name);
            assert!(readme.contains(&format!("({file})")), "the README does not lead to {file}");
            assert!(root.join(&file).exists(), "{file} is missing; `cargo xtask clips` makes it");
        }
    }
}
