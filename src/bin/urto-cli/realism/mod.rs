//! How far a sound is from a recording: the map of recordings, the measures of a pair of strokes, and the verdict.

pub(crate) mod distance;
pub(crate) mod fourier;
pub(crate) mod likeness;
pub(crate) mod partials;
pub(crate) mod recording_map;
pub(crate) mod room;
pub(crate) mod room_noise;
pub(crate) mod stroke;
