//! Data that crosses threads: meters and hits, prepared bodies, tunings, assigned controllers, program changes; and the thread that prepares
//! bodies.
//!
//! [`connect`] makes the three ends of one instance together: [`AudioEnd`] for the audio thread, [`EditorEnd`] for the editor and
//! [`HostEnd`] for the thread that loads states. The audio thread never allocates, frees, locks or waits here, with one exception:
//! in offline rendering it sleeps until the body that it requested has arrived.

mod audio_end;
mod connection;
mod controller_store;
mod host_end;
mod messages;
mod shared_patch;
#[cfg(test)]
mod tests;
#[forbid(unsafe_code)]
mod worker;

pub use crate::threads::audio_end::{AudioChunk, AudioEnd, CHUNK_LENGTH};
pub use crate::threads::connection::{EditorEnd, connect, connect_to};
pub use crate::threads::controller_store::ControllerStore;
pub use crate::threads::host_end::{HostEnd, PatchLoader};
pub use crate::threads::messages::{Levels, MovedController, ParamRescanFlag};
pub use crate::threads::worker::{WorkerRegistration, follow_render_switch};
