//! The trace of the driven hammer over the last quarter of a second: its height above the body, and the contact forces.

use egui::{Rect, Ui, pos2, vec2};

use crate::editor::param_context::ParamContext;
use crate::editor::theme::{Face, Size};
use crate::editor::widgets::button;
use crate::editor::widgets::{Axis, Plot};
use crate::editor::widgets::{Side, ThemePainter, title};
use urto_engine::params::ParamId;
use urto_engine::{POINT, POINTS, TracePoint};

/// Contacts as (index, force) of the peak of every run of points with a force.
fn contacts(points: &[TracePoint]) -> Vec<(usize, f32)> {
    let mut found: Vec<(usize, f32)> = Vec::new();
    let mut touching = false;
    for (i, point) in points.iter().enumerate() {
        match (point.contact > 0.0, touching) {
            (true, false) => found.push((i, point.contact)),
            (true, true) => {
                if let Some(last) = found.last_mut().filter(|last| point.contact > last.1) {
                    *last = (i, point.contact);
                }
            }
            _ => {}
        }
        touching = point.contact > 0.0;
    }
    found
}

/// Draws the column and handles input.
pub fn show(ui: &Ui, rect: Rect, params: &ParamContext, points: &[TracePoint], frozen: &mut bool) {
    let pen = ThemePainter::new(ui);
    let contacts = contacts(points);
    let about = if contacts.len() == 1 { "1 contact".to_owned() } else { format!("{} contacts", contacts.len()) };
    title(&pen, rect, &format!("Last {:.0} ms", 1e3 * POINT * POINTS as f64), &about);
    let freeze = Rect::from_min_size(pos2(rect.right() - 94.0, rect.top() + 16.0), vec2(70.0, 28.0));
    if button::show(ui, freeze, "Freeze", *frozen).clicked() {
        *frozen = !*frozen;
    }
    let inside = Rect::from_min_max(rect.min + vec2(68.0, 74.0), rect.max - vec2(24.0, 38.0));
    let part = 0.62 * inside.height();
    let upper = inside.with_max_y(inside.top() + part);
    let lower = inside.with_min_y(upper.bottom() + 34.0);
    heights(&pen, upper, points, params.value(ParamId::RestHeight));
    forces(&pen, lower, points, &contacts);
}

fn time(rect: Rect) -> Axis {
    Axis::over(0.0, POINT * POINTS as f64, "s", rect.width())
}

/// Time [s] of point `i` of `count`; the last point is at the end.
fn when(i: usize, count: usize) -> f64 {
    POINT * (POINTS - count + i) as f64
}

fn heights(pen: &ThemePainter, rect: Rect, points: &[TracePoint], rest: f64) {
    let highest = points.iter().map(|point| f64::from(point.height)).fold(1.5 * rest, f64::max).max(1e-5);
    let deepest = points.iter().map(|point| f64::from(point.height)).fold(-0.15 * highest, f64::min);
    let plot = Plot::new(rect, time(rect), Axis::over(deepest, highest, "m", rect.height()));
    plot.paint(pen, true);
    let floor = plot.at(0.0, 0.0).y;
    pen.rect(Rect::from_min_max(pos2(rect.left() + 1.0, floor), rect.max), 0.0, pen.ink.body.gamma_multiply(0.14));
    pen.line(pos2(rect.left(), floor), pos2(rect.right(), floor), 2.0, pen.ink.body);
    pen.text(pos2(rect.left() + 8.0, floor + 14.0), Side::Left, "body", (Face::Regular, Size::Label, pen.ink.body));
    if rest > 0.0 {
        let y = plot.at(0.0, rest).y;
        pen.dashed(&[pos2(rect.left(), y), pos2(rect.right(), y)], [6.0, 4.0], 1.3, pen.ink.text2);
        pen.text(pos2(rect.right(), y - 9.0), Side::Right, &ParamId::RestHeight.spec().name.to_lowercase(), pen.label());
    }
    let curve: Vec<_> =
        points.iter().enumerate().map(|(i, point)| plot.at(when(i, points.len()), f64::from(point.height))).collect();
    if curve.len() > 1 {
        pen.inside(rect.expand(2.0)).path(curve, 1.7, pen.ink.text);
    }
}

fn forces(pen: &ThemePainter, rect: Rect, points: &[TracePoint], contacts: &[(usize, f32)]) {
    let strongest = contacts.iter().map(|contact| f64::from(contact.1)).fold(0.0, f64::max);
    let strongest = if strongest > 0.0 { strongest } else { 10.0 };
    let plot = Plot::new(rect, time(rect), Axis::over(0.0, 1.05 * strongest, "N", rect.height()));
    plot.paint(pen, true);
    pen.text(pos2(rect.right(), rect.top() + 2.0), Side::Right, "contact force", pen.label());
    for &(i, force) in contacts {
        let top = plot.at(when(i, points.len()), f64::from(force));
        pen.line(pos2(top.x, rect.bottom()), top, 2.4, pen.ink.force);
        pen.disc(top, 3.0, pen.ink.force, 0.0, pen.ink.force);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_contact_counts_once_with_its_peak() {
        let forces = [0.0, 1.0, 3.0, 2.0, 0.0, 0.0, 5.0, 0.0];
        let points: Vec<_> = forces.iter().map(|&contact| TracePoint { contact, ..TracePoint::default() }).collect();
        assert_eq!(contacts(&points), [(2, 3.0), (6, 5.0)]);
    }
}
