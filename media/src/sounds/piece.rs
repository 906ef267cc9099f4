//! A piece of the page of sounds: parts, each a preset with notes.

use crate::midi_track::{self, TICKS_PER_BEAT, track};
use anyhow::Result;
use midly::num::u15;
use midly::{Format, Header, MetaMessage, Smf, Timing};

/// Largest deviation of a note from its time [s], and of its velocity.
const LATENESS: f64 = 0.006;
const UNEVENNESS: f64 = 4.0;
/// Duration of a note of percussion [beats].
const SHORT: f64 = 0.2;
/// Time from a grace note to its note [beats].
const GRACE: f64 = 0.06;
/// Velocity of a digit 1; 9 is 117.
pub const VELOCITY: f64 = 13.0;

/// One piece.
#[derive(Clone, Copy)]
pub struct Piece {
    /// File name without extension.
    pub name: &'static str,
    /// Beats per minute.
    pub tempo: f64,
    /// Room of its second version.
    pub room: &'static str,
    /// Time from the last event to the end [s].
    pub tail: f64,
    /// Its parts.
    pub parts: fn() -> Vec<Part>,
}

/// What one preset or kit plays.
pub struct Part {
    /// Preset or kit.
    pub preset: &'static str,
    /// Level in the mix [dB].
    pub level: f64,
    /// Position to the right of the listener [m].
    pub x: f64,
    /// The notes.
    pub notes: Vec<Note>,
}

/// One note of a score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Note {
    /// Beats since the start.
    pub beat: f64,
    /// MIDI key.
    pub key: u8,
    /// Velocity, 1 to 127, before the deviations of the player.
    pub velocity: f64,
    /// Duration [beats].
    pub beats: f64,
}

/// Notes of one key, a character each `step` beats from `beat` on: a digit from 1 to 9 is a velocity, `f` a loud stroke with a grace note, and all others
/// are rests.
pub fn pattern(beat: f64, step: f64, key: u8, pattern: &str) -> Vec<Note> {
    let mut notes = Vec::new();
    for (i, character) in pattern.chars().filter(|character| *character != ' ').enumerate() {
        let beat = beat + step * i as f64;
        let digit = if character == 'f' { Some(7) } else { character.to_digit(10) };
        let Some(digit) = digit.filter(|digit| *digit > 0) else { continue };
        let velocity = VELOCITY * f64::from(digit);
        if character == 'f' {
            notes.push(Note { beat: (beat - GRACE).max(0.0), key, velocity: 0.4 * velocity, beats: 0.05 });
        }
        notes.push(Note { beat, key, velocity, beats: SHORT });
    }
    notes
}

/// Notes one after another from `beat` on: duration [beats], key (0: a rest), and velocity as a digit.
pub fn melody(beat: f64, notes: &[(f64, u8, u8)]) -> Vec<Note> {
    let mut now = beat;
    let mut played = Vec::new();
    for &(beats, key, digit) in notes {
        if key > 0 {
            played.push(Note { beat: now, key, velocity: VELOCITY * f64::from(digit), beats: 0.95 * beats });
        }
        now += beats;
    }
    played
}

/// Strokes of both hands in turn on two keys, each `step` beats from `beat` on, whose velocity changes evenly.
pub fn tremolo(beat: f64, (count, step): (usize, f64), keys: [u8; 2], [from, to]: [f64; 2]) -> Vec<Note> {
    let part = |i: usize| i as f64 / (count - 1) as f64;
    let note = |i: usize| Note {
        beat: beat + step * i as f64,
        key: keys[i % 2],
        velocity: VELOCITY * (from + (to - from) * part(i)),
        beats: SHORT.min(0.9 * step),
    };
    (0..count).map(note).collect()
}

/// Small deviations of a player, the same on every run.
struct Hand(u32);

impl Hand {
    /// -1 to 1, by the linear congruential generator of Numerical Recipes.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        2.0 * f64::from(self.0 >> 8) / f64::from(1_u32 << 24) - 1.0
    }
}

impl Piece {
    /// Time of its last note [s].
    #[cfg(test)]
    pub fn seconds(&self) -> f64 {
        let last = (self.parts)().iter().flat_map(|part| &part.notes).map(|note| note.beat + note.beats).fold(0.0, f64::max);
        last * 60.0 / self.tempo
    }

    /// One of its parts as a MIDI file, played by hand: times and velocities deviate a little.
    pub fn midi_file(&self, part: &Part) -> Result<Vec<u8>> {
        let mut hand = Hand(part.notes.len() as u32);
        let mut play = |note: &Note| midi_track::Note {
            onset: note.beat + LATENESS * hand.next() * self.tempo / 60.0,
            key: note.key,
            velocity: (note.velocity + UNEVENNESS * hand.next()).round().clamp(1.0, 127.0) as u8,
            length: note.beats,
        };
        let notes: Vec<_> = part.notes.iter().map(&mut play).collect();
        let tempo = MetaMessage::Tempo(((60e6 / self.tempo).round() as u32).into());
        let header = Header::new(Format::SingleTrack, Timing::Metrical(u15::new(TICKS_PER_BEAT)));
        let mut bytes = Vec::new();
        Smf { header, tracks: vec![track(tempo, 0, &notes)] }.write_std(&mut bytes)?;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_has_a_note_for_every_digit() {
        let beats: Vec<f64> = pattern(4.0, 0.5, 60, "9.1. f").iter().map(|note| note.beat).collect();
        assert_eq!(beats, [4.0, 5.0, 6.0 - GRACE, 6.0]);
        assert_eq!(pattern(0.0, 1.0, 60, "0-x"), []);
    }

    #[test]
    fn a_melody_counts_its_rests() {
        let notes = melody(1.0, &[(0.5, 60, 5), (1.0, 0, 5), (0.25, 62, 3)]);
        assert_eq!(notes.iter().map(|note| (note.beat, note.key)).collect::<Vec<_>>(), [(1.0, 60), (2.5, 62)]);
    }
}
