//! The last error of the calling thread, as a sentence.

use std::cell::RefCell;

use crate::memory::{CText, write_text};

thread_local! {
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Result of a function that can fail: 0, or -1 with a sentence in `urto_error`.
pub type Status = i32;

/// Success.
pub const OK: Status = 0;

/// Stores the sentence; returns the status of a failure.
pub fn fail(sentence: impl Into<String>) -> Status {
    LAST.with(|last| *last.borrow_mut() = sentence.into());
    -1
}

/// See `urto.h`.
///
/// # Safety
/// `buffer` is null or has room for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_error(buffer: CText, size: u32) -> i32 {
    // SAFETY: as required of the caller
    LAST.with(|last| unsafe { write_text(&last.borrow(), buffer, size) })
}
