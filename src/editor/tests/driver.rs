//! The window in somebody's hands: `egui_kittest` finds what is there by the names that assistive technology is given, and clicks,
//! drags and types as its owner would.

use std::ops::{Deref, DerefMut};

use egui::accesskit::Role;
use egui::{Context, Event as Input, FullOutput, Key, Modifiers, PointerButton, Pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};

use crate::editor::headless_window::{HeadlessWindow, LOOKS};
use crate::editor::tests::texts;
use crate::editor::theme;
use crate::host_params::HostParams;
use urto_engine::patch::Patch;

/// Looks that a drag takes.
const STEPS: usize = 8;

/// An open window that is looked at and touched.
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
    /// A window as it is opened at first.
    pub fn new() -> Self {
        Self::on(HeadlessWindow::new())
    }

    /// A window of an instance with `knobs`.
    pub fn of(params: HostParams) -> Self {
        Self::on(HeadlessWindow::of(params))
    }

    fn on(window: HeadlessWindow) -> Self {
        let builder = Harness::builder().with_size(window.size).with_step_dt(1.0 / LOOKS as f32).with_context_setup(theme::dress);
        let mut hand = Self(builder.build_ui_state(|ui, window: &mut HeadlessWindow| window.draw(ui), window));
        hand.apply_theme();
        hand
    }

    /// What draws.
    pub fn context(&self) -> &Context {
        &self.0.ctx
    }

    /// Puts the colours on that are liked now.
    pub fn apply_theme(&mut self) {
        self.0.state().apply_theme(&self.0.ctx);
    }

    /// One look while `events` happen; nothing sounds.
    pub fn look(&mut self, events: Vec<Input>) -> &FullOutput {
        let size = self.size;
        let falling = std::mem::take(&mut self.falling);
        self.0.set_size(size.into());
        let input = self.0.input_mut();
        (input.events, input.dropped_files) = (events, falling);
        self.0.step();
        self.0.output()
    }

    /// The next look, with the sound before it.
    pub fn live(&mut self) -> &FullOutput {
        self.sound();
        self.look(Vec::new())
    }

    /// Presses a key and lets it go.
    pub fn press(&mut self, key: Key, modifiers: Modifiers) {
        self.0.key_press_modifiers(modifiers, key);
        self.0.step();
    }

    /// Clicks at a place.
    pub fn click(&mut self, at: Pos2) {
        self.click_with(at, Modifiers::NONE);
    }

    /// Clicks at a place while `modifiers` are held.
    pub fn click_with(&mut self, at: Pos2, modifiers: Modifiers) {
        self.look(vec![Input::PointerMoved(at)]);
        self.button(at, true, modifiers);
        self.button(at, false, modifiers);
        self.look(Vec::new());
    }

    /// Presses the primary button at a place, or lets it go.
    pub fn button(&mut self, pos: Pos2, pressed: bool, modifiers: Modifiers) {
        self.0.event_modifiers(Input::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers }, modifiers);
        self.0.step();
    }

    /// Presses at a place, moves to another and lets go.
    pub fn drag(&mut self, from: Pos2, to: Pos2) {
        self.take(from, to);
        self.button(to, false, Modifiers::NONE);
        self.look(Vec::new());
    }

    /// Presses at a place, and moves to another.
    pub fn take(&mut self, from: Pos2, to: Pos2) {
        self.0.hover_at(from);
        self.0.drag_at(from);
        (1..=STEPS).for_each(|i| self.0.hover_at(from + (to - from) * i as f32 / STEPS as f32));
        self.0.step();
    }

    /// Role and name of all that can be reached now.
    pub fn names(&mut self) -> Vec<(Role, String)> {
        self.look(Vec::new());
        let named = |node: egui_kittest::Node<'_>| {
            let node = node.accesskit_node();
            (node.role(), node.label().unwrap_or_default())
        };
        self.0.root().children_recursive().map(named).collect()
    }

    /// The middle of what is called `name`.
    pub fn at(&mut self, name: &str) -> Pos2 {
        self.rest();
        self.0.get_by_label(name).rect().center()
    }

    /// What the value of what is called `name` reads.
    pub fn value(&mut self, name: &str) -> String {
        self.rest();
        self.0.get_by_label(name).value().unwrap_or_else(|| panic!("{name} has no value"))
    }

    /// Whether something is called `name`.
    pub fn has(&mut self, name: &str) -> bool {
        self.rest();
        self.0.query_all_by_label(name).next().is_some()
    }

    /// Clicks what is called `name`.
    pub fn click_on(&mut self, name: &str) {
        let at = self.at(name);
        self.click(at);
    }

    /// Types into what has the focus, and Enter.
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

    /// All texts that are seen.
    pub fn seen(&mut self) -> Vec<String> {
        let mut found = Vec::new();
        self.rest().shapes.iter().for_each(|clipped| texts(&clipped.shape, &mut found));
        found
    }

    /// The second of two looks: what follows from a look is seen in the next.
    pub fn rest(&mut self) -> &FullOutput {
        self.look(Vec::new());
        self.look(Vec::new())
    }

    /// Nothing has the focus any more.
    pub fn look_away(&self) {
        self.context().memory_mut(|memory| memory.focused().into_iter().for_each(|id| memory.surrender_focus(id)));
    }

    /// Does what only a running frame can.
    pub fn within(&mut self, deed: impl FnOnce(&mut HeadlessWindow, &mut egui::Ui)) {
        let (context, mut deed) = (self.context().clone(), Some(deed));
        let mut shown = context.run_ui(egui::RawInput::default(), |ui| {
            if let Some(deed) = deed.take() {
                deed(self, ui);
            }
        });
        shown.textures_delta.clear();
    }
}
