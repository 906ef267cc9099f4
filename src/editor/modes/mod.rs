//! The Modes page: every partial by frequency, level and decay, and an inspector for one of them.

mod action;
mod axes;
mod chart;
mod drag;
mod import;
mod inspector;
mod modes_page;
mod number_entry;
mod spectrum;
mod toolbar;

pub use crate::editor::modes::modes_page::ModesPage;
