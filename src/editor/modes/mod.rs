//! The Modes page: every partial by frequency, level and decay, and an inspector for one of them.

mod axes;
mod chart;
mod dense_modes;
mod import;
mod inspector;
mod modes_page;
mod partial_editing;
mod spectrum;

pub use crate::editor::modes::modes_page::ModesPage;
