//! The tuning page: scale, reference pitch, and the effect of controllers on a hit.

mod controllers;
mod page;
mod page_state;
pub(crate) mod scale;
mod source;

pub use crate::editor::tuning::page::TuningPage;
pub use crate::editor::tuning::page_state::TuningReadings;
