//! Engines: notes, controllers and parameters in, samples out.

use std::ptr::null_mut;

use crate::errors::{OK, Status, fail};
use crate::parameters::param;
use crate::patch::patch_at;
use urto_engine::params::ParamId;
use urto_engine::patch::Patch;
use urto_engine::{Engine, EngineConfig, Event, NoteId, PreparedBody};

/// An engine with the patch that it plays: bodies are prepared from it.
pub struct PatchEngine {
    pub engine: Engine,
    patch: Patch,
}

/// The object behind `engine`; stores a sentence if it is null.
///
/// # Safety
/// `engine` is null or a living engine that no other thread uses.
pub unsafe fn engine_at<'a>(engine: *mut PatchEngine) -> Option<&'a mut PatchEngine> {
    // SAFETY: as required of the caller
    let found = unsafe { engine.as_mut() };
    if found.is_none() {
        fail("the engine is null: create one with urto_engine_new");
    }
    found
}

/// Sends an event.
///
/// # Safety
/// As [`engine_at`].
unsafe fn send(engine: *mut PatchEngine, event: Event) -> Status {
    // SAFETY: as required of the caller
    let Some(engine) = (unsafe { engine_at(engine) }) else { return -1 };
    engine.engine.event(&event);
    OK
}

fn note(channel: u32, key: u32) -> Option<NoteId> {
    if channel > 15 || key > 127 {
        fail(format!("channel {channel}, key {key}: give a channel of 0 to 15 and a key of 0 to 127"));
        return None;
    }
    Some(NoteId { voice: None, channel: channel as u8, key: key as u8 })
}

/// See `urto.h`.
///
/// # Safety
/// `patch` is null or a living patch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_engine_new(patch: *const Patch, sample_rate: f64, voices: u32) -> *mut PatchEngine {
    // SAFETY: as required of the caller
    let Some(patch) = (unsafe { patch_at(patch) }) else { return null_mut() };
    if !(4e3..=1e6).contains(&sample_rate) {
        fail(format!("a sample rate of {sample_rate} Hz: give 4000 to 1000000, for example 48000"));
        return null_mut();
    }
    let standard = EngineConfig::at(sample_rate);
    let voices = if voices == 0 { standard.voices } else { voices as usize };
    let engine = Engine::new(EngineConfig { voices, ..standard }, patch);
    Box::into_raw(Box::new(PatchEngine { engine, patch: patch.clone() }))
}

/// See `urto.h`.
///
/// # Safety
/// `engine` is null or an engine that is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_engine_free(engine: *mut PatchEngine) {
    if !engine.is_null() {
        // SAFETY: as required of the caller
        drop(unsafe { Box::from_raw(engine) });
    }
}

/// See `urto.h`.
///
/// # Safety
/// `engine` is null or a living engine that no other thread uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_engine_reset(engine: *mut PatchEngine) -> Status {
    // SAFETY: as required of the caller
    let Some(engine) = (unsafe { engine_at(engine) }) else { return -1 };
    engine.engine.reset();
    OK
}

/// See `urto.h`.
///
/// # Safety
/// `engine` is null or a living engine that no other thread uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_engine_note_on(engine: *mut PatchEngine, channel: u32, key: u32, velocity: f64) -> Status {
    let Some(note) = note(channel, key) else { return -1 };
    // SAFETY: as required of the caller
    unsafe { send(engine, Event::NoteOn { note, velocity }) }
}

/// See `urto.h`.
///
/// # Safety
/// `engine` is null or a living engine that no other thread uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_engine_strike(
    engine: *mut PatchEngine,
    key: u32,
    velocity: f64,
    along: f64,
    across: f64,
) -> Status {
    let Some(note) = note(0, key) else { return -1 };
    // SAFETY: as required of the caller
    let Some(engine) = (unsafe { engine_at(engine) }) else { return -1 };
    let PatchEngine { engine, .. } = engine;
    engine.event(&Event::NoteOn { note, velocity });
    for (param, place) in [(ParamId::StrikePosition, along), (ParamId::StrikeAcross, across)] {
        let travel = place.clamp(0.0, 1.0) - engine.settings().get(param);
        engine.event(&Event::NoteModulation { note, param, travel });
    }
    OK
}

/// See `urto.h`.
///
/// # Safety
/// `engine` is null or a living engine that no other thread uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_engine_note_off(engine: *mut PatchEngine, channel: u32, key: u32, velocity: f64) -> Status {
    let Some(note) = note(channel, key) else { return -1 };
    // SAFETY: as required of the caller
    unsafe { send(engine, Event::NoteOff { note, velocity }) }
}

/// See `urto.h`.
///
/// # Safety
/// `engine` is null or a living engine that no other thread uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_engine_choke(engine: *mut PatchEngine) -> Status {
    // SAFETY: as required of the caller
    unsafe { send(engine, Event::ChokeAll) }
}

/// See `urto.h`.
///
/// # Safety
/// `engine` is null or a living engine that no other thread uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_engine_controller(engine: *mut PatchEngine, channel: u32, number: u32, value: f64) -> Status {
    if channel > 15 || number > 127 {
        return fail(format!("controller {number} of channel {channel}: give a channel of 0 to 15 and a number of 0 to 127"));
    }
    // SAFETY: as required of the caller
    unsafe { send(engine, Event::Controller { channel: channel as u8, number: number as u8, value }) }
}

/// See `urto.h`.
///
/// # Safety
/// `engine` is null or a living engine that no other thread uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_engine_bend(engine: *mut PatchEngine, channel: u32, value: f64) -> Status {
    // SAFETY: as required of the caller
    unsafe { send(engine, Event::Bend { channel: channel.min(15) as u8, value }) }
}

/// See `urto.h`.
///
/// # Safety
/// `engine` is null or a living engine that no other thread uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_engine_pressure(engine: *mut PatchEngine, channel: u32, value: f64) -> Status {
    // SAFETY: as required of the caller
    unsafe { send(engine, Event::Pressure { channel: channel.min(15) as u8, value }) }
}

/// See `urto.h`.
///
/// # Safety
/// `engine` is null or a living engine that no other thread uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_engine_set(engine: *mut PatchEngine, index: u32, value: f64) -> Status {
    let Some(param) = param(index) else { return -1 };
    // SAFETY: as required of the caller
    unsafe { send(engine, Event::Set { param, value }) }
}

/// See `urto.h`.
///
/// # Safety
/// `engine` is null or a living engine that no other thread uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_engine_get(engine: *mut PatchEngine, index: u32) -> f64 {
    // SAFETY: as required of the caller
    let value = unsafe { engine_at(engine) }.zip(param(index)).map(|(engine, param)| engine.engine.settings().get(param));
    value.unwrap_or(f64::NAN)
}

/// See `urto.h`.
///
/// # Safety
/// `engine` is null or a living engine that no other thread uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_engine_prepare(engine: *mut PatchEngine) -> Status {
    // SAFETY: as required of the caller
    let Some(engine) = (unsafe { engine_at(engine) }) else { return -1 };
    let PatchEngine { engine, patch } = engine;
    drop((engine.take_retired_body(), engine.take_retired_kit()));
    let Some(requested) = engine.requested_body() else { return 0 };
    let body = PreparedBody::prepare(requested, &patch.modes, &patch.morph_modes).with_partial_edits(&patch.partial_edits);
    match engine.queue_body(body.with_residual(&patch.residual).with_drive_content(patch.drive_content.clone())) {
        Ok(_) => 1,
        Err(_) => fail("too many earlier bodies still sound: render, and try again"),
    }
}

/// See `urto.h`.
///
/// # Safety
/// `engine` is null or a living engine that no other thread uses; `left` and `right` have room for `frames` samples and do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_engine_render(engine: *mut PatchEngine, left: *mut f32, right: *mut f32, frames: u32) -> Status {
    // SAFETY: as required of the caller
    let Some(engine) = (unsafe { engine_at(engine) }) else { return -1 };
    if left.is_null() || right.is_null() {
        return fail("the buffer for the left or the right channel is null");
    }
    // SAFETY: as required of the caller
    let [left, right] = [left, right].map(|channel| unsafe { std::slice::from_raw_parts_mut(channel, frames as usize) });
    engine.engine.render(left, right, [&[], &[]]);
    while engine.engine.next_ended().is_some() {}
    OK
}
