//! Keeps the system's graphics library in memory until the process ends.
//!
//! The window library loads EGL for every window, on the window's thread, and unloads it when the window closes. A thread that has
//! drawn and ends after that runs destructors of an unloaded driver, which crashes the host. One reference that is never released
//! keeps EGL loaded.

#![allow(unsafe_code)]

use std::sync::Once;

/// Names under which the window library looks for EGL.
const NAMES: [&str; 2] = ["libEGL.so.1", "libEGL.so"];

static LOADED: Once = Once::new();

/// Loads EGL, if there is any, and never unloads it. To be called before the first window.
pub fn keep() {
    LOADED.call_once(|| {
        // SAFETY: the window library loads the same file by the same name; none of its functions is called here.
        let library = NAMES.iter().find_map(|name| unsafe { libloading::Library::new(name) }.ok());
        std::mem::forget(library);
    });
}
