//! What the window library leaves out of X11 windows: their first frame, right modifier keys, dropped files and the property of embedded windows.
//!
//! `docs/upstream` contains the corrections for the window library.

#[cfg(target_os = "linux")]
mod window_reports;
#[cfg(target_os = "linux")]
mod x11;

#[cfg(target_os = "linux")]
pub use crate::window_system::window_reports::WindowReports;
#[cfg(target_os = "linux")]
pub use crate::window_system::x11::Companion;
