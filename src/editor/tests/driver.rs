//! Driver of a window under test through `egui_kittest`.
//!
//! It finds controls by the names given to assistive technology, and clicks, drags and types.

use std::ops::{Deref, DerefMut};

use egui::accesskit::Role;
use egui::{Context, Event as Input, FullOutput, Key, Modifiers, PointerButton, Pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};

use crate::editor::headless_window::{FRAME_RATE, HeadlessWindow};
use crate::editor::tests::texts;
use crate::editor::theme;
use crate::host_params::HostParams;
use urto_engine::patch::Patch;

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
