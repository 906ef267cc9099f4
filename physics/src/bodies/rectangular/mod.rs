//! TODO.

pub(crate) mod beam_products;
pub(crate) mod rayleigh_ritz;
pub(crate) mod rectangular_plate;
