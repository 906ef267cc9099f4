//! The patch that every knob at its default makes.

use crate::playing::*;
use urto_engine::patch::Patch;
use urto_engine::{Engine, EngineConfig};

#[test]
fn one_note_of_the_default_patch_at_velocity_100_peaks_near_minus_9_db() {
    let mut engine = Engine::new(EngineConfig::at(RATE), &Patch::default());
    engine.event(&on(60, 100));
    let peak = 20.0 * play(&mut engine, 96_000).peak().log10();
    assert!((peak + 9.0).abs() < 1.5, "{peak:.2} dB");
}
