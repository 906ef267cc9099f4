//! Codes of the plugins as Audio Units, which the tool clap-wrapper reads from the CLAP on macOS.

use std::ffi::{CStr, c_char};

/// Name of the factory with the codes.
pub const FACTORY_ID: &CStr = c"clap.plugin-factory-info-as-auv2.draft0";

/// Type and subtype of an Audio Unit: four letters and a zero each.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Codes {
    au_type: [u8; 5],
    au_subtype: [u8; 5],
}

/// clap-wrapper's table of functions.
#[repr(C)]
pub struct AudioUnitFactory {
    manufacturer_code: *const c_char,
    manufacturer_name: *const c_char,
    codes: unsafe extern "C" fn(*mut Self, u32, *mut Codes) -> bool,
}

// SAFETY: nothing in it changes.
unsafe impl Sync for AudioUnitFactory {}

/// The codes of both plugins, in the order of the CLAP factory. Sessions store them: they never change.
const CODES: [Codes; 2] = [
    // an instrument
    Codes { au_type: *b"aumu\0", au_subtype: *b"Urto\0" },
    // an effect
    Codes { au_type: *b"aufx\0", au_subtype: *b"Fono\0" },
];

/// The factory that clap-wrapper finds.
pub static FACTORY: AudioUnitFactory =
    AudioUnitFactory { manufacturer_code: c"Urto".as_ptr(), manufacturer_name: c"Urto".as_ptr(), codes };

unsafe extern "C" fn codes(_: *mut AudioUnitFactory, index: u32, answer: *mut Codes) -> bool {
    let Some(codes) = CODES.get(index as usize).filter(|_| !answer.is_null()) else { return false };
    // SAFETY: the caller gives null or a valid place for the answer.
    unsafe { answer.write(*codes) };
    true
}
