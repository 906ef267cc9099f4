//! A CLAP host with a window: it plays the plugin, opens its editor, and answers its requests.

use std::ffi::CString;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use clack_extensions::gui::{GuiApiType, GuiConfiguration, GuiSize, HostGui, HostGuiImpl, PluginGui, Window};
use clack_host::events::event_types::NoteOnEvent;
use clack_host::prelude::*;
use x11rb::rust_connection::RustConnection;

use crate::display::{EditorHost, HostWindow, until};

/// A host with windows.
struct Host;

/// What the host does when an editor requests another size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It agrees and makes its window as large.
    Grants,
    /// It refuses.
    Refuses,
    /// It agrees, but its window stays as it is, as in Qtractor 0.9.31.
    OnlyAgrees,
}

/// State that the editor's requests change.
struct Shared {
    answer: Answer,
    /// Whether the editor waits for a callback on the main thread.
    is_callback_due: AtomicBool,
    /// The last requested size.
    requested: Mutex<Option<GuiSize>>,
}

impl Shared {
    fn new(answer: Answer) -> Self {
        Self { answer, is_callback_due: AtomicBool::new(false), requested: Mutex::new(None) }
    }
}

impl SharedHandler<'_> for Shared {
    fn request_restart(&self) {}
    fn request_process(&self) {}
    fn request_callback(&self) {
        self.is_callback_due.store(true, Ordering::SeqCst);
    }
}

impl HostGuiImpl for Shared {
    fn resize_hints_changed(&self) {}

    fn request_resize(&self, size: GuiSize) -> Result<(), HostError> {
        *self.requested.lock().expect("no panic") = Some(size);
        if self.answer == Answer::Refuses { Err(HostError::Message("refused")) } else { Ok(()) }
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
    type Shared<'a> = Shared;
    type MainThread<'a> = ();
    type AudioProcessor<'a> = ();

    fn declare_extensions(builder: &mut HostExtensions<Self>, _: &Shared) {
        builder.register::<HostGui>();
    }
}

/// An instance that runs, with a window for its editor.
pub struct Player<'a> {
    window: HostWindow<'a>,
    instance: PluginInstance<Host>,
    audio: StartedPluginAudioProcessor<Host>,
    gui: PluginGui,
}

impl<'a> Player<'a> {
    /// With its window at `x` from the left: what is covered by another window cannot be looked at.
    pub fn new(display: &'a RustConnection, screen: usize, x: i16) -> Self {
        Self::answering(display, screen, x, Answer::OnlyAgrees)
    }

    /// With a host that answers requests for another size by `answer`.
    pub fn answering(display: &'a RustConnection, screen: usize, x: i16, answer: Answer) -> Self {
        // SAFETY: the entry is the plugin's own, linked into this test.
        let entry =
            unsafe { PluginEntry::load_from_raw(&urto::clap_entry, c"/nowhere/urto.clap") }.expect("the entry initialises");
        let factory = entry.get_plugin_factory().expect("a factory");
        let id = CString::from(factory.plugin_descriptors().next().and_then(|d| d.id()).expect("a plugin"));
        let info = HostInfo::new("Test", "Urto", "", "1").expect("plain names");
        let mut instance = PluginInstance::<Host>::new(|_| Shared::new(answer), |_| (), &entry, &id, &info).expect("an instance");
        let gui = instance.plugin_handle().get_extension().expect("an editor");
        let rate = PluginAudioConfiguration { sample_rate: 48e3, min_frames_count: 1, max_frames_count: 512 };
        let audio = instance.activate(|_, _| (), rate).expect("activates").start_processing().expect("starts");
        Self { window: HostWindow::new(display, screen, x), instance, audio, gui }
    }

    /// Calls the editor back if it waits for it, and follows a granted request. Returns the size that was requested.
    pub fn main_thread(&mut self) -> Option<[u16; 2]> {
        if self.instance.access_shared_handler(|shared| shared.is_callback_due.swap(false, Ordering::SeqCst)) {
            self.instance.call_on_main_thread_callback();
        }
        let (requested, answer) =
            self.instance.access_shared_handler(|shared| (shared.requested.lock().expect("no panic").take(), shared.answer));
        let requested = requested.map(|size| [size.width as u16, size.height as u16])?;
        if answer == Answer::Grants {
            self.window.resize(requested);
        }
        Some(requested)
    }

    /// What 100 ms with a note in them sound like.
    pub fn sound(&mut self) -> Vec<f32> {
        self.audio.reset();
        let mut events = EventBuffer::new();
        events.push(&NoteOnEvent::new(0, Pckn::new(0u8, 0u8, 57u8, 1u32), 0.7));
        let mut all = self.block(&events);
        (1..10).for_each(|_| all.extend(self.block(&EventBuffer::new())));
        all
    }

    /// The sound of the next 10 ms with `events`.
    pub fn block(&mut self, events: &EventBuffer) -> Vec<f32> {
        let mut sound = [vec![0.0f32; 480], vec![0.0; 480]];
        let mut ports = AudioPorts::with_capacity(2, 1);
        let mut outputs = ports.with_output_buffers([AudioPortBuffer {
            latency: 0,
            channels: AudioPortBufferType::f32_output_only(sound.iter_mut().map(|channel| channel.as_mut_slice())),
        }]);
        let mut said = EventBuffer::with_capacity(4096);
        let mut silence = [[0.0f32; 480]; 2];
        let mut side_chain = AudioPorts::with_capacity(2, 1);
        let channels = silence.iter_mut().map(|channel| InputChannel::constant(channel.as_mut_slice()));
        let channels = AudioPortBufferType::f32_input_only(channels);
        let inputs = side_chain.with_input_buffers([AudioPortBuffer { latency: 0, channels }]);
        self.audio.process(&inputs, &mut outputs, &events.as_input(), &mut said.as_output(), None, None).expect("processes");
        sound.concat()
    }

    /// Plays 10 ms without events.
    pub fn silence(&mut self) {
        self.block(&EventBuffer::new());
    }

    /// Ends all sound, and waits until the player hears something again.
    pub fn hears(&mut self, what: &str) {
        self.audio.reset();
        until(what, || self.block(&EventBuffer::new()).iter().any(|sample| *sample != 0.0));
    }
}

impl<'a> EditorHost<'a> for Player<'a> {
    fn window(&self) -> &HostWindow<'a> {
        &self.window
    }

    fn create(&mut self) {
        let plugin = self.instance.plugin_handle();
        self.gui.create(&plugin, GuiConfiguration { api_type: GuiApiType::X11, is_floating: false }).expect("an editor");
        // SAFETY: the parent lives as long as the test.
        unsafe { self.gui.set_parent(&plugin, Window::from_x11_handle(self.window.id.into())) }.expect("a parent");
    }

    fn show(&mut self) {
        self.gui.show(&self.instance.plugin_handle()).expect("shown");
    }

    fn close(&mut self) {
        self.gui.destroy(&self.instance.plugin_handle());
    }

    fn run_main_thread(&mut self) {
        self.main_thread();
    }
}
