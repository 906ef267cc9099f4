//! What hands, pedals and channels do to a hit: which knob each of them moves, and how far.

use egui::{Rect, Ui, pos2, vec2};

use super::title;
use crate::editor::choice;
use crate::editor::desk::Desk;
use crate::editor::entry::Entry;
use crate::editor::icon::{self, Way};
use crate::editor::pen::{Pen, Side};
use crate::editor::rows;
use crate::editor::slider;
use crate::editor::theme::{Face, Hue, Size};
use crate::engine::knob::KnobId;
use crate::params::quantity;

/// A gesture: its name, what it drives where that is chosen, how far.
type Gesture = (&'static str, Option<KnobId>, KnobId);

const GESTURES: [Gesture; 7] = [
    ("Wheel", Some(KnobId::WheelTarget), KnobId::WheelAmount),
    ("Pressure", Some(KnobId::PressureTarget), KnobId::PressureAmount),
    ("Slide, CC 74", Some(KnobId::BrightnessTarget), KnobId::BrightnessAmount),
    ("Expression", Some(KnobId::ExpressionTarget), KnobId::ExpressionAmount),
    ("Pitch bend", None, KnobId::BendRange),
    ("Soft pedal", None, KnobId::SoftPedal),
    ("Release velocity", None, KnobId::ReleaseVelocity),
];
/// What the others drive.
const FIXED: [(KnobId, &str); 3] =
    [(KnobId::BendRange, "Pitch"), (KnobId::SoftPedal, "Speed and hardness"), (KnobId::ReleaseVelocity, "Damping time")];
/// Lines below, in two columns.
const LINES: [(KnobId, &str); 8] = [
    (KnobId::Mpe, "MPE zone"),
    (KnobId::MpeBend, "MPE bend"),
    (KnobId::Playing, "Voices"),
    (KnobId::Voices, "Polyphony"),
    (KnobId::Release, "Released key"),
    (KnobId::ReleaseTime, "Damping time"),
    (KnobId::Legato, "Legato strike"),
    (KnobId::Glide, "Glide"),
];
/// Height of a gesture's line, at most.
const LINE: f32 = 46.0;

/// Draws the half and follows the player.
pub fn show(ui: &mut Ui, rect: Rect, desk: &mut Desk) {
    title(&Pen::new(ui), rect, "MPE and touch", "what a hand does to the hit");
    let inside = rect.shrink2(vec2(24.0, 0.0));
    let below = 0.5 * LINES.len() as f32 * rows::HEIGHT;
    let top = inside.top() + 56.0;
    let line = ((rect.bottom() - 24.0 - below - top - 24.0) / GESTURES.len() as f32).min(LINE);
    let columns = [0.0, 0.30, 0.66].map(|part| inside.left() + part * inside.width());
    let pen = Pen::new(ui);
    for (x, name) in columns.into_iter().zip(["Gesture", "Drives", "Amount"]) {
        pen.text(pos2(x, top + 4.0), Side::Left, name, pen.label());
    }
    for (i, gesture) in GESTURES.into_iter().enumerate() {
        let row = Rect::from_min_size(pos2(inside.left(), top + 18.0 + line * i as f32), vec2(inside.width(), line));
        if i > 0 {
            Pen::new(ui).hline(row.x_range(), row.top(), pen.ink.hair);
        }
        one(ui, row, columns, gesture, desk);
    }
    let bottom = rect.bottom() - below - 12.0;
    Pen::new(ui).hline(inside.x_range(), bottom - 6.0, pen.ink.hair);
    let half = 0.5 * (inside.width() - 32.0);
    for (i, knob) in LINES.into_iter().enumerate() {
        let left = inside.left() + (half + 32.0) * (i % 2) as f32;
        let row = Rect::from_min_size(pos2(left, bottom + rows::HEIGHT * (i / 2) as f32), vec2(half, rows::HEIGHT));
        rows::knob(ui, row, knob, i > 1, desk);
    }
}

/// One gesture.
fn one(ui: &mut Ui, row: Rect, columns: [f32; 3], (name, target, amount): Gesture, desk: &mut Desk) {
    let pen = Pen::new(ui);
    let y = row.center().y;
    pen.text(pos2(columns[0], y), Side::Left, name, (Face::Regular, Size::Value, pen.ink.text));
    let half = (0.5 * row.height() - 1.0).min(15.0);
    let field = Rect::from_min_max(pos2(columns[1], y - half), pos2(columns[2] - 20.0, y + half));
    match target {
        Some(target) => {
            choice::field_of(ui, field, target, desk);
            let (_, word) = choice::chosen(target, desk);
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
    slider::show(ui, pos2(columns[2] + 4.0, y), value.left() - columns[2] - 22.0, amount, hue, desk);
    let text = quantity::show(amount.knob(), desk.value(amount));
    Entry::show(ui, value, amount, &text, desk);
}
