//! Everything that crosses threads: meters and hits, prepared bodies, tunings, program changes; and the thread that prepares bodies.
//!
//! [`connect`] makes the three ends of one instance together: [`AudioEnd`] for the audio thread, [`EditorEnd`] for the editor and
//! [`HostEnd`] for the thread that loads states. The audio thread never allocates, frees, locks or waits here, with one exception:
//! in offline rendering it sleeps until the body that it requested has arrived.

mod audio_end;
mod audio_tap;
mod connection;
mod editor_end;
mod host_end;
mod messages;
mod program_changes;
mod rescan_flag;
mod shared_patch;
#[cfg(test)]
mod tests;
#[forbid(unsafe_code)]
mod worker;

pub use crate::threads::audio_end::AudioEnd;
pub use crate::threads::audio_tap::{AudioChunk, CHUNK_LENGTH};
pub use crate::threads::connection::{connect, connect_to};
pub use crate::threads::editor_end::EditorEnd;
pub use crate::threads::host_end::{HostEnd, PatchLoader};
pub use crate::threads::messages::Levels;
pub use crate::threads::rescan_flag::ParamRescanFlag;
