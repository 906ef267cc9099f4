//! The editable value under a control, and the context menu of a parameter.
//!
//! The value is text, and a text field while it is edited. The menu has the entries type, default, copy, learn a controller, and lock
//! against random change.

use std::sync::Arc;

use egui::accesskit::Role;
use egui::text::{CCursor, CCursorRange};
use egui::{
    Align2, CursorIcon, Frame, Galley, Id, Key, Modifiers, Popup, Rect, Response, RichText, Sense, TextEdit, Ui, WidgetInfo, vec2,
};

use crate::editor::param_context::{ParamContext, ValueEntryState, macro_name};
use crate::editor::theme;
use crate::editor::theme::{Face, Size};
use crate::editor::widgets::{ThemePainter, keys};
use urto_engine::params::value_text;
use urto_engine::params::{MOD_TARGET_PARAMS, ParamId};
use urto_engine::patch::{MACRO_PARAMS, MACROS, MAX_MACRO_TARGETS};

/// Draws the value of `param` in `rect`; a click turns it into a field.
pub fn show(ui: &mut Ui, rect: Rect, param: ParamId, shown: &str, context: &mut ParamContext) {
    if context.entry.as_ref().is_some_and(|entry| entry.param == param && entry.scope == ui.scope_id()) {
        return edit(ui, rect, context);
    }
    // the keyboard opens the field from the control: its value takes no focus of its own
    let response = ui.interact(rect, ui.scope_id().with((param.spec().id, "value")), Sense::CLICK);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, shown));
    if response.hovered() {
        ui.set_cursor_icon(CursorIcon::Text);
        let painter = ThemePainter::new(ui);
        painter.rect(rect, theme::FIELD, painter.ink.raised);
    }
    if response.clicked() {
        *context.entry = Some(ValueEntryState::new(param, ui.scope_id(), shown));
    }
    let text = layout_value(ui, shown, rect.width());
    ui.painter().galley(rect.center() - 0.5 * text.size(), text, theme::ink(ui.ctx()).text);
}

/// Layout of a value, in smaller type if it does not fit into `room`.
pub fn layout_value(ui: &Ui, shown: &str, room: f32) -> Arc<Galley> {
    let lay = |size| ui.painter().layout_no_wrap(shown.to_owned(), theme::font(Face::Medium, size), theme::ink(ui.ctx()).text);
    let whole = lay(Size::Value);
    if whole.size().x <= room { whole } else { lay(Size::Tick) }
}

fn edit(ui: &mut Ui, rect: Rect, context: &mut ParamContext) {
    let Some(mut entry) = context.entry.take() else { return };
    let painter = ThemePainter::new(ui);
    let border = if entry.invalid { painter.ink.warn } else { painter.ink.text };
    let field = rect.expand2(vec2(2.0, 3.0));
    painter.rect(field, theme::FIELD, painter.ink.raised);
    painter.outline(field, theme::FIELD, theme::FOCUS, border);
    if entry.invalid {
        painter.rect(Rect::from_min_size(field.min - vec2(6.0, 0.0), vec2(3.0, field.height())), 0.0, border);
        *context.hint = format!("\"{}\" cannot be read: {}", entry.text.trim(), expected(entry.param));
    }
    let id = Id::unique("urto value entry");
    let field = TextEdit::singleline(&mut entry.text)
        .id(id)
        .font(theme::font(Face::Medium, Size::Value))
        .frame(Frame::NONE)
        .align(Align2::CENTER_CENTER)
        .desired_width(rect.width());
    let response = ui.put(rect, field);
    keys::name_field(&response, entry.param.spec().name);
    if std::mem::take(&mut entry.fresh) {
        begin(ui, &response, &entry.text);
    } else if ui.input(|input| input.key_pressed(Key::Escape)) {
        return;
    } else if response.lost_focus() {
        match value_text::read_over(entry.param.spec(), &entry.text, &entry.shown) {
            Some(value) => return context.jump(entry.param, context.params.travel_of(entry.param, value)),
            None if ui.input(|input| input.key_pressed(Key::Enter)) => {
                entry.invalid = true;
                response.request_focus();
            }
            None => return,
        }
    }
    *context.entry = Some(entry);
}

/// Gives a field the focus and selects all of its text.
pub fn begin(ui: &Ui, field: &Response, text: &str) {
    field.request_focus();
    if let Some(mut state) = TextEdit::load_state(ui, field.id) {
        let all = CCursorRange::two(CCursor::new(0), CCursor::new(text.chars().count()));
        state.cursor.set_char_range(Some(all));
        TextEdit::store_state(ui, field.id, state);
    }
}

/// What may be typed for a parameter.
fn expected(spec: ParamId) -> String {
    let spec = spec.spec();
    let [low, high] = [spec.min, spec.max].map(|value| value_text::show(spec, value));
    format!("enter a value from {low} to {high}")
}

/// Opens on a right click of `response`, or below it on Shift-F10 while it has the focus; `text` is the displayed value.
pub fn context_menu(ui: &Ui, response: &Response, id: ParamId, text: &str, context: &mut ParamContext) {
    let place = ui.scope_id();
    let (opened, by_keys) = (Popup::default_response_id(response), response.id.with("menu by keys"));
    if response.has_focus() && ui.input_mut(|input| input.consume_key(Modifiers::SHIFT, Key::F10)) {
        Popup::open_id(ui.ctx(), opened);
        ui.data_mut(|data| data.insert_temp(by_keys, true));
    } else if response.secondary_clicked() {
        ui.data_mut(|data| data.remove_temp::<bool>(by_keys));
    }
    let popup = Popup::context_menu(response).style(theme::menu_style as fn(&mut egui::Style));
    let popup = if ui.data(|data| data.get_temp::<bool>(by_keys)).is_some() { popup.anchor(response) } else { popup };
    popup.show(|ui| {
        ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
        let default = value_text::show(id.spec(), id.spec().default);
        if entry(ui, "Type a value") {
            *context.entry = Some(ValueEntryState::new(id, place, text));
        }
        if entry(ui, &format!("Default: {default}")) {
            context.jump(id, context.params.default_travel(id));
        }
        if entry(ui, &format!("Copy {text}")) {
            ui.ctx().copy_text(text.to_owned());
        }
        learning_entries(ui, id, context);
        macro_entry(ui, id, context);
        let lock = if context.history.is_locked(id) { "Unlock for random changes" } else { "Lock against random changes" };
        if entry(ui, lock) {
            context.history.toggle_lock(id);
        }
        let group = id.spec().group;
        let lock = !context.history.is_group_locked(group);
        let words = if lock { "Lock all parameters of" } else { "Unlock all parameters of" };
        if entry(ui, &format!("{words} {group}")) {
            context.history.lock_group(group, lock);
        }
    });
}

/// The lines of the menu about the controller of a parameter.
fn learning_entries(ui: &mut Ui, id: ParamId, context: &mut ParamContext) {
    if !id.spec().automatable {
        return;
    }
    if entry(ui, "Learn a controller") {
        context.learning.wait_for(id);
    }
    let number = context.learning.of_param(id).map(|assignment| assignment.number);
    if let Some(number) = number
        && entry(ui, &format!("Remove controller {number}"))
    {
        context.learning.remove(id);
    }
}

/// The line of the menu that adds a parameter to a macro, with the list of those that do not move it yet.
fn macro_entry(ui: &mut Ui, id: ParamId, context: &mut ParamContext) {
    let macros = context.params.macros();
    let count: usize = macros.iter().map(|one| one.targets.len()).sum();
    if !MOD_TARGET_PARAMS.contains(&Some(id)) || MACRO_PARAMS.contains(&id) || count >= MAX_MACRO_TARGETS {
        return;
    }
    ui.menu_button(RichText::new("Add to a macro").font(theme::font(Face::Regular, Size::Text)), |ui| {
        for number in 0..MACROS {
            let moves = macros.get(number).is_some_and(|one| one.targets.iter().any(|target| target.param == id));
            if !moves && entry(ui, macro_name(&macros, number)) {
                context.add_to_macro(number, id);
            }
        }
    });
}

/// Draws a line of a menu. Returns whether it was clicked.
pub fn entry(ui: &mut Ui, text: &str) -> bool {
    let chosen = ui.button(RichText::new(text).font(theme::font(Face::Regular, Size::Text))).clicked();
    if chosen {
        ui.close();
    }
    chosen
}
