//! Driver of a window under test through `egui_kittest`.
//!
//! It finds controls by the names given to assistive technology, and clicks, drags and types.

use std::collections::{HashMap, HashSet};
use std::ops::{Deref, DerefMut};

use egui::accesskit::{Action, ActionData, ActionRequest, Role, TreeId};
use egui::epaint::Shape;
use egui::{Context, Event as Input, FullOutput, Id, Key, Modifiers, PointerButton, Pos2, Rect};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};

use crate::editor::headless_window::{FRAME_RATE, HeadlessWindow};
use crate::editor::tests::texts;
use crate::editor::theme;
use crate::editor::theme::PAGES;
use crate::host_params::HostParams;
use urto_engine::patch::Patch;

/// Frames within which a focus ring has to appear.
const PATIENCE: usize = 20;
/// Frames of a drag.
const STEPS: usize = 8;

/// An open window under test.
pub struct WindowDriver(Harness<'static, HeadlessWindow>);

impl Deref for WindowDriver {
    type Target = HeadlessWindow;

    fn deref(&self) -> &HeadlessWindow {
        self.0.state()
    }
}

impl DerefMut for WindowDriver {
    fn deref_mut(&mut self) -> &mut HeadlessWindow {
        self.0.state_mut()
    }
}

impl WindowDriver {
    /// A window with default preferences.
    pub fn new() -> Self {
        Self::on(HeadlessWindow::default())
    }

    /// A window of an instance with `params`.
    pub fn of(params: HostParams) -> Self {
        Self::on(HeadlessWindow::of(params))
    }

    fn on(window: HeadlessWindow) -> Self {
        let builder =
            Harness::builder().with_size(window.size).with_step_dt(1.0 / FRAME_RATE as f32).with_context_setup(theme::install);
        let mut hand = Self(builder.build_ui_state(|ui, window: &mut HeadlessWindow| window.draw(ui), window));
        hand.apply_theme();
        hand
    }

    /// The egui context.
    pub fn context(&self) -> &Context {
        &self.0.ctx
    }

    /// Applies the theme of the preferences.
    pub fn apply_theme(&mut self) {
        self.0.state().apply_theme(&self.0.ctx);
    }

    /// Shows the page `title`.
    pub fn open(&mut self, title: &str) {
        self.editor.pages.current = PAGES.iter().position(|page| *page == title).expect("a page");
    }

    /// The next frame with `events`, without sound.
    pub fn look(&mut self, events: Vec<Input>) -> &FullOutput {
        let size = self.size;
        let falling = std::mem::take(&mut self.falling);
        self.0.set_size(size.into());
        let input = self.0.input_mut();
        (input.events, input.dropped_files) = (events, falling);
        self.0.step();
        self.0.output()
    }

    /// The next frame, after the sound before it.
    pub fn live(&mut self) -> &FullOutput {
        self.sound();
        self.look(Vec::new())
    }

    /// Presses and releases a key.
    pub fn press(&mut self, key: Key, modifiers: Modifiers) {
        self.0.key_press_modifiers(modifiers, key);
        self.0.step();
    }

    /// Clicks at a position.
    pub fn click(&mut self, at: Pos2) {
        self.click_with(at, Modifiers::NONE);
    }

    /// Clicks at a position while `modifiers` are held.
    pub fn click_with(&mut self, at: Pos2, modifiers: Modifiers) {
        self.look(vec![Input::PointerMoved(at)]);
        self.button(at, true, modifiers);
        self.button(at, false, modifiers);
        self.look(Vec::new());
    }

    /// Presses or releases the primary button at a position.
    pub fn button(&mut self, pos: Pos2, pressed: bool, modifiers: Modifiers) {
        self.0.event_modifiers(Input::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers }, modifiers);
        self.0.step();
    }

    /// Drags from a position to another.
    pub fn drag(&mut self, from: Pos2, to: Pos2) {
        self.take(from, to);
        self.button(to, false, Modifiers::NONE);
        self.look(Vec::new());
    }

    /// Drags without releasing the button.
    pub fn take(&mut self, from: Pos2, to: Pos2) {
        self.0.hover_at(from);
        self.0.drag_at(from);
        (1..=STEPS).for_each(|i| self.0.hover_at(from + (to - from) * i as f32 / STEPS as f32));
        self.0.step();
    }

    /// Roles and names of all controls.
    pub fn names(&mut self) -> Vec<(Role, String)> {
        self.look(Vec::new());
        let named = |node: egui_kittest::Node<'_>| {
            let node = node.accesskit_node();
            (node.role(), node.label().unwrap_or_default())
        };
        self.0.root().children_recursive().map(named).collect()
    }

    /// Centre of the control `name`.
    pub fn at(&mut self, name: &str) -> Pos2 {
        self.rest();
        self.0.get_by_label(name).rect().center()
    }

    /// Area of the control `name`.
    pub fn area(&mut self, name: &str) -> Rect {
        self.rest();
        self.0.get_by_label(name).rect()
    }

    /// Value text of the control `name`.
    pub fn value(&mut self, name: &str) -> String {
        self.rest();
        self.0.get_by_label(name).value().unwrap_or_else(|| panic!("{name} has no value"))
    }

    /// Whether there is a control `name`.
    pub fn has(&mut self, name: &str) -> bool {
        self.rest();
        self.0.query_all_by_label(name).next().is_some()
    }

    /// Clicks the control `name`.
    pub fn click_on(&mut self, name: &str) {
        let at = self.at(name);
        self.click(at);
    }

    /// Replaces the text of the focused field, and presses Enter.
    pub fn enter(&mut self, text: &str) {
        self.press(Key::A, Modifiers::COMMAND);
        self.look(vec![Input::Text(text.into())]);
        self.press(Key::Enter, Modifiers::NONE);
        self.look(Vec::new());
    }

    /// Plays `patch` from now on.
    pub fn load(&mut self, patch: Patch) {
        self.editor.play(patch);
        self.look(Vec::new());
    }

    /// All visible texts.
    pub fn texts(&mut self) -> Vec<String> {
        let mut found = Vec::new();
        self.rest().shapes.iter().for_each(|clipped| texts(&clipped.shape, &mut found));
        found
    }

    /// Two frames: results of a frame are visible in the next one.
    pub fn rest(&mut self) -> &FullOutput {
        self.look(Vec::new());
        self.look(Vec::new())
    }

    /// Takes the focus from every control.
    pub fn clear_focus(&self) {
        self.context().memory_mut(|memory| memory.focused().into_iter().for_each(|id| memory.surrender_focus(id)));
    }

    /// Runs code inside a frame.
    pub fn within(&mut self, action: impl FnOnce(&mut HeadlessWindow, &mut egui::Ui)) {
        let (context, mut action) = (self.context().clone(), Some(action));
        let mut shown = context.run_ui(egui::RawInput::default(), |ui| {
            if let Some(action) = action.take() {
                action(self, ui);
            }
        });
        shown.textures_delta.clear();
    }
}

/// A control of the window, as the keyboard and assistive technology meet it.
#[derive(Clone, Debug)]
pub struct Control {
    /// Its widget.
    pub id: Id,
    /// Whether it takes the keyboard focus.
    pub focusable: bool,
    /// Whether Tab reaches it.
    pub by_tab: bool,
    /// Whether arrow keys reach it from a control of its group.
    pub by_arrow: bool,
    /// Whether a ring in the colour of the text is drawn around it while it has the focus.
    pub ringed: bool,
    /// Role, name and value; none if assistive technology does not see it.
    pub node: Option<NodeFacts>,
}

/// A control that Tab visits.
pub struct TabStop {
    /// Its widget.
    pub id: Id,
    /// Whether a ring in the colour of the text is drawn around it.
    pub ringed: bool,
}

/// What assistive technology learns about a control.
#[derive(Clone, Debug)]
pub struct NodeFacts {
    /// Its role.
    pub role: Role,
    /// Its name.
    pub name: String,
    /// Value as text.
    pub value: Option<String>,
    /// Value as a number, with its minimum and maximum.
    pub number: Option<(f64, Option<f64>, Option<f64>)>,
    /// Whether it states that it is selected or switched on, or not.
    pub has_state: bool,
    /// Names of the groups around it.
    pub groups: Vec<String>,
}

impl WindowDriver {
    /// All controls that sense clicks or drags, with the way in which the keyboard reaches them.
    pub fn controls(&mut self) -> Vec<Control> {
        self.clear_focus();
        self.rest();
        let resting = self.rings();
        let mut found = self.sensing();
        let stops = self.tab_stops(&resting);
        for stop in &stops {
            let Some(control) = found.iter_mut().find(|control| control.id == stop.id) else { continue };
            (control.by_tab, control.ringed) = (true, stop.ringed);
        }
        let groups: Vec<Id> =
            found.iter().filter(|control| control.by_tab && is_in_group(control)).map(|control| control.id).collect();
        for stop in groups {
            for key in [Key::ArrowLeft, Key::ArrowRight, Key::ArrowDown] {
                self.follow_arrows(stop, key, &resting, &mut found);
            }
        }
        self.clear_focus();
        self.rest();
        found
    }

    /// Presses an arrow key from `stop` until the focus no longer moves to another control of the same group.
    fn follow_arrows(&mut self, stop: Id, key: Key, resting: &HashSet<String>, found: &mut [Control]) {
        self.focus(stop);
        loop {
            let before = self.focused();
            self.press(key, Modifiers::NONE);
            self.look(Vec::new());
            let Some(id) = self.focused().filter(|id| Some(*id) != before) else { return };
            let ringed = self.is_ringed(id, resting);
            match found.iter_mut().find(|control| control.id == id) {
                Some(control) if !control.by_tab && !control.by_arrow => (control.by_arrow, control.ringed) = (true, ringed),
                _ => return,
            }
            // what Tab reaches from here, such as the star in the row
            for beside in self.sensing().into_iter().filter(|control| control.focusable) {
                let new = |control: &&mut Control| control.id == beside.id && !control.by_tab && !control.by_arrow;
                let Some(control) = found.iter_mut().find(new) else { continue };
                self.focus(beside.id);
                (control.by_arrow, control.ringed) = (true, self.is_ringed(beside.id, resting));
                self.focus(id);
            }
        }
    }

    /// The controls in the order in which Tab visits them, each with whether a ring shows it.
    pub fn tab_stops(&mut self, resting: &HashSet<String>) -> Vec<TabStop> {
        self.clear_focus();
        let mut stops: Vec<TabStop> = Vec::new();
        let tab = Input::Key { key: Key::Tab, physical_key: None, pressed: true, repeat: false, modifiers: Modifiers::NONE };
        loop {
            self.look(vec![tab.clone()]);
            // the focus that leaves the last control arrives at the first one in the next frame
            if self.focused().is_none() {
                self.look(Vec::new());
            }
            match self.focused() {
                Some(id) if !stops.iter().any(|stop| stop.id == id) => {
                    // a text field draws its ring one frame later, and a list scrolls for some frames
                    let mut ringed = self.is_ringed(id, resting);
                    for _ in 0..PATIENCE {
                        if ringed {
                            break;
                        }
                        self.look(Vec::new());
                        ringed = self.is_ringed(id, resting);
                    }
                    stops.push(TabStop { id, ringed });
                }
                _ => return stops,
            }
        }
    }

    /// The control that has the focus.
    pub fn focused(&self) -> Option<Id> {
        self.context().memory(|memory| memory.focused())
    }

    /// Name of the control that has the focus.
    pub fn focused_name(&mut self) -> Option<String> {
        let focused = self.focused()?;
        let control = self.sensing().into_iter().find(|control| control.id == focused)?;
        Some(control.node?.name)
    }

    /// Gives the control `name` the focus.
    pub fn focus_on(&mut self, name: &str) {
        self.rest();
        let named = |control: &Control| control.node.as_ref().is_some_and(|node| node.name == name);
        let control = self.sensing().into_iter().find(named).unwrap_or_else(|| panic!("no control {name}"));
        self.focus(control.id);
    }

    /// Sends a request of assistive technology to the control `name`.
    pub fn ask(&mut self, name: &str, action: Action, data: Option<ActionData>) {
        self.rest();
        let node = self.0.get_by_label(name).accesskit_node();
        let target_node = node.locate().0;
        let request = ActionRequest { action, target_tree: TreeId::ROOT, target_node, data };
        self.look(vec![Input::AccessKitActionRequest(request)]);
        self.rest();
    }

    /// Gives a control the focus.
    pub fn focus(&mut self, id: Id) {
        self.context().memory_mut(|memory| memory.request_focus(id));
        self.look(Vec::new());
    }

    /// All widgets that sense clicks or drags, in the order in which they are drawn.
    fn sensing(&mut self) -> Vec<Control> {
        let rects: Vec<egui::WidgetRect> = self.context().viewport(|viewport| {
            let layers = viewport.prev_pass.widgets.layers().flat_map(|(_, widgets)| widgets.iter().copied());
            layers.filter(|widget| widget.sense.interactive() && widget.interact_rect.is_positive()).collect()
        });
        let nodes: HashMap<u64, NodeFacts> = self.0.root().children_recursive().map(|node| facts(&node)).collect();
        let control = |rect: egui::WidgetRect| Control {
            id: rect.id,
            focusable: rect.sense.is_focusable(),
            by_tab: false,
            by_arrow: false,
            ringed: false,
            node: nodes.get(&rect.id.value()).cloned(),
        };
        rects.into_iter().map(control).collect()
    }

    /// Lines in the width of a focus ring and the colour of the text.
    pub fn rings(&self) -> HashSet<String> {
        let mut found = Vec::new();
        let ink = theme::ink(self.context());
        self.0.output().shapes.iter().for_each(|clipped| rings(&clipped.shape, ink.text, &mut found));
        found.into_iter().map(|rect| format!("{rect:?}")).collect()
    }

    /// Area of a control.
    pub fn place(&self, id: Id) -> Option<Rect> {
        self.context().viewport(|viewport| viewport.prev_pass.widgets.get(id).map(|widget| widget.interact_rect))
    }

    /// Whether a new ring is drawn around the widget `id`, inside its clip rectangle.
    fn is_ringed(&self, id: Id, resting: &HashSet<String>) -> bool {
        let ink = theme::ink(self.context());
        let place = self.place(id);
        let near =
            |ring: Rect| place.is_some_and(|place| place.expand(20.0).contains(ring.center()) || ring.contains_rect(place));
        self.0.output().shapes.iter().any(|clipped| {
            let mut found = Vec::new();
            rings(&clipped.shape, ink.text, &mut found);
            found.into_iter().any(|ring| {
                !resting.contains(&format!("{ring:?}"))
                    && near(ring)
                    && clipped.clip_rect.intersect(ring).area() > 0.5 * ring.area()
            })
        })
    }
}

/// Whether a control belongs to a group of which Tab visits one member.
fn is_in_group(control: &Control) -> bool {
    let starts = |node: &NodeFacts| ["Chapter ", "Pattern step "].iter().any(|name| node.name.starts_with(name));
    control.node.as_ref().is_some_and(|node| node.role == Role::ListBoxOption || starts(node))
}

/// Identifier and facts of a node.
fn facts(node: &egui_kittest::Node<'_>) -> (u64, NodeFacts) {
    let node = node.accesskit_node();
    let number = node.numeric_value().map(|value| (value, node.min_numeric_value(), node.max_numeric_value()));
    let facts = NodeFacts {
        role: node.role(),
        // the text of a label is its value
        name: if node.role() == Role::Label { node.value() } else { node.label() }.unwrap_or_default(),
        value: node.value(),
        number,
        has_state: node.toggled().is_some() || node.is_selected().is_some(),
        groups: std::iter::successors(node.parent(), |node| node.parent()).filter_map(|node| node.label()).collect(),
    };
    (node.locate().0.0, facts)
}

/// Bounds of all outlines in the width of a focus ring and in `color`.
fn rings(shape: &Shape, color: egui::Color32, found: &mut Vec<Rect>) {
    let is_ring = |stroke: &egui::Stroke| stroke.width == theme::FOCUS && stroke.color == color;
    match shape {
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| rings(shape, color, found)),
        Shape::Rect(rect) if is_ring(&rect.stroke) => found.push(rect.rect),
        Shape::Circle(circle) if is_ring(&circle.stroke) => {
            found.push(Rect::from_center_size(circle.center, egui::Vec2::splat(2.0 * circle.radius)));
        }
        _ => {}
    }
}
