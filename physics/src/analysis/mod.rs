//! Partials of a recorded strike: frequency, decay, amplitude and phase of every mode that rings.

mod band_search;
mod esprit;
mod least_squares;
mod mode_estimator;
mod recording;
mod types;

pub use crate::analysis::mode_estimator::{Estimate, Found, Why, estimate};
pub use crate::analysis::recording::{Recording, SideLevels, side_levels};
pub use crate::analysis::types::{Octave, Options, Partial};
