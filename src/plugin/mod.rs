//! The two plugins behind nice-plug: an instrument whose side-chain may drive a hammer, and an effect whose input does, for hosts that
//! send no sound to instruments. Both are one [`processor`] with different ports.

mod core_use;
mod event_translation;
mod heard_outputs;
mod instrument;
mod note_registry;
mod processor;
mod transport;

pub use crate::plugin::heard_outputs::with_heard_outputs;
pub use crate::plugin::instrument::{FonoBump, Urto};
