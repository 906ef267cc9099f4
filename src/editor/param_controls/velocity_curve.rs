//! The velocity curve: from MIDI velocity to strike speed. Its ends are the minimum and maximum strike speed;
//! drag between them to bend it.

use egui::{Pos2, Rect, Sense, Ui, pos2, vec2};

use crate::editor::param_context::ParamContext;
use crate::editor::param_controls::{knob, value_entry};
use crate::editor::theme;
use crate::editor::theme::{Face, Size};
use crate::editor::widgets::{Side, ThemePainter};
use urto_engine::VelocityCurve;
use urto_engine::params::value_text;
use urto_engine::params::{ParamId, ParamValues};

/// Points of the curve.
const POINTS: usize = 40;
/// Heights of the lowest and highest speed in the tile, 0 to 1.
const EDGES: (f32, f32) = (0.06, 0.92);
/// Radius of a handle, and half the size of its target.
const END: f32 = 4.0;
const HOLD: f32 = 12.0;

/// Draws the tile in `rect`, its label at `label`, and its values `gap` below.
pub fn show(ui: &mut Ui, rect: Rect, label: Pos2, gap: f32, context: &mut ParamContext) {
    let curve = curve(rect, context);
    let (first, last) = (curve[0], curve[POINTS]);
    let hold = |at: Pos2| Rect::from_center_size(at, vec2(2.0 * HOLD, 2.0 * HOLD));
    let bend = part(ui, rect, ParamId::VelocityCurve, context);
    let low = part(ui, hold(first), ParamId::SpeedLow, context);
    let high = part(ui, hold(last), ParamId::SpeedHigh, context);

    let painter = ThemePainter::new(ui);
    painter.field(rect, if bend { painter.ink.hover } else { painter.ink.raised });
    let floor = rect.bottom() - 5.0;
    painter.fill_to(&curve, floor, [theme::faint(painter.ink.force, 0.30), theme::faint(painter.ink.force, 0.04)]);
    painter.path(curve.clone(), 2.0, painter.ink.force);
    for (at, lit) in [(first, low), (last, high)] {
        painter.disc(at, if lit { END + 1.5 } else { END }, painter.ink.raised, 1.8, painter.ink.force);
    }
    painter.text(label, Side::Center, if context.small { "Speed, m/s" } else { "Speed" }, painter.label());
    values(ui, label + vec2(0.0, gap), context);
}

/// Both speeds as editable values.
fn values(ui: &mut Ui, at: Pos2, context: &mut ParamContext) {
    let text = |id: ParamId| value_text::show(id.spec(), context.value(id));
    let [low, high] = [text(ParamId::SpeedLow), text(ParamId::SpeedHigh)];
    let low = low.trim_end_matches(" m/s").to_owned();
    let high = if context.small { high.trim_end_matches(" m/s").to_owned() } else { high };
    let painter = ThemePainter::new(ui);
    let width = |text: &str| painter.width(text, Face::Medium, Size::Value);
    let dash = " – ";
    let left = at.x - 0.5 * (width(&low) + width(dash) + width(&high));
    let middle = left + width(&low) + 0.5 * width(dash);
    painter.text(pos2(middle, at.y), Side::Center, "–", (Face::Medium, Size::Value, painter.ink.text));
    let field = |left: f32, text: &str| Rect::from_min_size(pos2(left - 1.0, at.y - 9.5), vec2(width(text) + 2.0, 19.0));
    value_entry::show(ui, field(left, &low), ParamId::SpeedLow, &low, context);
    value_entry::show(ui, field(middle + 0.5 * width(dash), &high), ParamId::SpeedHigh, &high, context);
}

/// A part of the tile that moves one parameter. Returns whether it is highlighted.
fn part(ui: &mut Ui, rect: Rect, id: ParamId, context: &mut ParamContext) -> bool {
    let response = ui.interact(rect, ui.scope_id().with(id.spec().id), Sense::click_and_drag());
    knob::handle_input(ui, &response, id, context);
    let text = value_text::show(id.spec(), context.value(id));
    knob::describe(&response, id, &text, context);
    let lit = response.hovered() || response.dragged() || response.has_focus();
    if lit {
        context.show_hint(id, &text);
    }
    if response.has_focus() {
        ThemePainter::new(ui).focus(rect, theme::FIELD);
    }
    lit
}

/// Points of the curve: speed over velocity from 1 to 127, the speed on a logarithmic scale.
fn curve(rect: Rect, context: &ParamContext) -> Vec<Pos2> {
    let mut settings = ParamValues::default();
    for id in [ParamId::SpeedLow, ParamId::SpeedHigh, ParamId::VelocityCurve] {
        settings.set(id, context.value(id));
    }
    let (lowest, highest) = (ParamId::SpeedLow.spec().min, ParamId::SpeedHigh.spec().max);
    let height = |speed: f64| ((speed / lowest).ln() / (highest / lowest).ln()) as f32;
    let curve = VelocityCurve::of(&settings);
    let point = |i: usize| {
        let part = i as f32 / POINTS as f32;
        let speed = curve.speed((1.0 + 126.0 * f64::from(part)) / 127.0);
        let up = EDGES.0 + (EDGES.1 - EDGES.0) * height(speed).clamp(0.0, 1.0);
        pos2(rect.left() + 8.0 + (rect.width() - 16.0) * part, rect.bottom() - 5.0 - (rect.height() - 10.0) * up)
    };
    (0..=POINTS).map(point).collect()
}
