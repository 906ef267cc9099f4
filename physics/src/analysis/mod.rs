//! Partials of a recorded strike: frequency, decay, amplitude and phase of every mode that rings.

mod band_search;
mod esprit;
mod fourier;
mod known_partials;
mod least_squares;
mod mode_estimator;
mod noise_bands;
mod recording;
mod spectral_peaks;
mod types;

pub use crate::analysis::mode_estimator::{Estimate, Why, estimate};
pub use crate::analysis::noise_bands::{NoiseBand, noise_bands};
pub use crate::analysis::recording::{Recording, SideLevels, side_levels, without_partials};
pub use crate::analysis::types::{Found, Octave, Options, Partial};
