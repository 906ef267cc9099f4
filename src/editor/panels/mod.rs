//! Panels around the pages: header, footer, main controls, drawer, hints of the first run.

pub(crate) mod footer;
pub(crate) mod header;
pub(crate) mod main_controls;

pub use crate::editor::panels::footer::FooterState;
pub use crate::editor::panels::header::HeaderState;
pub use crate::editor::panels::main_controls::OpenDrawer;
