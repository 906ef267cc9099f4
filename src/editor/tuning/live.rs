//! What a hand does now: a bar for the newest note, a tick for each of the others.

use egui::{Rect, pos2, vec2};

use crate::editor::widgets::ThemePainter;
use urto_engine::telemetry::{ControllerReading, ControllerReadings};

/// Size of a bar, and width of a tick.
const BAR: [f32; 2] = [64.0, 6.0];
const TICK: f32 = 2.0;
/// What is nearer to rest than this is at rest.
const REST: f32 = 0.004;

/// A gesture as a bar shows it: 0 to 1, or -1 to 1 where it goes either way.
pub type Reading = fn(&ControllerReading, f32) -> f32;

/// Draws the bar at `left` in the middle of `row`. `wide`: semitones of a whole bend; `either`: it goes either way.
pub fn show(pen: &ThemePainter, row: Rect, left: f32, hands: &ControllerReadings, (reading, either): (Reading, bool), wide: f32) {
    let readings: Vec<f32> = hands.iter().map(|gesture| reading(gesture, wide)).collect();
    bar(pen, row, left, &readings, either);
}

/// Draws the bar of `readings`, the newest first.
pub fn bar(pen: &ThemePainter, row: Rect, left: f32, readings: &[f32], either: bool) {
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
