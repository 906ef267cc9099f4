//! Microphones and the room: what pairs of microphones hear of sounds at their positions, and what a room returns.
//!
//! ```text
//! pair:    p(t) = s(t - r/c) r0/r                 direct sound s at the distance r; r0: distance of equal level
//! early:   the same for the images of s in a box, of order 1 and 2, with the reflection of the walls once and twice
//! late:    y(t) = A x(t - tau),  x = H y + b p2    lines of the delays tau, absorption A, H orthogonal; p2: images of order 2
//! ```
//!
//! The delays of all paths and lines are at least a control block, so that the stage computes the sound of a control block at its beginning,
//! from what it has collected up to the last one. With everything off it touches neither the sound nor its memory.

mod absorption_filter;
mod arrival_buffer;
mod delay_line;
mod feedback_network;
mod gain_ramp;
mod image_sources;
mod microphones;
mod reverberation;
mod room_acoustics;
mod room_stage;
mod sound_source;

pub use crate::room::room_stage::{BlockStart, RoomStage};
pub use crate::room::sound_source::SoundSource;
