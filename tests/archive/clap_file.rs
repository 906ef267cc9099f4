//! A CLAP that is loaded from its file, with one instance of its first plugin.

use std::ffi::CString;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use clack_extensions::gui::{GuiSize, HostGui, HostGuiImpl, PluginGui};
use clack_host::events::event_types::NoteOnEvent;
use clack_host::prelude::*;

use crate::{BLOCK, KEY, RATE, VELOCITY};

/// A host with windows that keep their size.
pub struct Host;

/// Requests of the plugin.
#[derive(Default)]
pub struct Requests {
    is_callback_due: AtomicBool,
}

impl SharedHandler<'_> for Requests {
    fn request_restart(&self) {}
    fn request_process(&self) {}
    fn request_callback(&self) {
        self.is_callback_due.store(true, Ordering::SeqCst);
    }
}

impl HostGuiImpl for Requests {
    fn resize_hints_changed(&self) {}

    fn request_resize(&self, _: GuiSize) -> Result<(), HostError> {
        Err(HostError::Message("windows of this host keep their size"))
    }

    fn request_show(&self) -> Result<(), HostError> {
        Ok(())
    }

    fn request_hide(&self) -> Result<(), HostError> {
        Ok(())
    }

    fn closed(&self, _: bool) {}
}

impl HostHandlers for Host {
    type Shared<'a> = Requests;
    type MainThread<'a> = ();
    type AudioProcessor<'a> = ();

    fn declare_extensions(builder: &mut HostExtensions<Self>, _: &Requests) {
        builder.register::<HostGui>();
    }
}

/// An instance that runs.
pub struct ClapFile {
    pub instance: PluginInstance<Host>,
    audio: StartedPluginAudioProcessor<Host>,
}

impl ClapFile {
    /// Loads the file and starts its first plugin. Errors: a file that is no CLAP, or a plugin that does not start.
    pub fn load(path: &Path) -> Result<Self, String> {
        // SAFETY: the file is the plugin of this repository; loading it runs its entry point only.
        let entry = unsafe { PluginEntry::load(path) }.map_err(|error| format!("cannot load {}: {error}", path.display()))?;
        let factory = entry.get_plugin_factory().ok_or("the file has no plugin factory")?;
        let id = factory.plugin_descriptors().next().and_then(|plugin| plugin.id()).ok_or("the file has no plugin")?;
        let info = HostInfo::new("Archive test", "Urto", "", "1").map_err(|error| error.to_string())?;
        let mut instance =
            PluginInstance::<Host>::new(|_| Requests::default(), |_| (), &entry, &CString::from(id), &info).map_err(text)?;
        let configuration = PluginAudioConfiguration { sample_rate: RATE, min_frames_count: 1, max_frames_count: BLOCK as u32 };
        let audio = instance.activate(|_, _| (), configuration).map_err(text)?.start_processing().map_err(text)?;
        Ok(Self { instance, audio })
    }

    /// Both channels of `blocks` blocks, one after the other, with a note in the first.
    pub fn play(&mut self, blocks: usize) -> Vec<f32> {
        let mut events = EventBuffer::new();
        events.push(&NoteOnEvent::new(0, Pckn::new(0u8, 0u8, KEY, 1u32), f64::from(VELOCITY) / 127.0));
        let mut all = self.block(&events);
        (1..blocks).for_each(|_| all.extend(self.block(&EventBuffer::new())));
        all
    }

    fn block(&mut self, events: &EventBuffer) -> Vec<f32> {
        let mut sound = [[0.0_f32; BLOCK]; 2];
        let mut ports = AudioPorts::with_capacity(2, 1);
        let channels = sound.iter_mut().map(|channel| channel.as_mut_slice());
        let channels = AudioPortBufferType::f32_output_only(channels);
        let mut outputs = ports.with_output_buffers([AudioPortBuffer { latency: 0, channels }]);
        let mut silence = [[0.0_f32; BLOCK]; 2];
        let mut side_chain = AudioPorts::with_capacity(2, 1);
        let channels = silence.iter_mut().map(|channel| InputChannel::constant(channel.as_mut_slice()));
        let channels = AudioPortBufferType::f32_input_only(channels);
        let inputs = side_chain.with_input_buffers([AudioPortBuffer { latency: 0, channels }]);
        let mut said = EventBuffer::with_capacity(4096);
        let done = self.audio.process(&inputs, &mut outputs, &events.as_input(), &mut said.as_output(), None, None);
        // a block that fails is silent, which the caller reports
        if done.is_ok() { sound.concat() } else { vec![0.0; 2 * BLOCK] }
    }

    /// Calls the plugin on the main thread if it waits for it.
    #[cfg_attr(not(windows), expect(dead_code, reason = "only the window of Windows waits for the plugin"))]
    pub fn run_main_thread(&mut self) {
        if self.instance.access_shared_handler(|requests| requests.is_callback_due.swap(false, Ordering::SeqCst)) {
            self.instance.call_on_main_thread_callback();
        }
    }

    /// The editor of the plugin. Errors: it has none.
    #[cfg_attr(not(windows), expect(dead_code, reason = "only the window of Windows opens the editor"))]
    pub fn gui(&mut self) -> Result<PluginGui, String> {
        self.instance.plugin_handle().get_extension().ok_or_else(|| "the plugin has no editor".into())
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
