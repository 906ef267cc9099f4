//! The editor in real windows under Xvfb: a CLAP host in this process gives two instances a parent window each, opens and closes their
//! editors many times, and checks that an open editor does not change the sound. The standalone program opens its window there too.
//!
//! Each test runs in its own process with its own display. Without Xvfb the tests are skipped: the reason is printed, and the summary
//! counts them as ignored.

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
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::{Duration, Instant};

    use crate::tier::size;

    use clack_extensions::gui::{GuiApiType, GuiConfiguration, GuiSize, HostGui, HostGuiImpl, PluginGui, Window};
    use clack_host::events::event_types::NoteOnEvent;
    use clack_host::prelude::*;
    use x11rb::connection::Connection;
    use x11rb::protocol::Event;
    use x11rb::protocol::xproto::{
        AtomEnum, ClientMessageEvent, ConfigureWindowAux, ConnectionExt, CreateWindowAux, EventMask, ImageFormat, InputFocus,
        KEY_PRESS_EVENT, KEY_RELEASE_EVENT, MapState, PropMode, SELECTION_NOTIFY_EVENT, SelectionNotifyEvent,
        SelectionRequestEvent, WindowClass,
    };
    use x11rb::protocol::xtest::ConnectionExt as _;
    use x11rb::rust_connection::RustConnection;
    use x11rb::wrapper::ConnectionExt as _;

    /// How often both editors are opened and closed, in the everyday and in the thorough tier.
    const CYCLES: [usize; 2] = [24, 200];
    /// Cycles after which the number of files and threads must no longer grow.
    const SETTLED: usize = 12;
    /// How often an editor is opened while its instance plays, in the everyday and in the thorough tier.
    const OPENINGS: [usize; 2] = [15, 200];
    /// Time after which an editor that is shown has lost its first frame: it is drawn within a second, except on a busy machine.
    const FIRST_FRAME: Duration = Duration::from_secs(10);
    /// How long anything may take.
    const PATIENCE: Duration = Duration::from_secs(60);

    /// A host with windows.
    struct Host;

    /// What the host does when an editor requests another size.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Answer {
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
            Self::answering(display, screen, x, Answer::OnlyAgrees)
        }

        /// With a host that answers requests for another size by `answer`.
        fn answering(display: &'a RustConnection, screen: usize, x: i16, answer: Answer) -> Self {
            // SAFETY: the entry is the plugin's own, linked into this test.
            let entry =
                unsafe { PluginEntry::load_from_raw(&urto::clap_entry, c"/nowhere/urto.clap") }.expect("the entry initialises");
            let factory = entry.get_plugin_factory().expect("a factory");
            let id = CString::from(factory.plugin_descriptors().next().and_then(|d| d.id()).expect("a plugin"));
            let info = HostInfo::new("Test", "Urto", "", "1").expect("plain names");
            let mut instance =
                PluginInstance::<Host>::new(|_| Shared::new(answer), |_| (), &entry, &id, &info).expect("an instance");
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

        /// Width and height of `window`.
        fn size_of(&self, window: u32) -> [u16; 2] {
            let place = self.display.get_geometry(window).expect("a request").reply().expect("a window");
            [place.width, place.height]
        }

        /// Gives the parent another size.
        fn resize_parent(&self, [width, height]: [u16; 2]) {
            let aux = ConfigureWindowAux::new().width(u32::from(width)).height(u32::from(height));
            self.display.configure_window(self.parent, &aux).expect("a request").check().expect("another size");
        }

        /// Calls the editor back if it waits for it, and follows a granted request. Returns the size that was requested.
        fn main_thread(&mut self) -> Option<[u16; 2]> {
            if self.instance.access_shared_handler(|shared| shared.is_callback_due.swap(false, Ordering::SeqCst)) {
                self.instance.call_on_main_thread_callback();
            }
            let (requested, answer) =
                self.instance.access_shared_handler(|shared| (shared.requested.lock().expect("no panic").take(), shared.answer));
            let requested = requested.map(|size| [size.width as u16, size.height as u16])?;
            if answer == Answer::Grants {
                self.resize_parent(requested);
            }
            Some(requested)
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
            let mut silence = [[0.0f32; 480]; 2];
            let mut side_chain = AudioPorts::with_capacity(2, 1);
            let channels = silence.iter_mut().map(|channel| InputChannel::constant(channel.as_mut_slice()));
            let channels = AudioPortBufferType::f32_input_only(channels);
            let inputs = side_chain.with_input_buffers([AudioPortBuffer { latency: 0, channels }]);
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

        /// Types the key with a symbol, with Shift if it needs it.
        fn type_symbol(&self, symbol: u32) {
            const SHIFT: u32 = 0xffe1;
            let place = self.symbols.iter().position(|found| *found == symbol).expect("a key with this symbol");
            let shifted = place % self.width == 1;
            if shifted {
                self.turn(SHIFT, KEY_PRESS_EVENT);
            }
            self.turn(symbol, KEY_PRESS_EVENT);
            self.turn(symbol, KEY_RELEASE_EVENT);
            if shifted {
                self.turn(SHIFT, KEY_RELEASE_EVENT);
            }
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

    /// The + key requests a larger window. The editor asks the host before it grows, and ends inside the host's window.
    pub fn zooming_asks_the_host_for_a_size() {
        let plus = 0x2b;
        let (display, screen) = x11rb::connect(None).expect("a display");
        let keyboard = Keyboard::new(&display);
        for answer in [Answer::Grants, Answer::Refuses, Answer::OnlyAgrees] {
            // the zoom that was chosen last
            let _ = std::fs::remove_dir_all(std::env::var("XDG_DATA_HOME").expect("preferences of its own"));
            let mut player = Player::answering(&display, screen, 0, answer);
            player.resize_parent([1280, 800]);
            player.open();
            until("the editor is drawn", || player.colours() == 2);
            let editor = player.children()[0];
            keyboard.focus(editor);
            keyboard.type_symbol(plus);
            let mut requested = None;
            until("the editor requests a size", || {
                assert_eq!(player.size_of(editor), [1280, 800], "the editor keeps its size until the host agrees");
                requested = player.main_thread();
                requested.is_some()
            });
            assert_eq!(requested, Some([1600, 1000]), "125 %");
            let expected = if answer == Answer::Grants { [1600, 1000] } else { [1280, 800] };
            // longer than the editor waits for the host's windows to come to rest
            let begun = Instant::now();
            while begun.elapsed() < Duration::from_millis(900) {
                player.main_thread();
                std::thread::sleep(Duration::from_millis(5));
            }
            assert_eq!(player.size_of(editor), expected, "{answer:?}");
            // a host that makes its window smaller without a word
            player.resize_parent([1000, 700]);
            until("the editor stays visible", || player.size_of(editor) == [1000, 700]);
            player.resize_parent(expected);
            until("the editor returns to its size", || player.size_of(editor) == expected);
            player.close();
            until("the window is gone", || player.children().is_empty());
        }
    }

    /// A program from which files are dragged (Xdnd 5).
    struct DragSource<'a> {
        display: &'a RustConnection,
        window: u32,
        list: u32,
    }

    impl<'a> DragSource<'a> {
        fn new(display: &'a RustConnection, root: u32) -> Self {
            let window = display.generate_id().expect("an id");
            let (class, aux) = (WindowClass::INPUT_OUTPUT, CreateWindowAux::new());
            display.create_window(0, window, root, 0, 0, 1, 1, 0, class, 0, &aux).expect("a window");
            let source = Self { display, window, list: 0 };
            let list = source.atom("text/uri-list");
            display.set_selection_owner(window, source.atom("XdndSelection"), x11rb::CURRENT_TIME).expect("the selection");
            Self { list, ..source }
        }

        fn atom(&self, name: &str) -> u32 {
            self.display.intern_atom(false, name.as_bytes()).expect("a request").reply().expect("an atom").atom
        }

        /// A property of one number; none if the window does not have it.
        fn property(&self, window: u32, name: &str) -> Option<u32> {
            let property = self.display.get_property(false, window, self.atom(name), AtomEnum::ANY, 0, 1).expect("a request");
            property.reply().ok()?.value32()?.next()
        }

        /// The window to which messages for `target` are sent: a proxy that names itself, else `target`.
        fn receiver(&self, target: u32) -> u32 {
            let proxy = self.property(target, "XdndProxy").filter(|&proxy| self.property(proxy, "XdndProxy") == Some(proxy));
            let receiver = proxy.unwrap_or(target);
            assert_eq!(self.property(receiver, "XdndAware"), Some(5), "the window takes drops");
            receiver
        }

        fn send(&self, target: u32, name: &str, data: [u32; 4]) {
            let [first, second, third, fourth] = data;
            let data = [self.window, first, second, third, fourth];
            let message = ClientMessageEvent::new(32, target, self.atom(name), data);
            self.display.send_event(false, self.receiver(target), EventMask::NO_EVENT, message).expect("a message");
            self.display.flush().expect("a display");
        }

        /// Drops `files` on `target`. Returns whether they were accepted.
        fn drop_on(&self, target: u32, files: &str) -> bool {
            let [status, finished] = ["XdndStatus", "XdndFinished"].map(|name| self.atom(name));
            self.send(target, "XdndEnter", [5 << 24, self.list, 0, 0]);
            self.send(target, "XdndPosition", [0, 100 << 16 | 100, x11rb::CURRENT_TIME, self.atom("XdndActionCopy")]);
            let begun = Instant::now();
            while begun.elapsed() < PATIENCE {
                match self.display.poll_for_event().expect("a display") {
                    Some(Event::ClientMessage(event)) if event.type_ == status => {
                        assert_eq!(event.data.as_data32()[0], target, "answers name the target");
                        if event.data.as_data32()[1] & 1 == 0 {
                            return false;
                        }
                        self.send(target, "XdndDrop", [0, x11rb::CURRENT_TIME, 0, 0]);
                    }
                    Some(Event::SelectionRequest(request)) => self.answer(&request, files),
                    Some(Event::ClientMessage(event)) if event.type_ == finished => return event.data.as_data32()[1] & 1 == 1,
                    Some(_) => {}
                    None => std::thread::sleep(Duration::from_millis(2)),
                }
            }
            panic!("no answer to a drop");
        }

        /// Sends the list of files.
        fn answer(&self, request: &SelectionRequestEvent, files: &str) {
            let SelectionRequestEvent { requestor, selection, target, property, time, .. } = *request;
            self.display.change_property8(PropMode::REPLACE, requestor, property, target, files.as_bytes()).expect("a property");
            let notify = SelectionNotifyEvent {
                response_type: SELECTION_NOTIFY_EVENT,
                sequence: 0,
                time,
                requestor,
                selection,
                target,
                property,
            };
            self.display.send_event(false, requestor, EventMask::NO_EVENT, notify).expect("an answer");
            self.display.flush().expect("a display");
        }
    }

    /// A preset that is dropped on the editor sounds; a text that is dropped is refused.
    pub fn a_dropped_preset_sounds() {
        let (display, screen) = x11rb::connect(None).expect("a display");
        let mut player = Player::new(&display, screen, 0);
        let before = player.sound();
        player.open();
        until("the editor is drawn", || player.colours() == 2);
        let editor = player.children()[0];
        let source = DragSource::new(&display, display.setup().roots[screen].root);
        let refused = DragSource { list: source.atom("text/plain"), ..source };
        assert!(!refused.drop_on(editor, "words"), "only files are accepted");
        let preset = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/presets/bars/glockenspiel_brass.toml");
        assert!(source.drop_on(editor, &format!("file://{}\r\n", preset.replace(' ', "%20"))), "accepted");
        until("the preset sounds", || player.sound() != before);
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

/// Name and body of a test.
#[cfg(target_os = "linux")]
type Test = (&'static str, fn());

#[cfg(target_os = "linux")]
const TESTS: &[Test] = &[
    ("two_editors_open_and_close", linux::two_editors_open_and_close),
    ("every_opened_editor_draws_its_first_frame", linux::every_opened_editor_draws_its_first_frame),
    ("an_editor_can_be_embedded", linux::an_editor_can_be_embedded),
    ("zooming_asks_the_host_for_a_size", linux::zooming_asks_the_host_for_a_size),
    ("a_dropped_preset_sounds", linux::a_dropped_preset_sounds),
    ("a_modifier_released_elsewhere_is_not_held", linux::a_modifier_released_elsewhere_is_not_held),
    #[cfg(feature = "standalone")]
    ("standalone_window_opens_and_closes", linux::standalone_window_opens_and_closes),
];

/// Runs the test `name` in a child process on a display of its own, with preferences of its own.
#[cfg(target_os = "linux")]
fn on_own_display(name: &str) -> Result<(), libtest_mimic::Failed> {
    let display = linux::Display::start()?;
    let mut child = std::process::Command::new(std::env::current_exe()?);
    let user_data = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("editor_windows").join(name);
    // what an earlier run has left
    let _ = std::fs::remove_dir_all(&user_data);
    child.env("XDG_DATA_HOME", user_data);
    child.env(CHILD, name).env("DISPLAY", &display.name).env("LIBGL_ALWAYS_SOFTWARE", "1");
    let output = child.output()?;
    print!("{}", String::from_utf8_lossy(&output.stdout));
    let said = String::from_utf8_lossy(&output.stderr);
    // what the test's own host writes
    let warned = said.lines().any(|line| line != "[CLAP_HOST_ERROR] refused");
    match output.status.success() && !warned {
        true => Ok(()),
        false => Err(format!("{said}{}; no warning may be written to stderr", output.status).into()),
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
    let trials =
        TESTS.iter().map(|&(name, _)| Trial::test(name, move || on_own_display(name)).with_ignored_flag(missing.is_some()));
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

#[cfg(not(target_os = "linux"))]
fn main() {
    libtest_mimic::run(&libtest_mimic::Arguments::from_args(), Vec::new()).exit();
}
