//! The tuning page: scale, reference pitch, the effect of controllers on a hit, and learned controllers.

mod controllers;
mod learned_controllers;
mod page;
pub(crate) mod scale;
mod source;

pub use crate::editor::tuning::controllers::TuningReadings;
pub use crate::editor::tuning::page::TuningPage;
