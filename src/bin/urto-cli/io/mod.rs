//! TODO.

pub(crate) mod error;
pub(crate) mod host_state;
pub(crate) mod midi_file;
pub(crate) mod output_file;
pub(crate) mod progress;
pub(crate) mod wav_reader;
pub(crate) mod wav_writer;
