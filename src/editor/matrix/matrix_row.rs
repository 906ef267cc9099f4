//! One row of the modulation matrix: number, source, target, amount and curve.

use egui::{Rect, Ui, pos2, vec2};

use crate::editor::param_context::ParamContext;
use crate::editor::param_controls::{dropdown, knob, param_row, value_entry};
use crate::editor::theme::{Face, Hue, Size};
use crate::editor::widgets::{Side, ThemePainter, Way, icon};
use urto_engine::params::{MOD_ROW_PARAMS, ModRowParams, ParamId, value_text};

/// Width of the number, and shares of source, target, amount and curve in the rest: [normal, small window].
const NUMBER: f32 = 26.0;
const SHARES: [[f32; 4]; 2] = [[0.22, 0.3, 0.28, 0.2], [0.265, 0.315, 0.3, 0.12]];
/// Headings of the columns.
const HEADINGS: [&str; 4] = ["Source", "Target", "Amount", "Curve"];
/// Distance between the fields [px].
const GAP: f32 = 8.0;
/// Largest height of a field [px].
const FIELD: f32 = 30.0;
/// Width of the value of an amount [px].
const VALUE: f32 = 44.0;

/// Draws row number `number`, from 0, and handles input.
pub fn show(ui: &mut Ui, rect: Rect, number: usize, row: &ModRowParams, params: &mut ParamContext) {
    let painter = ThemePainter::new(ui);
    if !number.is_multiple_of(MOD_ROW_PARAMS.len() / 2) {
        painter.hline(rect.x_range(), rect.top(), painter.ink.hair);
    }
    let is_used = params.value(row.source) > 0.0 && params.value(row.target) > 0.0;
    let color = if is_used { painter.ink.text } else { painter.ink.text3 };
    let digits = (number + 1).to_string();
    painter.text(rect.left_center(), Side::Left, &digits, (Face::Medium, Size::Label, color));
    let [source, target, amount, curve] = columns(rect, params.small);
    choice(ui, source, row.source, params);
    choice(ui, target, row.target, params);
    slider(ui, amount, row.amount, if is_used { Hue::Force } else { Hue::Plain }, params);
    if params.small {
        return number_alone(ui, curve, row.curve, params);
    }
    slider(ui, curve, row.curve, Hue::Plain, params);
}

/// The headings above a column of rows whose first is `rect`.
pub fn headings(painter: &ThemePainter, rect: Rect, small: bool) {
    for (column, heading) in columns(rect, small).into_iter().zip(HEADINGS) {
        let at = pos2(column.left() + 9.0, rect.top() - 9.0);
        painter.text(at, Side::Left, heading, (Face::Regular, Size::Label, painter.ink.text3));
    }
}

/// The fields of a row in `rect`.
fn columns(rect: Rect, small: bool) -> [Rect; 4] {
    let fields = rect.with_min_x(rect.left() + NUMBER);
    let height = (rect.height() - 4.0).min(FIELD);
    let mut left = fields.left();
    SHARES[usize::from(small)].map(|share| {
        let width = share * fields.width();
        let column = Rect::from_min_size(pos2(left, rect.center().y - 0.5 * height), vec2(width - GAP, height));
        left += width;
        column
    })
}

/// A value without a slider, which the wheel and the arrow keys turn too.
fn number_alone(ui: &mut Ui, field: Rect, id: ParamId, params: &mut ParamContext) {
    let response = ui.interact(field, ui.scope_id().with((id.spec().id, "number")), egui::Sense::click_and_drag());
    knob::handle_input(ui, &response, id, params);
    let text = value_text::show(id.spec(), params.value(id));
    knob::describe(&response, id, &text, params);
    if response.hovered() || response.has_focus() {
        params.show_hint(id, &text);
    }
    value_entry::show(ui, field, id, &text, params);
}

/// A field with the chosen name.
fn choice(ui: &mut Ui, field: Rect, id: ParamId, params: &mut ParamContext) {
    dropdown::field_of(ui, field, id, params);
    let (place, name) = dropdown::chosen(id, params);
    let painter = ThemePainter::new(ui);
    let color = if place > 0 { painter.ink.text } else { painter.ink.text3 };
    let shown = painter.fitting(name, Face::Medium, Size::Label, field.width() - 30.0);
    painter.text(field.left_center() + vec2(9.0, 0.0), Side::Left, &shown, (Face::Medium, Size::Label, color));
    icon::chevron(&painter, pos2(field.right() - 12.0, field.center().y), Way::Down, 3.5, painter.ink.text2);
}

/// A slider with its value to the right.
fn slider(ui: &mut Ui, field: Rect, id: ParamId, hue: Hue, params: &mut ParamContext) {
    let from = field.left_center() + vec2(8.0, 0.0);
    param_row::slider(ui, from, field.width() - VALUE - 16.0, id, hue, params);
    let text = value_text::show(id.spec(), params.value(id));
    let value = Rect::from_min_max(pos2(field.right() - VALUE, field.top()), field.max);
    value_entry::show(ui, value, id, &text, params);
}
