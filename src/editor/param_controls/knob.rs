//! A knob: an arc for the value, a pointer, the name, and the value as editable text.
//!
//! Drag 200 px for the full range, with Shift 2000 px. Wheel and arrow keys move by 1 %, page keys by 10 %. Double-click or Delete sets the
//! default. Click the value or press Enter to type. Right-click or press Shift-F10 for the menu. Every change is a gesture for the host.

use std::f32::consts::TAU;
use std::sync::Arc;

use egui::{Color32, CursorIcon, Galley, Id, Key, MouseWheelUnit, Painter, Pos2, Rect, Response, Sense, Ui, Vec2, pos2, vec2};

use crate::editor::param_context::{ParamContext, ValueEntryState};
use crate::editor::param_controls::value_entry;
use crate::editor::theme;
use crate::editor::theme::{Face, Hue, Size};
use crate::editor::widgets::keys::{Arrows, Value, ValueRequest};
use crate::editor::widgets::{Side, ThemePainter, icon, keys, tooltip};
use urto_engine::params::value_text;
use urto_engine::params::{ParamId, Scale};

/// Drag for the full range [px].
const RANGE: f32 = 200.0;
/// Factor on every movement while Shift is held.
const FINE: f32 = 0.1;
/// Step of a wheel notch and an arrow key, as a part of the range.
const STEP: f32 = 0.01;
/// Scroll distance that counts as one notch [points].
const NOTCH: f32 = 40.0;
/// Height of the value text [px].
const VALUE: f32 = 19.0;

/// Position, size and label of a knob.
#[derive(Clone, Copy, Debug)]
pub struct Spot<'a> {
    /// Centre of the arc.
    pub center: Pos2,
    /// Radius of the arc [px].
    pub radius: f32,
    /// Width for label and value [px].
    pub width: f32,
    /// Offset from the centre to the label, and from there to the value [px].
    pub below: [f32; 2],
    /// Label.
    pub name: &'a str,
}

impl<'a> Spot<'a> {
    /// In a column of a grid.
    pub fn in_column(column: Rect, name: &'a str, small: bool) -> Self {
        let radius = theme::KNOB[usize::from(small)];
        let center = pos2(column.center().x, column.top() + radius + 8.0);
        let below = if small { [radius + 13.0, 17.0] } else { [radius + 17.0, 19.0] };
        Self { center, radius, width: column.width() - 4.0, below, name }
    }

    /// Centre of the label.
    pub fn label(&self) -> Pos2 {
        self.center + vec2(0.0, self.below[0])
    }

    /// Area of the value.
    pub fn value(&self) -> Rect {
        Rect::from_center_size(self.label() + vec2(0.0, self.below[1]), vec2(self.width, VALUE))
    }
}

/// Draws the knob `id` in `column`. Returns its response.
pub fn show(ui: &mut Ui, column: Rect, id: ParamId, hue: Hue, context: &mut ParamContext) -> Response {
    let name = fitting(ui.painter(), id.spec().name, column.width() - 4.0);
    at(ui, &Spot::in_column(column, name, context.small), id, hue, context)
}

/// Draws the knob `id` at `spot`. Returns its response.
pub fn at(ui: &mut Ui, spot: &Spot, id: ParamId, hue: Hue, context: &mut ParamContext) -> Response {
    let spec = id.spec();
    let half = vec2((spot.radius + 8.0).min(0.5 * spot.width + 2.0), spot.radius + 8.0);
    let area = Rect::from_center_size(spot.center, 2.0 * half);
    let response = ui.interact(area, ui.scope_id().with(spec.id), Sense::click_and_drag());

    handle_input(ui, &response, id, context);
    let (travel, live) = context.params.travel(id);
    let text = value_text::show(spec, context.params.value_at(id, travel));
    describe(&response, id, &text, context);

    let painter = ThemePainter::new(ui);
    let origin = if spec.min == -spec.max { context.params.travel_of(id, 0.0) } else { 0.0 };
    paint(&painter, spot, [origin, travel, live, context.params.default_travel(id)], painter.ink.of(hue), &response);
    if context.history.is_locked(id) {
        icon::lock(&painter, spot.center, painter.ink.text3);
    }
    let lit = response.hovered() || response.dragged() || response.has_focus();
    let color = if lit { painter.ink.text } else { painter.ink.text2 };
    painter.text(spot.label(), Side::Center, spot.name, (Face::Regular, Size::Label, color));
    value_entry::show(ui, spot.value(), id, &text, context);
    if lit {
        context.show_hint(id, &text);
    }
    value_entry::context_menu(ui, &response, id, &text, context);
    tooltip::show(response, id, &text)
}

/// The label that fits into `width`: one of the [`SHORT_LABELS`], or as many words of the name as fit, at least one.
pub fn fitting<'a>(painter: &Painter, name: &'a str, width: f32) -> &'a str {
    let [long, mut brief] = shorter(name);
    let fits = |text: &str| label(painter, text).size().x <= width;
    if fits(long) {
        return long;
    }
    while let Some((start, _)) = brief.rsplit_once(' ')
        && !fits(brief)
    {
        brief = start;
    }
    brief
}

/// Layout of a label.
pub fn label(painter: &Painter, name: &str) -> Arc<Galley> {
    painter.layout_no_wrap(name.to_owned(), theme::font(Face::Regular, Size::Label), Color32::WHITE)
}

/// Labels for a normal and a narrow column.
fn shorter(name: &str) -> [&str; 2] {
    SHORT_LABELS.iter().find(|(full, _)| *full == name).map_or([name, name], |&(_, short)| short)
}

/// Labels below a knob for a normal and a narrow column, where the group is in the title above: parameter name, labels.
#[rustfmt::skip]
const SHORT_LABELS: &[(&str, [&str; 2])] = &[
    ("Contact model", ["Model", "Model"]),
    ("Contact damping", ["Damping", "Damp"]),
    ("Hammer type", ["Type", "Type"]),
    ("Hammer mass", ["Mass", "Mass"]),
    ("Bending frequency", ["Bending", "Bending"]),
    ("Bristle scatter", ["Scatter", "Scatter"]),
    ("Minimum strike speed", ["Min speed", "Min"]),
    ("Maximum strike speed", ["Max speed", "Max"]),
    ("Velocity curve", ["Curve", "Curve"]),
    ("Strike position", ["Position", "Position"]),
    ("Strike position Y", ["Position Y", "Pos. Y"]),
    ("Hammer mass key tracking", ["Hammer mass", "Hammer"]),
    ("Stiffness key tracking", ["Stiffness", "Stiff."]),
    ("Body mass key tracking", ["Body mass", "Body"]),
    ("Decay key tracking", ["Decay", "Decay"]),
    ("Body type", ["Type", "Type"]),
    ("Morph target", ["Target", "Target"]),
    ("Body mass", ["Body mass", "Mass"]),
    ("Inharmonicity", ["Inharmonic", "Inharm."]),
    ("Decay time (T60)", ["Decay time", "Decay"]),
    ("Loss factor", ["Loss factor", "Loss"]),
    ("HF damping", ["HF damping", "HF"]),
    ("Aspect ratio", ["Aspect", "Aspect"]),
    ("Mode splitting", ["Splitting", "Split"]),
    ("Partial stretch", ["Stretch", "Stretch"]),
    ("Radiation cutoff", ["Cutoff", "Cutoff"]),
    ("Radiation cutoff key tracking", ["Cutoff track", "Track"]),
    ("Tube gain", ["Tube gain", "Tube"]),
    ("Tube damping", ["Tube damp", "T. damp"]),
    ("Monopole loss", ["Monopole", "Monop."]),
    ("Dipole loss", ["Dipole", "Dipole"]),
    ("Left pickup position", ["Left", "Left"]),
    ("Left pickup position Y", ["Left Y", "Left Y"]),
    ("Right pickup position", ["Right", "Right"]),
    ("Right pickup position Y", ["Right Y", "Right Y"]),
    ("Bass mono frequency", ["Bass mono", "Bass"]),
    ("Mallet noise", ["Mallet", "Mallet"]),
    ("Release mode", ["Release", "Release"]),
    ("Release time", ["Time", "Time"]),
    ("Release velocity", ["Velocity", "Velocity"]),
    ("Voice mode", ["Mode", "Mode"]),
    ("Legato strike level", ["Legato level", "Legato"]),
    ("Glide time", ["Glide time", "Glide"]),
    ("Pitch bend range", ["Bend range", "Bend"]),
    ("Mod wheel target", ["Wheel to", "Wheel to"]),
    ("Mod wheel amount", ["Wheel", "Wheel"]),
    ("Pressure target", ["Pressure to", "Press to"]),
    ("Pressure amount", ["Pressure", "Pressure"]),
    ("Slide (CC 74) target", ["Slide to", "Slide to"]),
    ("Slide (CC 74) amount", ["Slide", "Slide"]),
    ("Expression target", ["Expression to", "Expr to"]),
    ("Expression amount", ["Expression", "Express"]),
    ("Soft pedal", ["Soft pedal", "Soft"]),
    ("Humanise timing", ["Timing", "Timing"]),
    ("Humanise position", ["Position", "Position"]),
    ("Humanise velocity", ["Velocity", "Velocity"]),
    ("Humanise mass", ["Mass", "Mass"]),
    ("Humanise seed", ["Seed", "Seed"]),
    ("Octave stretch", ["Stretch", "Stretch"]),
    ("Retune held notes", ["Retune", "Retune"]),
    ("Drive level", ["Level", "Level"]),
    ("Drive source", ["Source", "Source"]),
    ("Drive channels", ["Channels", "Channels"]),
    ("Hammer spacing", ["Spacing", "Spacing"]),
    ("Note mode", ["Notes", "Notes"]),
    ("Drive frequency", ["Frequency", "Freq."]),
    ("Drive key tracking", ["Tracking", "Track"]),
    ("Pattern step", ["Step", "Step"]),
    ("Drive high-pass", ["High-pass", "High-p."]),
    ("Drive low-pass", ["Low-pass", "Low-p."]),
    ("Follower depth", ["Depth", "Depth"]),
    ("Follower attack", ["Attack", "Attack"]),
    ("Follower release", ["Release", "Release"]),
    ("Tether stiffness", ["Tether", "Tether"]),
    ("Tether damping", ["Damping", "Damping"]),
    ("Rest distance", ["Rest dist.", "Rest"]),
    ("Press force", ["Press", "Press"]),
    ("Return spring", ["Spring", "Spring"]),
    ("Strike on note", ["Strike", "Strike"]),
    ("Rattle type", ["Type", "Type"]),
    ("Rattle count", ["Count", "Count"]),
    ("Rattle position", ["Position", "Position"]),
    ("Rattle position Y", ["Position Y", "Pos. Y"]),
    ("Rattle gap", ["Gap", "Gap"]),
    ("Rattle preload", ["Preload", "Preload"]),
    ("Rattle mass", ["Mass", "Mass"]),
    ("Rattle resonance", ["Resonance", "Reson."]),
    ("Rattle damping", ["Damping", "Damping"]),
    ("Rattle contact model", ["Model", "Model"]),
    ("Rattle contact stiffness", ["Stiffness", "Stiff."]),
    ("Rattle contact exponent", ["Exponent", "Expon."]),
    ("Rattle contact damping", ["Damping", "Damp"]),
    ("Rolling surface", ["Surface", "Surface"]),
    ("Roll speed", ["Speed", "Speed"]),
    ("Roll radius", ["Radius", "Radius"]),
    ("Roughness slope", ["Slope", "Slope"]),
    ("Minimum wavelength", ["Min wave", "Min"]),
    ("Maximum wavelength", ["Max wave", "Max"]),
    ("Roll seed", ["Seed", "Seed"]),
    ("Solver quality", ["Quality", "Quality"]),
    ("MPE bend range", ["Bend range", "Bend"]),
];

/// Handles pointer, wheel and keys.
pub fn handle_input(ui: &Ui, response: &Response, id: ParamId, context: &mut ParamContext) {
    let held: Id = response.id.with("held");
    let fine = if ui.input(|input| input.modifiers.shift) { FINE } else { 1.0 };
    if response.drag_started() {
        context.begin(id);
        ui.data_mut(|data| data.insert_temp(held, context.params.travel(id).0));
        response.request_focus();
    }
    if response.dragged() {
        let moved = response.drag_delta();
        let travel = ui.data(|data| data.get_temp(held)).unwrap_or(0.0) + fine * (moved.x - moved.y) / RANGE;
        ui.data_mut(|data| data.insert_temp(held, travel.clamp(0.0, 1.0)));
        context.set(id, travel);
        ui.set_cursor_icon(CursorIcon::None);
    }
    if response.drag_stopped() {
        context.end(id);
    }
    if response.double_clicked() {
        context.jump(id, context.params.default_travel(id));
    } else if response.clicked() {
        response.request_focus();
    }
    if response.hovered() {
        step(ui, response.id.with("wheel"), notches(ui), fine, id, context);
    }
    if context.entry.is_none() {
        for request in keys::requests(ui, response, Arrows::All) {
            obey(ui, response, request, id, context);
        }
        if response.has_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
            *context.entry = Some(ValueEntryState::new(id, ui.scope_id(), &value_text::show(id.spec(), context.value(id))));
        }
    }
}

/// Tells assistive technology name, value and range of `id`, of which the value is `text`.
pub fn describe(response: &Response, id: ParamId, text: &str, context: &ParamContext) {
    describe_as(response, || id.spec().name.to_owned(), id, text, context);
}

/// The same for a control with another name.
pub fn describe_as(response: &Response, name: impl Fn() -> String, id: ParamId, text: &str, context: &ParamContext) {
    let spec = id.spec();
    keys::describe(response, || {
        let (travel, number) = (context.params.travel(id).0, context.value(id));
        let near = if travel > 0.5 { travel - STEP } else { travel + STEP };
        let step = match spec.scale {
            Scale::Integer | Scale::Choice(_) => 1.0,
            _ => (context.params.value_at(id, near) - number).abs(),
        };
        Value { name: name(), text: text.to_owned(), number, range: [spec.min, spec.max], step }
    });
}

/// Carries out a request of keys or assistive technology for `id`.
fn obey(ui: &Ui, response: &Response, request: ValueRequest, id: ParamId, context: &mut ParamContext) {
    let spec = id.spec();
    let value = match request {
        ValueRequest::Step(by) if matches!(spec.scale, Scale::Integer | Scale::Choice(_)) => {
            let whole = by.signum() * by.abs().max(1.0);
            return step(ui, response.id.with("keys"), whole as f32, 1.0, id, context);
        }
        ValueRequest::Step(by) => return step(ui, response.id.with("keys"), by as f32, 1.0, id, context),
        ValueRequest::Number(value) => Some(value.clamp(spec.min, spec.max)),
        ValueRequest::Text(text) => value_text::read_over(spec, &text, &value_text::show(spec, context.value(id))),
        ValueRequest::Minimum => return context.jump(id, 0.0),
        ValueRequest::Maximum => return context.jump(id, 1.0),
        ValueRequest::Default => return context.jump(id, context.params.default_travel(id)),
    };
    if let Some(value) = value {
        context.jump(id, context.params.travel_of(id, value));
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

/// Moves by `steps` of 1 %, or by whole steps of integers and choices. Fractions of a step are stored under `rest`.
fn step(ui: &Ui, rest: Id, steps: f32, fine: f32, id: ParamId, context: &mut ParamContext) {
    if steps == 0.0 {
        return;
    }
    let spec = id.spec();
    let travel = context.params.travel(id).0;
    let moved = match spec.scale {
        Scale::Integer | Scale::Choice(_) => {
            let steps = steps + ui.data(|data| data.get_temp(rest)).unwrap_or(0.0);
            ui.data_mut(|data| data.insert_temp(rest, steps.fract()));
            steps.trunc() / (spec.max - spec.min) as f32
        }
        _ => steps * STEP * fine,
    };
    if moved != 0.0 {
        context.jump(id, travel + moved);
    }
}

/// Angle of a normalised value [rad, clockwise from the right]: from seven to five o'clock.
fn angle(travel: f32) -> f32 {
    TAU * (0.375 + 0.75 * travel)
}

fn on(center: Pos2, radius: f32, travel: f32) -> Pos2 {
    center + radius * Vec2::angled(angle(travel))
}

fn arc(painter: &ThemePainter, center: Pos2, radius: f32, travels: [f32; 2], width: f32, color: Color32) {
    let points = 2 + (60.0 * (travels[1] - travels[0]).abs()) as usize;
    let part = |i: usize| travels[0] + (travels[1] - travels[0]) * i as f32 / (points - 1) as f32;
    painter.path((0..points).map(|i| on(center, radius, part(i))).collect(), width, color);
    for end in travels {
        painter.disc(on(center, radius, end), 0.5 * width - 0.25, color, 0.0, color);
    }
}

/// `travels`: normalised origin of the arc, value, value with host modulation, default.
fn paint(painter: &ThemePainter, spot: &Spot, travels: [f32; 4], ink: Color32, response: &Response) {
    let &Spot { center, radius, .. } = spot;
    let [origin, travel, live, default] = travels;
    let [track, value, held] = theme::ARC;
    let face = if response.hovered() || response.dragged() { painter.ink.hover } else { painter.ink.raised };
    arc(painter, center, radius, [0.0, 1.0], track, painter.ink.track);
    if (travel - origin).abs() > 0.004 {
        arc(painter, center, radius, [origin, travel], if response.dragged() { held } else { value }, ink);
    }
    let edge = if painter.ink.dark { 0.0 } else { theme::HAIRLINE };
    painter.disc(center, radius - 7.0, face, edge, painter.ink.hair);
    painter.line(on(center, radius - 18.0, travel), on(center, radius - 8.5, travel), theme::RULE, painter.ink.text);
    painter.line(on(center, radius + 3.5, default), on(center, radius + 7.5, default), 1.5, painter.ink.text3);
    if live != travel {
        arc(painter, center, radius + 5.5, [travel, live], 2.0, theme::faint(ink, 0.55));
        painter.disc(on(center, radius + 5.5, live), 3.0, painter.ink.text, 0.0, painter.ink.text);
    }
    if response.has_focus() {
        painter.circle(center, radius + 9.0, theme::FOCUS, painter.ink.text);
    }
}
