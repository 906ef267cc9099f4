//! The notes that a host has begun, by which its addresses are read; fixed size.
//!
//! A host may name a note by its voice alone, or mean all notes of a key or of a channel. nice-plug 0.4.2 finds a VST3 voice's key
//! in a list that may be out of date, and gives none at all with per-note modulation.

use nice_plug::midi::{Channel, Key, VoiceID};

use urto_engine::NoteId;
use urto_engine::params::PER_NOTE_PARAMS;

/// Notes that are known; beyond that the oldest is forgotten, and only reached by channel and key.
const MOST: usize = 512;

/// Whom a host means.
#[derive(Clone, Copy, Debug)]
pub struct NoteAddress {
    /// The voice, if the host says which.
    pub voice: VoiceID,
    /// The channel, or any.
    pub channel: Channel,
    /// The key, or any.
    pub key: Key,
}

/// Travel by which a host has moved a knob for one note alone; none while it has not.
type Offsets = [Option<f32>; PER_NOTE_PARAMS.len()];

/// The notes that have begun and not ended, oldest first.
pub struct NoteRegistry {
    list: Box<[(NoteId, Offsets)]>,
    count: usize,
}

impl NoteRegistry {
    /// None; allocates.
    pub fn new() -> Self {
        Self { list: vec![Default::default(); MOST].into_boxed_slice(), count: 0 }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// One more.
    pub fn begin(&mut self, note: NoteId) {
        if self.count == MOST {
            self.remove(0);
        }
        self.list[self.count] = (note, Offsets::default());
        self.count += 1;
    }

    /// A note has ended: the oldest that is the one.
    pub fn end(&mut self, note: NoteId) {
        if let Some(place) = self.known().iter().position(|(known, _)| *known == note) {
            self.remove(place);
        }
    }

    fn remove(&mut self, place: usize) {
        self.list.copy_within(place + 1..self.count, place);
        self.count -= 1;
    }

    fn known(&self) -> &[(NoteId, Offsets)] {
        &self.list[..self.count]
    }

    /// Place of the newest note of a voice.
    fn voice(&self, voice: i32) -> Option<usize> {
        self.known().iter().rposition(|(known, _)| known.voice == Some(voice))
    }

    /// Every note that an address means. A channel with a key is handed on as it is, also without such a note here.
    pub fn each(&self, NoteAddress { voice, channel, key }: NoteAddress, mut with: impl FnMut(NoteId)) {
        if let Some(place) = voice.id().and_then(|voice| self.voice(voice)) {
            return with(self.list[place].0);
        }
        match (channel.number(), key.number()) {
            (Some(channel), Some(key)) => with(NoteId { voice: voice.id(), channel, key }),
            _ if voice.id().is_some() => {}
            (channel, key) => {
                let meant = |note: &NoteId| channel.is_none_or(|c| c == note.channel) && key.is_none_or(|k| k == note.key);
                self.known().iter().map(|(note, _)| *note).filter(meant).for_each(with);
            }
        }
    }

    /// A host moves the knob at `place` of [`PER_NOTE_PARAMS`] by `travel` for the newest note of `voice`; that note.
    pub fn modulate(&mut self, voice: i32, place: usize, travel: f32) -> Option<NoteId> {
        let (note, offsets) = &mut self.list[self.voice(voice)?];
        offsets[place] = Some(travel);
        Some(*note)
    }

    /// The notes for which a host has moved the knob at `place` of [`PER_NOTE_PARAMS`], and how far.
    pub fn modulated(&self, place: usize) -> impl Iterator<Item = (NoteId, f32)> {
        self.known().iter().filter_map(move |(note, offsets)| Some((*note, offsets[place]?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(voice: i32, channel: u8, key: u8) -> NoteId {
        NoteId { voice: Some(voice), channel, key }
    }

    fn meant(notes: &NoteRegistry, voice: VoiceID, channel: Channel, key: Key) -> Vec<NoteId> {
        let mut found = Vec::new();
        notes.each(NoteAddress { voice, channel, key }, |note| found.push(note));
        found
    }

    #[test]
    fn a_voice_is_found_without_its_key_and_a_wildcard_means_all() {
        let mut notes = NoteRegistry::new();
        let all = [note(1, 0, 60), note(2, 0, 64), note(3, 5, 60), note(1, 0, 67)];
        all.into_iter().for_each(|note| notes.begin(note));
        let any = (VoiceID::Wildcard, Channel::Wildcard, Key::Wildcard);
        assert_eq!(meant(&notes, VoiceID::ID(2), any.1, any.2), [all[1]]);
        assert_eq!(meant(&notes, VoiceID::ID(1), Channel::Number(0), Key::Number(60)), [all[3]], "the number was used again");
        assert_eq!(meant(&notes, any.0, Channel::Number(0), any.2), [all[0], all[1], all[3]]);
        assert_eq!(meant(&notes, any.0, any.1, Key::Number(60)), [all[0], all[2]]);
        assert_eq!(meant(&notes, any.0, any.1, any.2).len(), 4);
        let plain = NoteId { voice: None, channel: 2, key: 9 };
        assert_eq!(meant(&notes, any.0, Channel::Number(2), Key::Number(9)), [plain]);
        assert_eq!(meant(&notes, VoiceID::ID(77), any.1, any.2), []);
        notes.end(all[3]);
        assert_eq!(meant(&notes, VoiceID::ID(1), any.1, any.2), [all[0]]);
        notes.end(all[3]);
        assert_eq!(meant(&notes, any.0, any.1, any.2), all[..3]);
    }

    #[test]
    fn of_too_many_notes_the_oldest_are_forgotten() {
        let mut notes = NoteRegistry::new();
        for voice in 0..MOST as i32 + 3 {
            notes.begin(note(voice, 0, 60));
        }
        let found = |voice| notes.voice(voice).is_some();
        assert_eq!([found(0), found(2), found(3), found(MOST as i32 + 2)], [false, false, true, true]);
    }

    #[test]
    fn what_is_moved_for_a_note_is_forgotten_with_it() {
        let mut notes = NoteRegistry::new();
        notes.begin(note(1, 0, 60));
        notes.begin(note(2, 0, 62));
        assert_eq!(notes.modulate(2, 3, 0.25), Some(note(2, 0, 62)));
        assert_eq!(notes.modulate(9, 3, 0.25), None);
        assert_eq!(notes.modulated(3).collect::<Vec<_>>(), [(note(2, 0, 62), 0.25)]);
        assert_eq!(notes.modulated(2).count(), 0);
        notes.end(note(2, 0, 62));
        notes.begin(note(2, 0, 62));
        assert_eq!(notes.modulated(3).count(), 0);
    }
}
