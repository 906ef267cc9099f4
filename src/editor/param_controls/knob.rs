//! A knob: an arc for the value, a pointer, the name, and the value as editable text.
//!
//! Drag 200 px for the full range, with Shift 2000 px. Wheel and arrow keys move by 1 %, page keys by 10 %. Double-click or Delete sets the
//! default. Click the value or press Enter to type. Right-click or press Shift-F10 for the menu. Every change is a gesture for the host.

use std::f32::consts::TAU;
use std::sync::Arc;

use egui::{Color32, CursorIcon, Galley, Id, Key, MouseWheelUnit, Painter, Pos2, Rect, Response, Sense, Ui, Vec2, pos2, vec2};

use crate::editor::param_context::{ParamContext, ValueEntryState};
use crate::editor::param_controls::group::group_of;
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
/// Distance from the arc to the ring of modulation [px].
const RING: f32 = 5.5;
/// Height of the value text [px].
const VALUE: f32 = 19.0;
/// Gap between the labels of two columns, unless even the shortest label needs it [px].
const LABEL_GAP: f32 = 10.0;

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
    let name = fitting(ui.painter(), id, column.width() - 4.0);
    at(ui, &Spot::in_column(column, &name, context.small), id, hue, context)
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
    let range = context.modulation.get(id).copied();
    let live = range.map_or(live, |range| (live + range.present).clamp(0.0, 1.0));
    if let Some(range) = range {
        let ends = [travel + range.lowest, travel + range.highest].map(|travel| travel.clamp(0.0, 1.0));
        arc(&painter, spot.center, spot.radius + RING, ends, 2.0, theme::faint(painter.ink.text, 0.3));
    }
    paint(&painter, spot, [origin, travel, live, context.params.default_travel(id)], painter.ink.of(hue), &response);
    if context.learning.waiting() == Some(id) {
        arc(&painter, spot.center, spot.radius + RING, [0.0, 1.0], 2.0, painter.ink.text);
    }
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

/// The label that fits into `width`: the name without the words of the group's title, or one of the [`SHORT_LABELS`], or as many words
/// of the last as fit, at least one.
pub fn fitting(painter: &Painter, id: ParamId, width: f32) -> String {
    let needed = |text: &str| label(painter, text).size().x;
    let is_clear = |text: &str| needed(text) + LABEL_GAP <= width;
    let short = SHORT_LABELS.iter().find(|(param, _)| *param == id).map_or(&[][..], |(_, labels)| labels);
    let whole = below_title(id);
    if is_clear(&whole) {
        return whole;
    }
    let mut last = short.iter().find(|text| is_clear(text)).or(short.last()).copied().unwrap_or(&whole);
    while let Some((start, _)) = last.rsplit_once(' ')
        && needed(last) > width
    {
        last = start;
    }
    last.to_owned()
}

/// The name without the words at its start that are in the title of its group: `Rattle contact` has `Stiffness`, not `Rattle contact
/// stiffness`. One word is left.
fn below_title(id: ParamId) -> String {
    let title = group_of(id).to_lowercase();
    let mut rest = id.spec().name;
    while let Some((word, after)) = rest.split_once(' ')
        // the title may be a plural
        && title.split(' ').any(|titled| titled.starts_with(&word.to_lowercase()))
    {
        rest = after;
    }
    let mut letters = rest.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Layout of a label.
pub fn label(painter: &Painter, name: &str) -> Arc<Galley> {
    painter.layout_no_wrap(name.to_owned(), theme::font(Face::Regular, Size::Label), Color32::WHITE)
}

/// Labels for columns that are too narrow for the name without the words of the title, from long to short.
#[rustfmt::skip]
const SHORT_LABELS: &[(ParamId, &[&str])] = &[
    (ParamId::Stage, &["Layout"]),
    (ParamId::Damping, &["Damp"]),
    (ParamId::Bending, &["Bending frequency", "Bending"]),
    (ParamId::Scatter, &["Bristle scatter", "Scatter"]),
    (ParamId::TipRadius, &["Tip"]),
    (ParamId::SpeedLow, &["Min speed", "Min"]),
    (ParamId::SpeedHigh, &["Max speed", "Max"]),
    (ParamId::VelocityCurve, &["Curve"]),
    (ParamId::StrikePosition, &["Position"]),
    (ParamId::StrikeAcross, &["Position Y", "Pos. Y"]),
    (ParamId::TrackHammer, &["Hammer mass", "Hammer"]),
    (ParamId::TrackStiffness, &["Contact stiffness", "Stiffness", "Stiff."]),
    (ParamId::TrackBody, &["Body mass", "Body"]),
    (ParamId::TrackDecay, &["Decay"]),
    (ParamId::MorphTo, &["Target"]),
    (ParamId::Inharmonicity, &["Inharmonic", "Inharm."]),
    (ParamId::Modes, &["Modes"]),
    (ParamId::Decay, &["Decay time", "Decay"]),
    (ParamId::Aspect, &["Aspect ratio", "Aspect"]),
    (ParamId::AirLoad, &["Air load"]),
    (ParamId::Split, &["Mode splitting", "Splitting", "Split"]),
    (ParamId::Irregularity, &["Irregularity", "Irregular", "Irreg."]),
    (ParamId::RatioPower, &["Partial stretch", "Stretch"]),
    (ParamId::Density, &["Density"]),
    (ParamId::DensityTune, &["Density tune", "Tune"]),
    (ParamId::Specimen, &["Spec."]),
    (ParamId::Thickness, &["Thick."]),
    (ParamId::Nonlinearity, &["Nonlinearity", "Nonlin."]),
    (ParamId::Edges, &["Edges"]),
    (ParamId::Dome, &["Dome"]),
    (ParamId::Dents, &["Dents"]),
    (ParamId::ResonantTune, &["Resonant tune", "Res. tune", "Tune"]),
    (ParamId::ResonantMass, &["Resonant mass", "Res. mass", "Mass"]),
    (ParamId::AirStiffness, &["Air stiffness", "Air"]),
    (ParamId::DrumDepth, &["Depth"]),
    (ParamId::PickupLeftHead, &["Left pickup", "Left"]),
    (ParamId::PickupRightHead, &["Right pickup", "Right"]),
    (ParamId::RattleHead, &["Rattle"]),
    (ParamId::SympatheticStrings, &["Sympathetic", "Symp."]),
    (ParamId::BridgeStiffness, &["Bridge"]),
    (ParamId::BoardMass, &["Board mass", "Mass"]),
    (ParamId::BoardDamping, &["Board damping", "Damping"]),
    (ParamId::FieldRadiation, &["Radiation"]),
    (ParamId::KnockDecay, &["Decay time", "Decay"]),
    (ParamId::KnockLoss, &["Loss"]),
    (ParamId::KnockLow, &["Lowest", "Low"]),
    (ParamId::KnockHigh, &["Highest", "High"]),
    (ParamId::ShellDecay, &["Decay time", "Decay"]),
    (ParamId::ShellLoss, &["Loss"]),
    (ParamId::ShellLow, &["Lowest", "Low"]),
    (ParamId::ShellHigh, &["Highest", "High"]),
    (ParamId::Material, &["Material"]),
    (ParamId::CornerTracking, &["Cutoff track", "Track"]),
    (ParamId::Resonator, &["Tube gain", "Tube"]),
    (ParamId::ResonatorLoss, &["Tube damping", "Tube damp", "T. damp"]),
    (ParamId::TubeCoupling, &["Coupl."]),
    (ParamId::TubeFlapRate, &["Rate"]),
    (ParamId::TubeFlapDepth, &["Depth"]),
    (ParamId::MonopoleLoss, &["Monopole", "Monop."]),
    (ParamId::DipoleLoss, &["Dipole"]),
    (ParamId::PickupLeft, &["Left"]),
    (ParamId::PickupLeftAcross, &["Left Y"]),
    (ParamId::PickupRight, &["Right"]),
    (ParamId::PickupRightAcross, &["Right Y"]),
    (ParamId::MonoBelow, &["Bass mono", "Bass"]),
    (ParamId::Legato, &["Legato level", "Legato"]),
    (ParamId::BendRange, &["Bend range", "Bend"]),
    (ParamId::WheelTarget, &["Wheel to"]),
    (ParamId::WheelAmount, &["Wheel"]),
    (ParamId::PressureTarget, &["Pressure to", "Press to"]),
    (ParamId::PressureAmount, &["Pressure"]),
    (ParamId::BrightnessTarget, &["Slide to"]),
    (ParamId::BrightnessAmount, &["Slide"]),
    (ParamId::ExpressionTarget, &["Expression to", "Expr to"]),
    (ParamId::ExpressionAmount, &["Expression", "Express"]),
    (ParamId::SoftPedal, &["Soft pedal", "Soft"]),
    (ParamId::HumanPosition, &["Position"]),
    (ParamId::HumanMass, &["Mass"]),
    (ParamId::Stretch, &["Stretch"]),
    (ParamId::Sounding, &["Keep pitch", "Keep"]),
    (ParamId::DriveApart, &["Spacing"]),
    (ParamId::DriveNotes, &["Notes"]),
    (ParamId::DriveFrequency, &["Freq."]),
    (ParamId::DriveTracking, &["Tracking", "Track"]),
    (ParamId::DriveStep, &["Step"]),
    (ParamId::DriveHighPass, &["High-p."]),
    (ParamId::DriveLowPass, &["Low-p."]),
    (ParamId::Follow, &["Depth"]),
    (ParamId::FollowAttack, &["Attack"]),
    (ParamId::FollowRelease, &["Release"]),
    (ParamId::Tether, &["Tether"]),
    (ParamId::TetherDamping, &["Tether damping", "Damping"]),
    (ParamId::RestHeight, &["Rest distance", "Rest dist.", "Rest"]),
    (ParamId::Hold, &["Press force", "Press"]),
    (ParamId::Gravity, &["Gravity"]),
    (ParamId::SpringBack, &["Return spring", "Spring"]),
    (ParamId::KeyStrikes, &["Strike"]),
    (ParamId::RattleAcross, &["Pos. Y"]),
    (ParamId::RattleFrequency, &["Reson."]),
    (ParamId::RattleStiffness, &["Stiff."]),
    (ParamId::RattleExponent, &["Expon."]),
    (ParamId::RattleLoss, &["Damp"]),
    (ParamId::RollSlope, &["Slope"]),
    (ParamId::RollGrain, &["Min wavelength", "Min wave", "Min"]),
    (ParamId::RollLength, &["Max wavelength", "Max wave", "Max"]),
    (ParamId::CloseLevel, &["Close level", "Close"]),
    (ParamId::OverheadLevel, &["Overhead level", "Overhead", "Over"]),
    (ParamId::OverheadHeight, &["Overhead height", "Height"]),
    (ParamId::OverheadSpacing, &["Overhead spacing", "Spacing", "Spac."]),
    (ParamId::FarLevel, &["Far level", "Far"]),
    (ParamId::FarDistance, &["Far distance", "Distance", "Dist."]),
    (ParamId::FarSpacing, &["Far spacing", "Spacing", "Spac."]),
    (ParamId::InstrumentX, &["Position X", "Pos. X"]),
    (ParamId::InstrumentY, &["Position Y", "Pos. Y"]),
    (ParamId::Quality, &["Quality"]),
    (ParamId::MpeBend, &["Bend range", "Bend"]),
    (ParamId::Bleed, &["Bleed"]),
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
        arc(painter, center, radius + RING, [travel, live], 2.0, theme::faint(ink, 0.55));
        painter.disc(on(center, radius + RING, live), 3.0, painter.ink.text, 0.0, painter.ink.text);
    }
    if response.has_focus() {
        painter.circle(center, radius + 9.0, theme::FOCUS, painter.ink.text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_leave_out_the_words_of_the_title() {
        let labels = |ids: &[ParamId]| ids.iter().map(|id| below_title(*id)).collect::<Vec<_>>();
        assert_eq!(
            labels(&[ParamId::RattleStiffness, ParamId::DriveHighPass, ParamId::Hardness]),
            ["Stiffness", "High-pass", "Hardness"]
        );
        assert_eq!(labels(&[ParamId::Playing, ParamId::Voices, ParamId::Gravity]), ["Mode", "Polyphony", "Hammer gravity"]);
    }

    #[test]
    fn short_labels_become_shorter() {
        for &(id, labels) in SHORT_LABELS {
            let whole = below_title(id);
            let lengths: Vec<_> = std::iter::once(whole.as_str()).chain(labels.iter().copied()).map(str::len).collect();
            assert!(lengths.is_sorted_by(|longer, shorter| longer > shorter), "{whole}: {labels:?}");
            assert!(SHORT_LABELS.iter().filter(|(other, _)| *other == id).count() == 1, "{whole} is there twice");
        }
    }
}
