//! A row of a page: a label at the left, an editable value or a menu at the right.

use egui::{Rect, Ui, pos2, vec2};

use crate::editor::param_context::ParamContext;
use crate::editor::param_controls::context_menu;
use crate::editor::param_controls::dropdown;
use crate::editor::param_controls::knob;
use crate::editor::param_controls::value_entry;
use crate::editor::theme::{Face, Size};
use crate::editor::widgets::Way;
use crate::editor::widgets::icon;
use crate::editor::widgets::tooltip;
use crate::editor::widgets::{Side, ThemePainter};
use crate::host_params::value_text;
use urto_engine::params::{ParamId, Scale};

/// Height of a row.
pub const HEIGHT: f32 = 34.0;

/// Draws the row of a parameter; `ruled` draws a line above.
pub fn knob(ui: &mut Ui, rect: Rect, (id, name): (ParamId, &str), ruled: bool, context: &mut ParamContext) {
    label(&ThemePainter::new(ui), rect, name, ruled);
    let right = rect.with_min_x(rect.center().x);
    if let Scale::Choice(_) = id.spec().scale {
        return word(ui, right.shrink2(vec2(0.0, 3.0)), id, context);
    }
    let text = value_text::show(id.spec(), context.value(id));
    let painter = ThemePainter::new(ui);
    let width = painter.width(&text, Face::Medium, Size::Value) + 8.0;
    let corner = pos2(rect.right() + 4.0, rect.center().y + 10.0);
    let field = Rect::from_min_max(corner - vec2(width, 20.0), corner);
    // drag anywhere on the row, or type over the number
    let response =
        ui.interact(rect.with_max_x(field.left()), ui.scope_id().with((id.knob().id, "line")), egui::Sense::click_and_drag());
    knob::handle_input(ui, &response, id, context);
    response.widget_info(|| egui::WidgetInfo {
        current_text_value: Some(text.clone()),
        ..egui::WidgetInfo::slider(
            true,
            f64::from(context.params.travel(id).0),
            format!("{} {}", id.spec().group, id.spec().name),
        )
    });
    if response.has_focus() {
        painter.focus(rect.shrink2(vec2(0.0, 4.0)), 2.0);
    }
    if response.hovered() || response.dragged() {
        context.show_hint(id, &text);
    }
    context_menu::show(ui, &response, id, &text, context);
    tooltip::show(response, id, &text);
    value_entry::show(ui, field, id, &text, context);
}

/// A choice as text with a chevron.
fn word(ui: &mut Ui, rect: Rect, id: ParamId, context: &mut ParamContext) {
    let (_, name) = dropdown::chosen(id, context);
    let painter = ThemePainter::new(ui);
    let width = painter.width(name, Face::Medium, Size::Row) + 34.0;
    let field = rect.with_min_x(rect.right() - width.max(60.0));
    dropdown::field_of(ui, field, id, context);
    let painter = ThemePainter::new(ui);
    painter.text(pos2(field.right() - 24.0, field.center().y), Side::Right, name, (Face::Medium, Size::Row, painter.ink.text));
    icon::chevron(&painter, pos2(field.right() - 12.0, field.center().y), Way::Down, 3.5, painter.ink.text2);
}

/// Label and line of a row.
pub fn label(painter: &ThemePainter, rect: Rect, name: &str, ruled: bool) {
    if ruled {
        painter.hline(rect.x_range(), rect.top(), painter.ink.hair);
    }
    painter.text(rect.left_center(), Side::Left, name, (Face::Regular, Size::Text, painter.ink.text2));
}

/// A row without control: `value` and its `unit`.
pub fn reading(painter: &ThemePainter, rect: Rect, name: &str, (value, unit): (&str, &str), ruled: bool) {
    label(painter, rect, name, ruled);
    let right = if unit.is_empty() { rect.right() } else { rect.right() - 34.0 };
    painter.text(pos2(right, rect.center().y), Side::Right, value, (Face::Medium, Size::Row, painter.ink.text));
    painter.text(pos2(right + 8.0, rect.center().y), Side::Left, unit, (Face::Regular, Size::Label, painter.ink.text3));
}
