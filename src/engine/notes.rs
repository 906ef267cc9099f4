//! Who plays: the notes on one object, and those whose sound has ended. Fixed size.

use super::event::NoteId;

/// Notes that one object remembers; beyond that the oldest counts as ended.
const NOTES: usize = 16;

/// Ended notes that wait to be asked for; beyond that the oldest is forgotten.
const ENDED: usize = 1024;

/// The notes that struck one object and have not ended.
#[derive(Clone, Copy, Debug, Default)]
pub struct Notes {
    list: [(NoteId, bool); NOTES],
    count: usize,
}

impl Notes {
    /// A note goes down; gives back the one that had to make room.
    pub fn press(&mut self, note: NoteId) -> Option<NoteId> {
        let mut displaced = None;
        if self.count == NOTES {
            displaced = Some(self.list[0].0);
            self.list.rotate_left(1);
            self.count -= 1;
        }
        self.list[self.count] = (note, true);
        self.count += 1;
        displaced
    }

    /// A note goes up: the oldest that is held and is the one. Whether there was such a note.
    pub fn release(&mut self, note: NoteId) -> bool {
        let held = self.list[..self.count].iter_mut().find(|(other, held)| *held && same(note, *other));
        held.map(|entry| entry.1 = false).is_some()
    }

    /// All notes go up.
    pub fn release_all(&mut self) {
        self.list[..self.count].iter_mut().for_each(|entry| entry.1 = false);
    }

    /// Whether the note is here, held or not.
    pub fn hold(&self, note: NoteId) -> bool {
        self.list[..self.count].iter().any(|(other, _)| same(note, *other))
    }

    /// Whether any key is still down.
    pub fn any_held(&self) -> bool {
        self.list[..self.count].iter().any(|(_, held)| *held)
    }

    /// Ends all.
    pub fn end(&mut self, ended: &mut Ended) {
        self.list[..self.count].iter().for_each(|(note, _)| ended.push(*note));
        self.count = 0;
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.count = 0;
    }
}

/// Voices are compared if both sides have one, channel and key always.
fn same(a: NoteId, b: NoteId) -> bool {
    let voices = a.voice.is_none() || b.voice.is_none() || a.voice == b.voice;
    voices && a.channel == b.channel && a.key == b.key
}

/// Ended notes, oldest first.
pub struct Ended {
    ring: Box<[NoteId; ENDED]>,
    first: usize,
    count: usize,
}

impl Ended {
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

    fn note(voice: i32) -> NoteId {
        NoteId { voice: Some(voice), channel: 0, key: 60 }
    }

    #[test]
    fn every_note_ends_once_even_when_there_are_too_many() {
        let (mut notes, mut ended) = (Notes::default(), Ended::new());
        for voice in 0..100 {
            if let Some(old) = notes.press(note(voice)) {
                ended.push(old);
            }
        }
        notes.end(&mut ended);
        notes.end(&mut ended);
        let voices: Vec<_> = std::iter::from_fn(|| ended.pop()).map(|n| n.voice.unwrap()).collect();
        assert_eq!(voices, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn a_key_without_a_voice_releases_the_oldest_that_is_held() {
        let mut notes = Notes::default();
        notes.press(note(1));
        notes.press(note(2));
        assert!(!notes.release(NoteId { voice: None, channel: 1, key: 60 }) && !notes.release(note(3)));
        assert!(notes.release(NoteId { voice: None, ..note(0) }));
        assert!(!notes.release(note(1)) && notes.any_held());
        assert!(notes.release(note(2)) && !notes.any_held() && notes.hold(note(1)));
    }
}
