//! The editor, drawn with egui: reads parameters and telemetry, writes through the host.

pub(crate) mod body_view;
pub(crate) mod browser;
mod command;
mod controller_learning;
mod drive;
mod editor_window;
mod editor_window_commands;
mod editor_window_drawing;
#[cfg(any(test, feature = "standalone"))]
pub(crate) mod headless_window;
mod hit_scope;
mod host_editor;
mod manual;
mod matrix;
mod modes;
mod modulation_ranges;
pub(crate) mod panels;
mod param_context;
pub(crate) mod param_controls;
mod partial;
mod parts;
mod preferences;
#[cfg(target_os = "linux")]
mod screen_reader;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod theme;
pub(crate) mod tuning;
mod undo_history;
pub(crate) mod widgets;
mod window_size;

#[cfg(any(test, feature = "standalone"))]
pub use crate::editor::headless_window::{FRAME_RATE, HeadlessWindow};
pub use crate::editor::host_editor::{HostEditor, close, open};
