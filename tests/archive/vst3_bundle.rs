//! A VST3 bundle, loaded by vst3-host.

use std::path::Path;

use vst3_host::Vst3Host;
use vst3_host::audio::AudioBuffers;
use vst3_host::midi::{MidiChannel, MidiEvent};

use crate::{BLOCK, KEY, RATE, VELOCITY};

/// Both channels of `blocks` blocks, one after the other, with a note in the first. Errors: a bundle that does not load or play.
pub fn play(bundle: &Path, blocks: usize) -> Result<Vec<f32>, String> {
    let text = |error: vst3_host::Error| format!("{}: {error}", bundle.display());
    let mut host = Vst3Host::builder().sample_rate(RATE).block_size(BLOCK).build().map_err(text)?;
    let mut plugin = host.load_plugin(bundle).map_err(text)?;
    plugin.start_processing().map_err(text)?;
    let note = MidiEvent::NoteOn { channel: MidiChannel::Ch1, note: KEY, velocity: VELOCITY };
    plugin.send_midi_event_at(note, 0).map_err(text)?;
    let mut all = Vec::new();
    for _ in 0..blocks {
        let mut buffers = AudioBuffers::new(0, 2, BLOCK, RATE);
        plugin.process_audio(&mut buffers).map_err(text)?;
        all.extend(buffers.outputs.concat());
    }
    plugin.stop_processing().map_err(text)?;
    Ok(all)
}
