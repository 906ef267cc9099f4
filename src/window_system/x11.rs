//! A connection to the X server of its own that follows each window (baseview 0.4.2).
//!
//! * A frame that is requested before the window is mapped waits for a notification that the server does not send, and no later frame
//!   is drawn. Once the window is mapped, the connection requests notifications with the number that is awaited.
//! * A key that is released while the window has no focus counts as held until the window is closed. When the focus comes back, the
//!   connection sends the release of every modifier key that is up.
//! * A window that the host closes still has to handle a last request. If its thread ends before, the window library warns and does not
//!   wait for the thread. The connection asks the window to close by itself first, and waits for the end of its thread.
//! * Files that are dropped on the window do not arrive, so the connection receives them in its place (Xdnd 5, with `XdndProxy`).
//! * `_XEMBED_INFO` tells hosts that the window can be embedded (XEmbed 0.5).

use std::cell::RefCell;
use std::error::Error;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use percent_encoding::percent_decode;
use raw_window_handle::{HasWindowHandle, RawWindowHandle};
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::present::ConnectionExt as _;
use x11rb::protocol::xproto::{
    AtomEnum, ChangeWindowAttributesAux, ClientMessageEvent, ConnectionExt as _, CreateWindowAux, EventMask, KEY_RELEASE_EVENT,
    KeyButMask, KeyReleaseEvent, PropMode, SelectionNotifyEvent, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;
use x11rb::{COPY_DEPTH_FROM_PARENT, COPY_FROM_PARENT, CURRENT_TIME, NONE};

use crate::window_system::window_reports::WindowReports;

/// Number of the first notification that the window library requests.
const FIRST_SERIAL: u32 = 0;
/// Notifications are requested for every frame of which the number modulo `CYCLE` is a multiple of `STEP`: some of them come after the
/// window library listens, and all within `CYCLE` frames.
const CYCLE: u64 = 32;
const STEP: usize = 4;
/// Version of XEmbed, and flags: the window is mapped by its owner.
const XEMBED_INFO: [u32; 2] = [0, 1];

/// How long the host waits for a window to close by itself: a busy machine draws a first frame in seconds.
const CLOSING: Duration = Duration::from_secs(20);
/// Time between the messages that ask for it: a window that has not begun to wait for messages loses the first.
const REPEATING: Duration = Duration::from_millis(100);

thread_local! {
    /// Dropped when the window's thread ends.
    static END: RefCell<Option<Sender<()>>> = const { RefCell::new(None) };
}

/// The connection that follows a window of the window library until it is dropped.
pub struct Companion {
    connection: Arc<RustConnection>,
    window: u32,
    /// Window that receives the message to end.
    mailbox: u32,
    thread: Option<JoinHandle<()>>,
}

impl Companion {
    /// Follows `window` and sends `reports`. Errors: no X11 window, or no connection to its server.
    pub fn follow(window: &impl HasWindowHandle, reports: WindowReports) -> Result<Self, Box<dyn Error>> {
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
        let drop_target = DropTarget::new(&connection, window, mailbox)?;
        let connection = Arc::new(connection);
        let own = Arc::clone(&connection);
        let name = "urto-x11".to_owned();
        // without a connection nothing is left to be done
        let thread = thread::Builder::new().name(name).spawn(move || drop(follow(&own, window, drop_target, &reports)))?;
        Ok(Self { connection, window, mailbox, thread: Some(thread) })
    }

    /// A function for another thread, which closes the window and waits for the end of its thread. To be called on that thread.
    pub fn closing(&self) -> Result<impl FnOnce() + Send + 'static, Box<dyn Error>> {
        let [protocols, delete] = [b"WM_PROTOCOLS".as_slice(), b"WM_DELETE_WINDOW"]
            .map(|name| Ok::<_, Box<dyn Error>>(self.connection.intern_atom(false, name)?.reply()?.atom));
        let message = ClientMessageEvent::new(32, self.window, protocols?, [delete?, CURRENT_TIME, 0, 0, 0]);
        let (connection, window) = (Arc::clone(&self.connection), self.window);
        let (end, ended) = channel();
        END.set(Some(end));
        Ok(move || {
            let begun = Instant::now();
            while begun.elapsed() < CLOSING {
                let sent = connection.send_event(false, window, EventMask::NO_EVENT, message).is_ok();
                // the thread sends nothing; its end closes the channel
                if !sent || connection.flush().is_err() || ended.recv_timeout(REPEATING) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
            }
        })
    }

    fn send_end(&self) -> Result<(), Box<dyn Error>> {
        let message = ClientMessageEvent::new(32, self.mailbox, NONE, [0; 5]);
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

/// Handles the events of `window` until it is destroyed, or a message to the mailbox asks for the end.
fn follow(
    connection: &RustConnection,
    window: u32,
    mut drop_target: DropTarget,
    reports: &WindowReports,
) -> Result<(), Box<dyn Error>> {
    let mut hosts = Hosts::of(connection, window)?;
    loop {
        match connection.wait_for_event()? {
            Event::MapNotify(event) if event.window == window => request_first_frame(connection, window)?,
            Event::ReparentNotify(event) if event.window == window || hosts.contain(event.window) => {
                hosts = Hosts::of(connection, window)?;
                hosts.report(connection, window, &reports.visible)?;
            }
            Event::ConfigureNotify(event) if hosts.contain(event.window) => {
                hosts.report(connection, window, &reports.visible)?;
            }
            Event::FocusIn(event) if event.event == window => release_modifiers(connection, window)?,
            Event::DestroyNotify(event) if event.window == window => return Ok(()),
            Event::ClientMessage(event) if drop_target.is_end(&event) => return Ok(()),
            Event::ClientMessage(event) => drop_target.handle(connection, &event)?,
            Event::SelectionNotify(event) => {
                let files = drop_target.take(connection, &event)?;
                if !files.is_empty() {
                    (reports.dropped)(files);
                }
            }
            _ => {}
        }
    }
}

/// The windows around the editor's window, from its parent to the top-level window.
struct Hosts(Vec<u32>);

impl Hosts {
    /// Finds them and asks for their changes. None for a top-level window.
    fn of(connection: &RustConnection, window: u32) -> Result<Self, Box<dyn Error>> {
        let mut windows = Vec::new();
        let mut tree = connection.query_tree(window)?.reply()?;
        while tree.parent != tree.root && tree.parent != NONE {
            let aux = ChangeWindowAttributesAux::new().event_mask(EventMask::STRUCTURE_NOTIFY);
            // a window that is gone by now has no changes
            let _ = connection.change_window_attributes(tree.parent, &aux)?.check();
            windows.push(tree.parent);
            tree = connection.query_tree(tree.parent)?.reply()?;
        }
        Ok(Self(windows))
    }

    fn contain(&self, window: u32) -> bool {
        self.0.contains(&window)
    }

    /// Reports by `show` the part of `window`, from its upper left corner, that lies inside all of them.
    fn report(&self, connection: &RustConnection, window: u32, show: &dyn Fn(u32, u32)) -> Result<(), Box<dyn Error>> {
        let mut visible = [i32::MAX; 2];
        let (mut left, mut top, mut inner) = (0, 0, window);
        for &outer in &self.0 {
            let place = connection.get_geometry(inner)?.reply()?;
            let room = connection.get_geometry(outer)?.reply()?;
            left += i32::from(place.x) + i32::from(place.border_width);
            top += i32::from(place.y) + i32::from(place.border_width);
            visible = [visible[0].min(i32::from(room.width) - left), visible[1].min(i32::from(room.height) - top)];
            inner = outer;
        }
        if let ([Ok(width), Ok(height)], false) = (visible.map(u32::try_from), self.0.is_empty()) {
            show(width, height);
        }
        Ok(())
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

x11rb::atom_manager! {
    /// Atoms of Xdnd.
    DropAtoms: DropAtomsCookie {
        XdndAware,
        XdndProxy,
        XdndEnter,
        XdndPosition,
        XdndStatus,
        XdndLeave,
        XdndDrop,
        XdndFinished,
        XdndSelection,
        XdndTypeList,
        XdndActionCopy,
        FileList: b"text/uri-list",
    }
}

/// Version of Xdnd.
const VERSION: u32 = 5;
/// Length of the longest list of files that is read, in units of 4 bytes.
const MAX_LIST: u32 = 1 << 20;

/// The target of drops on the editor's window: a window of this connection takes its messages.
struct DropTarget {
    atoms: DropAtoms,
    window: u32,
    /// The window that takes the messages.
    mailbox: u32,
    /// The window that files are dragged from, while they are over the editor's window.
    source: Option<u32>,
}

impl DropTarget {
    fn new(connection: &RustConnection, window: u32, mailbox: u32) -> Result<Self, Box<dyn Error>> {
        let atoms = DropAtoms::new(connection)?.reply()?;
        // a proxy names itself, so that sources do not send to one that a crash has left
        for owner in [mailbox, window] {
            connection.change_property32(PropMode::REPLACE, owner, atoms.XdndProxy, AtomEnum::WINDOW, &[mailbox])?;
        }
        connection.change_property32(PropMode::REPLACE, mailbox, atoms.XdndAware, AtomEnum::ATOM, &[VERSION])?.check()?;
        Ok(Self { atoms, window, mailbox, source: None })
    }

    /// Whether the message asks for the end of the connection.
    fn is_end(&self, event: &ClientMessageEvent) -> bool {
        event.window == self.mailbox && event.type_ == NONE
    }

    /// Handles a message of the source.
    fn handle(&mut self, connection: &RustConnection, event: &ClientMessageEvent) -> Result<(), Box<dyn Error>> {
        let [source, flags, time, ..] = event.data.as_data32();
        let has_files = self.source == Some(source);
        match event.type_ {
            kind if kind == self.atoms.XdndEnter => {
                let offers_files = self.offers(connection, event, source, flags)?.contains(&self.atoms.FileList);
                self.source = offers_files.then_some(source);
            }
            kind if kind == self.atoms.XdndPosition => {
                // bit 0: accepted; bit 1: every movement is to be sent
                let answer =
                    if has_files { [self.window, 3, 0, 0, self.atoms.XdndActionCopy] } else { [self.window, 2, 0, 0, NONE] };
                send(connection, source, self.atoms.XdndStatus, answer)?;
            }
            kind if kind == self.atoms.XdndDrop && has_files => {
                let [selection, list] = [self.atoms.XdndSelection, self.atoms.FileList];
                connection.convert_selection(self.mailbox, selection, list, selection, time)?;
            }
            kind if kind == self.atoms.XdndDrop => {
                send(connection, source, self.atoms.XdndFinished, [self.window, 0, NONE, 0, 0])?
            }
            kind if kind == self.atoms.XdndLeave => self.source = None,
            _ => {}
        }
        Ok(connection.flush()?)
    }

    /// The types that a source offers: three in the message, or a list in a property of the source.
    fn offers(
        &self,
        connection: &RustConnection,
        event: &ClientMessageEvent,
        source: u32,
        flags: u32,
    ) -> Result<Vec<u32>, Box<dyn Error>> {
        if flags & 1 == 0 {
            return Ok(event.data.as_data32()[2..].to_vec());
        }
        let list = connection.get_property(false, source, self.atoms.XdndTypeList, AtomEnum::ATOM, 0, MAX_LIST)?.reply()?;
        Ok(list.value32().map(Iterator::collect).unwrap_or_default())
    }

    /// The files that the source has sent, and the answer to it.
    fn take(&mut self, connection: &RustConnection, event: &SelectionNotifyEvent) -> Result<Vec<PathBuf>, Box<dyn Error>> {
        let Some(source) = self.source.take() else { return Ok(Vec::new()) };
        let mut files = Vec::new();
        if event.property != NONE {
            let list = connection.get_property(true, self.mailbox, event.property, AtomEnum::ANY, 0, MAX_LIST)?.reply()?;
            files = paths(&list.value);
        }
        let is_taken = !files.is_empty();
        let action = if is_taken { self.atoms.XdndActionCopy } else { NONE };
        send(connection, source, self.atoms.XdndFinished, [self.window, u32::from(is_taken), action, 0, 0])?;
        connection.flush()?;
        Ok(files)
    }
}

fn send(connection: &RustConnection, source: u32, kind: u32, data: [u32; 5]) -> Result<(), Box<dyn Error>> {
    connection.send_event(false, source, EventMask::NO_EVENT, ClientMessageEvent::new(32, source, kind, data))?;
    Ok(())
}

/// The local files in a list of addresses (RFC 2483), with or without a host name.
fn paths(list: &[u8]) -> Vec<PathBuf> {
    let file = |line: &[u8]| {
        let rest = line.trim_ascii().strip_prefix(b"file:")?;
        let rest = rest.strip_prefix(b"//").map_or(rest, |rest| &rest[rest.iter().position(|byte| *byte == b'/').unwrap_or(0)..]);
        let path: Vec<u8> = percent_decode(rest).collect();
        path.starts_with(b"/").then(|| PathBuf::from(OsStr::from_bytes(&path)))
    };
    list.split(|byte| *byte == b'\n').filter_map(file).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_local_files_become_paths() {
        let list = b"# a comment\r\nfile:///tmp/A%20tone%C3%BC.wav\r\nfile://host/b.scl\r\nfile:/c.toml\r\nhttp://x/d.wav\r\n";
        assert_eq!(paths(list), ["/tmp/A tone\u{fc}.wav", "/b.scl", "/c.toml"].map(PathBuf::from));
        assert!(paths(b"").is_empty() && paths(b"file:\n\xff").is_empty());
    }
}
