//! Bodies that answer to the sound of others: the other zones of a kit, and the other keys of a sound.
//!
//! ```text
//! z' = exp((i omega - sigma) h) z + a s      each of the lowest modes; s: sound of the others in the last control block
//! a = share sigma w/(w^2 + e W^2) h          w: its weight at the pickups, W: the largest of all modes
//! ```
//!
//! A mode takes in sound as it gives it out, by reciprocity: the part `share` of its loss is the sound that it radiates. It has a state of
//! its own, apart from that of strikes: bodies are linear, so that both superpose. Only the sound of strikes drives it, never that of
//! answers, so that no loop exists. Contacts and their energy balance do not contain it.

mod answering_body;
mod answering_modes;
mod held_voices;
mod kit_bleed;

pub use crate::bleed::held_voices::HeldVoices;
pub use crate::bleed::kit_bleed::{AnswerParams, AnswerTurn, KitBleed, ZonePlace};
