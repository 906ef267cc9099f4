//! Partials of a recorded strike: frequency, decay, amplitude and phase of every mode that rings.

mod band_search;
mod band_zoom;
mod esprit;
mod least_squares;
mod mode_estimator;
mod onset;
mod selection;
mod types;

pub use crate::analysis::mode_estimator::{Estimate, estimate};
pub use crate::analysis::selection::{Found, Why};
pub use crate::analysis::types::{Octave, Options, Partial};
