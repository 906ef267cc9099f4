//! The table of parameters: names, units, ranges, and values as text.

use std::ffi::c_char;

use crate::errors::{OK, Status, fail};
use crate::memory::{CText, read_text, write_text, write_to};
use urto_engine::params::{PARAMS, ParamId, ParamSpec, UpdateRate, value_text};

/// Range and default of a parameter, in its unit: `urto_param_range`.
#[repr(C)]
pub struct Range {
    min: f64,
    max: f64,
    default: f64,
    /// Number of choices; 0 for a parameter without choices.
    choices: u32,
    /// 1 if a change needs `urto_engine_prepare`, else 0.
    needs_body: u32,
}

/// The parameter number `index`; stores a sentence if there is none.
pub fn param(index: u32) -> Option<ParamId> {
    let found = ParamId::ALL.get(index as usize).copied();
    if found.is_none() {
        fail(format!("there is no parameter number {index}: give 0 to {}", ParamId::ALL.len() - 1));
    }
    found
}

fn spec(index: u32) -> Option<&'static ParamSpec> {
    param(index).map(ParamId::spec)
}

/// See `urto.h`.
#[unsafe(no_mangle)]
pub extern "C" fn urto_param_count() -> u32 {
    PARAMS.len() as u32
}

/// See `urto.h`.
///
/// # Safety
/// `id` is null or a text that ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_param_find(id: *const c_char) -> i32 {
    // SAFETY: as required of the caller
    let Some(id) = (unsafe { read_text(id) }) else { return fail("the id of the parameter is no UTF-8 text") };
    let found = PARAMS.iter().position(|spec| spec.id == id);
    found
        .map_or_else(|| fail(format!("no parameter \"{id}\"; the manual lists all ids, for example hammer_mass")), |at| at as i32)
}

/// See `urto.h`.
///
/// # Safety
/// `range` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_param_range(index: u32, range: *mut Range) -> Status {
    let Some(spec) = spec(index) else { return -1 };
    let needs_body = u32::from(spec.update_rate == UpdateRate::NewBody);
    let found = Range { min: spec.min, max: spec.max, default: spec.default, choices: spec.labels().len() as u32, needs_body };
    // SAFETY: as required of the caller
    unsafe { write_to(range, found) };
    OK
}

/// See `urto.h`.
///
/// # Safety
/// `buffer` is null or has room for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_param_text(index: u32, what: u32, buffer: CText, size: u32) -> i32 {
    let Some(spec) = spec(index) else { return -1 };
    let texts = [spec.id, spec.name, spec.group, spec.unit, spec.hint];
    match texts.get(what as usize) {
        // SAFETY: as required of the caller
        Some(text) => unsafe { write_text(text, buffer, size) },
        None => fail(format!("a parameter has no text number {what}: give 0 to {}", texts.len() - 1)),
    }
}

/// See `urto.h`.
///
/// # Safety
/// `buffer` is null or has room for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_param_show(index: u32, value: f64, buffer: CText, size: u32) -> i32 {
    let Some(spec) = spec(index) else { return -1 };
    // SAFETY: as required of the caller
    unsafe { write_text(&value_text::show(spec, spec.clamped(value)), buffer, size) }
}

/// See `urto.h`.
#[unsafe(no_mangle)]
pub extern "C" fn urto_param_to_normalized(index: u32, value: f64) -> f64 {
    spec(index).map_or(f64::NAN, |spec| spec.to_normalized(spec.clamped(value)))
}

/// See `urto.h`.
#[unsafe(no_mangle)]
pub extern "C" fn urto_param_from_normalized(index: u32, normalized: f64) -> f64 {
    spec(index).map_or(f64::NAN, |spec| spec.clamped(spec.from_normalized(normalized.clamp(0.0, 1.0))))
}
