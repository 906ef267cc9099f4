//! Widgets that are independent of parameters: painter, buttons, tabs, text fields, plots, meter, icons.

pub(crate) mod button;
#[cfg(target_os = "linux")]
pub(crate) mod dropped_files;
pub(crate) mod file_picker;
pub(crate) mod icon;
pub(crate) mod keys;
mod painter;
pub(crate) mod plot;
mod stiffening_meter;
mod table;
pub(crate) mod tabs;
pub(crate) mod text_field;
pub(crate) mod tooltip;

pub use crate::editor::widgets::button::{MAX_SIZE, MIN_SIZE, TARGET, menu};
pub use crate::editor::widgets::file_picker::{FileRequest, Kind, WAIT};
pub use crate::editor::widgets::icon::Way;
pub use crate::editor::widgets::painter::{DASHED, DOTTED, RESTING, Side, ThemePainter};
pub use crate::editor::widgets::plot::{Axis, Meter, Plot, SILENT};
pub use crate::editor::widgets::stiffening_meter::StiffeningMeter;
pub use crate::editor::widgets::table::{Table, TableRow};
pub use crate::editor::widgets::tabs::{Rule, title};
pub use crate::editor::widgets::text_field::Number;
