//! `presets render-all`: soft, medium and hard strikes of every built-in preset.

use std::path::Path;

use urto_engine::params::ParamId;
use urto_engine::patch::Patch;
use urto_engine::patch::{built_in, sustained};
use urto_engine::{Engine, EngineConfig, Event, NoteId};

use crate::io::CliError;
use crate::io::error::print;
use crate::io::{Bits, Wav};

/// Sample rate [Hz].
const RATE: usize = 48_000;
/// MIDI velocities of the strikes: soft, medium, hard.
const VELOCITIES: [u8; 3] = [30, 75, 120];
/// Time between strikes [frames].
const INTERVAL: usize = 3 * RATE / 2;
/// Duration of each note [frames].
const HOLD: usize = 6 * RATE / 5;
/// Time after the last strike [frames].
const RING: usize = 3 * RATE;
/// Fade-out at the end [frames].
const FADE: usize = RATE / 2;

/// Writes `NN Name.wav` for every built-in preset into `folder`. Errors: a folder or a file that cannot be written.
pub fn render_all(folder: &Path) -> Result<(), CliError> {
    std::fs::create_dir_all(folder).map_err(|error| CliError::unwritable(folder, &error))?;
    for (number, patch) in built_in().chain(sustained()).enumerate() {
        let file = folder.join(format!("{number:02} {}.wav", patch.name));
        let (left, right) = phrase(&patch);
        let mut wav = Wav::create(&file, RATE as u32, Bits::Whole24)?;
        wav.write(&left, &right)?;
        wav.publish()?;
        print(&format!("{}\n", file.display()))?;
    }
    Ok(())
}

/// Soft, medium and hard strikes on the home key, left and right.
fn phrase(patch: &Patch) -> (Vec<f32>, Vec<f32>) {
    let mut engine = Engine::new(EngineConfig { voices: 4, ..EngineConfig::at(RATE as f64) }, patch);
    let note = NoteId { voice: None, channel: 0, key: patch.settings.get(ParamId::HomeKey) as u8 };
    let length = (VELOCITIES.len() - 1) * INTERVAL + RING;
    let (mut left, mut right) = (vec![0.0; length], vec![0.0; length]);
    for (strike, velocity) in VELOCITIES.into_iter().enumerate() {
        let (from, end) = (strike * INTERVAL, if strike + 1 < VELOCITIES.len() { (strike + 1) * INTERVAL } else { length });
        engine.event(&Event::NoteOn { note, velocity: f64::from(velocity) / 127.0 });
        engine.render(&mut left[from..from + HOLD], &mut right[from..from + HOLD], [&[]; 2]);
        engine.event(&Event::NoteOff { note, velocity: 0.5 });
        engine.render(&mut left[from + HOLD..end], &mut right[from + HOLD..end], [&[]; 2]);
    }
    for channel in [&mut left, &mut right] {
        for (i, sample) in channel.iter_mut().rev().take(FADE).enumerate() {
            *sample *= i as f32 / FADE as f32;
        }
    }
    (left, right)
}
