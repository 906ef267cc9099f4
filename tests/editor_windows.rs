//! The editor in real windows under Xvfb: a CLAP host in this process gives two instances a parent window each, opens and closes their
//! editors many times, and checks that an open editor does not change the sound. The standalone program opens its window there too.
//!
//! Each test runs in its own process with its own display. Without Xvfb the tests are skipped: the reason is printed, and the summary
//! counts them as ignored.

#[path = "support/accessibility_bus.rs"]
#[cfg(target_os = "linux")]
mod accessibility_bus;
#[path = "support/standalone_process.rs"]
#[cfg(all(target_os = "linux", feature = "standalone"))]
mod standalone_process;
#[path = "support/tier.rs"]
mod tier;

#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::CString;
    use std::io::Read;
    use std::process::{Child, Command, Stdio};
    use std::time::{Duration, Instant};

    use crate::accessibility_bus::{Client, Role, Session};
    use crate::tier::size;

    use clack_extensions::gui::{GuiApiType, GuiConfiguration, GuiSize, HostGui, HostGuiImpl, PluginGui, Window};
    use clack_host::events::event_types::NoteOnEvent;
    use clack_host::prelude::*;
    use x11rb::connection::Connection;
    use x11rb::protocol::xproto::{
        ConnectionExt, CreateWindowAux, ImageFormat, InputFocus, KEY_PRESS_EVENT, KEY_RELEASE_EVENT, MapState, WindowClass,
    };
    use x11rb::protocol::xtest::ConnectionExt as _;
    use x11rb::rust_connection::RustConnection;

    /// How often both editors are opened and closed, in the everyday and in the thorough tier.
    const CYCLES: [usize; 2] = [24, 200];
    /// Cycles after which the number of files and threads must no longer grow.
    const SETTLED: usize = 12;
    /// How often an editor is opened while its instance plays, in the everyday and in the thorough tier.
    const OPENINGS: [usize; 2] = [15, 200];
    /// How often an editor is opened while a screen reader listens, in the everyday and in the thorough tier.
    const READER_OPENINGS: [usize; 2] = [6, 200];
    /// Time after which an editor that is shown has lost its first frame: it is drawn within a second, except on a busy machine.
    const FIRST_FRAME: Duration = Duration::from_secs(10);
    /// How long anything may take.
    const PATIENCE: Duration = Duration::from_secs(60);

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
            self.create();
            self.show();
        }

        /// Makes the editor in its parent, not shown yet.
        fn create(&mut self) {
            let plugin = self.instance.plugin_handle();
            self.gui.create(&plugin, GuiConfiguration { api_type: GuiApiType::X11, is_floating: false }).expect("an editor");
            // SAFETY: the parent lives as long as the test.
            unsafe { self.gui.set_parent(&plugin, Window::from_x11_handle(self.parent.into())) }.expect("a parent");
        }

        fn show(&mut self) {
            self.gui.show(&self.instance.plugin_handle()).expect("shown");
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
            self.audio.reset();
            let mut events = EventBuffer::new();
            events.push(&NoteOnEvent::new(0, Pckn::new(0u8, 0u8, 57u8, 1u32), 0.7));
            let mut all = self.block(&events);
            (1..10).for_each(|_| all.extend(self.block(&EventBuffer::new())));
            all
        }

        /// The sound of the next 10 ms with `events`.
        fn block(&mut self, events: &EventBuffer) -> Vec<f32> {
            let mut sound = [vec![0.0f32; 480], vec![0.0; 480]];
            let mut ports = AudioPorts::with_capacity(2, 1);
            let mut outputs = ports.with_output_buffers([AudioPortBuffer {
                latency: 0,
                channels: AudioPortBufferType::f32_output_only(sound.iter_mut().map(|channel| channel.as_mut_slice())),
            }]);
            let mut said = EventBuffer::with_capacity(4096);
            let inputs = InputAudioBuffers::empty();
            self.audio.process(&inputs, &mut outputs, &events.as_input(), &mut said.as_output(), None, None).expect("processes");
            sound.concat()
        }

        /// Ends all sound, and waits until the player hears something again.
        fn hears(&mut self, what: &str) {
            self.audio.reset();
            until(what, || self.block(&EventBuffer::new()).iter().any(|sample| *sample != 0.0));
        }
    }

    /// The keyboard of a display.
    struct Keyboard<'a> {
        display: &'a RustConnection,
        first: u8,
        /// Symbols of every key from `first` on, `width` for each.
        symbols: Vec<u32>,
        width: usize,
    }

    impl<'a> Keyboard<'a> {
        fn new(display: &'a RustConnection) -> Self {
            let (first, last) = (display.setup().min_keycode, display.setup().max_keycode);
            let mapping = display.get_keyboard_mapping(first, last - first + 1).expect("a request").reply().expect("a keyboard");
            Self { display, first, symbols: mapping.keysyms, width: mapping.keysyms_per_keycode.into() }
        }

        /// Presses or releases the key with a symbol.
        fn turn(&self, symbol: u32, event: u8) {
            let place = self.symbols.iter().position(|found| *found == symbol).expect("a key with this symbol");
            let code = self.first + (place / self.width) as u8;
            self.display
                .xtest_fake_input(event, code, x11rb::CURRENT_TIME, x11rb::NONE, 0, 0, 0)
                .expect("a key")
                .check()
                .expect("it");
        }

        /// Gives `window` the focus.
        fn focus(&self, window: u32) {
            let time = x11rb::CURRENT_TIME;
            self.display.set_input_focus(InputFocus::NONE, window, time).expect("a request").check().expect("a focus");
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

    /// A display that nobody sees; it ends with its owner.
    pub struct Display {
        server: Child,
        /// Value of the environment variable `DISPLAY`.
        pub name: String,
    }

    impl Display {
        /// Starts Xvfb, which chooses a free number. Errors: what is missing.
        pub fn start() -> Result<Self, String> {
            // two servers that start together may choose one number, which ends one of them
            Self::try_start().or_else(|_| Self::try_start())
        }

        fn try_start() -> Result<Self, String> {
            let server = Command::new("Xvfb")
                .args(["-displayfd", "1", "-screen", "0", "2560x800x24", "-nolisten", "tcp"])
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn();
            let mut server = server.map_err(|_| "Xvfb is missing; install the package xvfb".to_owned())?;
            let mut output = server.stdout.take().expect("piped");
            let (mut name, mut byte) = (String::from(":"), [0]);
            while output.read_exact(&mut byte).is_ok() && byte[0].is_ascii_digit() {
                name.push(char::from(byte[0]));
            }
            let display = Self { server, name };
            if display.name.len() > 1 { Ok(display) } else { Err("Xvfb does not start; `Xvfb :99` shows why".to_owned()) }
        }
    }

    impl Drop for Display {
        fn drop(&mut self) {
            let _ = self.server.kill();
            let _ = self.server.wait();
        }
    }

    /// Opens and closes the editors of two instances on the display of this process.
    pub fn two_editors_open_and_close() {
        let (display, screen) = x11rb::connect(None).expect("a display");
        let mut players = [0, 1280].map(|x| Player::new(&display, screen, x));
        let silent = players[0].sound();
        assert!(silent.iter().any(|sample| *sample != 0.0), "a note sounds");
        let mut before = [0; 2];
        for cycle in 0..size(CYCLES[0], CYCLES[1]) {
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

    /// Opens an editor while its instance plays, with a parent that is mapped early or late, and with different delays until it is shown.
    /// Each draws its first frame.
    pub fn every_opened_editor_draws_its_first_frame() {
        let (display, screen) = x11rb::connect(None).expect("a display");
        let mut player = Player::new(&display, screen, 0);
        let mut times = Vec::new();
        for cycle in 0..size(OPENINGS[0], OPENINGS[1]) {
            let delay = Duration::from_millis(7 * (cycle as u64 % 15));
            let is_mapped_late = cycle % 2 == 1;
            if is_mapped_late {
                display.unmap_window(player.parent).expect("hidden");
                display.flush().expect("a display");
            }
            player.create();
            player.sound();
            std::thread::sleep(delay);
            player.show();
            if is_mapped_late {
                std::thread::sleep(delay);
                display.map_window(player.parent).expect("shown");
                display.flush().expect("a display");
            }
            let shown = Instant::now();
            while player.colours() < 2 {
                assert!(shown.elapsed() < FIRST_FRAME, "opening {cycle}, shown after {delay:?}, is empty for {FIRST_FRAME:?}");
                std::thread::sleep(Duration::from_millis(5));
            }
            times.push(shown.elapsed());
            player.close();
            until("the window is gone", || player.children().is_empty());
        }
        times.sort();
        println!("first frames after {:?} (median), {:?} (longest)", times[times.len() / 2], times[times.len() - 1]);
    }

    /// Hosts that follow XEmbed accept only windows with the property `_XEMBED_INFO`: version and flags.
    pub fn an_editor_can_be_embedded() {
        let (display, screen) = x11rb::connect(None).expect("a display");
        let mut player = Player::new(&display, screen, 0);
        player.open();
        until("the editor has a window", || player.children().len() == 1);
        let name = display.intern_atom(true, b"_XEMBED_INFO").expect("a request").reply().expect("an atom").atom;
        let property = display.get_property(false, player.children()[0], name, name, 0, 2).expect("a request").reply();
        let value: Vec<u32> = property.expect("a property").value32().expect("two numbers").collect();
        assert_eq!(value, [0, 1]);
        player.close();
    }

    /// Ctrl is released while another window has the focus, as after Ctrl+S or Alt+Tab in a host. The H key strikes afterwards as before.
    pub fn a_modifier_released_elsewhere_is_not_held() {
        // symbols of the left Ctrl key and of H
        let (control, h) = (0xffe3, 0x68);
        let (display, screen) = x11rb::connect(None).expect("a display");
        let [mut player, other] = [0, 1280].map(|x| Player::new(&display, screen, x));
        player.open();
        until("the editor is drawn", || player.colours() == 2);
        let (editor, keyboard) = (player.children()[0], Keyboard::new(&display));
        let strike = |player: &mut Player, what| {
            keyboard.turn(h, KEY_PRESS_EVENT);
            keyboard.turn(h, KEY_RELEASE_EVENT);
            player.hears(what);
        };
        keyboard.focus(editor);
        strike(&mut player, "the H key strikes");
        keyboard.turn(control, KEY_PRESS_EVENT);
        keyboard.focus(other.parent);
        keyboard.turn(control, KEY_RELEASE_EVENT);
        keyboard.focus(editor);
        // the editor's window learns of the focus, and then of the keys
        std::thread::sleep(Duration::from_millis(300));
        strike(&mut player, "the H key strikes after Ctrl was released elsewhere");
        player.close();
    }

    /// A client of the accessibility bus finds the controls of an editor in a host, reads and changes a value, and opens a page. Closed
    /// editors leave nothing behind.
    pub fn a_screen_reader_reads_and_changes_the_controls() {
        let (session, address) = Session::start();
        // SAFETY: no other thread of this process runs yet.
        unsafe { std::env::set_var("DBUS_SESSION_BUS_ADDRESS", &address) };
        let client = Client::connect(&address).expect("an accessibility bus");
        client.switch(true).expect("switched on");
        let program = std::env::current_exe().expect("a program").file_name().expect("a name").to_string_lossy().into_owned();
        let (display, screen) = x11rb::connect(None).expect("a display");
        let mut player = Player::new(&display, screen, 0);
        player.open();
        let find = |role: Role, name: &str| {
            let found = client.controls(&program).into_iter().find(|found| found.role == role && found.name == name);
            found.filter(|found| !found.description.is_empty() || role != Role::SLIDER)
        };
        until("the editor is on the bus", || find(Role::SLIDER, "Hammer mass").is_some());
        let mass = find(Role::SLIDER, "Hammer mass").expect("a slider");
        let numbers = ["MinimumValue", "CurrentValue", "MaximumValue"].map(|name| client.number(&mass, name));
        assert!(numbers.is_sorted() && numbers[0] > 0.0 && mass.description == "20.0 g", "{numbers:?} kg, {mass:?}");
        client.set(&mass, 0.035);
        until("the value is set", || {
            // the host hears of the change with the next block
            player.block(&EventBuffer::new());
            find(Role::SLIDER, "Hammer mass").is_some_and(|mass| mass.description == "35.0 g")
        });
        assert!((client.number(&mass, "CurrentValue") / 0.035 - 1.0).abs() < 1e-3);
        client.act(&find(Role::PAGE_TAB, "Drive").expect("a tab"));
        until("the page is shown", || find(Role::PANEL, "Drive page").is_some());
        player.close();
        until("the window has left the bus", || find(Role::FRAME, "Urto").is_none());
        let mut settled = [0; 2];
        let count = size(READER_OPENINGS[0], READER_OPENINGS[1]);
        for opening in 0..count {
            player.open();
            until("the editor is on the bus again", || find(Role::FRAME, "Urto").is_some());
            player.close();
            until("the window has left the bus again", || find(Role::FRAME, "Urto").is_none());
            match opening {
                2 => settled = held(),
                3.. => until("files and threads of closed editors are gone", || {
                    held().iter().zip(settled).all(|(now, settled)| *now <= settled)
                }),
                _ => {}
            }
        }
        // the session ends while an editor is open
        player.open();
        until("the editor is on the bus at last", || find(Role::FRAME, "Urto").is_some());
        client.switch(false).expect("switched off");
        until("the editor has left the bus", || client.controls(&program).is_empty());
        drop(session);
        player.sound();
        player.close();
    }

    /// Opens the window of the standalone program and interrupts it.
    #[cfg(feature = "standalone")]
    pub fn standalone_window_opens_and_closes() {
        use crate::standalone_process::{Running, program};
        let display = std::env::var("DISPLAY").expect("a display");
        let running = Running::new(program(&["--backend", "dummy"]).env("DISPLAY", display));
        std::thread::sleep(Duration::from_millis(4000));
        let (code, said) = running.interrupted("-INT");
        assert_eq!(code, Some(0), "{said}");
        assert!(!said.contains("No GUI") && !said.contains("Failed") && !said.contains("panicked"), "{said}");
    }
}

/// The test that also needs an accessibility bus.
#[cfg(target_os = "linux")]
const SCREEN_READER: &str = "a_screen_reader_reads_and_changes_the_controls";

/// Name and body of a test.
#[cfg(target_os = "linux")]
type Test = (&'static str, fn());

#[cfg(target_os = "linux")]
const TESTS: &[Test] = &[
    ("two_editors_open_and_close", linux::two_editors_open_and_close),
    ("every_opened_editor_draws_its_first_frame", linux::every_opened_editor_draws_its_first_frame),
    ("an_editor_can_be_embedded", linux::an_editor_can_be_embedded),
    ("a_modifier_released_elsewhere_is_not_held", linux::a_modifier_released_elsewhere_is_not_held),
    (SCREEN_READER, linux::a_screen_reader_reads_and_changes_the_controls),
    #[cfg(feature = "standalone")]
    ("standalone_window_opens_and_closes", linux::standalone_window_opens_and_closes),
];

/// Runs the test `name` in a child process on a display of its own.
#[cfg(target_os = "linux")]
fn on_own_display(name: &str) -> Result<(), libtest_mimic::Failed> {
    let display = linux::Display::start()?;
    let mut child = std::process::Command::new(std::env::current_exe()?);
    child.env(CHILD, name).env("DISPLAY", &display.name).env("LIBGL_ALWAYS_SOFTWARE", "1");
    let output = child.output()?;
    print!("{}", String::from_utf8_lossy(&output.stdout));
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{}{}", String::from_utf8_lossy(&output.stderr), output.status).into()),
    }
}

/// Environment variable of a child process: the test that it runs.
#[cfg(target_os = "linux")]
const CHILD: &str = "URTO_TEST_CHILD";

#[cfg(target_os = "linux")]
fn main() {
    use libtest_mimic::{Arguments, Trial};
    if let Some((_, body)) = std::env::var(CHILD).ok().and_then(|child| TESTS.iter().find(|(name, _)| *name == child)) {
        body();
        // While the process exits, the graphics libraries are unloaded under a thread of theirs that still runs: one of 57 runs ended by
        // SIGSEGV in `_dl_fini` after all assertions had passed.
        // SAFETY: ends the process without exit handlers; nothing is left to write.
        unsafe { nix::libc::_exit(0) }
    }
    let arguments = Arguments::from_args();
    let missing = linux::Display::start().err();
    if let Some(missing) = missing.as_ref().filter(|_| !arguments.list) {
        println!("skipped: {missing}");
    }
    let no_bus = accessibility_bus::missing();
    if let Some(no_bus) = no_bus.as_ref().filter(|_| !arguments.list) {
        println!("{SCREEN_READER} is skipped: {no_bus}");
    }
    let trials = TESTS.iter().map(|&(name, _)| {
        let skipped = missing.is_some() || name == SCREEN_READER && no_bus.is_some();
        Trial::test(name, move || on_own_display(name)).with_ignored_flag(skipped)
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

#[cfg(not(target_os = "linux"))]
fn main() {
    libtest_mimic::run(&libtest_mimic::Arguments::from_args(), Vec::new()).exit();
}
