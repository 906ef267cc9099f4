//! How far a sound is from a recording: the map of recordings, the measures of a pair of strokes, and the verdict.

pub(crate) mod attack;
pub(crate) mod comparison;
pub(crate) mod controls;
pub(crate) mod decays;
pub(crate) mod distance;
pub(crate) mod fourier;
pub(crate) mod glide;
pub(crate) mod lettering;
pub(crate) mod likeness;
pub(crate) mod page;
pub(crate) mod partials;
pub(crate) mod picture;
pub(crate) mod pitch_pattern;
pub(crate) mod portrait;
pub(crate) mod recording_map;
pub(crate) mod room;
pub(crate) mod room_noise;
pub(crate) mod stroke;
pub(crate) mod unsteadiness;
pub(crate) mod verdict;
