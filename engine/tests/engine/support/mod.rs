//! Helpers of the tests.

pub mod partial_tracks;
pub mod spectrum;
pub mod test_engine;
