//! A program from which files are dragged.

use std::time::{Duration, Instant};

use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConnectionExt, CreateWindowAux, EventMask, PropMode, SELECTION_NOTIFY_EVENT,
    SelectionNotifyEvent, SelectionRequestEvent, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

use crate::display::PATIENCE;

/// A program from which files are dragged (Xdnd 5).
pub struct DragSource<'a> {
    display: &'a RustConnection,
    window: u32,
    /// Type of the data.
    kind: u32,
}

impl<'a> DragSource<'a> {
    /// Offers data of `kind`, on the screen with `root`.
    pub fn new(display: &'a RustConnection, root: u32, kind: &str) -> Self {
        let window = display.generate_id().expect("an id");
        let (class, aux) = (WindowClass::INPUT_OUTPUT, CreateWindowAux::new());
        display.create_window(0, window, root, 0, 0, 1, 1, 0, class, 0, &aux).expect("a window");
        let source = Self { display, window, kind: 0 };
        display.set_selection_owner(window, source.atom("XdndSelection"), x11rb::CURRENT_TIME).expect("the selection");
        Self { kind: source.atom(kind), ..source }
    }

    pub fn atom(&self, name: &str) -> u32 {
        self.display.intern_atom(false, name.as_bytes()).expect("a request").reply().expect("an atom").atom
    }

    /// A property of one number; none if the window does not have it.
    pub fn property(&self, window: u32, name: &str) -> Option<u32> {
        let property = self.display.get_property(false, window, self.atom(name), AtomEnum::ANY, 0, 1).expect("a request");
        property.reply().ok()?.value32()?.next()
    }

    /// The window to which messages for `target` are sent: a proxy that names itself, else `target`.
    pub fn receiver(&self, target: u32) -> u32 {
        let proxy = self.property(target, "XdndProxy").filter(|&proxy| self.property(proxy, "XdndProxy") == Some(proxy));
        let receiver = proxy.unwrap_or(target);
        assert_eq!(self.property(receiver, "XdndAware"), Some(5), "the window takes drops");
        receiver
    }

    pub fn send(&self, target: u32, name: &str, data: [u32; 4]) {
        let [first, second, third, fourth] = data;
        let data = [self.window, first, second, third, fourth];
        let message = ClientMessageEvent::new(32, target, self.atom(name), data);
        self.display.send_event(false, self.receiver(target), EventMask::NO_EVENT, message).expect("a message");
        self.display.flush().expect("a display");
    }

    /// Drops `files` on `target`. Returns whether they were accepted.
    pub fn drop_on(&self, target: u32, files: &str) -> bool {
        let [status, finished] = ["XdndStatus", "XdndFinished"].map(|name| self.atom(name));
        self.send(target, "XdndEnter", [5 << 24, self.kind, 0, 0]);
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
    pub fn answer(&self, request: &SelectionRequestEvent, files: &str) {
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
