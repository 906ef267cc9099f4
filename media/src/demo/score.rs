//! The demo's piece: seven bars and a final chord for gong, strings, wooden bars and metal bars.
//!
//! `compose` writes the MIDI file in `assets/demo/`; the demo reads that file.

use super::host::{Action, TimedAction};
use crate::midi_track::{Note, TICKS_PER_BEAT, meta_event, ticks, track};
use anyhow::{Context, Result};
use midly::num::{u15, u24};
use midly::{Format, Header, MetaMessage, MidiMessage, Smf, Timing, Track, TrackEvent, TrackEventKind};
use std::collections::BTreeMap;

/// MIDI file of the piece, relative to the workspace.
pub const FILE: &str = "assets/demo/first_strike.mid";

const BEATS_PER_BAR: f64 = 4.0;
/// Main tempo, 112 beats per minute [µs per beat].
const TEMPO: u32 = 535_714;
/// Tempo from the middle of bar 7, the last before the final chord: 96 beats per minute [µs per beat].
const FINAL_TEMPO: u32 = 625_000;

const fn note(onset: f64, key: u8, velocity: u8, length: f64) -> Note {
    Note { onset, key, velocity, length }
}

/// A note of a chord.
struct FigureNote {
    /// Index in the chord.
    tone: usize,
    velocity: u8,
}

const fn figure_note(tone: usize, velocity: u8) -> FigureNote {
    FigureNote { tone, velocity }
}

/// Keys of the chord of each bar, ascending: D minor, D minor, B flat, F, G minor, A minor 7, C.
const CHORDS: [[u8; 4]; 7] = [
    [62, 69, 74, 77],
    [62, 69, 74, 76],
    [58, 65, 74, 77],
    [60, 65, 72, 77],
    [58, 67, 70, 74],
    [57, 64, 72, 76],
    [60, 67, 72, 79],
];
/// Bass key of each bar.
const BASSES: [u8; 7] = [38, 38, 34, 41, 43, 45, 36];
/// Eighth notes of a bar, accented in groups of 3 + 3 + 2.
const FIGURE: [FigureNote; 8] = [
    figure_note(0, 94),
    figure_note(2, 62),
    figure_note(3, 70),
    figure_note(1, 88),
    figure_note(2, 60),
    figure_note(3, 68),
    figure_note(1, 84),
    figure_note(2, 66),
];
/// Melody of the metal bars from the third bar on.
const MELODY: [Note; 16] = [
    note(beat(2) + 0.0, 81, 84, 1.5),
    note(beat(2) + 1.5, 79, 70, 1.0),
    note(beat(2) + 2.5, 77, 76, 1.5),
    note(beat(3) + 0.0, 84, 88, 1.5),
    note(beat(3) + 1.5, 81, 70, 1.0),
    note(beat(3) + 3.0, 79, 64, 1.0),
    note(beat(4) + 0.0, 82, 86, 1.5),
    note(beat(4) + 1.5, 86, 92, 1.5),
    note(beat(4) + 3.0, 84, 72, 1.0),
    note(beat(5) + 0.0, 88, 94, 1.5),
    note(beat(5) + 1.5, 84, 74, 1.0),
    note(beat(5) + 2.5, 79, 80, 1.5),
    note(beat(6) + 0.0, 81, 74, 0.5),
    note(beat(6) + 0.5, 84, 80, 0.5),
    note(beat(6) + 1.0, 86, 86, 0.5),
    note(beat(6) + 1.5, 88, 92, 2.5),
];

/// First beat of a bar; both count from 0.
const fn beat(bar: usize) -> f64 {
    bar as f64 * BEATS_PER_BAR
}

/// A track of the composition.
struct Part {
    /// Name of the track, which is the name of its preset.
    name: &'static str,
    notes: Vec<Note>,
}

fn parts() -> [Part; 4] {
    [
        Part { name: "Bossed Gong", notes: gong() },
        Part { name: "Piano Wire", notes: strings() },
        Part { name: "Rosewood Bars", notes: wooden_bars() },
        Part { name: "Orff Metallophone", notes: metal_bars() },
    ]
}

fn gong() -> Vec<Note> {
    vec![note(0.0, 50, 84, 4.0), note(beat(4), 43, 72, 4.0), note(beat(7), 50, 104, 8.0)]
}

fn strings() -> Vec<Note> {
    let mut notes = Vec::new();
    for (bar, &bass) in BASSES.iter().enumerate().skip(1) {
        let (start, accent) = (beat(bar), if bar >= 4 { 8 } else { 0 });
        notes.extend([
            note(start, bass, 92 + accent, 1.4),
            note(start + 1.5, bass, 66 + accent, 0.9),
            note(start + 2.5, bass + 12, 80 + accent, 1.3),
        ]);
    }
    // the final chord, arpeggiated upwards
    let chord = [38, 45, 50, 57, 64].into_iter().enumerate();
    notes.extend(chord.map(|(i, key)| note(beat(7) + 0.06 * i as f64, key, 98 - 4 * i as u8, 8.0)));
    notes
}

fn wooden_bars() -> Vec<Note> {
    let mut notes = Vec::new();
    for (bar, chord) in CHORDS.iter().enumerate() {
        let crescendo = [0, 2, 4, 6, 12, 16, 20][bar];
        for (eighth, &FigureNote { tone, velocity }) in FIGURE.iter().enumerate() {
            let onset = beat(bar) + 0.5 * eighth as f64;
            notes.push(note(onset, chord[tone], (velocity + crescendo).min(120), 0.45));
            // soft off-beats of the second hand, an octave higher
            if bar >= 4 && eighth % 2 == 1 {
                notes.push(note(onset + 0.25, chord[(tone + 1) % 4] + 12, 44 + crescendo, 0.2));
            }
        }
    }
    let chord = [62, 69, 74].into_iter().enumerate();
    notes.extend(chord.map(|(i, key)| note(beat(7) + 0.06 * i as f64, key, 96, 1.0)));
    notes
}

fn metal_bars() -> Vec<Note> {
    let chord = [74, 81, 86, 88].into_iter().enumerate();
    let chord = chord.map(|(i, key)| note(beat(7) + 0.18 + 0.08 * i as f64, key, 90 - 5 * i as u8, 8.0));
    MELODY.into_iter().chain(chord).collect()
}

/// The piece as the bytes of a MIDI file.
pub fn compose() -> Result<Vec<u8>> {
    let parts = parts();
    let mut tracks = vec![tempo_track()];
    let name = |part: &Part| MetaMessage::TrackName(part.name.as_bytes());
    tracks.extend((0..).zip(&parts).map(|(channel, part)| track(name(part), channel, &part.notes)));
    let smf = Smf { header: Header::new(Format::Parallel, Timing::Metrical(u15::new(TICKS_PER_BEAT))), tracks };
    let mut bytes = Vec::new();
    smf.write_std(&mut bytes)?;
    Ok(bytes)
}

fn tempo_track() -> Track<'static> {
    vec![
        meta_event(0, MetaMessage::TrackName(b"First Strike")),
        meta_event(0, MetaMessage::TimeSignature(4, 2, 24, 8)),
        meta_event(0, MetaMessage::Tempo(u24::new(TEMPO))),
        meta_event(ticks(beat(6) + 2.0), MetaMessage::Tempo(u24::new(FINAL_TEMPO))),
        meta_event(0, MetaMessage::EndOfTrack),
    ]
}

/// Notes of a track, with their times in frames.
pub struct PlayedTrack {
    pub name: String,
    /// Sorted by frame.
    pub notes: Vec<TimedAction>,
}

/// The content of a MIDI file, with times in frames.
pub struct Performance {
    /// All tracks with notes.
    pub tracks: Vec<PlayedTrack>,
    /// Seconds per beat from a tick on.
    tempi: BTreeMap<u32, f64>,
    ticks_per_beat: f64,
    /// Sample rate [Hz].
    rate: f64,
}

impl Performance {
    /// Parses a MIDI file of parallel tracks with metrical timing, for a sample rate [Hz].
    pub fn parse(bytes: &[u8], rate: f64) -> Result<Self> {
        let smf =
            Smf::parse(bytes).with_context(|| format!("{FILE} is not a valid MIDI file; write it with `cargo xtask score`"))?;
        let Timing::Metrical(ticks_per_beat) = smf.header.timing else {
            anyhow::bail!("{FILE}: the timing is not metrical; write the file with `cargo xtask score`")
        };
        let mut tempi = BTreeMap::from([(0, 0.5)]);
        // a MIDI file without a tempo has 120 beats per minute
        for (tick, kind) in smf.tracks.iter().flat_map(|track| absolute_ticks(track)) {
            if let TrackEventKind::Meta(MetaMessage::Tempo(microseconds)) = kind {
                tempi.insert(tick, f64::from(microseconds.as_int()) * 1e-6);
            }
        }
        let ticks_per_beat = f64::from(ticks_per_beat.as_int());
        let mut performance = Self { tracks: Vec::new(), tempi, ticks_per_beat, rate };
        for track in &smf.tracks {
            let (name, notes) = (track_name(track), performance.notes(track));
            if !notes.is_empty() {
                performance.tracks.push(PlayedTrack { name, notes });
            }
        }
        Ok(performance)
    }

    /// Frame of a beat since the start of the piece.
    pub fn frame(&self, beat: f64) -> u64 {
        let tick = beat * self.ticks_per_beat;
        let mut seconds = 0.0;
        for (i, (&from, &seconds_per_beat)) in self.tempi.iter().enumerate() {
            let until = self.tempi.keys().nth(i + 1).map_or(f64::INFINITY, |&t| f64::from(t));
            seconds += (tick.min(until) - f64::from(from)).max(0.0) / self.ticks_per_beat * seconds_per_beat;
        }
        (seconds * self.rate).round() as u64
    }

    /// Note-ons and note-offs of a track.
    fn notes(&self, track: &[TrackEvent]) -> Vec<TimedAction> {
        let notes = absolute_ticks(track).filter_map(|(tick, kind)| {
            let TrackEventKind::Midi { message, .. } = kind else { return None };
            let action = match message {
                MidiMessage::NoteOn { key, vel } if vel > 0 => Action::NoteOn { key: key.as_int(), velocity: vel.as_int() },
                // a note-on with velocity 0 is a note-off
                MidiMessage::NoteOn { key, .. } | MidiMessage::NoteOff { key, .. } => Action::NoteOff { key: key.as_int() },
                _ => return None,
            };
            Some(TimedAction { frame: self.frame(f64::from(tick) / self.ticks_per_beat), action })
        });
        notes.collect()
    }
}

fn absolute_ticks<'a, 'b>(track: &'b [TrackEvent<'a>]) -> impl Iterator<Item = (u32, TrackEventKind<'a>)> + 'b {
    track.iter().scan(0, |tick, event| {
        *tick += event.delta.as_int();
        Some((*tick, event.kind))
    })
}

fn track_name(track: &[TrackEvent]) -> String {
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
    fn frames_of_notes_follow_the_tempo_changes() {
        let performance = Performance::parse(&compose().unwrap(), 48_000.0).unwrap();
        let (tempo, final_tempo) = (f64::from(TEMPO) * 1e-6, f64::from(FINAL_TEMPO) * 1e-6);
        assert_eq!(performance.frame(4.0), (4.0 * tempo * 48_000.0).round() as u64);
        assert_eq!(performance.frame(28.0), ((26.0 * tempo + 2.0 * final_tempo) * 48_000.0).round() as u64);
        let names: Vec<_> = performance.tracks.iter().map(|track| track.name.as_str()).collect();
        assert_eq!(names, ["Bossed Gong", "Piano Wire", "Rosewood Bars", "Orff Metallophone"]);
        let gong = &performance.tracks[0].notes;
        assert_eq!(gong[0], TimedAction { frame: 0, action: Action::NoteOn { key: 50, velocity: 84 } });
        assert_eq!(gong[4].frame, performance.frame(28.0));
    }
}
