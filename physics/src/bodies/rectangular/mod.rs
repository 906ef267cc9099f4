//! Rectangular plates.

mod beam_products;
mod pair_products;
mod plate_axis;
mod plate_forms;
mod plate_potential;
mod plate_tables;
mod polynomials;
mod rayleigh_ritz;
mod rectangular_plate;
mod stress_functions;
mod stretch_forms;
mod stretch_potential;

pub use crate::bodies::rectangular::plate_axis::StressDetail;
pub use crate::bodies::rectangular::plate_forms::plate_forms;
pub use crate::bodies::rectangular::plate_potential::{MAX_HALF_WAVES, PlateEdges, PlatePotential, PlateStretch};
pub use crate::bodies::rectangular::rectangular_plate::Plate;
pub use crate::bodies::rectangular::stretch_forms::{InPlaneEdges, StretchDetail, StretchForms, StretchSpec};
pub use crate::bodies::rectangular::stretch_potential::StretchPotential;
