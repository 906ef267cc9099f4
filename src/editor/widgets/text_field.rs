//! Fields for values that are not parameters: a text, or a number that is dragged or typed. The caller holds the value.

use std::ops::RangeInclusive;

use egui::{Align2, Context, CursorIcon, Event, Frame, Id, Key, Plugin, RawInput, Rect, Sense, TextEdit, Ui, WidgetInfo, pos2};

use crate::editor::theme;
use crate::editor::theme::{Face, Size};
use crate::editor::widgets::keys;
use crate::editor::widgets::keys::{Arrows, Value, ValueRequest};
use crate::editor::widgets::painter::{Side, ThemePainter};

/// Drag for one step of a number [px].
const STEP: f32 = 4.0;

/// Draws a text field `name`. Returns the new text when the user ends the entry by Enter, Tab or a click elsewhere. Esc restores it.
pub fn text(ui: &mut Ui, rect: Rect, name: &str, shown: &str) -> Option<String> {
    typed(ui, rect, name, shown, Align2::LEFT_CENTER)
}

fn typed(ui: &mut Ui, rect: Rect, name: &str, shown: &str, align: Align2) -> Option<String> {
    let id = id(ui, name);
    let draft = id.with("draft");
    let focused = ui.memory(|memory| memory.has_focus(id));
    let kept: Option<String> = ui.data(|data| data.get_temp(draft));
    let mut text = kept.clone().filter(|_| focused).unwrap_or_else(|| shown.to_owned());
    let painter = ThemePainter::new(ui);
    painter.field(rect, painter.ink.raised);
    if focused {
        painter.outline(rect, theme::FIELD, theme::FOCUS, painter.ink.text);
    }
    let edit = TextEdit::singleline(&mut text)
        .id(id)
        .font(theme::font(Face::Medium, Size::Text))
        .frame(Frame::NONE)
        .align(align)
        .desired_width(rect.width() - 16.0);
    let response = ui.put(rect.shrink2(egui::vec2(8.0, 2.0)), edit);
    response.widget_info(|| WidgetInfo { label: Some(name.to_owned()), ..WidgetInfo::text_edit(true, shown, &text, "") });
    if response.has_focus() {
        ui.data_mut(|data| data.insert_temp(draft, text));
        return None;
    }
    if !response.lost_focus() {
        return None;
    }
    ui.data_mut(|data| data.remove_temp::<String>(draft));
    let ended = if focused { Some(text) } else { kept };
    ended.filter(|ended| ended != shown && !ui.input(|input| input.key_pressed(Key::Escape)))
}

fn id(ui: &Ui, name: &str) -> Id {
    ui.scope_id().with(("field", name))
}

/// Value, range, step and format of a number.
pub struct Number<'a> {
    /// Its value.
    pub value: f64,
    /// Minimum and maximum.
    pub range: RangeInclusive<f64>,
    /// Step of a drag, a wheel notch or an arrow key.
    pub step: f64,
    /// The value as text.
    pub show: &'a dyn Fn(f64) -> String,
    /// Reads a text; none if it is not a number.
    pub read: &'a dyn Fn(&str) -> Option<f64>,
}

/// A whole number as text.
pub fn show_whole(value: f64) -> String {
    format!("{value:.0}")
}

/// Reads a number, with a minus sign of either kind.
pub fn read_number(text: &str) -> Option<f64> {
    text.trim().replace('−', "-").parse().ok()
}

/// A number field `name`: drag right or up to increase, click to type, arrow keys while focused. Returns the new value when the user has
/// changed it.
pub fn number(ui: &mut Ui, rect: Rect, name: &str, number: &Number) -> Option<f64> {
    let types = id(ui, name).with("types");
    let clean = |value: f64| ((value / number.step).round() * number.step).clamp(*number.range.start(), *number.range.end());
    if ui.data(|data| data.get_temp::<bool>(types)).is_some() {
        let ended = typed(ui, rect, name, &(number.show)(number.value), Align2::CENTER_CENTER);
        let field = id(ui, name);
        if ui.data_mut(|data| data.get_temp::<bool>(types)) == Some(true) {
            ui.memory_mut(|memory| memory.request_focus(field));
            ui.data_mut(|data| data.insert_temp(types, false));
        } else if !ui.memory(|memory| memory.has_focus(field)) {
            ui.data_mut(|data| data.remove_temp::<bool>(types));
        }
        return ended.and_then(|text| (number.read)(&text)).map(clean).filter(|value| *value != number.value);
    }
    let response = ui.interact(rect, id(ui, name).with("number"), Sense::click_and_drag());
    let draft = response.id.with("draft");
    let dragged: Option<f64> = ui.data(|data| data.get_temp(draft));
    if response.dragged() {
        let moved = response.drag_delta();
        let value = dragged.unwrap_or(number.value) + f64::from((moved.x - moved.y) / STEP) * number.step;
        let value = value.clamp(*number.range.start(), *number.range.end());
        ui.data_mut(|data| data.insert_temp(draft, value));
    }
    let value = dragged.map_or(number.value, clean);
    let text = (number.show)(value);
    keys::describe(&response, || Value {
        name: name.to_owned(),
        text: text.clone(),
        number: value,
        range: [*number.range.start(), *number.range.end()],
        step: number.step,
    });
    let painter = ThemePainter::new(ui);
    painter.field(rect, if response.hovered() || response.dragged() { painter.ink.hover } else { painter.ink.raised });
    if response.has_focus() {
        painter.focus(rect, theme::FIELD);
    }
    painter.inside(rect).text(rect.center(), Side::Center, &text, (Face::Medium, Size::Text, painter.ink.text));
    if response.hovered() {
        ui.set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    if response.drag_stopped() {
        ui.data_mut(|data| data.remove_temp::<f64>(draft));
        return dragged.map(clean).filter(|value| *value != number.value);
    }
    if response.clicked() {
        response.request_focus();
        ui.data_mut(|data| data.insert_temp(types, true));
    }
    let requests = keys::requests(ui, &response, Arrows::All);
    requests.into_iter().find_map(|request| asked(request, number)).map(clean).filter(|value| *value != number.value)
}

/// The number that keys or assistive technology ask for. There is no default.
fn asked(request: ValueRequest, number: &Number) -> Option<f64> {
    match request {
        ValueRequest::Step(by) => Some(number.value + by.signum() * by.abs().max(1.0) * number.step),
        ValueRequest::Number(value) => Some(value),
        ValueRequest::Text(text) => (number.read)(&text),
        ValueRequest::Minimum => Some(*number.range.start()),
        ValueRequest::Maximum => Some(*number.range.end()),
        ValueRequest::Default => None,
    }
}

/// The label above a field.
pub fn label(painter: &ThemePainter, rect: Rect, name: &str) {
    painter.text(pos2(rect.left(), rect.top() - 9.0), Side::Left, name, (Face::Regular, Size::Tick, painter.ink.text3));
}

/// Removes control characters from typed and pasted text, which the window library passes on with some key combinations.
pub struct ControlCharacterFilter;

impl Plugin for ControlCharacterFilter {
    fn debug_name(&self) -> &'static str {
        "control character filter"
    }

    fn input_hook(&mut self, _: &Context, input: &mut RawInput) {
        input.events.retain_mut(|event| match event {
            Event::Text(text) => {
                text.retain(|character| !character.is_control() || "\n\t".contains(character));
                !text.is_empty()
            }
            _ => true,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_no_text() {
        let typed = ["\u{13}", "a", "b\u{1}c\n"].map(|text| Event::Text(text.into()));
        let mut input = RawInput { events: typed.into(), ..RawInput::default() };
        ControlCharacterFilter.input_hook(&Context::default(), &mut input);
        assert_eq!(input.events, ["a", "bc\n"].map(|text| Event::Text(text.into())));
    }
}
