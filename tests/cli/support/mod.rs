//! The program, and MIDI files.

pub mod midi_writer;
pub mod program;
