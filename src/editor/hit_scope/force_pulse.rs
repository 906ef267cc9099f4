//! The force pulse: contact force over time.

use egui::{Pos2, Rect, pos2, vec2};

use crate::editor::theme;
use crate::editor::theme::{Face, Size, faint};
use crate::editor::widgets::{Axis, Plot};
use crate::editor::widgets::{DASHED, Side, ThemePainter};
use crate::host_params::value_text::with_prefix;
use urto_engine::HitPulse;
use urto_engine::telemetry::HitPoint;

/// Draws the pulse with its peak and contact time, and the compared hit dashed.
pub fn show(pen: &ThemePainter, rect: Rect, hit: Option<&HitPulse>, other: Option<&HitPulse>) {
    let both = || hit.into_iter().chain(other);
    let largest = |of: fn(&HitPulse) -> f64, empty: f64| {
        both().map(of).fold(None, |a: Option<f64>, b| Some(a.map_or(b, |a| a.max(b)))).unwrap_or(empty)
    };
    let (duration, peak) = (largest(|hit| hit.duration, 2e-3), largest(|hit| hit.peak_force, 100.0));
    let plot = Plot::new(
        rect,
        Axis::over(0.0, 1.25 * duration, "s", 0.6 * rect.width()),
        Axis::over(0.0, 1.05 * peak, "N", rect.height()),
    );
    plot.paint(pen, true);
    let Some(hit) = hit else {
        pen.text(rect.center(), Side::Center, "Play a note, or click the body.", (Face::Regular, Size::Row, pen.ink.text2));
        return;
    };
    let line = curve(&plot, hit);
    let ink = pen.ink.force;
    pen.fill_to(&line, plot.at(0.0, 0.0).y, [faint(ink, 0.55), faint(ink, 0.16)]);
    if let Some(other) = other {
        pen.dashed(&curve(&plot, other), DASHED, 1.6, pen.ink.text2);
    }
    pen.path(line, theme::CURVE, ink);
    peak_of(pen, &plot, hit);
    contact_time(pen, &plot, hit);
}

fn curve(plot: &Plot, hit: &HitPulse) -> Vec<Pos2> {
    hit.points().iter().map(|point| plot.at(f64::from(point.time), f64::from(point.force))).collect()
}

/// Marks the peak, with its value at the right edge.
fn peak_of(pen: &ThemePainter, plot: &Plot, hit: &HitPulse) {
    let top = hit.points().iter().copied().fold(HitPoint::default(), |a, b| if b.force > a.force { b } else { a });
    let at = plot.at(f64::from(top.time), f64::from(top.force));
    let style = (Face::Medium, Size::Text, pen.ink.text);
    let shown =
        pen.text(pos2(plot.inner().right(), at.y), Side::Right, &format!("peak {}", with_prefix(hit.peak_force, "N")), style);
    pen.hline(at.x..=(shown.left() - 10.0).max(at.x), at.y, pen.ink.text3);
    pen.disc(at, 3.6, pen.ink.bg, 2.0, pen.ink.force);
}

/// A dimension line over the contact time.
fn contact_time(pen: &ThemePainter, plot: &Plot, hit: &HitPulse) {
    let y = plot.inner().bottom() - 9.0;
    let (left, right) = (plot.at(0.0, 0.0).x, plot.at(hit.duration, 0.0).x);
    pen.hline(left + 1.0..=right - 1.0, y, pen.ink.text);
    for (x, side) in [(left, 1.0), (right, -1.0)] {
        let tip = pos2(x, y);
        pen.polygon(vec![tip, tip + vec2(7.0 * side, -3.0), tip + vec2(7.0 * side, 3.0)], pen.ink.text, 0.0, pen.ink.text);
    }
    let text = with_prefix(hit.duration, "s");
    pen.text(pos2(0.5 * (left + right), y - 11.0), Side::Center, &text, (Face::Medium, Size::Label, pen.ink.text));
}
