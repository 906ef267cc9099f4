//! What an engine tells about its sound: the last hit, the motion of the body, meters, voices.

use crate::engine::{PatchEngine, engine_at};
use crate::memory::write_to;
use urto_engine::telemetry::{HitPoint, MAX_SHOWN_MODES, POINTS};

/// One finished contact: `urto_hit`.
#[repr(C)]
pub struct Hit {
    number: u32,
    key: u32,
    velocity_in: f64,
    velocity_out: f64,
    mass: f64,
    duration: f64,
    peak_force: f64,
    max_compression: f64,
    energy_in: f64,
    energy_hammer: f64,
    energy_body: f64,
    energy_contact_loss: f64,
    energy_decay: f64,
    substeps: u32,
    count: u32,
    points: [[f32; 4]; POINTS],
}

/// State of the lowest partials of the body that was struck last: `urto_motion`.
#[repr(C)]
pub struct Motion {
    key: u32,
    stroke: u32,
    count: u32,
    modes: [[f32; 3]; MAX_SHOWN_MODES],
    lower: [[f32; 3]; MAX_SHOWN_MODES],
}

/// Meters since the last call: `urto_meters`.
#[repr(C)]
pub struct Meters {
    peak_left: f32,
    peak_right: f32,
    lowest_gain: f32,
    voices: u32,
    asleep: u32,
}

/// See `urto.h`.
///
/// # Safety
/// `engine` is null or a living engine that no other thread uses; `hit` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_engine_hit(engine: *mut PatchEngine, hit: *mut Hit) -> i32 {
    // SAFETY: as required of the caller
    let Some(engine) = (unsafe { engine_at(engine) }) else { return -1 };
    let Some(pulse) = engine.engine.take_hit() else { return 0 };
    let mut points = [[0.0; 4]; POINTS];
    for (to, HitPoint { time, compression, velocity, force }) in points.iter_mut().zip(pulse.points()) {
        *to = [*time, *compression, *velocity, *force];
    }
    let found = Hit {
        number: pulse.number,
        key: u32::from(pulse.key),
        velocity_in: pulse.velocity_in,
        velocity_out: pulse.velocity_out,
        mass: pulse.mass,
        duration: pulse.duration,
        peak_force: pulse.peak_force,
        max_compression: pulse.max_compression,
        energy_in: pulse.energy_in,
        energy_hammer: pulse.energy_hammer,
        energy_body: pulse.energy_body,
        energy_contact_loss: pulse.energy_contact_loss,
        energy_decay: pulse.energy_decay(),
        substeps: pulse.substeps,
        count: pulse.points().len() as u32,
        points,
    };
    // SAFETY: as required of the caller
    unsafe { write_to(hit, found) };
    1
}

/// See `urto.h`.
///
/// # Safety
/// `engine` is null or a living engine that no other thread uses; `motion` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_engine_motion(engine: *mut PatchEngine, motion: *mut Motion) -> i32 {
    // SAFETY: as required of the caller
    let Some(engine) = (unsafe { engine_at(engine) }) else { return -1 };
    let Some(found) = engine.engine.body_motion() else { return 0 };
    let [modes, lower] = [found.modes, found.lower].map(|modes| modes.map(|mode| [mode.q, mode.v, mode.omega]));
    let key = u32::from(found.key);
    let found = Motion { key, stroke: found.stroke as u32, count: found.count as u32, modes, lower };
    // SAFETY: as required of the caller
    unsafe { write_to(motion, found) };
    1
}

/// See `urto.h`.
///
/// # Safety
/// `engine` is null or a living engine that no other thread uses; `meters` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_engine_meters(engine: *mut PatchEngine, meters: *mut Meters) -> i32 {
    // SAFETY: as required of the caller
    let Some(engine) = (unsafe { engine_at(engine) }) else { return -1 };
    let engine = &mut engine.engine;
    let read = engine.take_meters();
    let (voices, asleep) = (engine.active_voices() as u32, u32::from(engine.is_asleep()));
    let [peak_left, peak_right] = read.peaks;
    // SAFETY: as required of the caller
    unsafe { write_to(meters, Meters { peak_left, peak_right, lowest_gain: read.lowest_gain, voices, asleep }) };
    0
}

/// See `urto.h`.
///
/// # Safety
/// `engine` is null or a living engine that no other thread uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urto_engine_key_frequency(engine: *mut PatchEngine, key: u32) -> f64 {
    // SAFETY: as required of the caller
    let engine = unsafe { engine_at(engine) };
    let hertz =
        engine.zip(u8::try_from(key).ok().filter(|key| *key < 128)).and_then(|(engine, key)| engine.engine.tuning().hertz(key));
    hertz.unwrap_or(0.0)
}
