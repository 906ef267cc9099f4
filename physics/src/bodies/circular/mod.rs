//! TODO.

pub(crate) mod air_load;
pub(crate) mod bessel;
pub(crate) mod circular_modes;
pub(crate) mod circular_plate;
pub(crate) mod membrane;
