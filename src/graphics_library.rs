//! The system's graphics library, kept in memory as long as the process lives.
//!
//! The window library loads EGL anew for every window, on a thread of its own, and unloads it when the window closes. Whoever meanwhile
//! ends a thread that has drawn runs the destructors of a driver that is gone, and the host dies. Loaded once more and never given
//! back, it stays.

#![allow(unsafe_code)]

use std::sync::Once;

/// Where the window library looks for EGL.
const NAMES: [&str; 2] = ["libEGL.so.1", "libEGL.so"];

static KEPT: Once = Once::new();

/// Keeps EGL in memory from now on, if there is any. Before the first window.
pub fn keep() {
    KEPT.call_once(|| {
        // SAFETY: the window library is about to load the same file by the same name; nothing of it is called here.
        let library = NAMES.iter().find_map(|name| unsafe { libloading::Library::new(name) }.ok());
        std::mem::forget(library);
    });
}
