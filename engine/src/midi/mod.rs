//! MIDI input: controllers, MPE zones, the notes of a voice, and humanise.

mod controllers;
mod humanise;
mod notes;

pub use crate::midi::controllers::{ControllerEffect, MidiControllers};
pub use crate::midi::humanise::{Humanise, Rng};
pub use crate::midi::notes::{EndedNotes, Note, NoteList, same_note};
