//! What hands, pedals and channels do to a hit: which knob each of them moves, and how far.

use egui::{Rect, Ui, pos2, vec2};

use crate::editor::param_context::Desk;
use crate::editor::param_controls::dropdown;
use crate::editor::param_controls::param_row;
use crate::editor::param_controls::slider;
use crate::editor::param_controls::value_entry::Entry;
use crate::editor::theme;
use crate::editor::theme::{Face, Hue, Size};
use crate::editor::tuning::live;
use crate::editor::tuning::live::Reading;
use crate::editor::tuning::{Now, title};
use crate::editor::widgets::button;
use crate::editor::widgets::icon;
use crate::editor::widgets::icon::Way;
use crate::editor::widgets::painter::{Pen, Side};
use crate::host_params::value_text;
use urto_engine::HitPulse;
use urto_engine::params::table::{KnobId, Scale};

/// A gesture: its name, how it shows what a hand does and whether it goes either way, what it drives where that is chosen, how far.
type Gesture = (&'static str, Option<(Reading, bool)>, Option<KnobId>, KnobId);

const GESTURES: [Gesture; 8] = [
    ("Velocity", None, None, KnobId::VelocityCurve),
    ("Wheel", Some((|hand, _| hand.wheel, false)), Some(KnobId::WheelTarget), KnobId::WheelAmount),
    ("Pressure", Some((|hand, _| hand.pressure, false)), Some(KnobId::PressureTarget), KnobId::PressureAmount),
    ("Slide, CC 74", Some((|hand, _| hand.brightness, true)), Some(KnobId::BrightnessTarget), KnobId::BrightnessAmount),
    ("Expression", Some((|hand, _| hand.expression, true)), Some(KnobId::ExpressionTarget), KnobId::ExpressionAmount),
    ("Pitch bend", Some((|hand, wide| hand.bend / wide.max(1.0), true)), None, KnobId::BendRange),
    ("Soft pedal", Some((|hand, _| hand.soft, false)), None, KnobId::SoftPedal),
    ("Release velocity", None, None, KnobId::ReleaseVelocity),
];
/// What the others drive.
const FIXED: [(KnobId, &str); 4] = [
    (KnobId::VelocityCurve, "Hammer speed"),
    (KnobId::BendRange, "Pitch"),
    (KnobId::SoftPedal, "Speed, hardness"),
    (KnobId::ReleaseVelocity, "Damping time"),
];
/// Lines below, in two columns.
const LINES: [(KnobId, &str); 7] = [
    (KnobId::MpeBend, "MPE bend"),
    (KnobId::Playing, "Voices"),
    (KnobId::Voices, "Polyphony"),
    (KnobId::Release, "Released key"),
    (KnobId::ReleaseTime, "Damping time"),
    (KnobId::Legato, "Legato strike"),
    (KnobId::Glide, "Glide"),
];
/// Where the columns begin, as parts of the width, and the width of the zones of MPE.
const COLUMNS: [f32; 4] = [0.0, 0.253, 0.40, 0.715];
const ZONES: f32 = 224.0;
/// Height of a gesture's line, at most.
const LINE: f32 = 46.0;

/// Draws the half and follows the player.
pub fn show(ui: &mut Ui, rect: Rect, desk: &mut Desk, now: &Now) {
    let room = rect.with_max_x(rect.right() - ZONES - theme::MARGIN);
    title(&Pen::new(ui), room, "MPE and touch", "what a hand does to the hit");
    zone(ui, rect, desk);
    let inside = rect.shrink2(vec2(24.0, 0.0));
    let below = LINES.len().div_ceil(2) as f32 * param_row::HEIGHT;
    let top = inside.top() + 56.0;
    let line = ((rect.bottom() - 24.0 - below - top - 24.0) / GESTURES.len() as f32).min(LINE);
    let columns = COLUMNS.map(|part| inside.left() + part * inside.width());
    let pen = Pen::new(ui);
    for (x, name) in columns.into_iter().zip(["Gesture", "Live", "Drives", "Amount"]) {
        pen.text(pos2(x, top + 4.0), Side::Left, name, pen.label());
    }
    for (i, gesture) in GESTURES.into_iter().enumerate() {
        let row = Rect::from_min_size(pos2(inside.left(), top + 18.0 + line * i as f32), vec2(inside.width(), line));
        if i > 0 {
            Pen::new(ui).hline(row.x_range(), row.top(), pen.ink.hair);
        }
        one(ui, row, columns, gesture, (&mut *desk, now));
    }
    let bottom = rect.bottom() - below - 12.0;
    Pen::new(ui).hline(inside.x_range(), bottom - 6.0, pen.ink.hair);
    let half = 0.5 * (inside.width() - 32.0);
    for (i, knob) in LINES.into_iter().enumerate() {
        let left = inside.left() + (half + 32.0) * (i % 2) as f32;
        let row = Rect::from_min_size(pos2(left, bottom + param_row::HEIGHT * (i / 2) as f32), vec2(half, param_row::HEIGHT));
        param_row::knob(ui, row, knob, i > 1, desk);
    }
}

/// Which channels carry one note each.
fn zone(ui: &Ui, rect: Rect, desk: &mut Desk) {
    let Scale::Choice(names) = KnobId::Mpe.knob().scale else { return };
    let place = Rect::from_min_size(pos2(rect.right() - theme::MARGIN - ZONES, rect.top() + 16.0), vec2(ZONES, 28.0));
    let now = desk.value(KnobId::Mpe) as usize;
    let next = button::segments(ui, place, "MPE", names, now, Hue::Plain);
    if next != now {
        desk.jump(KnobId::Mpe, desk.knobs.travel_of(KnobId::Mpe, next as f64));
    }
}

/// How hard the last hit was, over the range of speeds.
fn hardness(desk: &Desk, now: &Now) -> Vec<f32> {
    let (low, high) = (desk.value(KnobId::SpeedLow), desk.value(KnobId::SpeedHigh));
    let part = |hit: &HitPulse| ((hit.velocity_in / low).ln() / (high / low).ln()).clamp(0.0, 1.0) as f32;
    now.last.map(part).into_iter().collect()
}

/// One gesture.
fn one(ui: &mut Ui, row: Rect, columns: [f32; 4], (name, reading, target, amount): Gesture, (desk, now): (&mut Desk, &Now)) {
    let pen = Pen::new(ui);
    let y = row.center().y;
    pen.text(pos2(columns[0], y), Side::Left, name, (Face::Regular, Size::Value, pen.ink.text));
    match reading {
        Some(reading) => {
            let wide =
                desk.value(KnobId::BendRange).max(if desk.value(KnobId::Mpe) > 0.0 { desk.value(KnobId::MpeBend) } else { 0.0 });
            live::show(&pen, row, columns[1], now.hands, reading, wide as f32);
        }
        None if amount == KnobId::VelocityCurve => live::bar(&pen, row, columns[1], &hardness(desk, now), false),
        None => {}
    }
    let half = (0.5 * row.height() - 1.0).min(15.0);
    let field = Rect::from_min_max(pos2(columns[2], y - half), pos2(columns[3] - 22.0, y + half));
    match target {
        Some(target) => {
            dropdown::field_of(ui, field, target, desk);
            let (_, word) = dropdown::chosen(target, desk);
            let pen = Pen::new(ui);
            pen.text(pos2(field.left() + 10.0, y), Side::Left, word, (Face::Regular, Size::Text, pen.ink.text));
            icon::chevron(&pen, pos2(field.right() - 14.0, y), Way::Down, 4.0, pen.ink.text2);
        }
        None => {
            let word = FIXED.iter().find(|(id, _)| *id == amount).map_or("", |(_, word)| word);
            pen.text(pos2(field.left() + 10.0, y), Side::Left, word, (Face::Regular, Size::Text, pen.ink.text2));
        }
    }
    let value = Rect::from_min_max(pos2(row.right() - 64.0, y - 10.0), pos2(row.right(), y + 10.0));
    let hue = if amount == KnobId::BendRange { Hue::Body } else { Hue::Force };
    slider::show(ui, pos2(columns[3] + 8.0, y), value.left() - columns[3] - 24.0, amount, hue, desk);
    let text = value_text::show(amount.knob(), desk.value(amount));
    Entry::show(ui, value, amount, &text, desk);
}
