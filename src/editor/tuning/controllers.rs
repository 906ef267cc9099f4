//! What hands, pedals and channels do to a hit: which knob each of them moves, and how far.

use egui::{Rect, Ui, pos2, vec2};

use crate::editor::param_context::ParamContext;
use crate::editor::param_controls::dropdown;
use crate::editor::param_controls::param_row;
use crate::editor::param_controls::slider;
use crate::editor::param_controls::value_entry;
use crate::editor::theme;
use crate::editor::theme::{Face, Hue, Size};
use crate::editor::tuning::page_state::{Now, title};
use crate::editor::widgets::Way;
use crate::editor::widgets::button;
use crate::editor::widgets::icon;
use crate::editor::widgets::{Side, ThemePainter};
use crate::host_params::value_text;
use urto_engine::HitPulse;
use urto_engine::params::{ParamId, Scale};
use urto_engine::telemetry::{ControllerReading, ControllerReadings};

/// A gesture: its name, how it shows what a hand does and whether it goes either way, what it drives where that is chosen, how far.
type Gesture = (&'static str, Option<(Reading, bool)>, Option<ParamId>, ParamId);

const GESTURES: [Gesture; 8] = [
    ("Velocity", None, None, ParamId::VelocityCurve),
    ("Wheel", Some((|hand, _| hand.wheel, false)), Some(ParamId::WheelTarget), ParamId::WheelAmount),
    ("Pressure", Some((|hand, _| hand.pressure, false)), Some(ParamId::PressureTarget), ParamId::PressureAmount),
    ("Slide, CC 74", Some((|hand, _| hand.brightness, true)), Some(ParamId::BrightnessTarget), ParamId::BrightnessAmount),
    ("Expression", Some((|hand, _| hand.expression, true)), Some(ParamId::ExpressionTarget), ParamId::ExpressionAmount),
    ("Pitch bend", Some((|hand, wide| hand.bend / wide.max(1.0), true)), None, ParamId::BendRange),
    ("Soft pedal", Some((|hand, _| hand.soft, false)), None, ParamId::SoftPedal),
    ("Release velocity", None, None, ParamId::ReleaseVelocity),
];
/// What the others drive.
const FIXED: [(ParamId, &str); 4] = [
    (ParamId::VelocityCurve, "Hammer speed"),
    (ParamId::BendRange, "Pitch"),
    (ParamId::SoftPedal, "Speed, hardness"),
    (ParamId::ReleaseVelocity, "Damping time"),
];
/// Lines below, in two columns.
const LINES: [(ParamId, &str); 7] = [
    (ParamId::MpeBend, "MPE bend"),
    (ParamId::Playing, "Voices"),
    (ParamId::Voices, "Polyphony"),
    (ParamId::Release, "Released key"),
    (ParamId::ReleaseTime, "Damping time"),
    (ParamId::Legato, "Legato strike"),
    (ParamId::Glide, "Glide"),
];
/// Where the columns begin, as parts of the width, and the width of the zones of MPE.
const COLUMNS: [f32; 4] = [0.0, 0.253, 0.40, 0.715];
const ZONES: f32 = 224.0;
/// Height of a gesture's line, at most.
const LINE: f32 = 46.0;

/// Size of a bar, and width of a tick.
const BAR: [f32; 2] = [64.0, 6.0];
const TICK: f32 = 2.0;
/// What is nearer to rest than this is at rest.
const REST: f32 = 0.004;

/// A gesture as a bar shows it: 0 to 1, or -1 to 1 where it goes either way.
type Reading = fn(&ControllerReading, f32) -> f32;

/// Draws the half and follows the player.
pub fn show(ui: &mut Ui, rect: Rect, desk: &mut ParamContext, now: &Now) {
    let room = rect.with_max_x(rect.right() - ZONES - theme::MARGIN);
    title(&ThemePainter::new(ui), room, "MPE and touch", "what a hand does to the hit");
    zone(ui, rect, desk);
    let inside = rect.shrink2(vec2(24.0, 0.0));
    let below = LINES.len().div_ceil(2) as f32 * param_row::HEIGHT;
    let top = inside.top() + 56.0;
    let line = ((rect.bottom() - 24.0 - below - top - 24.0) / GESTURES.len() as f32).min(LINE);
    let columns = COLUMNS.map(|part| inside.left() + part * inside.width());
    let pen = ThemePainter::new(ui);
    for (x, name) in columns.into_iter().zip(["Gesture", "Live", "Drives", "Amount"]) {
        pen.text(pos2(x, top + 4.0), Side::Left, name, pen.label());
    }
    for (i, gesture) in GESTURES.into_iter().enumerate() {
        let row = Rect::from_min_size(pos2(inside.left(), top + 18.0 + line * i as f32), vec2(inside.width(), line));
        if i > 0 {
            ThemePainter::new(ui).hline(row.x_range(), row.top(), pen.ink.hair);
        }
        one(ui, row, columns, gesture, (&mut *desk, now));
    }
    let bottom = rect.bottom() - below - 12.0;
    ThemePainter::new(ui).hline(inside.x_range(), bottom - 6.0, pen.ink.hair);
    let half = 0.5 * (inside.width() - 32.0);
    for (i, knob) in LINES.into_iter().enumerate() {
        let left = inside.left() + (half + 32.0) * (i % 2) as f32;
        let row = Rect::from_min_size(pos2(left, bottom + param_row::HEIGHT * (i / 2) as f32), vec2(half, param_row::HEIGHT));
        param_row::knob(ui, row, knob, i > 1, desk);
    }
}

/// Which channels carry one note each.
fn zone(ui: &Ui, rect: Rect, desk: &mut ParamContext) {
    let Scale::Choice(names) = ParamId::Mpe.knob().scale else { return };
    let place = Rect::from_min_size(pos2(rect.right() - theme::MARGIN - ZONES, rect.top() + 16.0), vec2(ZONES, 28.0));
    let now = desk.value(ParamId::Mpe) as usize;
    let next = button::segments(ui, place, "MPE", names, now, Hue::Plain);
    if next != now {
        desk.jump(ParamId::Mpe, desk.knobs.travel_of(ParamId::Mpe, next as f64));
    }
}

/// How hard the last hit was, over the range of speeds.
fn hardness(desk: &ParamContext, now: &Now) -> Vec<f32> {
    let (low, high) = (desk.value(ParamId::SpeedLow), desk.value(ParamId::SpeedHigh));
    let part = |hit: &HitPulse| ((hit.velocity_in / low).ln() / (high / low).ln()).clamp(0.0, 1.0) as f32;
    now.last.map(part).into_iter().collect()
}

/// One gesture.
fn one(
    ui: &mut Ui,
    row: Rect,
    columns: [f32; 4],
    (name, reading, target, amount): Gesture,
    (desk, now): (&mut ParamContext, &Now),
) {
    let pen = ThemePainter::new(ui);
    let y = row.center().y;
    pen.text(pos2(columns[0], y), Side::Left, name, (Face::Regular, Size::Value, pen.ink.text));
    match reading {
        Some(reading) => {
            let wide = desk.value(ParamId::BendRange).max(if desk.value(ParamId::Mpe) > 0.0 {
                desk.value(ParamId::MpeBend)
            } else {
                0.0
            });
            live_bar(&pen, row, columns[1], now.hands, reading, wide as f32);
        }
        None if amount == ParamId::VelocityCurve => bar(&pen, row, columns[1], &hardness(desk, now), false),
        None => {}
    }
    let half = (0.5 * row.height() - 1.0).min(15.0);
    let field = Rect::from_min_max(pos2(columns[2], y - half), pos2(columns[3] - 22.0, y + half));
    match target {
        Some(target) => {
            dropdown::field_of(ui, field, target, desk);
            let (_, word) = dropdown::chosen(target, desk);
            let pen = ThemePainter::new(ui);
            pen.text(pos2(field.left() + 10.0, y), Side::Left, word, (Face::Regular, Size::Text, pen.ink.text));
            icon::chevron(&pen, pos2(field.right() - 14.0, y), Way::Down, 4.0, pen.ink.text2);
        }
        None => {
            let word = FIXED.iter().find(|(id, _)| *id == amount).map_or("", |(_, word)| word);
            pen.text(pos2(field.left() + 10.0, y), Side::Left, word, (Face::Regular, Size::Text, pen.ink.text2));
        }
    }
    let value = Rect::from_min_max(pos2(row.right() - 64.0, y - 10.0), pos2(row.right(), y + 10.0));
    let hue = if amount == ParamId::BendRange { Hue::Body } else { Hue::Force };
    slider::show(ui, pos2(columns[3] + 8.0, y), value.left() - columns[3] - 24.0, amount, hue, desk);
    let text = value_text::show(amount.knob(), desk.value(amount));
    value_entry::show(ui, value, amount, &text, desk);
}

/// Draws the bar at `left` in the middle of `row`. `wide`: semitones of a whole bend; `either`: it goes either way.
fn live_bar(pen: &ThemePainter, row: Rect, left: f32, hands: &ControllerReadings, (reading, either): (Reading, bool), wide: f32) {
    let readings: Vec<f32> = hands.iter().map(|gesture| reading(gesture, wide)).collect();
    bar(pen, row, left, &readings, either);
}

/// Draws the bar of `readings`, the newest first.
fn bar(pen: &ThemePainter, row: Rect, left: f32, readings: &[f32], either: bool) {
    let ink = pen.ink;
    let rect = Rect::from_min_size(pos2(left, row.center().y - 0.5 * BAR[1]), vec2(BAR[0], BAR[1]));
    let x = |value: f32| {
        let part = if either { 0.5 + 0.5 * value } else { value };
        rect.left() + rect.width() * part.clamp(0.0, 1.0)
    };
    pen.rect(rect, 1.0, ink.raised);
    let Some((newest, others)) = readings.split_first() else { return };
    if newest.abs() > REST {
        let (from, to) = (x(0.0).min(x(*newest)), x(0.0).max(x(*newest)));
        pen.rect(Rect::from_x_y_ranges(from..=to, rect.y_range()), 1.0, ink.text2);
    }
    let tick = |value: f32, reach: f32, color| {
        let middle = pos2(x(value).clamp(rect.left() + 1.0, rect.right() - 1.0), rect.center().y);
        pen.rect(Rect::from_center_size(middle, vec2(TICK, rect.height() + reach)), 0.0, color);
    };
    for value in others {
        tick(*value, 0.0, ink.text3);
    }
    if either {
        tick(*newest, 4.0, ink.text);
    }
}
