//! TODO.

pub(crate) mod button;
pub(crate) mod error_notice;
pub(crate) mod file_picker;
pub(crate) mod icon;
pub(crate) mod meter;
pub(crate) mod painter;
pub(crate) mod plot;
pub(crate) mod resize_corner;
pub(crate) mod tabs;
pub(crate) mod text_field;
pub(crate) mod tooltip;
