//! The two plugins behind nice-plug: an instrument whose side-chain may drive a hammer, and an effect whose input does, for hosts that
//! send no sound to instruments. Both are one [`processor`] with different ports.

mod event_translation;
mod instrument;
mod note_registry;
mod processor;
mod transport;

pub use crate::plugin::instrument::{FonoBump, Urto};
