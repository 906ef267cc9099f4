//! MIDI input: controllers, MPE zones, learned controllers, the notes of a voice, and humanise.

mod controllers;
mod drum_module;
mod humanise;
mod midi_map;
mod notes;

pub use crate::midi::controllers::{ControllerEffect, MidiControllers};
pub use crate::midi::drum_module::DrumModule;
pub use crate::midi::humanise::{Humanise, Rng};
pub use crate::midi::midi_map::{ControllerAssignment, ControllerMode, FIRST_CHANNEL_MESSAGE, MAX_ASSIGNMENTS, MidiMap};
pub use crate::midi::notes::{EndedNotes, Note, NoteList, same_note};
