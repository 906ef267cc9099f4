//! Rectangular plates.

mod beam_products;
mod plate_axis;
mod plate_forms;
mod plate_potential;
mod plate_tables;
mod polynomials;
mod rayleigh_ritz;
mod rectangular_plate;

pub use crate::bodies::rectangular::plate_axis::StressDetail;
pub use crate::bodies::rectangular::plate_forms::plate_forms;
pub use crate::bodies::rectangular::plate_potential::{MAX_HALF_WAVES, PlateEdges, PlatePotential, PlateStretch};
pub use crate::bodies::rectangular::rectangular_plate::Plate;
