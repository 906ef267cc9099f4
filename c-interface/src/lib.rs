//! The C interface: `include/urto.h` describes every function, with units, ranges and errors.
//!
//! A patch is a sound, an engine plays it, a body is its picture. Objects belong to the caller, who frees them; two threads must not use one object
//! at the same time. The same functions are the exports of the module of the web page, which is built for `wasm32-unknown-unknown`.
#![deny(unsafe_op_in_unsafe_fn)]

mod body;
mod engine;
mod errors;
mod memory;
mod parameters;
mod patch;
mod readings;

/// Version of this interface; functions are only added within a version.
const INTERFACE_VERSION: u32 = 1;

/// See `urto.h`.
#[unsafe(no_mangle)]
pub extern "C" fn urto_version() -> u32 {
    INTERFACE_VERSION
}
