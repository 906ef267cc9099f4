//! Who plays: the notes on one object, and those whose sound has ended. Fixed size.

use crate::event::{Expression, NoteId};
use crate::midi::humanise::Humanise;
use crate::params::PER_NOTE_PARAMS;

/// Notes that one object remembers; beyond that the oldest counts as ended.
const NOTES: usize = 16;

/// Ended notes that wait to be asked for; beyond that the oldest is forgotten.
const ENDED: usize = 1024;

/// Most semitones that a host may tune one note by, either way.
const MAX_TUNING: f64 = 120.0;

/// Most that a host may amplify one note.
const MAX_VOLUME: f64 = 4.0;

/// One note: who it is, and what is known of it alone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Note {
    /// Who it is.
    pub id: NoteId,
    /// Its number since the last reset; 0 is no note.
    pub serial: u32,
    /// Its key is down.
    pub down: bool,
    /// The sostenuto pedal holds it.
    pub sostenuto: bool,
    /// Decay rate [1/s] of the damper that falls on it when it is released, 0 if it rings on.
    pub damper: f64,
    /// Semitones above its key.
    pub tuning: f64,
    /// Brightness of its own, -1 to 1.
    pub brightness: Option<f64>,
    /// Pressure of its own, 0 to 1.
    pub pressure: f64,
    /// Expression of its own, -1 to 1.
    pub expression: Option<f64>,
    /// Factor of its amplitude.
    pub volume: f64,
    /// Place between left (0) and right (1).
    pub pan: f64,
    /// Distance in travel of the knobs that a host moves for it alone, in their order.
    pub modulation: [f64; PER_NOTE_PARAMS.len()],
    /// What chance has made of its strike.
    pub chance: Humanise,
}

impl Note {
    /// A note of which nothing else is known.
    pub fn of(id: NoteId) -> Self {
        Self { id, volume: 1.0, pan: 0.5, ..Self::default() }
    }

    /// Whether something keeps the damper off it.
    pub fn is_held(&self) -> bool {
        self.down || self.sostenuto
    }

    /// Gains of left and right; in the middle both are full.
    pub fn gains(&self) -> [f64; 2] {
        [1.0 - self.pan, self.pan].map(|side| self.volume * (2.0 * side).min(1.0))
    }

    /// Takes what a host says about it.
    pub fn set_expression(&mut self, what: Expression, value: f64) {
        match what {
            Expression::Tuning => self.tuning = value.clamp(-MAX_TUNING, MAX_TUNING),
            Expression::Brightness => self.brightness = Some((2.0 * value - 1.0).clamp(-1.0, 1.0)),
            Expression::Pressure => self.pressure = value.clamp(0.0, 1.0),
            Expression::Expression => self.expression = Some((2.0 * value - 1.0).clamp(-1.0, 1.0)),
            Expression::Volume => self.volume = value.clamp(0.0, MAX_VOLUME),
            Expression::Pan => self.pan = value.clamp(0.0, 1.0),
        }
    }
}

/// The notes that struck one object and have not ended, in the order in which they did.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoteList {
    list: [Note; NOTES],
    count: usize,
}

impl NoteList {
    /// A note goes down; gives back the one that had to make room.
    pub fn note_on(&mut self, note: Note) -> Option<NoteId> {
        let mut displaced = None;
        if self.count == NOTES {
            let leaves = self.list.iter().position(|note| !note.is_held()).unwrap_or(0);
            displaced = Some(self.list[leaves].id);
            self.list[leaves..].rotate_left(1);
            self.count -= 1;
        }
        self.list[self.count] = Note { down: true, ..note };
        self.count += 1;
        displaced
    }

    /// A note goes up: the oldest that is down and is the one.
    pub fn release(&mut self, id: NoteId) -> Option<&mut Note> {
        let note = self.list[..self.count].iter_mut().find(|note| note.down && same_note(id, note.id))?;
        note.down = false;
        Some(note)
    }

    /// All of them.
    pub fn iter(&self) -> std::slice::Iter<'_, Note> {
        self.list[..self.count].iter()
    }

    /// All of them, to be changed.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, Note> {
        self.list[..self.count].iter_mut()
    }

    /// Those that an address means, held or not.
    pub fn of(&mut self, id: NoteId) -> impl Iterator<Item = &mut Note> {
        self.iter_mut().filter(move |note| same_note(id, note.id))
    }

    /// The note with this number.
    pub fn number(&self, serial: u32) -> Option<&Note> {
        self.iter().find(|note| note.serial == serial)
    }

    /// Whether the note is here, held or not.
    pub fn hold(&self, id: NoteId) -> bool {
        self.iter().any(|note| same_note(id, note.id))
    }

    /// Whether a key is down or caught.
    pub fn any_held(&self) -> bool {
        self.iter().any(Note::is_held)
    }

    /// Ends those that `which` chooses.
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

    /// Forgets those that `which` does not choose, without a word.
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

    /// Forgets all.
    pub fn clear(&mut self) {
        self.count = 0;
    }
}

/// Voices are compared if both sides have one, channel and key always.
pub fn same_note(a: NoteId, b: NoteId) -> bool {
    let voices = a.voice.is_none() || b.voice.is_none() || a.voice == b.voice;
    voices && a.channel == b.channel && a.key == b.key
}

/// Ended notes, oldest first.
pub struct EndedNotes {
    ring: Box<[NoteId; ENDED]>,
    first: usize,
    count: usize,
}

impl EndedNotes {
    /// Empty; allocates.
    pub fn new() -> Self {
        Self { ring: Box::new([NoteId::default(); ENDED]), first: 0, count: 0 }
    }

    /// One more.
    pub fn push(&mut self, note: NoteId) {
        if self.count == ENDED {
            self.pop();
        }
        self.ring[(self.first + self.count) % ENDED] = note;
        self.count += 1;
    }

    /// The oldest.
    pub fn pop(&mut self) -> Option<NoteId> {
        let note = (self.count > 0).then(|| self.ring[self.first])?;
        self.first = (self.first + 1) % ENDED;
        self.count -= 1;
        Some(note)
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.count = 0;
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
    fn a_note_that_is_held_stays_while_others_can_leave() {
        let mut notes = NoteList::default();
        notes.note_on(Note::of(id(0)));
        for voice in 1..40 {
            notes.note_on(Note::of(id(voice)));
            notes.release(id(voice));
        }
        assert!(notes.hold(id(0)) && notes.hold(id(39)) && !notes.hold(id(1)));
    }

    #[test]
    fn a_key_without_a_voice_releases_the_oldest_that_is_held() {
        let mut notes = NoteList::default();
        notes.note_on(Note::of(id(1)));
        notes.note_on(Note::of(id(2)));
        assert!(notes.release(NoteId { voice: None, channel: 1, key: 60 }).is_none() && notes.release(id(3)).is_none());
        assert_eq!(notes.release(NoteId { voice: None, ..id(0) }).map(|note| note.id), Some(id(1)));
        assert!(notes.release(id(1)).is_none() && notes.any_held());
        assert!(notes.release(id(2)).is_some() && !notes.any_held() && notes.hold(id(1)));
    }
}
