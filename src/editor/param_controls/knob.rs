//! The one knob: an arc for the value, a needle, the name, the value that can be typed over.
//!
//! Drag 200 px for the range, with Shift a tenth of it; wheel and arrows one percent; double-click or Delete for the default;
//! a click on the value, or Enter, to type; a right click for the menu. Every change is a gesture for the host.

use std::f32::consts::TAU;
use std::sync::Arc;

use egui::{
    Color32, CursorIcon, EventFilter, Galley, Id, Key, MouseWheelUnit, Painter, Pos2, Rect, Response, Sense, Ui, Vec2,
    WidgetInfo, pos2, vec2,
};

use crate::editor::param_context::ParamContext;
use crate::editor::param_controls::context_menu;
use crate::editor::param_controls::value_entry;
use crate::editor::theme;
use crate::editor::theme::{Face, Hue, Size};
use crate::editor::value_entry_state::ValueEntryState;
use crate::editor::widgets::icon;
use crate::editor::widgets::tooltip;
use crate::editor::widgets::{Side, ThemePainter};
use crate::host_params::value_text;
use urto_engine::params::{ParamId, Scale};

/// Drag for the whole range [px].
const RANGE: f32 = 200.0;
/// Shift takes this part of every movement.
const FINE: f32 = 0.1;
/// Wheel notch and arrow key, as a part of the range.
const STEP: f32 = 0.01;
/// Points of a wheel that reports points for one notch.
const NOTCH: f32 = 40.0;
/// Height of the value [px].
const VALUE: f32 = 19.0;

/// Where a knob stands, and how it is called there.
#[derive(Clone, Copy, Debug)]
pub struct Spot<'a> {
    /// Middle of the arc.
    pub center: Pos2,
    /// Radius of the arc [px].
    pub radius: f32,
    /// Room for name and value [px].
    pub width: f32,
    /// From the middle to the name's middle, and from there to the value's [px].
    pub below: [f32; 2],
    /// Name.
    pub name: &'a str,
}

impl<'a> Spot<'a> {
    /// In a column of a sheet.
    pub fn in_column(column: Rect, name: &'a str, small: bool) -> Self {
        let radius = theme::KNOB[usize::from(small)];
        let center = pos2(column.center().x, column.top() + radius + 8.0);
        let below = if small { [radius + 13.0, 17.0] } else { [radius + 17.0, 19.0] };
        Self { center, radius, width: column.width() - 4.0, below, name }
    }

    /// Middle of the name.
    pub fn label(&self) -> Pos2 {
        self.center + vec2(0.0, self.below[0])
    }

    /// Where the value is.
    pub fn value(&self) -> Rect {
        Rect::from_center_size(self.label() + vec2(0.0, self.below[1]), vec2(self.width, VALUE))
    }
}

/// Draws the knob `id` in `column` and follows the player. Returns the knob's response.
pub fn show(ui: &mut Ui, column: Rect, id: ParamId, hue: Hue, desk: &mut ParamContext) -> Response {
    let name = fitting(ui.painter(), id.knob().name, column.width() - 4.0);
    at(ui, &Spot::in_column(column, name, desk.small), id, hue, desk)
}

/// Draws the knob `id` at `spot` and follows the player. Returns the knob's response.
pub fn at(ui: &mut Ui, spot: &Spot, id: ParamId, hue: Hue, desk: &mut ParamContext) -> Response {
    let knob = id.knob();
    let half = vec2((spot.radius + 8.0).min(0.5 * spot.width + 2.0), spot.radius + 8.0);
    let area = Rect::from_center_size(spot.center, 2.0 * half);
    let response = ui.interact(area, ui.scope_id().with(knob.id), Sense::click_and_drag());

    turn(ui, &response, id, desk);
    let (travel, live) = desk.knobs.travel(id);
    let text = value_text::show(knob, desk.knobs.value_at(id, travel));
    response.widget_info(|| {
        let label = format!("{} {}", knob.group, knob.name);
        WidgetInfo { current_text_value: Some(text.clone()), ..WidgetInfo::slider(true, f64::from(travel), label) }
    });

    let pen = ThemePainter::new(ui);
    let origin = if knob.min == -knob.max { desk.knobs.travel_of(id, 0.0) } else { 0.0 };
    paint(&pen, spot, [origin, travel, live, desk.knobs.default_travel(id)], pen.ink.of(hue), &response);
    if desk.past.is_locked(id) {
        icon::lock(&pen, spot.center, pen.ink.text3);
    }
    let lit = response.hovered() || response.dragged() || response.has_focus();
    let color = if lit { pen.ink.text } else { pen.ink.text2 };
    pen.text(spot.label(), Side::Center, spot.name, (Face::Regular, Size::Label, color));
    value_entry::show(ui, spot.value(), id, &text, desk);
    if lit {
        desk.tell(id, &text);
    }
    context_menu::show(ui, &response, id, &text, desk);
    tooltip::show(response, id, &text)
}

/// The name as far as it fits into `width`.
pub fn fitting<'a>(painter: &Painter, name: &'a str, width: f32) -> &'a str {
    let [long, brief] = shorter(name);
    if label(painter, long).size().x <= width { long } else { brief }
}

/// A name as it is laid out.
pub fn label(painter: &Painter, name: &str) -> Arc<Galley> {
    painter.layout_no_wrap(name.to_owned(), theme::font(Face::Regular, Size::Label), Color32::WHITE)
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
        "Corner by key" => ["Corner by key", "By key"],
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
pub fn turn(ui: &Ui, response: &Response, id: ParamId, desk: &mut ParamContext) {
    let held: Id = response.id.with("held");
    let fine = if ui.input(|input| input.modifiers.shift) { FINE } else { 1.0 };
    if response.drag_started() {
        desk.begin(id);
        ui.data_mut(|data| data.insert_temp(held, desk.knobs.travel(id).0));
        response.request_focus();
    }
    if response.dragged() {
        let moved = response.drag_delta();
        let travel = ui.data(|data| data.get_temp(held)).unwrap_or(0.0) + fine * (moved.x - moved.y) / RANGE;
        ui.data_mut(|data| data.insert_temp(held, travel.clamp(0.0, 1.0)));
        desk.set(id, travel);
        ui.set_cursor_icon(CursorIcon::None);
    }
    if response.drag_stopped() {
        desk.end(id);
    }
    if response.double_clicked() {
        desk.jump(id, desk.knobs.default_travel(id));
    } else if response.clicked() {
        response.request_focus();
    }
    if response.hovered() {
        step(ui, response.id.with("wheel"), notches(ui), fine, id, desk);
    } else if response.has_focus() && desk.entry.is_none() {
        keys(ui, response, fine, id, desk);
    }
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
fn step(ui: &Ui, rest: Id, steps: f32, fine: f32, id: ParamId, desk: &mut ParamContext) {
    if steps == 0.0 {
        return;
    }
    let knob = id.knob();
    let travel = desk.knobs.travel(id).0;
    let moved = match knob.scale {
        Scale::Integer | Scale::Choice(_) => {
            let steps = steps + ui.data(|data| data.get_temp(rest)).unwrap_or(0.0);
            ui.data_mut(|data| data.insert_temp(rest, steps.fract()));
            steps.trunc() / (knob.max - knob.min) as f32
        }
        _ => steps * STEP * fine,
    };
    if moved != 0.0 {
        desk.jump(id, travel + moved);
    }
}

fn keys(ui: &Ui, response: &Response, fine: f32, id: ParamId, desk: &mut ParamContext) {
    let arrows = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, arrows));
    let pressed = |key| ui.input(|input| input.key_pressed(key));
    let steps = [(Key::ArrowUp, 1.0), (Key::ArrowRight, 1.0), (Key::ArrowDown, -1.0), (Key::ArrowLeft, -1.0)];
    let steps = steps.into_iter().chain([(Key::PageUp, 10.0), (Key::PageDown, -10.0)]);
    let steps = steps.filter(|(key, _)| pressed(*key)).map(|(_, steps)| steps).sum();
    step(ui, response.id.with("keys"), steps, fine, id, desk);
    for (key, travel) in [(Key::Home, 0.0), (Key::End, 1.0), (Key::Delete, desk.knobs.default_travel(id))] {
        if pressed(key) {
            desk.jump(id, travel);
        }
    }
    if pressed(Key::Enter) {
        *desk.entry = Some(ValueEntryState::new(
            id,
            ui.scope_id(),
            &value_text::show(id.knob(), desk.knobs.value_at(id, desk.knobs.travel(id).0)),
        ));
    }
}

/// Angle [rad, clockwise from the right] of a travel: from seven to five o'clock.
fn angle(travel: f32) -> f32 {
    TAU * (0.375 + 0.75 * travel)
}

fn on(center: Pos2, radius: f32, travel: f32) -> Pos2 {
    center + radius * Vec2::angled(angle(travel))
}

fn arc(pen: &ThemePainter, center: Pos2, radius: f32, travels: [f32; 2], width: f32, color: Color32) {
    let points = 2 + (60.0 * (travels[1] - travels[0]).abs()) as usize;
    let part = |i: usize| travels[0] + (travels[1] - travels[0]) * i as f32 / (points - 1) as f32;
    pen.path((0..points).map(|i| on(center, radius, part(i))).collect(), width, color);
    for end in travels {
        pen.disc(on(center, radius, end), 0.5 * width - 0.25, color, 0.0, color);
    }
}

/// `travels`: where the arc begins, where the knob stands, where the host's modulation has it, where it stands by default.
fn paint(pen: &ThemePainter, spot: &Spot, travels: [f32; 4], ink: Color32, response: &Response) {
    let &Spot { center, radius, .. } = spot;
    let [origin, travel, live, default] = travels;
    let [track, value, held] = theme::ARC;
    let face = if response.hovered() || response.dragged() { pen.ink.hover } else { pen.ink.raised };
    arc(pen, center, radius, [0.0, 1.0], track, pen.ink.track);
    if (travel - origin).abs() > 0.004 {
        arc(pen, center, radius, [origin, travel], if response.dragged() { held } else { value }, ink);
    }
    let edge = if pen.ink.dark { 0.0 } else { theme::HAIRLINE };
    pen.disc(center, radius - 7.0, face, edge, pen.ink.hair);
    pen.line(on(center, radius - 18.0, travel), on(center, radius - 8.5, travel), theme::RULE, pen.ink.text);
    pen.line(on(center, radius + 3.5, default), on(center, radius + 7.5, default), 1.5, pen.ink.text3);
    if live != travel {
        arc(pen, center, radius + 5.5, [travel, live], 2.0, theme::faint(ink, 0.55));
        pen.disc(on(center, radius + 5.5, live), 3.0, pen.ink.text, 0.0, pen.ink.text);
    }
    if response.has_focus() {
        pen.circle(center, radius + 9.0, theme::FOCUS, pen.ink.text);
    }
}
