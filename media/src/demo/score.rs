//! The piece: seven bars and a last chord for gong, strings, wooden and metal bars. Composed here, stored as a MIDI file in
//! `assets/demo/`, read back from there by the demo.

use super::host::{Action, Timed};
use anyhow::{Context, Result};
use midly::num::{u4, u7, u15, u24, u28};
use midly::{Format, Header, MetaMessage, MidiMessage, Smf, Timing, Track, TrackEvent, TrackEventKind};
use std::collections::BTreeMap;

/// Where the piece is stored, from the root of the repository.
pub const FILE: &str = "assets/demo/first_strike.mid";

const TICKS_PER_BEAT: u16 = 480;
const BEATS_PER_BAR: f64 = 4.0;
/// 112 beats a minute [us per beat].
const TEMPO: u32 = 535_714;
/// The last bar before the chord broadens to 96 beats a minute [us per beat].
const BROAD_TEMPO: u32 = 625_000;

/// One note: beat from the start, key, velocity, length in beats.
type Note = (f64, u8, u8, f64);

/// The tones of a bar from low to high: D minor, D minor, B flat, F, G minor, A minor 7, C.
const CHORDS: [[u8; 4]; 7] = [
    [62, 69, 74, 77],
    [62, 69, 74, 76],
    [58, 65, 74, 77],
    [60, 65, 72, 77],
    [58, 67, 70, 74],
    [57, 64, 72, 76],
    [60, 67, 72, 79],
];
/// The deep string under each bar.
const BASSES: [u8; 7] = [38, 38, 34, 41, 43, 45, 36];
/// Eighths of a bar in groups of 3 + 3 + 2: tone of the chord, velocity.
const FIGURE: [(usize, u8); 8] = [(0, 94), (2, 62), (3, 70), (1, 88), (2, 60), (3, 68), (1, 84), (2, 66)];
/// Melody of the metal bars from bar 3: bar and beat counted from 0, key, velocity, length.
const MELODY: [(f64, f64, u8, u8, f64); 16] = [
    (2.0, 0.0, 81, 84, 1.5),
    (2.0, 1.5, 79, 70, 1.0),
    (2.0, 2.5, 77, 76, 1.5),
    (3.0, 0.0, 84, 88, 1.5),
    (3.0, 1.5, 81, 70, 1.0),
    (3.0, 3.0, 79, 64, 1.0),
    (4.0, 0.0, 82, 86, 1.5),
    (4.0, 1.5, 86, 92, 1.5),
    (4.0, 3.0, 84, 72, 1.0),
    (5.0, 0.0, 88, 94, 1.5),
    (5.0, 1.5, 84, 74, 1.0),
    (5.0, 2.5, 79, 80, 1.5),
    (6.0, 0.0, 81, 74, 0.5),
    (6.0, 0.5, 84, 80, 0.5),
    (6.0, 1.0, 86, 86, 0.5),
    (6.0, 1.5, 88, 92, 2.5),
];

fn beat(bar: usize) -> f64 {
    bar as f64 * BEATS_PER_BAR
}

/// The instruments' tracks: preset that plays, notes.
fn parts() -> Vec<(&'static str, Vec<Note>)> {
    vec![("Bossed Gong", gong()), ("Piano Wire", strings()), ("Rosewood Bars", wood()), ("Orff Metallophone", metal())]
}

fn gong() -> Vec<Note> {
    vec![(0.0, 50, 84, 4.0), (beat(4), 43, 72, 4.0), (beat(7), 50, 104, 8.0)]
}

fn strings() -> Vec<Note> {
    let mut notes = Vec::new();
    for (bar, &bass) in BASSES.iter().enumerate().skip(1) {
        let (at, push) = (beat(bar), if bar >= 4 { 8 } else { 0 });
        notes.extend([(at, bass, 92 + push, 1.4), (at + 1.5, bass, 66 + push, 0.9), (at + 2.5, bass + 12, 80 + push, 1.3)]);
    }
    // a chord spread from the bottom, left to ring
    notes
        .extend([38, 45, 50, 57, 64].iter().enumerate().map(|(i, &key)| (beat(7) + 0.06 * i as f64, key, 98 - 4 * i as u8, 8.0)));
    notes
}

fn wood() -> Vec<Note> {
    let mut notes = Vec::new();
    for (bar, chord) in CHORDS.iter().enumerate() {
        let swell = [0, 2, 4, 6, 12, 16, 20][bar];
        for (eighth, &(tone, velocity)) in FIGURE.iter().enumerate() {
            let at = beat(bar) + 0.5 * eighth as f64;
            notes.push((at, chord[tone], (velocity + swell).min(120), 0.45));
            // the other hand answers softly an octave higher once the piece has grown
            if bar >= 4 && eighth % 2 == 1 {
                notes.push((at + 0.25, chord[(tone + 1) % 4] + 12, 44 + swell, 0.2));
            }
        }
    }
    notes.extend([62, 69, 74].iter().enumerate().map(|(i, &key)| (beat(7) + 0.06 * i as f64, key, 96, 1.0)));
    notes
}

fn metal() -> Vec<Note> {
    let mut notes: Vec<Note> =
        MELODY.iter().map(|&(bar, at, key, velocity, length)| (bar * 4.0 + at, key, velocity, length)).collect();
    notes.extend(
        [74, 81, 86, 88].iter().enumerate().map(|(i, &key)| (beat(7) + 0.18 + 0.08 * i as f64, key, 90 - 5 * i as u8, 8.0)),
    );
    notes
}

/// The piece as the bytes of a MIDI file.
pub fn compose() -> Result<Vec<u8>> {
    let parts = parts();
    let mut tracks = vec![tempo_track()];
    for (channel, (name, notes)) in parts.iter().enumerate() {
        tracks.push(track(name, channel as u8, notes));
    }
    let smf = Smf { header: Header::new(Format::Parallel, Timing::Metrical(u15::new(TICKS_PER_BEAT))), tracks };
    let mut bytes = Vec::new();
    smf.write_std(&mut bytes)?;
    Ok(bytes)
}

fn ticks(beat: f64) -> u32 {
    (beat * f64::from(TICKS_PER_BEAT)).round() as u32
}

fn meta(delta: u32, message: MetaMessage<'_>) -> TrackEvent<'_> {
    TrackEvent { delta: u28::new(delta), kind: TrackEventKind::Meta(message) }
}

fn tempo_track() -> Track<'static> {
    vec![
        meta(0, MetaMessage::TrackName(b"First Strike")),
        meta(0, MetaMessage::TimeSignature(4, 2, 24, 8)),
        meta(0, MetaMessage::Tempo(u24::new(TEMPO))),
        meta(ticks(beat(6) + 2.0), MetaMessage::Tempo(u24::new(BROAD_TEMPO))),
        meta(0, MetaMessage::EndOfTrack),
    ]
}

fn track<'a>(name: &'a str, channel: u8, notes: &[Note]) -> Track<'a> {
    let mut events: Vec<(u32, MidiMessage)> = Vec::new();
    for &(at, key, velocity, length) in notes {
        let (key, vel) = (u7::new(key), u7::new(velocity));
        events.push((ticks(at), MidiMessage::NoteOn { key, vel }));
        events.push((ticks(at + length), MidiMessage::NoteOff { key, vel: u7::new(64) }));
    }
    // at the same tick a key is released before it is struck again
    events.sort_by_key(|(tick, message)| (*tick, matches!(message, MidiMessage::NoteOn { .. })));
    let mut track = vec![meta(0, MetaMessage::TrackName(name.as_bytes()))];
    let mut now = 0;
    for (tick, message) in events {
        let kind = TrackEventKind::Midi { channel: u4::new(channel), message };
        track.push(TrackEvent { delta: u28::new(tick - now), kind });
        now = tick;
    }
    track.push(meta(0, MetaMessage::EndOfTrack));
    track
}

/// A MIDI file as played: every named track's notes at their frames, and the frame of each beat for automation.
pub struct Performance {
    /// Track name and its notes, in order of frames.
    pub parts: Vec<(String, Vec<Timed>)>,
    tempi: BTreeMap<u32, f64>,
    beat: f64,
    rate: f64,
}

impl Performance {
    /// Reads a MIDI file of parallel tracks timed in beats, for a sample rate [Hz].
    pub fn read(bytes: &[u8], rate: f64) -> Result<Self> {
        let smf = Smf::parse(bytes).context("not a readable MIDI file")?;
        let Timing::Metrical(beat) = smf.header.timing else { anyhow::bail!("the MIDI file is not timed in beats") };
        let mut tempi = BTreeMap::from([(0, 0.5)]);
        for (tick, kind) in smf.tracks.iter().flat_map(|track| absolute(track)) {
            if let TrackEventKind::Meta(MetaMessage::Tempo(us)) = kind {
                tempi.insert(tick, f64::from(us.as_int()) * 1e-6);
            }
        }
        let mut read = Self { parts: Vec::new(), tempi, beat: f64::from(beat.as_int()), rate };
        for track in &smf.tracks {
            let (name, notes) = (name(track), read.notes(track));
            if !notes.is_empty() {
                read.parts.push((name, notes));
            }
        }
        Ok(read)
    }

    /// The frame of a beat counted from the start.
    pub fn frame(&self, beat: f64) -> u64 {
        let tick = beat * self.beat;
        let mut seconds = 0.0;
        for (i, (&from, &length)) in self.tempi.iter().enumerate() {
            let until = self.tempi.keys().nth(i + 1).map_or(f64::INFINITY, |&t| f64::from(t));
            seconds += (tick.min(until) - f64::from(from)).max(0.0) / self.beat * length;
        }
        (seconds * self.rate).round() as u64
    }

    fn notes(&self, track: &[TrackEvent]) -> Vec<Timed> {
        let played = absolute(track).filter_map(|(tick, kind)| {
            let TrackEventKind::Midi { message, .. } = kind else { return None };
            let action = match message {
                MidiMessage::NoteOn { key, vel } if vel > 0 => Action::NoteOn(key.as_int(), vel.as_int()),
                MidiMessage::NoteOn { key, .. } | MidiMessage::NoteOff { key, .. } => Action::NoteOff(key.as_int()),
                _ => return None,
            };
            Some(Timed { frame: self.frame(f64::from(tick) / self.beat), action })
        });
        played.collect()
    }
}

fn absolute<'a, 'b>(track: &'b [TrackEvent<'a>]) -> impl Iterator<Item = (u32, TrackEventKind<'a>)> + 'b {
    track.iter().scan(0, |tick, event| {
        *tick += event.delta.as_int();
        Some((*tick, event.kind))
    })
}

fn name(track: &[TrackEvent]) -> String {
    let named = track.iter().find_map(|event| match event.kind {
        TrackEventKind::Meta(MetaMessage::TrackName(name)) => Some(String::from_utf8_lossy(name).into_owned()),
        _ => None,
    });
    named.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn the_stored_piece_is_the_one_composed_here() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(FILE);
        assert!(std::fs::read(path).unwrap() == compose().unwrap(), "run `cargo xtask score` and commit {FILE}");
    }

    #[test]
    fn notes_stand_where_tempo_changes_put_them() {
        let read = Performance::read(&compose().unwrap(), 48_000.0).unwrap();
        let (tempo, broad) = (f64::from(TEMPO) * 1e-6, f64::from(BROAD_TEMPO) * 1e-6);
        assert_eq!(read.frame(4.0), (4.0 * tempo * 48_000.0).round() as u64);
        assert_eq!(read.frame(28.0), ((26.0 * tempo + 2.0 * broad) * 48_000.0).round() as u64);
        let names: Vec<_> = read.parts.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["Bossed Gong", "Piano Wire", "Rosewood Bars", "Orff Metallophone"]);
        let gong = &read.parts[0].1;
        assert_eq!(gong[0], Timed { frame: 0, action: Action::NoteOn(50, 84) });
        assert_eq!(gong[4].frame, read.frame(28.0));
    }
}
