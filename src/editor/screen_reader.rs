//! The editor for assistive technology under Linux: the tree of its controls goes to the accessibility bus (AT-SPI), and requests come back.
//!
//! The window library passes neither (egui-baseview 0.9). AT-SPI needs no window, only the D-Bus session, so the library AccessKit
//! connects the editor to it. The tree is built while assistive technology is switched on in the session, and costs nothing otherwise.
//!
//! AccessKit has threads that end with the process. They keep the library of the plugin in memory.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use accesskit_unix::Adapter;
use crossbeam_channel::{Receiver, Sender, bounded};
use egui::accesskit::{ActionHandler, ActionRequest, ActivationHandler, DeactivationHandler, Node, Role, TreeInfo, TreeUpdate};
use egui::{Context, Event, FullOutput, Plugin, RawInput};
use nice_plug_egui::RepaintNotifier;

use crate::loaded_libraries::keep_this_library;

/// Requests that may wait for the next frame.
const WAITING: usize = 256;
/// Name of the window.
const NAME: &str = "Urto";

/// The connection of one window to the accessibility bus. It ends with the context of the window.
pub struct ScreenReader {
    adapter: Adapter,
    is_active: Arc<AtomicBool>,
    requests: Receiver<ActionRequest>,
    is_focused: bool,
}

impl ScreenReader {
    /// Connects the window of `context`, which `repaint` draws again. Does nothing without a D-Bus session, or where the variable
    /// `NO_AT_BRIDGE` switches accessibility off, as for other toolkits.
    pub fn connect(context: &Context, repaint: RepaintNotifier) {
        if !has_session() || std::env::var_os("NO_AT_BRIDGE").is_some_and(|value| value == "1") {
            return;
        }
        keep_this_library();
        let is_active = Arc::new(AtomicBool::new(false));
        let (give, requests) = bounded(WAITING);
        let switch = |on| Switch { is_active: Arc::clone(&is_active), repaint: repaint.clone(), on };
        let adapter = Adapter::new(switch(true), Requests { give, repaint: repaint.clone() }, switch(false));
        context.add_plugin(Self { adapter, is_active, requests, is_focused: false });
    }
}

/// Whether a D-Bus session can be expected: its address is given, or its socket is at the usual place.
fn has_session() -> bool {
    let socket = std::env::var_os("XDG_RUNTIME_DIR").map(|folder| Path::new(&folder).join("bus"));
    std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_some() || socket.is_some_and(|socket| socket.exists())
}

impl Plugin for ScreenReader {
    fn debug_name(&self) -> &'static str {
        "screen reader"
    }

    fn input_hook(&mut self, context: &Context, input: &mut RawInput) {
        if self.is_active.load(Relaxed) {
            context.enable_accesskit();
        } else {
            context.disable_accesskit();
        }
        input.events.extend(self.requests.try_iter().map(Event::AccessKitActionRequest));
        let focused = input.viewports.get(&input.viewport_id).and_then(|viewport| viewport.focused).unwrap_or(input.focused);
        if std::mem::replace(&mut self.is_focused, focused) != focused {
            self.adapter.update_window_focus_state(focused);
        }
    }

    fn output_hook(&mut self, _: &Context, output: &mut FullOutput) {
        if let Some(update) = output.platform_output.accesskit_update.take() {
            self.adapter.update_if_active(|| for_bus(update));
        }
    }
}

impl Drop for ScreenReader {
    fn drop(&mut self) {
        // the library keeps the controls of a window that is closed with them: 1.2 kB each
        let root = egui::accesskit_root_id().accesskit_id();
        let empty = TreeUpdate {
            nodes: vec![(root, Node::new(Role::Window))],
            tree: Some(TreeInfo::new(root)),
            tree_id: egui::accesskit::TreeId::ROOT,
            focus: root,
        };
        if self.is_active.load(Relaxed) {
            self.adapter.update_if_active(|| empty);
        }
    }
}

/// The tree as the bus needs it: the window has a name. Values as text, which AT-SPI has no place for, are descriptions.
fn for_bus(mut update: TreeUpdate) -> TreeUpdate {
    let root = egui::accesskit_root_id().accesskit_id();
    for (id, node) in &mut update.nodes {
        if *id == root {
            node.set_label(NAME);
        }
        let described = matches!(node.role(), Role::Slider | Role::ComboBox | Role::Button | Role::ListBox | Role::ListBoxOption);
        if let Some(text) = node.value().filter(|_| described).map(str::to_owned) {
            node.set_description(text);
        }
    }
    update
}

/// Called from threads of the library when assistive technology is switched on or off.
struct Switch {
    is_active: Arc<AtomicBool>,
    repaint: RepaintNotifier,
    on: bool,
}

impl Switch {
    fn turn(&self) {
        self.is_active.store(self.on, Relaxed);
        self.repaint.request_repaint();
    }
}

impl ActivationHandler for Switch {
    fn request_initial_tree(&mut self) -> Option<TreeUpdate> {
        self.turn();
        // the next frame has it
        None
    }
}

impl DeactivationHandler for Switch {
    fn deactivate_accessibility(&mut self) {
        self.turn();
    }
}

/// Called from threads of the library when assistive technology asks for something.
struct Requests {
    give: Sender<ActionRequest>,
    repaint: RepaintNotifier,
}

impl ActionHandler for Requests {
    fn do_action(&mut self, request: ActionRequest) {
        // a window that is not drawn answers nothing
        _ = self.give.try_send(request);
        self.repaint.request_repaint();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::accesskit::{NodeId, TreeId};

    #[test]
    fn values_as_text_are_descriptions_for_the_bus() {
        let root = egui::accesskit_root_id().accesskit_id();
        let node = |role, value: &str| {
            let mut node = Node::new(role);
            node.set_value(value);
            node
        };
        let nodes = vec![
            (root, Node::new(Role::Window)),
            (NodeId(2), node(Role::Slider, "20.0 g")),
            (NodeId(3), node(Role::Label, "20.0 g")),
            (NodeId(4), node(Role::TextInput, "typed")),
        ];
        let tree = TreeUpdate { nodes, tree: Some(TreeInfo::new(root)), tree_id: TreeId::ROOT, focus: root };
        let nodes = for_bus(tree).nodes;
        assert_eq!(nodes[0].1.label(), Some(NAME));
        let descriptions: Vec<_> = nodes.iter().map(|(_, node)| node.description()).collect();
        assert_eq!(descriptions, [None, Some("20.0 g"), None, None], "a bus has a place for the text of labels and fields");
    }

    #[test]
    fn a_window_builds_its_tree_only_while_a_screen_reader_is_on() {
        let context = Context::default();
        let is_active = Arc::new(AtomicBool::new(false));
        let repaint = RepaintNotifier::new();
        let (give, requests) = bounded(2);
        let switch = |on| Switch { is_active: Arc::clone(&is_active), repaint: repaint.clone(), on };
        let ask = |handler: &mut Requests, count: usize| {
            let (action, target_tree) = (egui::accesskit::Action::Click, TreeId::ROOT);
            let request = ActionRequest { action, target_tree, target_node: NodeId(7), data: None };
            (0..count).for_each(|_| handler.do_action(request.clone()));
        };
        // the library's own thread is not needed: its handlers are called here
        let adapter = Adapter::new(switch(true), Requests { give: give.clone(), repaint: repaint.clone() }, switch(false));
        let mut reader = ScreenReader { adapter, is_active: Arc::clone(&is_active), requests, is_focused: false };
        let mut has_tree = || {
            let mut input = RawInput::default();
            reader.input_hook(&context, &mut input);
            let asked = input.events.len();
            let mut shown = context.run_ui(input, |_| ());
            shown.textures_delta.clear();
            (shown.platform_output.accesskit_update.is_some(), asked)
        };
        let mut handler = Requests { give, repaint: repaint.clone() };
        assert_eq!(has_tree(), (false, 0));
        assert!(switch(true).request_initial_tree().is_none(), "the next frame has it");
        ask(&mut handler, 5);
        assert_eq!(has_tree(), (true, 2), "requests that do not fit are dropped");
        switch(false).deactivate_accessibility();
        assert_eq!(has_tree(), (false, 0));
    }
}
