//! The Drive page: the source that drives the hammer, the forces on it, and its recent motion.

mod drive_page;
mod force_diagram;
mod source;

pub use crate::editor::drive::drive_page::DrivePage;
#[cfg(test)]
pub use crate::editor::drive::drive_page::ROWS;
