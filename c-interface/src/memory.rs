//! Texts and structures in the memory of the caller, and memory for callers outside of WebAssembly's.

use std::alloc::{Layout, alloc, dealloc};
use std::ffi::{CStr, c_char};

/// A buffer for text of the caller.
pub type CText = *mut c_char;

/// Alignment of all memory that is handed out [bytes].
const ALIGNMENT: usize = 16;

/// Writes `text` with a NUL after it, cut at a character if it is too long. Returns its whole length in bytes, without the NUL.
///
/// # Safety
/// `buffer` is null or has room for `size` bytes.
pub unsafe fn write_text(text: &str, buffer: CText, size: u32) -> i32 {
    let room = (size as usize).saturating_sub(1);
    if !buffer.is_null() && size > 0 {
        let length = (0..=room.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        // SAFETY: `length` and the NUL after it are at most `size` bytes
        unsafe {
            std::ptr::copy_nonoverlapping(text.as_ptr().cast::<c_char>(), buffer, length);
            *buffer.add(length) = 0;
        }
    }
    i32::try_from(text.len()).unwrap_or(i32::MAX)
}

/// The text at `text`; none if it is null or no UTF-8.
///
/// # Safety
/// `text` is null or a text that ends with NUL and lives as long as `'a`.
pub unsafe fn read_text<'a>(text: *const c_char) -> Option<&'a str> {
    // SAFETY: as required of the caller
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) })?.to_str().ok()
}

/// Writes `value` to `place`, unless that is null.
///
/// # Safety
/// `place` is null or writable and aligned.
pub unsafe fn write_to<T>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: as required of the caller
        unsafe { place.write(value) };
    }
}

fn layout(bytes: u32) -> Option<Layout> {
    Layout::from_size_align((bytes as usize).max(1), ALIGNMENT).ok()
}

/// See `urto.h`.
#[unsafe(no_mangle)]
pub extern "C" fn urto_alloc(bytes: u32) -> *mut u8 {
    // SAFETY: the layout is at least one byte
    layout(bytes).map_or(std::ptr::null_mut(), |layout| unsafe { alloc(layout) })
}

/// See `urto.h`.
///
/// # Safety
/// `memory` is null or comes from `urto_alloc` with the same `bytes`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_dealloc(memory: *mut u8, bytes: u32) {
    if let Some(layout) = layout(bytes).filter(|_| !memory.is_null()) {
        // SAFETY: as required of the caller
        unsafe { dealloc(memory, layout) };
    }
}
