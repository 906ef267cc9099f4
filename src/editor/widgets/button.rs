//! Buttons, segmented switches, icon buttons, menu fields, and the corner for resizing the window.

use egui::accesskit::Role;
use egui::{EventFilter, Key, Modifiers, Popup, Rect, Response, Sense, Ui, Vec2, WidgetInfo, pos2, vec2};

use crate::editor::theme;
use crate::editor::theme::{Face, Hue, Size};
use crate::editor::widgets::icon;
use crate::editor::widgets::icon::Way;
use crate::editor::widgets::keys;
use crate::editor::widgets::painter::{Side, ThemePainter};

/// Size of the target of an icon button.
pub const TARGET: f32 = 28.0;

/// Minimum and maximum size of the window [logical pixels].
pub const MIN_SIZE: [f32; 2] = [900.0, 600.0];
/// See [`MIN_SIZE`].
pub const MAX_SIZE: [f32; 2] = [2560.0, 1600.0];
/// Size of the corner for resizing.
const SIDE: f32 = 14.0;

/// A button; `on` highlights it.
pub fn show(ui: &Ui, rect: Rect, name: &str, on: bool) -> Response {
    named(ui, rect, name, name, on)
}

/// A button that is switched on and off.
pub fn toggle(ui: &Ui, rect: Rect, name: &str, on: bool) -> Response {
    let response = named(ui, rect, name, name, on);
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, on, name));
    response
}

/// A button with the text `shown` and the accessible name `name`, for several buttons with the same text.
pub fn named(ui: &Ui, rect: Rect, name: &str, shown: &str, on: bool) -> Response {
    let response = ui.interact(rect, ui.scope_id().with(("button", name)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    let painter = ThemePainter::new(ui);
    let ink = painter.ink;
    let (face, color) = if on { (Face::Medium, ink.bg) } else { (Face::Regular, ink.text2) };
    let color = if response.hovered() && !on { ink.text } else { color };
    if on {
        painter.rect(rect, theme::FIELD, ink.text);
    } else {
        painter.field(rect, if response.hovered() { ink.hover } else { ink.raised });
    }
    if response.has_focus() {
        painter.focus(rect, theme::FIELD);
    }
    painter.text(rect.center(), Side::Center, shown, (face, Size::Text, color));
    response
}

/// Identifier of segment `i` of the switch `label`.
pub fn segment_id(ui: &Ui, label: &str, i: usize) -> egui::Id {
    ui.scope_id().with(("segments", label)).with(i)
}

/// Draws a segmented switch. Returns the index of the current choice. Operated by pointer, or by arrow keys while focused.
pub fn segments(ui: &Ui, rect: Rect, label: &str, names: &[&str], chosen: usize, hue: Hue) -> usize {
    let painter = ThemePainter::new(ui);
    let id = |i: usize| segment_id(ui, label, i);
    painter.rect(rect, theme::SEGMENTS, if painter.ink.dark { painter.ink.raised } else { painter.ink.hover });
    let widths: Vec<f32> = names.iter().map(|name| painter.width(name, Face::Medium, Size::Text)).collect();
    let room = (rect.width() - widths.iter().sum::<f32>()) / names.len().max(1) as f32;
    let mut left = rect.left();
    let mut next = chosen;
    for (i, (name, width)) in names.iter().zip(widths).enumerate() {
        let segment = Rect::from_min_size(pos2(left, rect.top()), vec2(width + room, rect.height()));
        left = segment.right();
        let response = ui.interact(segment, id(i), Sense::click());
        response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, i == chosen, format!("{label} {name}")));
        if response.clicked() {
            next = i;
        }
        if response.has_focus() {
            next = arrows(ui, &response, i, names.len()).unwrap_or(next);
            painter.focus(segment.shrink(2.0), theme::FIELD);
        }
        if next != chosen && next != i && response.has_focus() {
            ui.memory_mut(|memory| memory.request_focus(id(next)));
        }
        let (face, color) = match (i == chosen, response.hovered()) {
            (true, _) => (Face::Medium, if hue == Hue::Plain { painter.ink.bg } else { painter.ink.on(hue) }),
            (false, hovered) => (Face::Regular, if hovered { painter.ink.text } else { painter.ink.text2 }),
        };
        if i == chosen {
            painter.rect(
                segment.shrink(2.0),
                theme::FIELD,
                if hue == Hue::Plain { painter.ink.text } else { painter.ink.of(hue) },
            );
        }
        painter.text(segment.center(), Side::Center, name, (face, Size::Text, color));
    }
    next
}

/// The neighbour of `i` that an arrow key selects.
pub fn arrows(ui: &Ui, response: &Response, i: usize, count: usize) -> Option<usize> {
    let filter = EventFilter { horizontal_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    // consumed, so that the neighbour does not handle it too
    let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    match (pressed(Key::ArrowLeft), pressed(Key::ArrowRight)) {
        (true, false) => i.checked_sub(1),
        (false, true) => Some(i + 1).filter(|next| *next < count),
        _ => None,
    }
}

/// The target of an icon button, highlighted under the pointer; the caller paints the icon.
pub fn bare(ui: &Ui, rect: Rect, name: &str) -> Response {
    let response = ui.interact(rect, ui.scope_id().with(("bare", name)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    let painter = ThemePainter::new(ui);
    if response.hovered() {
        painter.rect(rect, theme::FIELD, painter.ink.hover);
    }
    if response.has_focus() {
        painter.focus(rect, theme::FIELD);
    }
    response
}
/// A menu field with a chevron.
pub fn drop_down(ui: &Ui, rect: Rect, name: &str, shown: &str) -> Response {
    let response = ui.interact(rect, ui.scope_id().with(("drop-down", name)), Sense::click());
    keys::describe_list(&response, name, shown);
    let painter = ThemePainter::new(ui);
    painter.field(rect, if response.hovered() { painter.ink.hover } else { painter.ink.raised });
    if response.has_focus() {
        painter.focus(rect, theme::FIELD);
    }
    let inside = painter.inside(rect.with_max_x(rect.right() - 24.0));
    inside.text(pos2(rect.left() + 10.0, rect.center().y), Side::Left, shown, (Face::Regular, Size::Text, painter.ink.text));
    icon::chevron(&painter, pos2(rect.right() - 14.0, rect.center().y), Way::Down, 4.0, painter.ink.text2);
    response
}

/// The list or menu that a click on `response` opens. The entry with the focus has a ring.
pub fn menu(response: &Response) -> Popup<'_> {
    Popup::menu(response).style(theme::menu_style as fn(&mut egui::Style))
}

/// Change of the window's size by an arrow key [logical pixels].
const SIZE_STEP: f32 = 40.0;

/// The corner for resizing while it has the focus: arrow keys change width and height. Returns the size that the user wants.
fn resize_by_keys(ui: &Ui, window: Rect, response: &Response) -> Option<Vec2> {
    response.widget_info(|| WidgetInfo {
        current_text_value: Some(format!("{:.0} by {:.0}", window.width(), window.height())),
        ..WidgetInfo::labeled(Role::Button, true, "Size of the window: arrow keys")
    });
    if !response.has_focus() {
        return None;
    }
    let painter = ThemePainter::new(ui);
    painter.outline(response.rect.expand(2.0), theme::FIELD, theme::FOCUS, painter.ink.text);
    let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let step = |forth, back| ui.input(|input| f32::from(i8::from(input.key_pressed(forth)) - i8::from(input.key_pressed(back))));
    let by = SIZE_STEP * vec2(step(Key::ArrowRight, Key::ArrowLeft), step(Key::ArrowDown, Key::ArrowUp));
    (by != Vec2::ZERO).then(|| window.size() + by)
}

/// Draws the corner of `window`. Returns the size that the user wants by dragging the corner or by keys [logical pixels].
pub fn resize_corner(ui: &Ui, window: Rect) -> Option<Vec2> {
    let corner = Rect::from_min_max(window.max - vec2(SIDE, SIDE), window.max);
    let response = ui.interact(corner, ui.scope_id().with("grip"), Sense::drag());
    let by_keys = resize_by_keys(ui, window, &response);
    let painter = ThemePainter::new(ui);
    for i in 1..=3 {
        let reach = 4.0 + 4.0 * i as f32;
        painter.line(window.max - vec2(reach, 4.0), window.max - vec2(4.0, reach), 1.2, painter.ink.line);
    }
    if response.hovered() || response.dragged() {
        ui.set_cursor_icon(egui::CursorIcon::ResizeNwSe);
    }
    let start = response.id.with("start");
    if response.drag_started() {
        ui.data_mut(|data| data.insert_temp(start, window.size()));
    }
    let size = ui.data(|data| data.get_temp::<Vec2>(start)).filter(|_| response.dragged());
    size.zip(response.total_drag_delta()).map(|(size, moved)| size + moved).or(by_keys)
}
