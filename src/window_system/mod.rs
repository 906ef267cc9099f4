//! What the window library leaves out: the system's graphics library stays loaded, and X11 windows get their first frame, right
//! modifier keys, dropped files and the property of embedded windows.
//!
//! `docs/upstream` contains the corrections for the window library.

mod loaded_libraries;
#[cfg(target_os = "linux")]
mod window_reports;
#[cfg(target_os = "linux")]
mod x11;

pub use crate::window_system::loaded_libraries::keep_graphics_library;
#[cfg(target_os = "linux")]
pub use crate::window_system::loaded_libraries::keep_this_library;
#[cfg(target_os = "linux")]
pub use crate::window_system::window_reports::WindowReports;
#[cfg(target_os = "linux")]
pub use crate::window_system::x11::Companion;
