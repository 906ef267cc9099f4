//! Input and output of the command line: files, error messages, progress.

pub(crate) mod audio_file;
pub(crate) mod error;
pub(crate) mod host_state;
pub(crate) mod midi_file;
pub(crate) mod output_file;
mod output_folder;
pub(crate) mod recording;
pub(crate) mod soundfont;

pub use crate::io::audio_file::{AudioFile, AudioFormat, Bits, MAX_FRAMES};
pub use crate::io::error::CliError;
pub use crate::io::midi_file::ProgramChange;
pub use crate::io::output_file::{PendingFile, Progress};
pub use crate::io::output_folder::OutputFolder;
pub use crate::io::recording::Sound;
