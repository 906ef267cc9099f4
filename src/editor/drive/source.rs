//! What pushes: a choice of sources, their force over time, and what is done to it on its way.

use egui::{Rect, Ui, pos2, vec2};

use super::title;
use crate::editor::button;
use crate::editor::choice;
use crate::editor::desk::Desk;
use crate::editor::pen::{Pen, Side};
use crate::editor::plot::{Axis, Plot};
use crate::editor::rows;
use crate::editor::theme::{Face, Hue, Size};
use crate::engine::knob::{KnobId, SOURCES};
use crate::engine::{POINT, POINTS, TracePoint};

/// Lines below the plot.
const LINES: [(KnobId, &str); 5] = [
    (KnobId::DriveHighPass, "High-pass"),
    (KnobId::DriveLowPass, "Low-pass"),
    (KnobId::DriveStep, "Step"),
    (KnobId::DriveChannels, "Channels"),
    (KnobId::DriveNotes, "Notes"),
];
/// Least height of the plot [px].
const LEAST: f32 = 36.0;
/// Sources in the first row.
const FIRST: usize = 4;

/// Draws the column and follows the player.
pub fn show(ui: &mut Ui, rect: Rect, desk: &mut Desk, points: &[TracePoint], level: f32) {
    title(&Pen::new(ui), rect, "Source", "force on the hammer");
    let inside = rect.shrink2(vec2(24.0, 0.0));
    let (chosen, _) = choice::chosen(KnobId::DriveSource, desk);
    for (i, names) in [&SOURCES[..FIRST], &SOURCES[FIRST..]].into_iter().enumerate() {
        let row = Rect::from_min_size(inside.min + vec2(0.0, 54.0 + 34.0 * i as f32), vec2(inside.width(), 30.0));
        let here = chosen.wrapping_sub(FIRST * i);
        let next = button::segments(ui, row, ["Source", "Source, more"][i], names, here, Hue::Force);
        if next != here {
            desk.jump(KnobId::DriveSource, desk.knobs.travel_of(KnobId::DriveSource, (FIRST * i + next) as f64));
        }
    }
    let lines = if desk.small { 3 } else { LINES.len() + 1 };
    let top = inside.top() + 150.0;
    let bottom = rect.bottom() - lines as f32 * rows::HEIGHT - 12.0;
    let plot = Rect::from_min_max(pos2(inside.left() + 34.0, top), pos2(inside.right(), (bottom - 28.0).max(top + 24.0)));
    // a low window has no room for it
    if plot.height() >= LEAST {
        force(&Pen::new(ui), plot, points, desk.value(KnobId::DriveGain));
    }
    for i in 0..lines {
        let line = Rect::from_min_size(pos2(inside.left(), bottom + i as f32 * rows::HEIGHT), vec2(inside.width(), rows::HEIGHT));
        match i.checked_sub(1).map(|i| LINES[i]) {
            None => input(&Pen::new(ui), line, level),
            Some(knob) => rows::knob(ui, line, knob, true, desk),
        }
    }
}

fn input(pen: &Pen, line: Rect, level: f32) {
    let text = if level > -100.0 { format!("{level:.1} dB").replace('-', "−") } else { "silent".to_owned() };
    rows::told(pen, line, "Side-chain", (&text, ""), false);
}

/// Force of the signal over the last points.
fn force(pen: &Pen, rect: Rect, points: &[TracePoint], gain: f64) {
    let strongest = points.iter().map(|point| f64::from(point.push.abs())).fold(0.2 * gain, f64::max).max(1e-3);
    let time = POINT * POINTS as f64;
    let plot = Plot::new(rect, Axis::over(0.0, time, "s", rect.width()), Axis::over(-strongest, strongest, "N", rect.height()));
    plot.paint(pen, true);
    let begin = POINTS - points.len();
    let at = |(i, point): (usize, &TracePoint)| plot.at(POINT * (begin + i) as f64, f64::from(point.push));
    let curve: Vec<_> = points.iter().enumerate().map(at).collect();
    if curve.len() > 1 {
        pen.path(curve, 1.8, pen.ink.force);
    } else {
        let text = "Gain above 0 N lets the source push.";
        pen.text(rect.center(), Side::Center, text, (Face::Regular, Size::Text, pen.ink.text2));
    }
}
