//! Notes on keys and modes that a rendering leaves out.

use crate::io::error::print_note;
use crate::io::midi_file;
use urto::body::BodyModes;
use urto_engine::patch::Patch;
use urto_engine::{Engine, Event};

/// Maximum number of keys that a note lists.
const MAX_LISTED_KEYS: usize = 8;

/// The keys of all notes, each once.
pub fn played_keys(song: &midi_file::Song) -> Vec<u8> {
    let mut played = [false; 128];
    for timed in &song.events {
        if let Event::NoteOn { note, .. } = timed.event {
            played[usize::from(note.key)] = true;
        }
    }
    (0..128).filter(|&key| played[usize::from(key)]).collect()
}

/// Notes the keys without a pitch.
pub fn note_silent_keys(engine: &Engine, keys: &[u8]) {
    let silent: Vec<_> = keys.iter().filter(|&&key| engine.tuning().hertz(key).is_none()).map(|key| key.to_string()).collect();
    if !silent.is_empty() {
        print_note(format_args!("keys without a pitch in this tuning are silent: {}.", silent.join(", ")));
    }
}

/// Notes the modes that are above the band limit on the keys of the song.
pub fn note_omitted_modes(engine: &Engine, patch: &Patch, keys: &[u8]) {
    let rate = engine.config().sample_rate;
    let of_zones = |key: u8| {
        let omitted = patch
            .zones
            .iter()
            .filter_map(|zone| Some(BodyModes::of_key(&zone.sound_in(patch), zone.played_key(key)?, rate)?.omitted));
        omitted.sum()
    };
    let count = |key: u8| if patch.zones.is_empty() { engine.left_out(key) } else { of_zones(key) };
    let omitted: Vec<_> = keys.iter().map(|&key| (key, count(key))).filter(|&(_, n)| n > 0).collect();
    let counts = || omitted.iter().map(|(_, n)| n);
    let (Some(least), Some(most)) = (counts().min(), counts().max()) else { return };
    let name = if patch.name.is_empty() { "the patch" } else { &patch.name };
    let list = if omitted.len() <= MAX_LISTED_KEYS {
        omitted.iter().map(|(key, n)| format!("{n} on key {key}")).collect::<Vec<_>>().join(", ")
    } else {
        format!("{least} to {most} on each of {} keys", omitted.len())
    };
    print_note(format_args!("modes of {name} above the band limit are omitted: {list}."));
}
