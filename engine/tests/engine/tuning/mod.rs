//! Tuning of the keys.

mod concert_pitch;
mod tuning_sources;
