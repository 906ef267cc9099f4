//! The outputs that a host hears in the running block.
//!
//! nice-plug 0.4.2 gives the plugin all buses of its layout, also those that a VST3 host has switched off. The entry of that format notes here which
//! ones the host hears, for the call that follows on the same thread.

use std::cell::Cell;

thread_local! {
    /// A bit for each output, the main one first.
    static HEARD: Cell<u8> = const { Cell::new(u8::MAX) };
}

/// Calls `process`, in which the host hears only the outputs in the set `heard`, a bit each.
pub fn with_heard_outputs<R>(heard: u8, process: impl FnOnce() -> R) -> R {
    let before = HEARD.replace(heard);
    let result = process();
    HEARD.set(before);
    result
}

/// Whether the host hears output `number`, counted from 0.
pub fn is_heard(number: usize) -> bool {
    HEARD.get() >> number & 1 != 0
}
