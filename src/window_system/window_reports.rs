//! What a window reports to the editor.

use std::path::PathBuf;

/// Functions to which a window's events are reported, from another thread.
pub struct WindowReports {
    /// Takes the width and height of the part that the host's windows show [px].
    pub visible: Box<dyn Fn(u32, u32) + Send>,
    /// Takes the files that are dropped on the window.
    pub dropped: Box<dyn Fn(Vec<PathBuf>) + Send>,
}
