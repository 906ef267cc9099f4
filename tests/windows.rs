//! The editor in real windows: a CLAP host in this process gives two instances a parent window each under Xvfb, opens and closes
//! their editors many times, and listens whether an open editor changes the sound.

use std::ffi::CString;
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clack_extensions::gui::{GuiApiType, GuiConfiguration, GuiSize, HostGui, HostGuiImpl, PluginGui, Window};
use clack_host::events::event_types::NoteOnEvent;
use clack_host::prelude::*;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{ConnectionExt, CreateWindowAux, ImageFormat, MapState, WindowClass};
use x11rb::rust_connection::RustConnection;

/// How often both editors are opened and closed, and after how many of these what is held must no longer grow.
const CYCLES: usize = 200;
const SETTLED: usize = 20;
/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// Says that the test runs on a display of its own.
const INSIDE: &str = "URTO_TEST_INSIDE";

/// A host with windows.
struct Host;

#[derive(Default)]
struct Shared;

impl SharedHandler<'_> for Shared {
    fn request_restart(&self) {}
    fn request_process(&self) {}
    fn request_callback(&self) {}
}

impl HostGuiImpl for Shared {
    fn resize_hints_changed(&self) {}

    fn request_resize(&self, _: GuiSize) -> Result<(), HostError> {
        Ok(())
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
struct Player<'a> {
    display: &'a RustConnection,
    parent: u32,
    instance: PluginInstance<Host>,
    audio: StartedPluginAudioProcessor<Host>,
    gui: PluginGui,
}

impl<'a> Player<'a> {
    /// With its window at `x` from the left: what is covered by another window cannot be looked at.
    fn new(display: &'a RustConnection, screen: usize, x: i16) -> Self {
        // SAFETY: the entry is the plugin's own, linked into this test.
        let entry =
            unsafe { PluginEntry::load_from_raw(&urto::clap_entry, c"/nowhere/urto.clap") }.expect("the entry initialises");
        let factory = entry.get_plugin_factory().expect("a factory");
        let id = CString::from(factory.plugin_descriptors().next().and_then(|d| d.id()).expect("a plugin"));
        let info = HostInfo::new("Test", "Urto", "", "1").expect("plain names");
        let mut instance = PluginInstance::<Host>::new(|_| Shared, |_| (), &entry, &id, &info).expect("an instance");
        let gui = instance.plugin_handle().get_extension().expect("an editor");
        let rate = PluginAudioConfiguration { sample_rate: 48e3, min_frames_count: 1, max_frames_count: 512 };
        let audio = instance.activate(|_, _| (), rate).expect("activates").start_processing().expect("starts");
        let screen = &display.setup().roots[screen];
        let parent = display.generate_id().expect("an id");
        let (class, aux) = (WindowClass::INPUT_OUTPUT, CreateWindowAux::new());
        display.create_window(0, parent, screen.root, x, 0, 1280, 800, 0, class, 0, &aux).expect("a window");
        display.map_window(parent).expect("shown");
        display.flush().expect("a display");
        Self { display, parent, instance, audio, gui }
    }

    fn open(&mut self) {
        let plugin = self.instance.plugin_handle();
        self.gui.create(&plugin, GuiConfiguration { api_type: GuiApiType::X11, is_floating: false }).expect("an editor");
        // SAFETY: the parent lives as long as the test.
        unsafe { self.gui.set_parent(&plugin, Window::from_x11_handle(self.parent.into())) }.expect("a parent");
        self.gui.show(&plugin).expect("shown");
    }

    fn close(&mut self) {
        self.gui.destroy(&self.instance.plugin_handle());
    }

    /// The windows inside the parent.
    fn children(&self) -> Vec<u32> {
        self.display.query_tree(self.parent).expect("a request").reply().expect("a tree").children
    }

    /// Colours that are seen in the editor's window, at most two of them; none while there is no window that is shown.
    fn colours(&self) -> usize {
        let Some(&child) = self.children().first() else { return 0 };
        let shown = self.display.get_window_attributes(child).expect("a request").reply();
        if shown.is_ok_and(|attributes| attributes.map_state != MapState::VIEWABLE) {
            return 0;
        }
        let image = self.display.get_image(ImageFormat::Z_PIXMAP, child, 0, 0, 640, 400, !0).expect("a request").reply();
        let Ok(image) = image else { return 0 };
        let (pixels, _) = image.data.as_chunks::<4>();
        1 + usize::from(pixels.iter().any(|pixel| *pixel != pixels[0]))
    }

    /// What 100 ms with a note in them sound like.
    fn sound(&mut self) -> Vec<f32> {
        let mut all = Vec::new();
        self.audio.reset();
        for block in 0..10 {
            let mut events = EventBuffer::new();
            if block == 0 {
                events.push(&NoteOnEvent::new(0, Pckn::new(0u8, 0u8, 57u8, 1u32), 0.7));
            }
            let mut sound = [vec![0.0f32; 480], vec![0.0; 480]];
            let mut ports = AudioPorts::with_capacity(2, 1);
            let mut outputs = ports.with_output_buffers([AudioPortBuffer {
                latency: 0,
                channels: AudioPortBufferType::f32_output_only(sound.iter_mut().map(|channel| channel.as_mut_slice())),
            }]);
            let mut said = EventBuffer::with_capacity(4096);
            let inputs = InputAudioBuffers::empty();
            self.audio.process(&inputs, &mut outputs, &events.as_input(), &mut said.as_output(), None, None).expect("processes");
            all.extend(sound.concat());
        }
        all
    }
}

/// Waits until `what` holds.
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Files and threads of this process.
fn held() -> [usize; 2] {
    ["/proc/self/fd", "/proc/self/task"].map(|folder| std::fs::read_dir(folder).expect("a folder").count())
}

/// Runs the test of that name again in a process that sees a display of its own; false if that cannot be had here.
fn on_a_display(name: &str) {
    let server = Command::new("Xvfb").args(["-displayfd", "1", "-screen", "0", "2560x800x24"]).stdout(Stdio::piped()).spawn();
    let Ok(mut server) = server else { return println!("left out: there is no Xvfb here") };
    let mut output = server.stdout.take().expect("piped");
    let (mut number, mut byte) = (String::from(":"), [0]);
    while output.read_exact(&mut byte).is_ok() && byte[0].is_ascii_digit() {
        number.push(char::from(byte[0]));
    }
    let mut again = Command::new(std::env::current_exe().expect("this test"));
    again.args([name, "--exact", "--nocapture"]).env(INSIDE, "1").env("DISPLAY", number).env("LIBGL_ALWAYS_SOFTWARE", "1");
    let ended = again.status().expect("it runs");
    let _ = server.kill();
    let _ = server.wait();
    assert!(ended.success(), "{name} failed on its display");
}

#[cfg(target_os = "linux")]
#[test]
fn two_editors_open_and_close_two_hundred_times() {
    if std::env::var_os(INSIDE).is_none() {
        return on_a_display("two_editors_open_and_close_two_hundred_times");
    }
    let (display, screen) = x11rb::connect(None).expect("a display");
    let mut players = [0, 1280].map(|x| Player::new(&display, screen, x));
    let silent = players[0].sound();
    assert!(silent.iter().any(|sample| *sample != 0.0), "a note sounds");
    let mut before = [0; 2];
    for cycle in 0..CYCLES {
        players.iter_mut().for_each(Player::open);
        until("both editors have a window", || players.iter().all(|player| player.children().len() == 1));
        if cycle % SETTLED == 0 {
            until("both editors are drawn", || players.iter().all(|player| player.colours() == 2));
            assert_eq!(players[0].sound(), silent, "an open editor does not change the sound");
        }
        players.iter_mut().for_each(Player::close);
        until("both windows are gone", || players.iter().all(|player| player.children().is_empty()));
        if cycle == SETTLED {
            before = held();
        }
    }
    until("files and threads are given back", || held().iter().zip(before).all(|(now, before)| *now <= before));
}
