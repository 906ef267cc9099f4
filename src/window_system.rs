//! What the window library leaves out: the system's graphics library stays loaded, and X11 windows get their first frame, right
//! modifier keys and the property of embedded windows.
//!
//! The window library loads EGL for every window, on the window's thread, and unloads it when the window closes. A thread that has
//! drawn and ends after that runs destructors of an unloaded driver, which crashes the host. One reference that is never released
//! keeps EGL loaded.
//!
//! Under X11 (baseview 0.4.2), a connection of its own follows each window:
//!
//! * A frame that is requested before the window is mapped waits for a notification that the server does not send, and no later frame
//!   is drawn. Once the window is mapped, the connection requests notifications with the number that is awaited.
//! * A key that is released while the window has no focus counts as held until the window is closed. When the focus comes back, the
//!   connection sends the release of every modifier key that is up.
//! * `_XEMBED_INFO` tells hosts that the window can be embedded (XEmbed 0.5).
//!
//! `docs/upstream` contains the corrections for the window library.

#![allow(unsafe_code)]

use std::sync::Once;

#[cfg(target_os = "linux")]
pub use x11::Companion;

/// Names under which the window library looks for EGL.
const NAMES: [&str; 2] = ["libEGL.so.1", "libEGL.so"];

static LOADED: Once = Once::new();

/// Loads EGL, if there is any, and never unloads it. To be called before the first window.
pub fn keep_graphics_library() {
    LOADED.call_once(|| {
        // SAFETY: the window library loads the same file by the same name; none of its functions is called here.
        let library = NAMES.iter().find_map(|name| unsafe { libloading::Library::new(name) }.ok());
        std::mem::forget(library);
    });
}

/// Keeps this library in memory until the process ends, for threads that outlive its last instance. Does nothing in a program.
#[cfg(target_os = "linux")]
pub fn keep_this_library() {
    // RTLD_NOW, RTLD_NOLOAD and RTLD_NODELETE of `dlfcn.h`: marks a library that is loaded
    const KEEP: i32 = 0x2 | 0x4 | 0x1000;
    static KEPT: Once = Once::new();
    KEPT.call_once(|| {
        let address = keep_this_library as *const () as usize;
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
        let holds = |line: &&str| {
            let bounds = line.split_once(' ').and_then(|(range, _)| range.split_once('-'));
            let [low, high] =
                bounds.map_or([0; 2], |(low, high)| [low, high].map(|text| usize::from_str_radix(text, 16).unwrap_or(0)));
            (low..high).contains(&address)
        };
        let path = maps.lines().find(holds).and_then(|line| line.find('/').map(|start| &line[start..]));
        // SAFETY: the library is loaded already, so that none of its code runs here.
        let library = path.and_then(|path| unsafe { libloading::os::unix::Library::open(Some(path), KEEP) }.ok());
        std::mem::forget(library);
    });
}

#[cfg(target_os = "linux")]
mod x11 {
    use std::error::Error;
    use std::sync::Arc;
    use std::thread::{self, JoinHandle};

    use raw_window_handle::{HasWindowHandle, RawWindowHandle};
    use x11rb::connection::Connection;
    use x11rb::protocol::Event;
    use x11rb::protocol::present::ConnectionExt as _;
    use x11rb::protocol::xproto::{
        ChangeWindowAttributesAux, ClientMessageEvent, ConnectionExt as _, CreateWindowAux, EventMask, KEY_RELEASE_EVENT,
        KeyButMask, KeyReleaseEvent, PropMode, WindowClass,
    };
    use x11rb::rust_connection::RustConnection;
    use x11rb::wrapper::ConnectionExt as _;
    use x11rb::{COPY_DEPTH_FROM_PARENT, COPY_FROM_PARENT, CURRENT_TIME, NONE};

    /// Number of the first notification that the window library requests.
    const FIRST_SERIAL: u32 = 0;
    /// Notifications are requested for every frame of which the number modulo `CYCLE` is a multiple of `STEP`: some of them come after the
    /// window library listens, and all within `CYCLE` frames.
    const CYCLE: u64 = 32;
    const STEP: usize = 4;
    /// Version of XEmbed, and flags: the window is mapped by its owner.
    const XEMBED_INFO: [u32; 2] = [0, 1];

    /// The connection that follows a window of the window library until it is dropped.
    pub struct Companion {
        connection: Arc<RustConnection>,
        /// Window that receives the message to end.
        mailbox: u32,
        thread: Option<JoinHandle<()>>,
    }

    impl Companion {
        /// Follows `window`. Errors: no X11 window, or no connection to its server.
        pub fn follow(window: &impl HasWindowHandle) -> Result<Self, Box<dyn Error>> {
            let window = match window.window_handle().map_err(|error| error.to_string())?.as_raw() {
                RawWindowHandle::Xcb(handle) => handle.window.get(),
                RawWindowHandle::Xlib(handle) => u32::try_from(handle.window)?,
                _ => return Err("not a window of X11".into()),
            };
            let (connection, screen) = x11rb::connect(None)?;
            let mailbox = connection.generate_id()?;
            let (root, aux) = (connection.setup().roots[screen].root, CreateWindowAux::new());
            let class = WindowClass::INPUT_ONLY;
            connection.create_window(COPY_DEPTH_FROM_PARENT, mailbox, root, 0, 0, 1, 1, 0, class, COPY_FROM_PARENT, &aux)?;
            let events = EventMask::STRUCTURE_NOTIFY | EventMask::FOCUS_CHANGE;
            connection.change_window_attributes(window, &ChangeWindowAttributesAux::new().event_mask(events))?.check()?;
            let embedding = connection.intern_atom(false, b"_XEMBED_INFO")?.reply()?.atom;
            connection.change_property32(PropMode::REPLACE, window, embedding, embedding, &XEMBED_INFO)?.check()?;
            let connection = Arc::new(connection);
            let own = Arc::clone(&connection);
            let name = "urto-x11".to_owned();
            // without a connection nothing is left to be done
            let thread = thread::Builder::new().name(name).spawn(move || drop(follow(&own, window, mailbox)))?;
            Ok(Self { connection, mailbox, thread: Some(thread) })
        }

        fn send_end(&self) -> Result<(), Box<dyn Error>> {
            let message = ClientMessageEvent::new(32, self.mailbox, self.connection.setup().roots[0].root, [0; 5]);
            self.connection.send_event(false, self.mailbox, EventMask::NO_EVENT, message)?;
            Ok(self.connection.flush()?)
        }
    }

    impl Drop for Companion {
        fn drop(&mut self) {
            // the thread ends before the host may unload this library; if the server is gone, it has ended already
            let _ = self.send_end();
            let _ = self.thread.take().map(JoinHandle::join);
        }
    }

    /// Handles the events of `window` until it is destroyed, or a message to `mailbox` comes.
    fn follow(connection: &RustConnection, window: u32, mailbox: u32) -> Result<(), Box<dyn Error>> {
        loop {
            match connection.wait_for_event()? {
                Event::MapNotify(event) if event.window == window => request_first_frame(connection, window)?,
                Event::FocusIn(event) if event.event == window => release_modifiers(connection, window)?,
                Event::DestroyNotify(event) if event.window == window => return Ok(()),
                Event::ClientMessage(event) if event.window == mailbox => return Ok(()),
                _ => {}
            }
        }
    }

    /// Requests the notifications for which the window library may wait in vain. It ignores those for which it does not wait.
    fn request_first_frame(connection: &RustConnection, window: u32) -> Result<(), Box<dyn Error>> {
        for remainder in (0..CYCLE).step_by(STEP) {
            connection.present_notify_msc(window, FIRST_SERIAL, 0, CYCLE, remainder)?;
        }
        Ok(connection.flush()?)
    }

    /// Sends `window` the release of every modifier key that is up.
    fn release_modifiers(connection: &RustConnection, window: u32) -> Result<(), Box<dyn Error>> {
        let (keys, modifiers) = (connection.query_keymap()?, connection.get_modifier_mapping()?);
        let (keys, modifiers) = (keys.reply()?.keys, modifiers.reply()?.keycodes);
        let is_up = |key: u8| keys[usize::from(key / 8)] & 1 << (key % 8) == 0;
        for key in modifiers.into_iter().filter(|&key| key != 0 && is_up(key)) {
            let release = KeyReleaseEvent {
                response_type: KEY_RELEASE_EVENT,
                detail: key,
                sequence: 0,
                time: CURRENT_TIME,
                root: connection.setup().roots[0].root,
                event: window,
                child: NONE,
                root_x: 0,
                root_y: 0,
                event_x: 0,
                event_y: 0,
                state: KeyButMask::default(),
                same_screen: true,
            };
            // without a mask the event goes to the owner of the window
            connection.send_event(false, window, EventMask::NO_EVENT, release)?;
        }
        Ok(connection.flush()?)
    }
}
