//! The tuning page: scale, reference pitch, and the effect of controllers on a hit.

mod controllers;
mod page;
pub(crate) mod scale;
mod source;

pub use crate::editor::tuning::controllers::TuningReadings;
pub use crate::editor::tuning::page::TuningPage;
