//! The notes of one voice, the queue of ended notes, and MPE zones. Fixed size.
//!
//! An MPE zone has member channels with one note each, and a manager channel that applies to all of them. The manager of the lower
//! zone is channel 1, its members are the channels from 2 upwards; those of the upper zone are channel 16 and the channels from 15
//! downwards (MIDI Polyphonic Expression 1.0, section 2). Controllers may configure zones (registered parameter 6).

use crate::event::{Expression, NoteId};
use crate::midi::humanise::Humanise;
use crate::params::{MpeMode, PER_NOTE_PARAMS};

/// Maximum number of notes of a voice; beyond that the oldest ends.
const MAX_NOTES: usize = 16;

/// Capacity of the queue of ended notes; beyond that the oldest is dropped.
const MAX_ENDED: usize = 1024;

/// Maximum tuning of one note by the host [semitones], either way.
const MAX_TUNING: f64 = 120.0;

/// Maximum volume of one note.
const MAX_VOLUME: f64 = 4.0;

/// Channel index of the lower zone's manager.
const LOWER: u8 = 0;
/// Channel index of the upper zone's manager.
const UPPER: u8 = 15;
/// Maximum number of members of an MPE zone.
const MAX_MEMBERS: u8 = 15;

/// The note expression of one note.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NoteExpressions {
    /// Tuning above its key [semitones].
    pub tuning: f64,
    /// Brightness (slide) by note expression, -1 to 1.
    pub brightness: Option<f64>,
    /// Pressure of its key, 0 to 1.
    pub pressure: f64,
    /// Expression by note expression, -1 to 1.
    pub expression: Option<f64>,
    /// Volume: factor of its amplitude.
    pub volume: f64,
    /// Pan, 0 left to 1 right.
    pub pan: f64,
}

impl NoteExpressions {
    /// Without any effect.
    pub fn neutral() -> Self {
        Self { volume: 1.0, pan: 0.5, ..Self::default() }
    }

    /// Sets one of them.
    fn set(&mut self, kind: Expression, value: f64) {
        match kind {
            Expression::Tuning => self.tuning = value.clamp(-MAX_TUNING, MAX_TUNING),
            Expression::Brightness => self.brightness = Some((2.0 * value - 1.0).clamp(-1.0, 1.0)),
            Expression::Pressure => self.pressure = value.clamp(0.0, 1.0),
            Expression::Expression => self.expression = Some((2.0 * value - 1.0).clamp(-1.0, 1.0)),
            Expression::Volume => self.volume = value.clamp(0.0, MAX_VOLUME),
            Expression::Pan => self.pan = value.clamp(0.0, 1.0),
        }
    }
}

/// One note, with its note expression and modulation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Note {
    /// Its identity.
    pub id: NoteId,
    /// Serial number since the last reset; 0 means no note.
    pub serial: u32,
    /// Whether its key is down.
    pub down: bool,
    /// Whether the sostenuto pedal holds it.
    pub sostenuto: bool,
    /// Decay rate [1/s] of its damper after release; 0 if it keeps ringing.
    pub damper: f64,
    /// Its note expression.
    pub expressions: NoteExpressions,
    /// Host modulation: offsets of the normalised values of [`PER_NOTE_PARAMS`].
    pub modulation: [f64; PER_NOTE_PARAMS.len()],
    /// Humanise of its strike.
    pub humanise: Humanise,
}

impl Note {
    /// A note with neutral note expression.
    pub fn of(id: NoteId) -> Self {
        Self { id, expressions: NoteExpressions::neutral(), ..Self::default() }
    }

    /// Whether its key or the sostenuto pedal holds it.
    pub fn is_held(&self) -> bool {
        self.down || self.sostenuto
    }

    /// Gains of left and right; in the centre both are full.
    pub fn gains(&self) -> [f64; 2] {
        let NoteExpressions { volume, pan, .. } = self.expressions;
        [1.0 - pan, pan].map(|side| volume * (2.0 * side).min(1.0))
    }

    /// Sets a note expression.
    pub fn set_expression(&mut self, kind: Expression, value: f64) {
        self.expressions.set(kind, value);
    }
}

/// The notes of one voice that have not ended, in order of their strikes.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoteList {
    list: [Note; MAX_NOTES],
    count: usize,
}

impl NoteList {
    /// Adds a note with its key down; returns a note that had to end for it.
    pub fn note_on(&mut self, note: Note) -> Option<NoteId> {
        let mut displaced = None;
        if self.count == MAX_NOTES {
            let oldest = self.list.iter().position(|note| !note.is_held()).unwrap_or(0);
            displaced = Some(self.list[oldest].id);
            self.list[oldest..].rotate_left(1);
            self.count -= 1;
        }
        self.list[self.count] = Note { down: true, ..note };
        self.count += 1;
        displaced
    }

    /// Releases the oldest note that matches `id` and has its key down.
    pub fn release(&mut self, id: NoteId) -> Option<&mut Note> {
        let note = self.list[..self.count].iter_mut().find(|note| note.down && same_note(id, note.id))?;
        note.down = false;
        Some(note)
    }

    /// All notes.
    pub fn iter(&self) -> std::slice::Iter<'_, Note> {
        self.list[..self.count].iter()
    }

    /// All notes, mutable.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, Note> {
        self.list[..self.count].iter_mut()
    }

    /// The notes that match `id`, held or not.
    pub fn of(&mut self, id: NoteId) -> impl Iterator<Item = &mut Note> {
        self.iter_mut().filter(move |note| same_note(id, note.id))
    }

    /// The note with this serial number.
    pub fn number(&self, serial: u32) -> Option<&Note> {
        self.iter().find(|note| note.serial == serial)
    }

    /// Whether a note matches `id`, held or not.
    pub fn contains(&self, id: NoteId) -> bool {
        self.iter().any(|note| same_note(id, note.id))
    }

    /// Whether any note is held.
    pub fn any_held(&self) -> bool {
        self.iter().any(Note::is_held)
    }

    /// Ends the notes for which `which` is true.
    pub fn end(&mut self, ended: &mut EndedNotes, mut which: impl FnMut(&Note) -> bool) {
        let mut kept = 0;
        for i in 0..self.count {
            if which(&self.list[i]) {
                ended.push(self.list[i].id);
            } else {
                self.list[kept] = self.list[i];
                kept += 1;
            }
        }
        self.count = kept;
    }

    /// Removes the notes for which `which` is false, without ending them.
    pub fn keep(&mut self, which: impl Fn(&Note) -> bool) {
        let mut kept = 0;
        for i in 0..self.count {
            if which(&self.list[i]) {
                self.list[kept] = self.list[i];
                kept += 1;
            }
        }
        self.count = kept;
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.count = 0;
    }
}

/// Whether two identities match: channel and key always, the voice id if both have one.
pub fn same_note(a: NoteId, b: NoteId) -> bool {
    let voices = a.voice.is_none() || b.voice.is_none() || a.voice == b.voice;
    voices && a.channel == b.channel && a.key == b.key
}

/// A queue of ended notes, oldest first.
pub struct EndedNotes {
    ring: Box<[NoteId; MAX_ENDED]>,
    first: usize,
    count: usize,
}

impl EndedNotes {
    /// An empty queue. Allocates.
    pub fn new() -> Self {
        Self { ring: Box::new([NoteId::default(); MAX_ENDED]), first: 0, count: 0 }
    }

    /// Appends a note.
    pub fn push(&mut self, note: NoteId) {
        if self.count == MAX_ENDED {
            self.pop();
        }
        self.ring[(self.first + self.count) % MAX_ENDED] = note;
        self.count += 1;
    }

    /// Takes the oldest note.
    pub fn pop(&mut self) -> Option<NoteId> {
        let note = (self.count > 0).then(|| self.ring[self.first])?;
        self.first = (self.first + 1) % MAX_ENDED;
        self.count -= 1;
        Some(note)
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.count = 0;
    }
}

/// Number of members of both MPE zones; 0 means that there is no such zone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MpeZones {
    lower: u8,
    upper: u8,
}

impl MpeZones {
    /// The zones of a mode.
    pub fn new(mode: MpeMode) -> Self {
        match mode {
            MpeMode::Off => Self::default(),
            MpeMode::Lower => Self { lower: MAX_MEMBERS, upper: 0 },
            MpeMode::Upper => Self { lower: 0, upper: MAX_MEMBERS },
            MpeMode::Both => Self { lower: 7, upper: 7 },
        }
    }

    /// Sets the number of members of the zone with the channel `manager` (0 to 15); the other zone shrinks if needed. Returns whether
    /// `manager` is the manager of a zone.
    pub fn configure(&mut self, manager: u8, members: u8) -> bool {
        let members = members.min(MAX_MEMBERS);
        let remaining = (MAX_MEMBERS - 1).saturating_sub(members);
        match manager {
            LOWER => (self.lower, self.upper) = (members, self.upper.min(remaining)),
            UPPER => (self.upper, self.lower) = (members, self.lower.min(remaining)),
            _ => return false,
        }
        true
    }

    /// Manager of the zone that `channel` (0 to 15) is a member of.
    pub fn manager_of(&self, channel: u8) -> Option<u8> {
        if (1..=self.lower).contains(&channel) {
            return Some(LOWER);
        }
        (channel < UPPER && channel + self.upper >= UPPER).then_some(UPPER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(voice: i32) -> NoteId {
        NoteId { voice: Some(voice), channel: 0, key: 60 }
    }

    #[test]
    fn every_note_ends_once_even_when_there_are_too_many() {
        let (mut notes, mut ended) = (NoteList::default(), EndedNotes::new());
        for voice in 0..100 {
            if let Some(old) = notes.note_on(Note::of(id(voice))) {
                ended.push(old);
            }
        }
        notes.end(&mut ended, |_| true);
        notes.end(&mut ended, |_| true);
        let voices: Vec<_> = std::iter::from_fn(|| ended.pop()).map(|n| n.voice.unwrap()).collect();
        assert_eq!(voices, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn held_notes_stay_while_others_can_end() {
        let mut notes = NoteList::default();
        notes.note_on(Note::of(id(0)));
        for voice in 1..40 {
            notes.note_on(Note::of(id(voice)));
            notes.release(id(voice));
        }
        assert!(notes.contains(id(0)) && notes.contains(id(39)) && !notes.contains(id(1)));
    }

    #[test]
    fn a_key_without_voice_id_releases_the_oldest_held_note() {
        let mut notes = NoteList::default();
        notes.note_on(Note::of(id(1)));
        notes.note_on(Note::of(id(2)));
        assert!(notes.release(NoteId { voice: None, channel: 1, key: 60 }).is_none() && notes.release(id(3)).is_none());
        assert_eq!(notes.release(NoteId { voice: None, ..id(0) }).map(|note| note.id), Some(id(1)));
        assert!(notes.release(id(1)).is_none() && notes.any_held());
        assert!(notes.release(id(2)).is_some() && !notes.any_held() && notes.contains(id(1)));
    }

    #[test]
    fn zones_have_the_channels_of_the_specification() {
        let members = |zones: MpeZones, manager| (0..16).filter(|&c| zones.manager_of(c) == Some(manager)).collect::<Vec<u8>>();
        assert_eq!(members(MpeZones::new(MpeMode::Lower), 0), (1..16).collect::<Vec<_>>());
        assert_eq!(members(MpeZones::new(MpeMode::Upper), 15), (0..15).collect::<Vec<_>>());
        let both = MpeZones::new(MpeMode::Both);
        assert_eq!((members(both, 0), members(both, 15)), ((1..8).collect(), (8..15).collect()));
        assert!(members(MpeZones::default(), 0).is_empty());
    }

    #[test]
    fn a_new_zone_takes_its_channels_from_the_other() {
        let mut zones = MpeZones::new(MpeMode::Lower);
        assert!(zones.configure(15, 4) && !zones.configure(3, 4));
        assert_eq!((zones.lower, zones.upper), (10, 4));
        zones.configure(0, 15);
        assert_eq!((zones.lower, zones.upper), (15, 0));
        zones.configure(0, 0);
        assert_eq!(zones, MpeZones::default());
    }
}
