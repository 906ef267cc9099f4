//! Helpers of the tests.

pub mod counted_memory;
pub mod partial_tracks;
pub mod spectrum;
pub mod test_engine;
