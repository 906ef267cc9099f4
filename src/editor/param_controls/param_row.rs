//! Rows of parameters, horizontal sliders, and the popover of hardness.
//!
//! A row has a label at the left, and an editable value or a menu at the right. The popover has stiffness, exponent and damping of
//! the contact, with a plot of the law.

use egui::{Pos2, Rect, Response, Sense, Ui, pos2, vec2};

use crate::editor::param_context::ParamContext;
use crate::editor::param_controls::knob::Spot;
use crate::editor::param_controls::{dropdown, knob, value_entry};
use crate::editor::theme;
use crate::editor::theme::{Face, Hue, Size};
use crate::editor::widgets::{Side, ThemePainter, Way, icon, menu, tooltip};
use urto_engine::params::value_text;
use urto_engine::params::{ParamId, Scale};

/// Height of a row.
pub const HEIGHT: f32 = 34.0;

/// Radius of a slider's handle, and of its focus ring.
const HANDLE: f32 = 7.0;
const RING: f32 = 12.0;

/// Size of the popover of hardness, and of its plot.
const SIZE: [f32; 2] = [470.0, 176.0];
const LAW: [f32; 2] = [150.0, 112.0];
/// Points of a curve of the plot.
const POINTS: usize = 40;

/// Draws the row of a parameter; `ruled` draws a line above.
pub fn show(ui: &mut Ui, rect: Rect, (id, name): (ParamId, &str), ruled: bool, context: &mut ParamContext) {
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
        ui.interact(rect.with_max_x(field.left()), ui.scope_id().with((id.spec().id, "line")), egui::Sense::click_and_drag());
    knob::handle_input(ui, &response, id, context);
    knob::describe(&response, id, &text, context);
    if response.has_focus() {
        painter.focus(rect.shrink2(vec2(0.0, 4.0)), 2.0);
    }
    if response.hovered() || response.dragged() || response.has_focus() {
        context.show_hint(id, &text);
    }
    value_entry::context_menu(ui, &response, id, &text, context);
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

/// Draws the slider of `id` from `from` to the right over `width`.
pub fn slider(ui: &mut Ui, from: Pos2, width: f32, id: ParamId, hue: Hue, context: &mut ParamContext) {
    let area = Rect::from_min_max(from - vec2(RING, RING), from + vec2(width + RING, RING));
    let response = ui.interact(area, ui.scope_id().with((id.spec().id, "slider")), Sense::click_and_drag());
    knob::handle_input(ui, &response, id, context);
    let (travel, live) = context.params.travel(id);
    let text = value_text::show(id.spec(), context.value(id));
    knob::describe(&response, id, &text, context);
    let lit = response.hovered() || response.dragged() || response.has_focus();
    if lit {
        context.show_hint(id, &text);
    }
    let painter = ThemePainter::new(ui);
    let at = |travel: f32| pos2(from.x + width * travel, from.y);
    let spec = id.spec();
    let origin = if spec.min == -spec.max { context.params.travel_of(id, 0.0) } else { 0.0 };
    painter.line(at(0.0), at(1.0), theme::ARC[0], painter.ink.track);
    painter.line(at(origin), at(travel), theme::ARC[1], painter.ink.of(hue));
    let default = at(context.params.default_travel(id));
    painter.line(default - vec2(0.0, 10.0), default - vec2(0.0, 6.0), 1.5, painter.ink.text3);
    if live != travel {
        painter.line(at(travel) + vec2(0.0, 8.0), at(live) + vec2(0.0, 8.0), 2.0, painter.ink.of(hue).gamma_multiply(0.55));
    }
    if response.has_focus() {
        painter.circle(at(travel), RING, theme::FOCUS, painter.ink.text);
    }
    painter.disc(at(travel), HANDLE, if lit { painter.ink.text } else { painter.ink.text2 }, 1.5, painter.ink.bg);
    crate::editor::param_controls::value_entry::context_menu(ui, &response, id, &text, context);
    crate::editor::widgets::tooltip::show(response, id, &text);
}

/// Opens on a click of the label below the hardness knob with the response `dial`.
pub fn hardness_popover(ui: &mut Ui, dial: &Response, context: &mut ParamContext) {
    let label = Rect::from_center_size(pos2(dial.rect.center().x, dial.rect.bottom() + 10.0), vec2(70.0, 18.0));
    let response = ui.interact(label, ui.scope_id().with("unfold hardness"), Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Button, true, "Contact parameters of hardness"));
    let painter = ThemePainter::new(ui);
    if response.hovered() {
        painter.hline(label.x_range().shrink(8.0), label.bottom() - 1.0, painter.ink.text2);
        *context.hint = "Click for stiffness, exponent and damping of the contact, with a plot of the law.".into();
    }
    if response.has_focus() {
        painter.focus(label, theme::FIELD);
    }
    menu(&response).close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(SIZE[0], SIZE[1]), Sense::hover());
        unfolded(ui, rect, context);
    });
}

fn unfolded(ui: &mut Ui, rect: Rect, context: &mut ParamContext) {
    let params = [(ParamId::Stiffness, "Stiffness *k*"), (ParamId::Exponent, "Exponent *α*"), (ParamId::Damping, "Damping *μ*")];
    for (i, (id, name)) in params.into_iter().enumerate() {
        let center = pos2(rect.left() + 50.0 + 94.0 * i as f32, rect.center().y - 20.0);
        let spot = Spot { center, radius: theme::KNOB[0], width: 90.0, below: [47.0, 20.0], name };
        knob::at(ui, &spot, id, Hue::Force, context);
    }
    let corner = pos2(rect.right() - LAW[0] - 8.0, rect.center().y - 0.5 * LAW[1]);
    law(&ThemePainter::new(ui), Rect::from_min_size(corner, vec2(LAW[0], LAW[1])), context);
}

/// Force over compression of a hit against a rigid wall at 1 m/s, loading and unloading.
fn law(painter: &ThemePainter, rect: Rect, context: &ParamContext) {
    let (exponent, damping) = (context.value(ParamId::Exponent), context.value(ParamId::Damping));
    let wall = urto_physics::contact::RigidImpact { mass: 1.0, stiffness: 1.0, exponent, damping, velocity: 1.0 };
    let points: Vec<_> = wall.phase_portrait(2 * POINTS).collect();
    let deepest = wall.max_compression();
    let strongest = points.iter().map(|point| point.force).fold(0.0, f64::max);
    let at = |x: f64, force: f64| {
        let (x, y) = ((0.92 * x / deepest) as f32, (0.92 * force / strongest) as f32);
        pos2(rect.left() + rect.width() * x, rect.bottom() - rect.height() * y)
    };
    let curve: Vec<_> = points.iter().map(|point| at(point.compression, point.force)).collect();
    painter.path(curve, 2.0, painter.ink.force);
    let spring = (0..=POINTS).map(|i| i as f64 / POINTS as f64);
    let peak = deepest.powf(exponent);
    painter.path(spring.map(|x| at(x * deepest, peak * x.powf(exponent))).collect(), 1.2, painter.ink.text);
    painter.vline(rect.left(), rect.y_range(), painter.ink.line);
    painter.hline(rect.x_range(), rect.bottom(), painter.ink.line);
    let look = (Face::Regular, Size::Label, painter.ink.text3);
    painter.text(pos2(rect.left(), rect.top() - 11.0), Side::Left, "force *F*", look);
    painter.text(pos2(rect.right(), rect.bottom() + 13.0), Side::Right, "compression *x*", look);
}
