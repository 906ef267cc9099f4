//! The built-in patches as they come, and the one that every knob at its default makes.

use crate::playing::*;
use urto::engine::patch::Patch;
use urto::engine::{Config, Engine, preset};

/// Peak of one note at velocity 100 [dB below full scale].
fn peak_db(patch: &Patch, key: u8) -> f64 {
    let mut engine = Engine::new(Config::at(RATE), patch);
    engine.event(&on(key, 100));
    20.0 * play(&mut engine, 96_000).peak().log10()
}

#[test]
fn one_note_at_velocity_100_peaks_near_minus_9_db() {
    let default = Patch { name: "Default".into(), ..Patch::default() };
    for patch in preset::built_in().chain([default]) {
        let peak = peak_db(&patch, 60);
        println!("{}: {peak:.2} dB {:?}", patch.name, [36, 48, 72, 84, 96].map(|key| (key, peak_db(&patch, key).round())));
        assert!((peak + 9.0).abs() < 1.5, "{}: {peak:.2} dB", patch.name);
    }
}
