//! Patches: factory presets and texts, their names, macros, zones and parameters.

use std::ffi::c_char;
use std::sync::LazyLock;

use crate::errors::{OK, Status, fail};
use crate::memory::{CText, read_text, write_text};
use crate::parameters::param;
use urto_engine::params::ParamId;
use urto_engine::patch::{Patch, factory_presets, from_toml, to_toml};

/// The factory presets, in the order of their program numbers.
static PRESETS: LazyLock<Vec<Patch>> = LazyLock::new(|| factory_presets::all().collect());

/// The object behind `patch`; stores a sentence if it is null.
///
/// # Safety
/// `patch` is null or a living patch.
pub unsafe fn patch_at<'a>(patch: *const Patch) -> Option<&'a Patch> {
    // SAFETY: as required of the caller
    let found = unsafe { patch.as_ref() };
    if found.is_none() {
        fail("the patch is null: create one with urto_patch_preset or urto_patch_from_toml");
    }
    found
}

fn handle(patch: Patch) -> *mut Patch {
    Box::into_raw(Box::new(patch))
}

/// See `urto.h`.
#[unsafe(no_mangle)]
pub extern "C" fn urto_preset_count() -> u32 {
    PRESETS.len() as u32
}

/// See `urto.h`.
///
/// # Safety
/// `name` is null or a text that ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_preset_find(name: *const c_char) -> i32 {
    // SAFETY: as required of the caller
    let Some(name) = (unsafe { read_text(name) }) else { return fail("the name of the preset is no UTF-8 text") };
    let found = PRESETS.iter().position(|patch| patch.name == name);
    found.map_or_else(
        || fail(format!("no preset \"{name}\"; the manual lists all presets, for example Rosewood Marimba")),
        |at| at as i32,
    )
}

/// See `urto.h`.
#[unsafe(no_mangle)]
pub extern "C" fn urto_patch_preset(index: u32) -> *mut Patch {
    match PRESETS.get(index as usize) {
        Some(patch) => handle(patch.clone()),
        None => {
            fail(format!("there is no preset number {index}: give 0 to {}", PRESETS.len() - 1));
            std::ptr::null_mut()
        }
    }
}

/// See `urto.h`.
///
/// # Safety
/// `text` is null or a text that ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_patch_from_toml(text: *const c_char) -> *mut Patch {
    // SAFETY: as required of the caller
    let read = unsafe { read_text(text) }.map(from_toml);
    match read {
        Some(Ok(patch)) => return handle(patch),
        Some(Err(error)) => fail(error.to_string()),
        None => fail("the patch is no UTF-8 text"),
    };
    std::ptr::null_mut()
}

/// See `urto.h`.
///
/// # Safety
/// `patch` is null or a patch that is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_patch_free(patch: *mut Patch) {
    if !patch.is_null() {
        // SAFETY: as required of the caller
        drop(unsafe { Box::from_raw(patch) });
    }
}

/// See `urto.h`.
///
/// # Safety
/// `patch` is null or a living patch; `buffer` is null or has room for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_patch_text(patch: *const Patch, what: u32, buffer: CText, size: u32) -> i32 {
    // SAFETY: as required of the caller
    let Some(patch) = (unsafe { patch_at(patch) }) else { return -1 };
    let text = match what {
        0 => patch.name.clone(),
        1 => patch.family.clone(),
        2 => patch.tags.join(", "),
        3 => patch.description.clone(),
        4 => patch.author.clone(),
        5 => to_toml(patch),
        _ => return fail(format!("a patch has no text number {what}: give 0 to 5")),
    };
    // SAFETY: as required of the caller
    unsafe { write_text(&text, buffer, size) }
}

/// See `urto.h`.
///
/// # Safety
/// `patch` is null or a living patch; `buffer` is null or has room for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_patch_macro(patch: *const Patch, number: u32, buffer: CText, size: u32) -> i32 {
    // SAFETY: as required of the caller
    let Some(patch) = (unsafe { patch_at(patch) }) else { return -1 };
    match patch.macros.get(number as usize) {
        // SAFETY: as required of the caller
        Some(one) => unsafe { write_text(&one.name, buffer, size) },
        None => fail(format!("the patch has {} macros", patch.macros.len())),
    }
}

/// See `urto.h`.
///
/// # Safety
/// `patch` is null or a living patch; `buffer` is null or has room for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_patch_zone(patch: *const Patch, key: u32, buffer: CText, size: u32) -> i32 {
    // SAFETY: as required of the caller
    let Some(patch) = (unsafe { patch_at(patch) }) else { return -1 };
    let zone = u8::try_from(key).ok().and_then(|key| patch.zones.iter().find(|zone| zone.holds(key)));
    match zone {
        // SAFETY: as required of the caller
        Some(zone) => unsafe { write_text(&zone.name, buffer, size) },
        None => fail(format!("no zone of the patch has the key {key}")),
    }
}

/// See `urto.h`.
///
/// # Safety
/// `patch` is null or a living patch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_patch_zone_count(patch: *const Patch) -> u32 {
    // SAFETY: as required of the caller
    unsafe { patch_at(patch) }.map_or(0, |patch| patch.zones.len() as u32)
}

/// See `urto.h`.
///
/// # Safety
/// `patch` is null or a living patch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_patch_get(patch: *const Patch, index: u32) -> f64 {
    // SAFETY: as required of the caller
    let value = unsafe { patch_at(patch) }.zip(param(index)).map(|(patch, param)| patch.settings.get(param));
    value.unwrap_or(f64::NAN)
}

/// See `urto.h`.
///
/// # Safety
/// `patch` is null or a living patch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_patch_set(patch: *mut Patch, index: u32, value: f64) -> Status {
    // SAFETY: as required of the caller
    let Some(patch) = (unsafe { patch.as_mut() }) else { return fail("the patch is null") };
    let Some(param): Option<ParamId> = param(index) else { return -1 };
    patch.settings.set(param, value);
    OK
}
