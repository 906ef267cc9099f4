//! The host's notes, oldest first, in a list of fixed size: resolves the addresses of host events. A pad of electronic drums may sound on another
//! key than it sends, see [`urto_engine::DrumModule`].
//!
//! A host may address a note by its voice alone, or all notes of a key or of a channel. nice-plug 0.4.2 finds the key of a VST3 voice
//! in a list that may be out of date, and gives no key with per-note modulation.

use nice_plug::midi::{Channel, Key, VoiceID};

use urto_engine::NoteId;
use urto_engine::params::PER_NOTE_PARAMS;

/// Notes in the list; beyond it the oldest is removed, and only reached by channel and key.
const MAX_NOTES: usize = 512;
/// Keys of MIDI.
const KEYS: usize = 128;

/// The address of a host event.
#[derive(Clone, Copy, Debug)]
pub struct NoteAddress {
    /// The voice, or any.
    pub voice: VoiceID,
    /// The channel, or any.
    pub channel: Channel,
    /// The key, or any.
    pub key: Key,
}

/// The host's normalized modulation of each parameter for one note; `None` before the first.
type Offsets = [Option<f32>; PER_NOTE_PARAMS.len()];

/// The notes that have begun and not ended, oldest first.
pub struct NoteRegistry {
    list: Box<[(NoteId, Offsets)]>,
    count: usize,
    /// The engine's key of the last note of each key of the host.
    engine_keys: [u8; KEYS],
}

impl NoteRegistry {
    /// An empty list; allocates.
    pub fn new() -> Self {
        let list = vec![Default::default(); MAX_NOTES].into_boxed_slice();
        Self { list, count: 0, engine_keys: std::array::from_fn(|key| key as u8) }
    }

    /// Removes all notes.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds a note of the host that sounds on the key `engine_key` of the engine. Returns the engine's note.
    pub fn begin(&mut self, note: NoteId, engine_key: u8) -> NoteId {
        if let Some(key) = self.engine_keys.get_mut(usize::from(note.key)) {
            *key = engine_key;
        }
        if self.count == MAX_NOTES {
            self.remove(0);
        }
        self.list[self.count] = (note, Offsets::default());
        self.count += 1;
        self.engine_note(note)
    }

    /// Removes the oldest entry of a note of the engine that has ended. Returns the host's note.
    pub fn end(&mut self, note: NoteId) -> NoteId {
        let Some(index) = self.active().iter().position(|(active, _)| self.engine_note(*active) == note) else { return note };
        let ended = self.list[index].0;
        self.remove(index);
        ended
    }

    /// The engine's note of a note of the host.
    fn engine_note(&self, note: NoteId) -> NoteId {
        NoteId { key: self.engine_keys.get(usize::from(note.key)).copied().unwrap_or(note.key), ..note }
    }

    fn remove(&mut self, index: usize) {
        self.list.copy_within(index + 1..self.count, index);
        self.count -= 1;
    }

    fn active(&self) -> &[(NoteId, Offsets)] {
        &self.list[..self.count]
    }

    /// Index of the newest note of a voice.
    fn voice(&self, voice: i32) -> Option<usize> {
        self.active().iter().rposition(|(active, _)| active.voice == Some(voice))
    }

    /// Calls `with` for every note of the engine at an address of the host. A channel with a key is passed on even if the list has no such note.
    pub fn each(&self, NoteAddress { voice, channel, key }: NoteAddress, mut with: impl FnMut(NoteId)) {
        if let Some(index) = voice.id().and_then(|voice| self.voice(voice)) {
            return with(self.engine_note(self.list[index].0));
        }
        match (channel.number(), key.number()) {
            (Some(channel), Some(key)) => with(self.engine_note(NoteId { voice: voice.id(), channel, key })),
            _ if voice.id().is_some() => {}
            (channel, key) => {
                let matches = |note: &NoteId| channel.is_none_or(|c| c == note.channel) && key.is_none_or(|k| k == note.key);
                self.active().iter().map(|(note, _)| *note).filter(matches).map(|note| self.engine_note(note)).for_each(with);
            }
        }
    }

    /// Stores the host's modulation `travel` of parameter `index` of [`PER_NOTE_PARAMS`] for the newest note of `voice`. Returns the engine's
    /// note.
    pub fn modulate(&mut self, voice: i32, index: usize, travel: f32) -> Option<NoteId> {
        let (note, offsets) = &mut self.list[self.voice(voice)?];
        offsets[index] = Some(travel);
        let note = *note;
        Some(self.engine_note(note))
    }

    /// The notes of the engine with a modulation of parameter `index` of [`PER_NOTE_PARAMS`], and the modulation.
    pub fn modulated(&self, index: usize) -> impl Iterator<Item = (NoteId, f32)> {
        self.active().iter().filter_map(move |(note, offsets)| Some((self.engine_note(*note), offsets[index]?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(voice: i32, channel: u8, key: u8) -> NoteId {
        NoteId { voice: Some(voice), channel, key }
    }

    fn addressed(notes: &NoteRegistry, voice: VoiceID, channel: Channel, key: Key) -> Vec<NoteId> {
        let mut found = Vec::new();
        notes.each(NoteAddress { voice, channel, key }, |note| found.push(note));
        found
    }

    #[test]
    fn a_voice_needs_no_key_and_a_wildcard_addresses_all() {
        let mut notes = NoteRegistry::new();
        let all = [note(1, 0, 60), note(2, 0, 64), note(3, 5, 60), note(1, 0, 67)];
        all.into_iter().for_each(|note| _ = notes.begin(note, note.key));
        let any = (VoiceID::Wildcard, Channel::Wildcard, Key::Wildcard);
        assert_eq!(addressed(&notes, VoiceID::ID(2), any.1, any.2), [all[1]]);
        assert_eq!(addressed(&notes, VoiceID::ID(1), Channel::Number(0), Key::Number(60)), [all[3]], "the number was used again");
        assert_eq!(addressed(&notes, any.0, Channel::Number(0), any.2), [all[0], all[1], all[3]]);
        assert_eq!(addressed(&notes, any.0, any.1, Key::Number(60)), [all[0], all[2]]);
        assert_eq!(addressed(&notes, any.0, any.1, any.2).len(), 4);
        let plain = NoteId { voice: None, channel: 2, key: 9 };
        assert_eq!(addressed(&notes, any.0, Channel::Number(2), Key::Number(9)), [plain]);
        assert_eq!(addressed(&notes, VoiceID::ID(77), any.1, any.2), []);
        notes.end(all[3]);
        assert_eq!(addressed(&notes, VoiceID::ID(1), any.1, any.2), [all[0]]);
        notes.end(all[3]);
        assert_eq!(addressed(&notes, any.0, any.1, any.2), all[..3]);
    }

    #[test]
    fn a_pad_that_sounds_on_another_key_is_addressed_by_its_own() {
        let mut notes = NoteRegistry::new();
        let (rim, head) = (note(1, 9, 50), note(2, 9, 48));
        assert_eq!((notes.begin(rim, 48), notes.begin(head, 48)), (note(1, 9, 48), note(2, 9, 48)));
        let any = (VoiceID::Wildcard, Channel::Wildcard);
        assert_eq!(addressed(&notes, any.0, any.1, Key::Number(50)), [note(1, 9, 48)]);
        assert_eq!(addressed(&notes, any.0, Channel::Number(9), Key::Number(50)), [NoteId { voice: None, channel: 9, key: 48 }]);
        assert_eq!(notes.modulate(1, 3, 0.25), Some(note(1, 9, 48)));
        assert_eq!((notes.end(note(1, 9, 48)), notes.end(note(2, 9, 48))), (rim, head), "the host hears of its own keys");
    }

    #[test]
    fn a_full_list_drops_the_oldest_notes() {
        let mut notes = NoteRegistry::new();
        for voice in 0..MAX_NOTES as i32 + 3 {
            notes.begin(note(voice, 0, 60), 60);
        }
        let found = |voice| notes.voice(voice).is_some();
        assert_eq!([found(0), found(2), found(3), found(MAX_NOTES as i32 + 2)], [false, false, true, true]);
    }

    #[test]
    fn modulation_ends_with_its_note() {
        let mut notes = NoteRegistry::new();
        notes.begin(note(1, 0, 60), 60);
        notes.begin(note(2, 0, 62), 62);
        assert_eq!(notes.modulate(2, 3, 0.25), Some(note(2, 0, 62)));
        assert_eq!(notes.modulate(9, 3, 0.25), None);
        assert_eq!(notes.modulated(3).collect::<Vec<_>>(), [(note(2, 0, 62), 0.25)]);
        assert_eq!(notes.modulated(2).count(), 0);
        notes.end(note(2, 0, 62));
        notes.begin(note(2, 0, 62), 62);
        assert_eq!(notes.modulated(3).count(), 0);
    }
}
