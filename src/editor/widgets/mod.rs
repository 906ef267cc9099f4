//! Widgets that know no parameters: painter, buttons, tabs, text fields, plots, meter, icons.

pub(crate) mod button;
pub(crate) mod error_notice;
pub(crate) mod file_picker;
pub(crate) mod icon;
pub(crate) mod meter;
mod painter;
mod plot;
pub(crate) mod resize_corner;
pub(crate) mod tabs;
pub(crate) mod text_field;
mod title;
pub(crate) mod tooltip;

pub use crate::editor::widgets::button::TARGET;
pub use crate::editor::widgets::file_picker::{FileRequest, Kind, WAIT};
pub use crate::editor::widgets::icon::Way;
pub use crate::editor::widgets::meter::{Meter, SILENT};
pub use crate::editor::widgets::painter::{DASHED, DOTTED, RESTING, Side, ThemePainter};
pub use crate::editor::widgets::plot::{Axis, Plot};
pub use crate::editor::widgets::resize_corner::{MAX_SIZE, MIN_SIZE};
pub use crate::editor::widgets::tabs::Rule;
pub use crate::editor::widgets::text_field::Number;
pub use crate::editor::widgets::title::title;
