//! A display that nobody sees, its keyboard, and windows of a host on it.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    ConfigureWindowAux, ConnectionExt, CreateWindowAux, ImageFormat, InputFocus, KEY_PRESS_EVENT, KEY_RELEASE_EVENT, MapState,
    WindowClass,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

/// How long anything may take.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// How often a display is started before the tests are skipped.
const MAX_STARTS: usize = 10;

/// A window of a host, in which an editor opens.
pub struct HostWindow<'a> {
    display: &'a RustConnection,
    /// Its number.
    pub id: u32,
}

impl<'a> HostWindow<'a> {
    /// A window at `x` from the left: what is covered by another window cannot be looked at.
    pub fn new(display: &'a RustConnection, screen: usize, x: i16) -> Self {
        let (root, id) = (display.setup().roots[screen].root, display.generate_id().expect("an id"));
        let (class, aux) = (WindowClass::INPUT_OUTPUT, CreateWindowAux::new());
        display.create_window(0, id, root, x, 0, 1280, 800, 0, class, 0, &aux).expect("a window");
        let window = Self { display, id };
        window.map(true);
        window
    }

    /// Shows or hides the window.
    pub fn map(&self, shown: bool) {
        if shown { self.display.map_window(self.id) } else { self.display.unmap_window(self.id) }.expect("a request");
        self.display.flush().expect("a display");
    }

    /// Width and height of `window`.
    pub fn size_of(&self, window: u32) -> [u16; 2] {
        let place = self.display.get_geometry(window).expect("a request").reply().expect("a window");
        [place.width, place.height]
    }

    /// Gives the window another size.
    pub fn resize(&self, [width, height]: [u16; 2]) {
        let aux = ConfigureWindowAux::new().width(u32::from(width)).height(u32::from(height));
        self.display.configure_window(self.id, &aux).expect("a request").check().expect("another size");
    }

    /// The windows inside it.
    pub fn children(&self) -> Vec<u32> {
        self.display.query_tree(self.id).expect("a request").reply().expect("a tree").children
    }

    /// Colours that are seen in the editor's window, at most two of them; none while there is no window that is shown.
    pub fn colours(&self) -> usize {
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
}

/// A host that opens one editor.
pub trait EditorHost<'a> {
    /// The window of the host.
    fn window(&self) -> &HostWindow<'a>;

    /// Makes the editor, not shown yet.
    fn create(&mut self);

    /// Shows the editor.
    fn show(&mut self);

    /// Closes the editor.
    fn close(&mut self);

    /// Does what the editor has scheduled for the main thread.
    fn run_main_thread(&mut self);

    /// Makes the editor and shows it.
    fn open(&mut self) {
        self.create();
        self.show();
    }

    /// Whether the editor is drawn.
    fn is_drawn(&self) -> bool {
        self.window().colours() == 2
    }

    /// Waits until the editor is drawn.
    fn wait_until_drawn(&mut self) {
        until("the editor is drawn", || {
            self.run_main_thread();
            self.is_drawn()
        });
    }

    /// Closes the editor and waits until its window is gone.
    fn close_and_wait(&mut self) {
        self.close();
        until("the editor's window is gone", || self.window().children().is_empty());
    }
}

/// The keyboard of a display.
pub struct Keyboard<'a> {
    display: &'a RustConnection,
    first: u8,
    /// Symbols of every key from `first` on, `width` for each.
    symbols: Vec<u32>,
    width: usize,
}

impl<'a> Keyboard<'a> {
    pub fn new(display: &'a RustConnection) -> Self {
        let (first, last) = (display.setup().min_keycode, display.setup().max_keycode);
        let mapping = display.get_keyboard_mapping(first, last - first + 1).expect("a request").reply().expect("a keyboard");
        Self { display, first, symbols: mapping.keysyms, width: mapping.keysyms_per_keycode.into() }
    }

    /// Presses or releases the key with a symbol.
    pub fn turn(&self, symbol: u32, event: u8) {
        let place = self.symbols.iter().position(|found| *found == symbol).expect("a key with this symbol");
        let code = self.first + (place / self.width) as u8;
        self.display
            .xtest_fake_input(event, code, x11rb::CURRENT_TIME, x11rb::NONE, 0, 0, 0)
            .expect("a key")
            .check()
            .expect("it");
    }

    /// Types the key with a symbol, with Shift if it needs it.
    pub fn type_symbol(&self, symbol: u32) {
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
    pub fn focus(&self, window: u32) {
        let time = x11rb::CURRENT_TIME;
        self.display.set_input_focus(InputFocus::NONE, window, time).expect("a request").check().expect("a focus");
    }
}
/// Waits until `what` holds.
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// What an open editor may take and a closed one has to give back.
#[derive(Clone, Copy, Debug)]
pub struct Resources {
    /// Open files of this process.
    pub files: usize,
    /// Its threads.
    pub threads: usize,
    /// Its allocated memory [KiB]; the resident memory also contains what the allocator keeps.
    pub memory: usize,
}

impl Resources {
    /// Those of now.
    pub fn now() -> Self {
        let [files, threads] =
            ["fd", "task"].map(|kind| std::fs::read_dir(format!("/proc/self/{kind}")).expect("a folder").count());
        // SAFETY: reads counters of the allocator.
        let memory = unsafe { nix::libc::mallinfo2() }.uordblks / 1024;
        Self { files, threads, memory }
    }
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
        // servers that start together may choose one number, which ends all of them but one
        for _ in 0..MAX_STARTS {
            if let Some(display) = Self::try_start()? {
                return Ok(display);
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        Err("Xvfb does not start; `Xvfb :99` shows why".to_owned())
    }

    /// A server, or None if it ended at once. Errors: what is missing.
    fn try_start() -> Result<Option<Self>, String> {
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
        Ok((display.name.len() > 1).then_some(display))
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
