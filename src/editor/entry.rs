//! A value that is typed: text under a control, a field while it is edited.

use std::sync::Arc;

use egui::text::{CCursor, CCursorRange};
use egui::{Align2, CursorIcon, Frame, Galley, Id, Key, Rect, Sense, Stroke, StrokeKind, TextEdit, Ui};

use super::knob::{Desk, jump};
use super::theme::{self, Face, Size};
use crate::engine::knob::KnobId;
use crate::params::quantity;

/// What is being typed.
pub struct Entry {
    knob: KnobId,
    text: String,
    shown: String,
    wrong: bool,
    fresh: bool,
}

impl Entry {
    /// Starts from what is shown, all of it selected.
    pub fn new(knob: KnobId, shown: &str) -> Self {
        Self { knob, text: shown.to_owned(), shown: shown.to_owned(), wrong: false, fresh: true }
    }

    /// The value of `knob` in `rect`; a click turns it into a field.
    pub fn show(ui: &mut Ui, rect: Rect, knob: KnobId, shown: &str, desk: &mut Desk) {
        if desk.entry.as_ref().is_some_and(|entry| entry.knob == knob) {
            return Self::edit(ui, rect, desk);
        }
        let response = ui.interact(rect, ui.scope_id().with((knob.knob().id, "value")), Sense::click());
        if response.hovered() {
            ui.set_cursor_icon(CursorIcon::Text);
            ui.painter().rect_filled(rect, theme::FIELD, theme::RAISED);
        }
        if response.clicked() {
            *desk.entry = Some(Self::new(knob, shown));
        }
        let text = Self::lay(ui, shown, rect.width());
        ui.painter().galley(rect.center() - 0.5 * text.size(), text, theme::TEXT);
    }

    /// A value, in smaller type where it would not fit into `room`.
    pub fn lay(ui: &Ui, shown: &str, room: f32) -> Arc<Galley> {
        let lay = |size| ui.painter().layout_no_wrap(shown.to_owned(), theme::font(Face::Medium, size), theme::TEXT);
        let whole = lay(Size::Value);
        if whole.size().x <= room { whole } else { lay(Size::Tick) }
    }

    fn edit(ui: &mut Ui, rect: Rect, desk: &mut Desk) {
        let Some(mut entry) = desk.entry.take() else { return };
        let border = if entry.wrong { theme::WARN } else { theme::LINE };
        ui.painter().rect(rect, theme::FIELD, theme::RAISED, Stroke::new(theme::HAIRLINE, border), StrokeKind::Outside);
        let id = Id::unique("urto value entry");
        let field = TextEdit::singleline(&mut entry.text)
            .id(id)
            .font(theme::font(Face::Medium, Size::Value))
            .frame(Frame::NONE)
            .align(Align2::CENTER_CENTER)
            .desired_width(rect.width());
        let response = ui.put(rect, field);
        if std::mem::take(&mut entry.fresh) {
            response.request_focus();
            if let Some(mut state) = TextEdit::load_state(ui, id) {
                let all = CCursorRange::two(CCursor::new(0), CCursor::new(entry.text.chars().count()));
                state.cursor.set_char_range(Some(all));
                TextEdit::store_state(ui, id, state);
            }
        } else if ui.input(|input| input.key_pressed(Key::Escape)) {
            return;
        } else if response.lost_focus() {
            match quantity::read_over(entry.knob.knob(), &entry.text, &entry.shown) {
                Some(value) => return jump(desk.knobs, desk.host, entry.knob, desk.knobs.travel_of(entry.knob, value)),
                None if ui.input(|input| input.key_pressed(Key::Enter)) => {
                    entry.wrong = true;
                    response.request_focus();
                }
                None => return,
            }
        }
        *desk.entry = Some(entry);
    }
}
