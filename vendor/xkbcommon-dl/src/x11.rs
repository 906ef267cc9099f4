use std::os::raw::c_int;

use once_cell::sync::OnceCell;

pub type xcb_connection_t = c_void;

use super::*;

pub const XKB_X11_MIN_MAJOR_XKB_VERSION: u16 = 1;
pub const XKB_X11_MIN_MINOR_XKB_VERSION: u16 = 0;

#[repr(C)]
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum xkb_x11_setup_xkb_extension_flags {
    /// Do not apply any flags.
    XKB_X11_SETUP_XKB_EXTENSION_NO_FLAGS = 0,
}

dlopen_external_library!(LoadedLibrary,
functions:
    fn xkb_x11_setup_xkb_extension(
        *mut xcb_connection_t,
        u16,
        u16,
        xkb_x11_setup_xkb_extension_flags,
        *mut u16,
        *mut u16,
        *mut u8,
        *mut u8
    ) -> c_int,
    fn xkb_x11_get_core_keyboard_device_id(*mut xcb_connection_t) -> i32,
    fn xkb_x11_keymap_new_from_device(
        *mut xkb_context,
        *mut xcb_connection_t,
        i32,
        xkb_keymap_compile_flags
    ) -> *mut xkb_keymap,
    fn xkb_x11_state_new_from_device(
        *mut xkb_keymap,
        *mut xcb_connection_t,
        i32
    ) -> *mut xkb_state,
);

/// The functions of libxkbcommon-x11, as callers use them.
pub struct XkbCommonX11 {
    pub xkb_x11_setup_xkb_extension: unsafe extern "C" fn(
        *mut xcb_connection_t,
        u16,
        u16,
        xkb_x11_setup_xkb_extension_flags,
        *mut u16,
        *mut u16,
        *mut u8,
        *mut u8,
    ) -> c_int,
    pub xkb_x11_get_core_keyboard_device_id: unsafe extern "C" fn(*mut xcb_connection_t) -> i32,
    pub xkb_x11_keymap_new_from_device: unsafe extern "C" fn(
        *mut xkb_context,
        *mut xcb_connection_t,
        i32,
        xkb_keymap_compile_flags,
    ) -> *mut xkb_keymap,
    /// Creates a keyboard state and gives it the caller's reference to the keymap: the keymap is freed together with the
    /// state. Changed for Urto: in the original, the caller keeps its reference and has to return it.
    pub xkb_x11_state_new_from_device:
        unsafe fn(*mut xkb_keymap, *mut xcb_connection_t, i32) -> *mut xkb_state,
}

fn loaded_library() -> Option<&'static LoadedLibrary> {
    static LIBRARY: OnceCell<Option<LoadedLibrary>> = OnceCell::new();
    LIBRARY
        .get_or_init(|| {
            open_with_sonames(
                &["libxkbcommon-x11.so.0", "libxkbcommon-x11.so"],
                None,
                |name| unsafe { LoadedLibrary::open(name) },
            )
        })
        .as_ref()
}

/// Creates a state from a keymap and unreferences the keymap, to which the state has its own reference.
///
/// # Safety
/// As for the function of the same name in libxkbcommon-x11. The caller must not use the keymap afterwards.
unsafe fn state_that_owns_keymap(
    keymap: *mut xkb_keymap,
    connection: *mut xcb_connection_t,
    device: i32,
) -> *mut xkb_state {
    let (Some(common), Some(x11)) = (xkbcommon_option(), loaded_library()) else {
        return std::ptr::null_mut();
    };
    let state = (x11.xkb_x11_state_new_from_device)(keymap, connection, device);
    (common.xkb_keymap_unref)(keymap);
    state
}

pub fn xkbcommon_x11_option() -> Option<&'static XkbCommonX11> {
    static FUNCTIONS: OnceCell<Option<XkbCommonX11>> = OnceCell::new();
    FUNCTIONS
        .get_or_init(|| {
            let library = loaded_library()?;
            Some(XkbCommonX11 {
                xkb_x11_setup_xkb_extension: *library.xkb_x11_setup_xkb_extension,
                xkb_x11_get_core_keyboard_device_id: *library.xkb_x11_get_core_keyboard_device_id,
                xkb_x11_keymap_new_from_device: *library.xkb_x11_keymap_new_from_device,
                xkb_x11_state_new_from_device: state_that_owns_keymap,
            })
        })
        .as_ref()
}

pub fn xkbcommon_x11_handle() -> &'static XkbCommonX11 {
    xkbcommon_x11_option().expect("Library libxkbcommon-x11.so could not be loaded.")
}
