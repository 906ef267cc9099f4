//! The plugin as a VST3 bundle in vst3-host, made from the library of this test build.

use std::fs;
use std::path::{Path, PathBuf};

use vst3_host::audio::AudioBuffers;
use vst3_host::midi::{MidiChannel, MidiEvent};
use vst3_host::{Plugin, Vst3Host};

use crate::support::engine_reference::Stereo;

/// Rate that the host runs at [Hz].
pub const RATE: f64 = 48_000.0;
/// Frames of a block.
pub const BLOCK: usize = 256;

/// A bundle in a folder of its own, gone with the value.
pub struct Bundle(PathBuf);

impl Bundle {
    /// Cargo puts the library beside the test program.
    pub fn new(name: &str) -> Self {
        let program = std::env::current_exe().expect("a path");
        let folder = program.parent().expect("a folder");
        let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
        let library = |path: &Path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            name.starts_with(&format!("{prefix}urto")) && name.ends_with(suffix)
        };
        let built =
            fs::read_dir(folder).expect("readable").filter_map(|entry| Some(entry.ok()?.path())).filter(|path| library(path));
        let newest =
            built.max_by_key(|path| fs::metadata(path).and_then(|data| data.modified()).ok()).expect("the library is built");
        let root = std::env::temp_dir().join(format!("urto-{}-{name}.vst3", std::process::id()));
        let place = match std::env::consts::OS {
            "macos" => "MacOS/urto".to_owned(),
            "windows" => format!("{}-win/urto.vst3", std::env::consts::ARCH),
            os => format!("{}-{os}/urto-{}-{name}.so", std::env::consts::ARCH, std::process::id()),
        };
        let file = root.join("Contents").join(place);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a bundle");
        fs::copy(newest, file).expect("copied");
        Self(root)
    }

    /// The plugin in it.
    pub fn load(&self) -> Plugin {
        let mut host = Vst3Host::builder().sample_rate(RATE).block_size(BLOCK).build().expect("a host");
        host.load_plugin(&self.0).expect("the plugin loads")
    }
}

impl Drop for Bundle {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Processes blocks; `send` gets the first frame of each block.
pub fn play(plugin: &mut Plugin, blocks: usize, mut send: impl FnMut(&mut Plugin, usize)) -> Stereo {
    plugin.start_processing().expect("starts");
    let mut sound: Stereo = Default::default();
    for block in 0..blocks {
        send(plugin, block * BLOCK);
        let mut buffers = AudioBuffers::new(0, 2, BLOCK, RATE);
        plugin.process_audio(&mut buffers).expect("processes");
        for (all, part) in sound.iter_mut().zip(&buffers.outputs) {
            all.extend(part);
        }
    }
    plugin.stop_processing().expect("stops");
    sound
}

pub fn strike(plugin: &mut Plugin, key: u8, velocity: u8, offset: usize) {
    let note = MidiEvent::NoteOn { channel: MidiChannel::Ch1, note: key, velocity };
    plugin.send_midi_event_at(note, offset as i32).expect("a note");
}
