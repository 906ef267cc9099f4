//! Rectangular plates.

mod beam_products;
mod rayleigh_ritz;
mod rectangular_plate;

pub use crate::bodies::rectangular::rectangular_plate::Plate;
