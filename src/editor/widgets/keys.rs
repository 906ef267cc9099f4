//! What a control tells assistive technology, what keys and assistive technology ask of its value, and groups of controls of which Tab
//! visits one.

use egui::accesskit::{Action, ActionData, Role};
use egui::{EventFilter, Id, Key, Popup, Response, Sense, Ui, WidgetInfo};

/// Factor on every step while Shift is held.
const FINE: f64 = 0.1;
/// Steps of a page key.
const PAGE: f64 = 10.0;

/// A number that a control shows.
pub struct Value {
    /// Name of the control.
    pub name: String,
    /// The value as text, with its unit.
    pub text: String,
    /// The value.
    pub number: f64,
    /// Minimum and maximum.
    pub range: [f64; 2],
    /// Change of the number by one arrow key.
    pub step: f64,
}

/// A change that keys or assistive technology ask for.
#[derive(Clone, Debug, PartialEq)]
pub enum ValueRequest {
    /// Moves by steps, or by a part of one.
    Step(f64),
    /// Sets the number.
    Number(f64),
    /// Sets the value that a text describes.
    Text(String),
    /// Sets the minimum.
    Minimum,
    /// Sets the maximum.
    Maximum,
    /// Sets the default.
    Default,
}

/// Arrow keys that move a value; the others move the focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrows {
    /// All of them.
    All,
    /// Left and Right.
    Horizontal,
    /// Up and Down.
    Vertical,
}

impl Arrows {
    fn filter(self) -> EventFilter {
        EventFilter {
            horizontal_arrows: self != Self::Vertical,
            vertical_arrows: self != Self::Horizontal,
            ..EventFilter::default()
        }
    }
}

/// Describes a control with a number. `value` is called if assistive technology listens.
pub fn describe(response: &Response, value: impl Fn() -> Value) {
    response.widget_info(|| {
        let value = value();
        WidgetInfo { current_text_value: Some(value.text), ..WidgetInfo::slider(true, value.number, value.name) }
    });
    response.ctx.accesskit_node_builder(response.id, |node| {
        let value = value();
        node.set_min_numeric_value(value.range[0]);
        node.set_max_numeric_value(value.range[1]);
        node.set_numeric_value_step(value.step);
        node.set_numeric_value_jump(PAGE * value.step);
        for action in [Action::Increment, Action::Decrement, Action::SetValue] {
            node.add_action(action);
        }
    });
}

/// Describes a control that is selected or not.
pub fn describe_choice(response: &Response, role: Role, on: bool, name: &str) {
    response.widget_info(|| WidgetInfo::selected(role, true, on, name));
    response.ctx.accesskit_node_builder(response.id, |node| {
        if matches!(role, Role::Tab | Role::ListBoxOption) {
            node.clear_toggled();
            node.set_selected(on);
        }
    });
}

/// Describes a field with the name of a choice, of which `response` opens the list.
pub fn describe_list(response: &Response, name: &str, chosen: &str) {
    response.widget_info(|| WidgetInfo {
        current_text_value: Some(chosen.to_owned()),
        ..WidgetInfo::labeled(Role::ComboBox, true, name)
    });
    let is_open = Popup::is_id_open(&response.ctx, Popup::default_response_id(response));
    response.ctx.accesskit_node_builder(response.id, |node| node.set_expanded(is_open));
}

/// Names a text field.
pub fn name_field(response: &Response, name: &str) {
    response.ctx.accesskit_node_builder(response.id, |node| node.set_label(name));
}

/// What assistive technology asks of the value of `response`, and the keys while it has the focus: `arrows`, with Shift in tenths, page
/// keys, Home, End, and Delete for the default.
pub fn requests(ui: &Ui, response: &Response, arrows: Arrows) -> Vec<ValueRequest> {
    let mut found = Vec::new();
    ui.input_mut(|input| {
        input.consume_accesskit_action_requests(response.id, |request| {
            found.push(match (request.action, &request.data) {
                (Action::Increment, _) => ValueRequest::Step(1.0),
                (Action::Decrement, _) => ValueRequest::Step(-1.0),
                (Action::SetValue, Some(ActionData::NumericValue(number))) => ValueRequest::Number(*number),
                (Action::SetValue, Some(ActionData::Value(text))) => ValueRequest::Text(text.to_string()),
                _ => return false,
            });
            true
        });
    });
    if response.has_focus() {
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, arrows.filter()));
        found.extend(pressed(ui, arrows));
    }
    found
}

/// The requests of the pressed keys.
fn pressed(ui: &Ui, arrows: Arrows) -> Vec<ValueRequest> {
    let across = [(Key::ArrowRight, 1.0), (Key::ArrowLeft, -1.0)];
    let along = [(Key::ArrowUp, 1.0), (Key::ArrowDown, -1.0), (Key::PageUp, PAGE), (Key::PageDown, -PAGE)];
    let steps = across.into_iter().filter(|_| arrows != Arrows::Vertical);
    let steps = steps.chain(along.into_iter().filter(|_| arrows != Arrows::Horizontal));
    let ends = [(Key::Home, ValueRequest::Minimum), (Key::End, ValueRequest::Maximum), (Key::Delete, ValueRequest::Default)];
    ui.input(|input| {
        let modifiers = input.modifiers;
        if modifiers.command || modifiers.alt {
            return Vec::new();
        }
        let fine = if modifiers.shift { FINE } else { 1.0 };
        let steps = steps.filter(|(key, _)| input.key_pressed(*key)).map(|(_, steps)| ValueRequest::Step(fine * steps));
        let ends = ends.into_iter().filter(|(key, _)| input.key_pressed(*key)).map(|(_, request)| request);
        steps.chain(ends).collect()
    })
}

/// A group of controls of which Tab visits one. Arrow keys move the focus within it.
pub struct FocusGroup {
    count: usize,
    focused: Option<usize>,
    entry: usize,
}

impl FocusGroup {
    /// The group of the controls `id(0)` to `id(count - 1)`. Tab visits the one that had the focus last, else `entry`.
    pub fn new(ui: &Ui, count: usize, entry: usize, id: impl Fn(usize) -> Id) -> Self {
        let focus = ui.memory(|memory| memory.focused());
        let focused = focus.and_then(|focus| (0..count).find(|i| id(*i) == focus));
        Self { count, focused, entry: focused.unwrap_or(entry) }
    }

    /// Whether a control of the group has the focus.
    pub fn has_focus(&self) -> bool {
        self.focused.is_some()
    }

    /// Whether Tab visits control `i`.
    pub fn is_entry(&self, i: usize) -> bool {
        i == self.entry
    }

    /// What control `i` senses besides `sense`.
    pub fn sense(&self, i: usize, sense: Sense) -> Sense {
        if self.is_entry(i) { sense | Sense::FOCUSABLE } else { sense - Sense::FOCUSABLE }
    }

    /// The control to which a pressed arrow key moves the focus: by `keys` back and forth, or to the ends. To be called before the
    /// controls are drawn; the focus is requested after that, with [`FocusGroup::give_focus`].
    pub fn next(&self, ui: &Ui, id: impl Fn(usize) -> Id, [back, forth]: [Key; 2]) -> Option<usize> {
        let here = self.focused?;
        let arrows = if back == Key::ArrowUp { Arrows::Vertical } else { Arrows::Horizontal };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(id(here), arrows.filter()));
        let pressed = |key| ui.input(|input| input.key_pressed(key) && !input.modifiers.command && !input.modifiers.alt);
        let next = match () {
            () if pressed(back) => here.saturating_sub(1),
            () if pressed(forth) => (here + 1).min(self.count - 1),
            () => here,
        };
        Some(next).filter(|next| *next != here)
    }
}

/// Gives the focus to `id`, if any. A control that is drawn later in this frame without taking part in the order of Tab would lose it.
pub fn give_focus(ui: &Ui, id: Option<Id>) {
    if let Some(id) = id {
        ui.memory_mut(|memory| memory.request_focus(id));
    }
}
