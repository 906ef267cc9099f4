//! Controllers: which parameter each of them moves, by how much, and their current values; the readings that the page shows.

use egui::{Rect, Ui, pos2, vec2};

use crate::editor::param_context::ParamContext;
use crate::editor::param_controls::{dropdown, param_row, value_entry};
use crate::editor::theme;
use crate::editor::theme::{Face, Hue, Size};
use crate::editor::widgets::{Side, ThemePainter, Way, button, icon, title};
use urto_engine::HitPulse;
use urto_engine::params::value_text;
use urto_engine::params::{ParamId, Scale};
use urto_engine::telemetry::{ControllerReading, ControllerReadings};
use urto_engine::tuning::KeyFrequencies;

/// Readings that the tuning page shows.
pub struct TuningReadings<'a> {
    /// The last hit.
    pub last: Option<&'a HitPulse>,
    /// Controller values of the held notes.
    pub controllers: &'a ControllerReadings,
    /// The tuning of an MTS-ESP master, while one is running.
    pub master: Option<KeyFrequencies>,
}

/// A controller: name, display function and polarity, target parameter if it can be chosen, amount parameter.
type Controller = (&'static str, Option<(Reading, bool)>, Option<ParamId>, ParamId);

const CONTROLLERS: [Controller; 8] = [
    ("Velocity", None, None, ParamId::VelocityCurve),
    ("Mod wheel", Some((|reading, _| reading.wheel, false)), Some(ParamId::WheelTarget), ParamId::WheelAmount),
    ("Pressure", Some((|reading, _| reading.pressure, false)), Some(ParamId::PressureTarget), ParamId::PressureAmount),
    ("Slide, CC 74", Some((|reading, _| reading.brightness, true)), Some(ParamId::BrightnessTarget), ParamId::BrightnessAmount),
    ("Expression", Some((|reading, _| reading.expression, true)), Some(ParamId::ExpressionTarget), ParamId::ExpressionAmount),
    ("Pitch bend", Some((|reading, wide| reading.bend / wide.max(1.0), true)), None, ParamId::BendRange),
    ("Soft pedal", Some((|reading, _| reading.soft, false)), None, ParamId::SoftPedal),
    ("Release velocity", None, None, ParamId::ReleaseVelocity),
];
/// Fixed targets of the others.
const FIXED: [(ParamId, &str); 4] = [
    (ParamId::VelocityCurve, "Hammer speed"),
    (ParamId::BendRange, "Pitch"),
    (ParamId::SoftPedal, "Speed, hardness"),
    (ParamId::ReleaseVelocity, "Release time"),
];
/// Rows below, in two columns.
const LINES: [(ParamId, &str); 7] = [
    (ParamId::MpeBend, "MPE bend"),
    (ParamId::Playing, "Voice mode"),
    (ParamId::Voices, "Polyphony"),
    (ParamId::Release, "Release mode"),
    (ParamId::ReleaseTime, "Release time"),
    (ParamId::Legato, "Legato strike level"),
    (ParamId::Glide, "Glide time"),
];
/// Left edges of the columns, as parts of the width, and width of the MPE zone switch.
const COLUMNS: [f32; 4] = [0.0, 0.253, 0.40, 0.715];
const ZONES: f32 = 224.0;
/// Width of the switch to the learned controllers beside it, which a small window does not have.
const SWITCH: f32 = 190.0;
/// Greatest height of a controller's row.
const LINE: f32 = 46.0;

/// Size of a bar, and width of a tick.
const BAR: [f32; 2] = [64.0, 6.0];
const TICK: f32 = 2.0;
/// Values below this are not drawn.
const REST: f32 = 0.004;

/// The displayed value of a controller: 0 to 1, or -1 to 1 if bipolar.
type Reading = fn(&ControllerReading, f32) -> f32;

/// Draws the right half of the page.
pub fn show(ui: &mut Ui, rect: Rect, context: &mut ParamContext, now: &TuningReadings) {
    let beside = ZONES + theme::MARGIN + if context.small { 0.0 } else { SWITCH };
    let room = rect.with_max_x(rect.right() - beside);
    title(&ThemePainter::new(ui), room, "Controllers", "what each controller changes");
    zone(ui, rect, context);
    let inside = rect.shrink2(vec2(24.0, 0.0));
    let below = LINES.len().div_ceil(2) as f32 * param_row::HEIGHT;
    let top = inside.top() + 56.0;
    let line = ((rect.bottom() - 24.0 - below - top - 24.0) / CONTROLLERS.len() as f32).min(LINE);
    let columns = COLUMNS.map(|part| inside.left() + part * inside.width());
    let painter = ThemePainter::new(ui);
    for (x, name) in columns.into_iter().zip(["Controller", "Live", "Drives", "Amount"]) {
        painter.text(pos2(x, top + 4.0), Side::Left, name, painter.label());
    }
    for (i, gesture) in CONTROLLERS.into_iter().enumerate() {
        let row = Rect::from_min_size(pos2(inside.left(), top + 18.0 + line * i as f32), vec2(inside.width(), line));
        if i > 0 {
            ThemePainter::new(ui).hline(row.x_range(), row.top(), painter.ink.hair);
        }
        one(ui, row, columns, gesture, (&mut *context, now));
    }
    let bottom = rect.bottom() - below - 12.0;
    ThemePainter::new(ui).hline(inside.x_range(), bottom - 6.0, painter.ink.hair);
    let half = 0.5 * (inside.width() - 32.0);
    for (i, spec) in LINES.into_iter().enumerate() {
        let left = inside.left() + (half + 32.0) * (i % 2) as f32;
        let row = Rect::from_min_size(pos2(left, bottom + param_row::HEIGHT * (i / 2) as f32), vec2(half, param_row::HEIGHT));
        param_row::show(ui, row, spec, i > 1, context);
    }
}

/// The MPE zone: which channels carry one note each.
fn zone(ui: &Ui, rect: Rect, context: &mut ParamContext) {
    let Scale::Choice(names) = ParamId::Mpe.spec().scale else { return };
    let place = Rect::from_min_size(pos2(rect.right() - theme::MARGIN - ZONES, rect.top() + 16.0), vec2(ZONES, 28.0));
    let now = context.value(ParamId::Mpe) as usize;
    let next = button::segments(ui, place, "MPE", names, now, Hue::Plain);
    if next != now {
        context.jump(ParamId::Mpe, context.params.travel_of(ParamId::Mpe, next as f64));
    }
}

/// Strike speed of the last hit on a logarithmic scale, 0 to 1 over the range of speeds.
fn hardness(context: &ParamContext, now: &TuningReadings) -> Vec<f32> {
    let (low, high) = (context.value(ParamId::SpeedLow), context.value(ParamId::SpeedHigh));
    let part = |hit: &HitPulse| ((hit.velocity_in / low).ln() / (high / low).ln()).clamp(0.0, 1.0) as f32;
    now.last.map(part).into_iter().collect()
}

/// The row of one controller.
fn one(
    ui: &mut Ui,
    row: Rect,
    columns: [f32; 4],
    (name, reading, target, amount): Controller,
    (context, now): (&mut ParamContext, &TuningReadings),
) {
    let painter = ThemePainter::new(ui);
    let y = row.center().y;
    painter.text(pos2(columns[0], y), Side::Left, name, (Face::Regular, Size::Value, painter.ink.text));
    match reading {
        Some(reading) => {
            let wide = context.value(ParamId::BendRange).max(if context.value(ParamId::Mpe) > 0.0 {
                context.value(ParamId::MpeBend)
            } else {
                0.0
            });
            live_bar(&painter, row, columns[1], now.controllers, reading, wide as f32);
        }
        None if amount == ParamId::VelocityCurve => bar(&painter, row, columns[1], &hardness(context, now), false),
        None => {}
    }
    let half = (0.5 * row.height() - 1.0).min(15.0);
    let field = Rect::from_min_max(pos2(columns[2], y - half), pos2(columns[3] - 22.0, y + half));
    match target {
        Some(target) => {
            dropdown::field_of(ui, field, target, context);
            let (_, word) = dropdown::chosen(target, context);
            let painter = ThemePainter::new(ui);
            painter.text(pos2(field.left() + 10.0, y), Side::Left, word, (Face::Regular, Size::Text, painter.ink.text));
            icon::chevron(&painter, pos2(field.right() - 14.0, y), Way::Down, 4.0, painter.ink.text2);
        }
        None => {
            let word = FIXED.iter().find(|(id, _)| *id == amount).map_or("", |(_, word)| word);
            painter.text(pos2(field.left() + 10.0, y), Side::Left, word, (Face::Regular, Size::Text, painter.ink.text2));
        }
    }
    let value = Rect::from_min_max(pos2(row.right() - 64.0, y - 10.0), pos2(row.right(), y + 10.0));
    let hue = if amount == ParamId::BendRange { Hue::Body } else { Hue::Force };
    param_row::slider(ui, pos2(columns[3] + 8.0, y), value.left() - columns[3] - 24.0, amount, hue, context);
    let text = value_text::show(amount.spec(), context.value(amount));
    value_entry::show(ui, value, amount, &text, context);
}

/// Draws the bar of a controller at `left` in `row`. `wide`: bend range in semitones; `either`: bipolar.
fn live_bar(
    painter: &ThemePainter,
    row: Rect,
    left: f32,
    controllers: &ControllerReadings,
    (reading, either): (Reading, bool),
    wide: f32,
) {
    let readings: Vec<f32> = controllers.iter().map(|gesture| reading(gesture, wide)).collect();
    bar(painter, row, left, &readings, either);
}

/// Draws a bar for the newest of `readings` (the first), and a tick for each of the others.
fn bar(painter: &ThemePainter, row: Rect, left: f32, readings: &[f32], either: bool) {
    let ink = painter.ink;
    let rect = Rect::from_min_size(pos2(left, row.center().y - 0.5 * BAR[1]), vec2(BAR[0], BAR[1]));
    let x = |value: f32| {
        let part = if either { 0.5 + 0.5 * value } else { value };
        rect.left() + rect.width() * part.clamp(0.0, 1.0)
    };
    painter.rect(rect, 1.0, ink.raised);
    let Some((newest, others)) = readings.split_first() else { return };
    if newest.abs() > REST {
        let (from, to) = (x(0.0).min(x(*newest)), x(0.0).max(x(*newest)));
        painter.rect(Rect::from_x_y_ranges(from..=to, rect.y_range()), 1.0, ink.text2);
    }
    let tick = |value: f32, reach: f32, color| {
        let middle = pos2(x(value).clamp(rect.left() + 1.0, rect.right() - 1.0), rect.center().y);
        painter.rect(Rect::from_center_size(middle, vec2(TICK, rect.height() + reach)), 0.0, color);
    };
    for value in others {
        tick(*value, 0.0, ink.text3);
    }
    if either {
        tick(*newest, 4.0, ink.text);
    }
}
