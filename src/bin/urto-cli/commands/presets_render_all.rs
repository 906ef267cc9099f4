//! `presets render-all`: a phrase with every built-in preset.

use std::path::Path;

use urto_engine::params::ParamId;
use urto_engine::patch::Patch;
use urto_engine::patch::{built_in, lasting};
use urto_engine::{Engine, EngineConfig, Event, NoteId};

use crate::io::Complaint;
use crate::io::error::print;
use crate::io::{Bits, Wav};

/// Sample rate [Hz].
const RATE: usize = 48_000;
/// MIDI velocities of the strokes: soft, medium, hard.
const VELOCITIES: [u8; 3] = [30, 75, 120];
/// Time from stroke to stroke, and for which each key is held [frames].
const APART: usize = 3 * RATE / 2;
const HELD: usize = 6 * RATE / 5;
/// Longest time that is heard after the last stroke, and its end over which the sound is faded out [frames].
const RING: usize = 3 * RATE;
const FADE: usize = RATE / 2;

/// Writes `NN Name.wav` for every built-in preset into `folder`. Errors: what the system says to the folder or a file.
pub fn render_all(folder: &Path) -> Result<(), Complaint> {
    std::fs::create_dir_all(folder).map_err(|error| Complaint::unwritable(folder, &error))?;
    for (number, patch) in built_in().chain(lasting()).enumerate() {
        let place = folder.join(format!("{number:02} {}.wav", patch.name));
        let (left, right) = phrase(&patch);
        let mut wav = Wav::create(&place, RATE as u32, Bits::Whole24)?;
        wav.write(&left, &right)?;
        wav.publish()?;
        print(&format!("{}\n", place.display()))?;
    }
    Ok(())
}

/// Soft, medium, hard on the home key.
fn phrase(patch: &Patch) -> (Vec<f32>, Vec<f32>) {
    let mut engine = Engine::new(EngineConfig { voices: 4, ..EngineConfig::at(RATE as f64) }, patch);
    let note = NoteId { voice: None, channel: 0, key: patch.settings.get(ParamId::HomeKey) as u8 };
    let length = (VELOCITIES.len() - 1) * APART + RING;
    let (mut left, mut right) = (vec![0.0; length], vec![0.0; length]);
    for (stroke, velocity) in VELOCITIES.into_iter().enumerate() {
        let (from, end) = (stroke * APART, if stroke + 1 < VELOCITIES.len() { (stroke + 1) * APART } else { length });
        engine.event(&Event::NoteOn { note, velocity: f64::from(velocity) / 127.0 });
        engine.render(&mut left[from..from + HELD], &mut right[from..from + HELD], [&[]; 2]);
        engine.event(&Event::NoteOff { note, velocity: 0.5 });
        engine.render(&mut left[from + HELD..end], &mut right[from + HELD..end], [&[]; 2]);
    }
    for channel in [&mut left, &mut right] {
        for (i, sample) in channel.iter_mut().rev().take(FADE).enumerate() {
            *sample *= i as f32 / FADE as f32;
        }
    }
    (left, right)
}
