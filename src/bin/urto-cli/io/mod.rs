//! Input and output of the command line: files, error messages, progress.

pub(crate) mod error;
pub(crate) mod host_state;
pub(crate) mod midi_file;
pub(crate) mod output_file;
pub(crate) mod wav_file;

pub use crate::io::error::CliError;
pub use crate::io::midi_file::ProgramChange;
pub use crate::io::output_file::{PendingFile, Progress};
pub use crate::io::wav_file::{Bits, MAX_FRAMES, Wav};
