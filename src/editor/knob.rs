//! The one knob: an arc for the value, a needle, the name, the value that can be typed over.
//!
//! Drag 200 px for the range, with Shift a tenth of it; wheel and arrows one percent; double-click or Delete for the default;
//! a click on the value, or Enter, to type. Every change is a gesture for the host.

use std::f32::consts::TAU;
use std::sync::Arc;

use egui::epaint::PathShape;
use egui::{
    CursorIcon, EventFilter, Galley, Id, Key, MouseWheelUnit, Painter, Pos2, Rect, Response, Sense, Stroke, Ui, Vec2, WidgetInfo,
    pos2, vec2,
};
use nice_plug::prelude::ParamSetter;

use super::entry::Entry;
use super::theme::{self, Face, Size};
use crate::engine::knob::{KnobId, Scale};
use crate::params::{Knobs, quantity};

/// Drag for the whole range [px].
const RANGE: f32 = 200.0;
/// Shift takes this part of every movement.
const FINE: f32 = 0.1;
/// Wheel notch and arrow key, as a part of the range.
const STEP: f32 = 0.01;
/// Points of a wheel that reports points for one notch.
const NOTCH: f32 = 40.0;

/// The knobs and the host, as every control gets them.
pub struct Desk<'a> {
    /// All knobs.
    pub knobs: &'a Knobs,
    /// Where changes go.
    pub host: &'a ParamSetter<'a>,
    /// The one value that is being typed.
    pub entry: &'a mut Option<Entry>,
    /// Small window.
    pub small: bool,
}

/// Draws the knob `id` in `column` and follows the player. Returns the knob's response.
pub fn show(ui: &mut Ui, column: Rect, id: KnobId, ink: egui::Color32, desk: &mut Desk) -> Response {
    let knob = id.knob();
    let radius = theme::KNOB[usize::from(desk.small)];
    let center = pos2(column.center().x, column.top() + radius + 6.0);
    let area = Rect::from_center_size(center, Vec2::splat(2.0 * radius + 16.0)).intersect(column.expand(2.0));
    let name = ui.scope_id().with(knob.id);
    let response = ui.interact(area, name, Sense::click_and_drag());

    turn(ui, &response, id, desk);
    let (travel, live) = desk.knobs.travel(id);
    let dragged = response.dragged();
    let text = quantity::show(knob, desk.knobs.value_at(id, travel));
    response.widget_info(|| {
        let label = format!("{} {}", knob.group, knob.name);
        WidgetInfo { current_text_value: Some(text.clone()), ..WidgetInfo::slider(true, f64::from(travel), label) }
    });

    let painter = ui.painter();
    let origin = if knob.lowest == -knob.highest { desk.knobs.travel_of(id, 0.0) } else { 0.0 };
    paint(painter, center, radius, [origin, travel, live, desk.knobs.default_travel(id)], ink, &response);
    let label_top = center.y + radius + if desk.small { 4.0 } else { 8.0 };
    let color = if response.hovered() || dragged { theme::TEXT } else { theme::TEXT2 };
    let label = label(painter, knob.name, column.width() - 4.0, color);
    painter.galley(pos2(center.x - 0.5 * label.size().x, label_top), label, color);
    let value = Rect::from_center_size(pos2(center.x, label_top + 24.0), vec2(column.width() - 2.0, 19.0));
    Entry::show(ui, value, id, &text, desk);
    response.on_hover_text(knob.hint)
}

/// The name as far as it fits into `width`.
pub fn label(painter: &Painter, name: &str, width: f32, color: egui::Color32) -> Arc<Galley> {
    let lay = |name: &str| painter.layout_no_wrap(name.to_owned(), theme::font(Face::Regular, Size::Label), color);
    let [long, brief] = shorter(name);
    let long = lay(long);
    if long.size().x <= width { long } else { lay(brief) }
}

/// A name as a column holds it, and as a narrow one does.
fn shorter(name: &str) -> [&str; 2] {
    match name {
        "Contact damping" => ["Damping", "Damp"],
        "Slowest speed" => ["Slowest", "Slow"],
        "Fastest speed" => ["Fastest", "Fast"],
        "Velocity curve" => ["Curve", "Curve"],
        "Body mass" => ["Body mass", "Mass"],
        "Inharmonicity" => ["Inharmonic", "Inharm."],
        "Loss factor" => ["Loss factor", "Loss"],
        "High damping" => ["High loss", "High"],
        "Damping time" => ["Time", "Time"],
        "Release velocity" => ["Velocity", "Velocity"],
        "Hammer mass by key" => ["Hammer mass", "Hammer"],
        "Stiffness by key" => ["Stiffness", "Stiff."],
        "Body mass by key" => ["Body mass", "Body"],
        "Decay by key" => ["Decay", "Decay"],
        "Legato strike" => ["Legato strike", "Legato"],
        "Bend range" => ["Bend range", "Bend"],
        "Brightness" => ["Brightness", "Bright"],
        "Expression" => ["Expression", "Express"],
        "Pressure to" => ["Pressure to", "Press to"],
        "Brightness to" => ["Brightness to", "Bright to"],
        "Expression to" => ["Expression to", "Expr to"],
        "Soft pedal" => ["Soft pedal", "Soft"],
        "Mass by chance" => ["Mass", "Mass"],
        "MPE bend range" => ["Bend range", "Bend"],
        "Left pickup" => ["Left", "Left"],
        "Left across" => ["Left across", "L across"],
        "Right pickup" => ["Right", "Right"],
        "Right across" => ["Right across", "R across"],
        name => [name, name],
    }
}

/// Turns the knob as pointer, wheel and keys say.
fn turn(ui: &Ui, response: &Response, id: KnobId, desk: &mut Desk) {
    let Desk { knobs, host, entry, .. } = desk;
    let held: Id = response.id.with("held");
    let fine = if ui.input(|input| input.modifiers.shift) { FINE } else { 1.0 };
    if response.drag_started() {
        knobs.begin(id, host);
        ui.data_mut(|data| data.insert_temp(held, knobs.travel(id).0));
        response.request_focus();
    }
    if response.dragged() {
        let moved = response.drag_delta();
        let travel = ui.data(|data| data.get_temp(held)).unwrap_or(0.0) + fine * (moved.x - moved.y) / RANGE;
        ui.data_mut(|data| data.insert_temp(held, travel.clamp(0.0, 1.0)));
        knobs.set_travel(id, host, travel);
        ui.set_cursor_icon(CursorIcon::None);
    }
    if response.drag_stopped() {
        knobs.end(id, host);
    }
    if response.double_clicked() {
        jump(knobs, host, id, knobs.default_travel(id));
    } else if response.clicked() {
        response.request_focus();
    }
    if response.hovered() {
        step(ui, response.id.with("wheel"), notches(ui), fine, id, desk);
    } else if response.has_focus() && entry.is_none() {
        keys(ui, response, fine, id, desk);
    }
}

/// A gesture in one go.
pub fn jump(knobs: &Knobs, host: &ParamSetter, id: KnobId, travel: f32) {
    knobs.begin(id, host);
    knobs.set_travel(id, host, travel);
    knobs.end(id, host);
}

fn notches(ui: &Ui) -> f32 {
    ui.input(|input| {
        input.events.iter().fold(0.0, |sum, event| match event {
            egui::Event::MouseWheel { unit: MouseWheelUnit::Point, delta, .. } => sum + (delta.x + delta.y) / NOTCH,
            egui::Event::MouseWheel { delta, .. } => sum + delta.x + delta.y,
            _ => sum,
        })
    })
}

/// Moves by `steps` of one percent, or by whole steps where there are such. What is too little for one waits under `rest`.
fn step(ui: &Ui, rest: Id, steps: f32, fine: f32, id: KnobId, desk: &Desk) {
    if steps == 0.0 {
        return;
    }
    let knob = id.knob();
    let travel = desk.knobs.travel(id).0;
    let moved = match knob.scale {
        Scale::Integer | Scale::Choice(_) => {
            let steps = steps + ui.data(|data| data.get_temp(rest)).unwrap_or(0.0);
            ui.data_mut(|data| data.insert_temp(rest, steps.fract()));
            steps.trunc() / (knob.highest - knob.lowest) as f32
        }
        _ => steps * STEP * fine,
    };
    if moved != 0.0 {
        jump(desk.knobs, desk.host, id, travel + moved);
    }
}

fn keys(ui: &Ui, response: &Response, fine: f32, id: KnobId, desk: &mut Desk) {
    let arrows = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, arrows));
    let pressed = |key| ui.input(|input| input.key_pressed(key));
    let steps = [(Key::ArrowUp, 1.0), (Key::ArrowRight, 1.0), (Key::ArrowDown, -1.0), (Key::ArrowLeft, -1.0)];
    let steps = steps.into_iter().chain([(Key::PageUp, 10.0), (Key::PageDown, -10.0)]);
    let steps = steps.filter(|(key, _)| pressed(*key)).map(|(_, steps)| steps).sum();
    step(ui, response.id.with("keys"), steps, fine, id, desk);
    for (key, travel) in [(Key::Home, 0.0), (Key::End, 1.0), (Key::Delete, desk.knobs.default_travel(id))] {
        if pressed(key) {
            jump(desk.knobs, desk.host, id, travel);
        }
    }
    if pressed(Key::Enter) {
        *desk.entry = Some(Entry::new(id, &quantity::show(id.knob(), desk.knobs.value_at(id, desk.knobs.travel(id).0))));
    }
}

/// Angle [rad, clockwise from the right] of a travel: from seven to five o'clock.
fn angle(travel: f32) -> f32 {
    TAU * (0.375 + 0.75 * travel)
}

fn at(center: Pos2, radius: f32, angle: f32) -> Pos2 {
    center + radius * Vec2::angled(angle)
}

fn arc(painter: &Painter, center: Pos2, radius: f32, travels: [f32; 2], stroke: Stroke) {
    let points = 2 + (60.0 * (travels[1] - travels[0]).abs()) as usize;
    let part = |i: usize| travels[0] + (travels[1] - travels[0]) * i as f32 / (points - 1) as f32;
    painter.add(PathShape::line((0..points).map(|i| at(center, radius, angle(part(i)))).collect(), stroke));
}

/// `travels`: where the arc begins, where the knob stands, where the host's modulation has it, where it stands by default.
fn paint(painter: &Painter, center: Pos2, radius: f32, travels: [f32; 4], ink: egui::Color32, response: &Response) {
    let [origin, travel, live, default] = travels;
    let [track, value, held] = theme::ARC;
    arc(painter, center, radius, [0.0, 1.0], Stroke::new(track, theme::TRACK));
    if travel != origin {
        let width = if response.dragged() { held } else { value };
        arc(painter, center, radius, [origin, travel], Stroke::new(width, ink));
    }
    let face = if response.hovered() || response.dragged() { theme::HOVER } else { theme::RAISED };
    painter.circle_filled(center, radius - 7.0, face);
    let needle = Stroke::new(theme::RULE, theme::TEXT);
    painter.line_segment([at(center, radius - 18.0, angle(travel)), at(center, radius - 8.5, angle(travel))], needle);
    let tick = Stroke::new(theme::HAIRLINE, theme::TEXT3);
    painter.line_segment([at(center, radius + 3.5, angle(default)), at(center, radius + 7.5, angle(default))], tick);
    if live != travel {
        arc(painter, center, radius + 5.5, [travel, live], Stroke::new(2.0, theme::faint(ink, 0.55)));
        painter.circle_filled(at(center, radius + 5.5, angle(live)), 3.0, theme::TEXT);
    }
    if response.has_focus() {
        painter.circle_stroke(center, radius + 9.0, Stroke::new(1.5, theme::TEXT));
    }
}
