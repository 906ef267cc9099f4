//! Libraries that stay in memory until the process ends.
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
pub fn keep_graphics_library() {
    LOADED.call_once(|| {
        // SAFETY: the window library loads the same file by the same name; none of its functions is called here.
        let library = NAMES.iter().find_map(|name| unsafe { libloading::Library::new(name) }.ok());
        std::mem::forget(library);
    });
}

/// Keeps this library in memory until the process ends, for threads that outlive its last instance. Does nothing in a program.
#[cfg(target_os = "linux")]
pub fn keep_this_library() {
    // RTLD_NOW, RTLD_NOLOAD and RTLD_NODELETE of `dlfcn.h`: marks a library that is loaded
    const KEEP: i32 = 0x2 | 0x4 | 0x1000;
    static KEPT: Once = Once::new();
    KEPT.call_once(|| {
        let address = keep_this_library as *const () as usize;
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
        let holds = |line: &&str| {
            let bounds = line.split_once(' ').and_then(|(range, _)| range.split_once('-'));
            let [low, high] =
                bounds.map_or([0; 2], |(low, high)| [low, high].map(|text| usize::from_str_radix(text, 16).unwrap_or(0)));
            (low..high).contains(&address)
        };
        let path = maps.lines().find(holds).and_then(|line| line.find('/').map(|start| &line[start..]));
        // SAFETY: the library is loaded already, so that none of its code runs here.
        let library = path.and_then(|path| unsafe { libloading::os::unix::Library::open(Some(path), KEEP) }.ok());
        std::mem::forget(library);
    });
}

/// Keeps this library in memory until the process ends. Rust's thread-local variables take indices of the process that the unloading of a library
/// does not return: after about a thousand loads there would be none left, and the process would end.
#[cfg(windows)]
pub fn keep_this_library() {
    unsafe extern "C" {
        /// The first byte of this library; the linker sets its address.
        #[link_name = "__ImageBase"]
        static START: u8;
    }
    static KEPT: Once = Once::new();
    KEPT.call_once(|| {
        // SAFETY: the handle of a library is the address of its first byte, and it is loaded while its code runs.
        let library = unsafe { libloading::os::windows::Library::from_raw((&raw const START) as _) };
        // without it the library works until it has been loaded too often
        let _ = library.pin();
        std::mem::forget(library);
    });
}
