//! Voices: allocation, modes, sleep, cost, repeated strikes, a body that all keys share.

mod allocation;
mod cost;
mod networks;
mod repeated_strikes;
mod shared_body;
mod sleep;
mod voice_modes;
