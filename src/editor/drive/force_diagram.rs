//! The forces on the driven hammer as a diagram, and the trace of its recent motion.
//!
//! The diagram shows tether, signal, press force, gravity and the contact, with the obstacle behind the body. The trace shows the
//! last quarter of a second: the height of the hammer above the body, and the contact forces.

use egui::{Pos2, Rect, Ui, pos2, vec2};

use crate::editor::body_view;
use crate::editor::param_context::ParamContext;
use crate::editor::theme::{Face, Size};
use crate::editor::widgets::{Axis, Plot, Side, ThemePainter, button, title};
use urto_engine::params::ParamId;
use urto_engine::params::value_text::{show as shown, with_prefix};
use urto_engine::{POINT, POINTS, TracePoint};

/// Radius of the hammer, and half width of the body [px].
const RADIUS: f32 = 44.0;
const BODY: f32 = 150.0;
/// Pixels per rest distance, and maximum lift of the hammer [px].
const HEIGHT: f32 = 40.0;
const MAX_LIFT: f32 = 70.0;
/// Label of the rest distance.
const REST: &str = "rest distance";

/// Draws the diagram at the trace point `now`.
pub fn show(painter: &ThemePainter, rect: Rect, params: &ParamContext, now: TracePoint) {
    title(painter, rect, "Forces on the hammer", "");
    let x = rect.left() + 0.46 * rect.width();
    let scale = ((rect.height() - 120.0) / 320.0).clamp(0.6, 1.4);
    let (ceiling, body) = (rect.top() + 70.0, rect.top() + 70.0 + 300.0 * scale);
    let rest = params.value(ParamId::RestHeight);
    let unit = if rest > 0.0 { HEIGHT / rest as f32 } else { HEIGHT / 1e-3 };
    let lift = (now.height * unit).clamp(-8.0, MAX_LIFT);
    let center = pos2(x, body - RADIUS - lift);
    tether(painter, ceiling, center, params);
    for (offset, opacity) in [(-12.0, 0.30), (14.0, 0.30), (26.0, 0.18)] {
        painter.circle(center - vec2(0.0, offset), RADIUS, 1.2, painter.ink.force.gamma_multiply(opacity));
    }
    bodyline(painter, x, body, now);
    body_view::head(painter, center, RADIUS, params);
    if rest > 0.0 {
        gap(painter, center, body, rest);
    }
    signal(painter, center, now, params);
    constant_forces(painter, center, params);
    rattle(painter, pos2(x, body), params);
}

/// The spring between ceiling and hammer.
fn tether(painter: &ThemePainter, top: f32, center: Pos2, params: &ParamContext) {
    let stiffness = params.value(ParamId::Tether);
    if stiffness <= 0.0 {
        return;
    }
    let (x, end) = (center.x, center.y - RADIUS);
    painter.hatch(Rect::from_min_size(pos2(x - 34.0, top - 9.0), vec2(68.0, 8.0)), 6.0, 1.1, painter.ink.text3);
    painter.line(pos2(x - 34.0, top), pos2(x + 34.0, top), 2.2, painter.ink.text2);
    let (from, to, coils) = (top + 16.0, end - 14.0, 11);
    let mut points = vec![pos2(x, top), pos2(x, from)];
    points.extend((0..coils).map(|i| {
        let side = if i % 2 == 1 { 10.0 } else { -10.0 };
        pos2(x + side, from + (to - from) * (i as f32 + 0.5) / coils as f32)
    }));
    points.extend([pos2(x, to), pos2(x, end)]);
    painter.path(points, 1.8, painter.ink.text2);
    let name = painter.text(pos2(x + 26.0, top + 48.0), Side::Left, "tether", (Face::Regular, Size::Text, painter.ink.text2));
    let text = shown(ParamId::Tether.spec(), stiffness);
    painter.text(pos2(name.right() + 10.0, top + 48.0), Side::Left, &text, (Face::Medium, Size::Row, painter.ink.text));
}

/// The body, bent while in contact.
fn bodyline(painter: &ThemePainter, x: f32, y: f32, now: TracePoint) {
    let depth = if now.contact > 0.0 { 8.0 } else { 0.0 };
    let curve = |depth: f32| -> Vec<Pos2> {
        let point = |i: usize| {
            let t = i as f32 / 32.0;
            pos2(x - BODY + 2.0 * BODY * t, y + 4.0 * depth * t * (1.0 - t))
        };
        (0..=32).map(point).collect()
    };
    for (depth, opacity) in [(9.0, 0.55), (18.0, 0.3), (27.0, 0.15)] {
        painter.path(curve(depth), 1.2, painter.ink.body.gamma_multiply(opacity));
    }
    painter.path(curve(depth), 2.6, painter.ink.body);
    painter.text(pos2(x - BODY, y + 15.0), Side::Left, "body", (Face::Medium, Size::Text, painter.ink.body));
}

/// The rest distance as a dimension line.
fn gap(painter: &ThemePainter, center: Pos2, body: f32, rest: f64) {
    let x = center.x - 106.0;
    let top = body - HEIGHT;
    painter.dashed(&[pos2(x - 8.0, top), pos2(center.x - 20.0, top)], [2.0, 4.0], 1.0, painter.ink.text3);
    painter.line(pos2(x, top), pos2(x, body), 1.0, painter.ink.text3);
    let text = with_prefix(rest, "m");
    let label =
        painter.text(pos2(x - 10.0, 0.5 * (top + body) - 8.0), Side::Right, REST, (Face::Regular, Size::Text, painter.ink.text2));
    painter.text(pos2(label.right(), 0.5 * (top + body) + 10.0), Side::Right, &text, (Face::Medium, Size::Row, painter.ink.text));
}

/// The current force of the signal as an arrow.
fn signal(painter: &ThemePainter, center: Pos2, now: TracePoint, params: &ParamContext) {
    let x = center.x - RADIUS - 12.0;
    let gain = params.value(ParamId::DriveGain).max(1e-9);
    let part = (f64::from(now.push) / gain).clamp(-1.0, 1.0) as f32;
    // a positive force pushes towards the body, downward in the picture
    let length = 82.0 * part.abs().sqrt().max(0.12) * part.signum();
    if now.push != 0.0 {
        let (from, to) = (center.y - 0.5 * length, center.y + 0.5 * length);
        painter.arrow(pos2(x, from), pos2(x, to), 4.0, 14.0, painter.ink.force);
    }
    let (_, source) = crate::editor::param_controls::dropdown::chosen(ParamId::DriveSource, params);
    let at = pos2(x - 14.0, center.y - 4.0);
    painter.text(at, Side::Right, &source.to_lowercase(), (Face::Medium, Size::Text, painter.ink.force));
    let text = with_prefix(f64::from(now.push), "N");
    painter.text(at + vec2(0.0, 21.0), Side::Right, &text, (Face::SemiBold, Size::Reading, painter.ink.text));
}

/// Press force and gravity.
fn constant_forces(painter: &ThemePainter, center: Pos2, params: &ParamContext) {
    let weight = params.value(ParamId::HammerMass) * params.value(ParamId::Gravity);
    for (i, (name, force)) in [("press force", params.value(ParamId::Hold)), ("gravity", weight)].into_iter().enumerate() {
        let x = center.x + RADIUS + 14.0 + 92.0 * i as f32;
        let color = if force > 0.0 { painter.ink.text2 } else { painter.ink.line };
        painter.arrow(pos2(x, center.y - 8.0), pos2(x, center.y + 36.0), 2.4, 9.0, color);
        painter.text(pos2(x + 13.0, center.y + 8.0), Side::Left, name, (Face::Regular, Size::Text, painter.ink.text2));
        let text = with_prefix(force, "N");
        let style = (Face::Medium, Size::Row, if force > 0.0 { painter.ink.text } else { painter.ink.text3 });
        painter.text(pos2(x + 13.0, center.y + 27.0), Side::Left, &text, style);
    }
}

/// The obstacle that the body can touch from behind.
fn rattle(painter: &ThemePainter, body: Pos2, params: &ParamContext) {
    let (kind, name) = crate::editor::param_controls::dropdown::chosen(ParamId::Rattle, params);
    if kind == 0 {
        return;
    }
    let at = body + vec2(BODY - 44.0, 34.0);
    if kind == 1 {
        painter.line(at - vec2(30.0, 0.0), at + vec2(30.0, 0.0), 2.2, painter.ink.text2);
        painter.hatch(Rect::from_min_size(at + vec2(-30.0, 1.0), vec2(60.0, 8.0)), 6.0, 1.1, painter.ink.text3);
    } else {
        painter.disc(at, 9.0, painter.ink.bg, 1.8, painter.ink.body);
    }
    let text = format!("{} rattle, gap {}", name.to_lowercase(), with_prefix(params.value(ParamId::RattleGap), "m"));
    painter.text(at + vec2(34.0, 20.0), Side::Right, &text, (Face::Regular, Size::Text, painter.ink.text2));
}

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

/// Draws the column of the trace and handles input.
pub fn trace(ui: &Ui, rect: Rect, params: &ParamContext, points: &[TracePoint], frozen: &mut bool) {
    let painter = ThemePainter::new(ui);
    let contacts = contacts(points);
    let about = if contacts.len() == 1 { "1 contact".to_owned() } else { format!("{} contacts", contacts.len()) };
    title(&painter, rect, &format!("Last {:.0} ms", 1e3 * POINT * POINTS as f64), &about);
    let freeze = Rect::from_min_size(pos2(rect.right() - 94.0, rect.top() + 16.0), vec2(70.0, 28.0));
    if button::toggle(ui, freeze, "Freeze", *frozen).clicked() {
        *frozen = !*frozen;
    }
    let inside = Rect::from_min_max(rect.min + vec2(68.0, 74.0), rect.max - vec2(24.0, 38.0));
    let part = 0.62 * inside.height();
    let upper = inside.with_max_y(inside.top() + part);
    let lower = inside.with_min_y(upper.bottom() + 34.0);
    heights(&painter, upper, points, params.value(ParamId::RestHeight));
    forces(&painter, lower, points, &contacts);
}

fn time(rect: Rect) -> Axis {
    Axis::over(0.0, POINT * POINTS as f64, "s", rect.width())
}

/// Time [s] of point `i` of `count`; the last point is at the end.
fn when(i: usize, count: usize) -> f64 {
    POINT * (POINTS - count + i) as f64
}

fn heights(painter: &ThemePainter, rect: Rect, points: &[TracePoint], rest: f64) {
    let highest = points.iter().map(|point| f64::from(point.height)).fold(1.5 * rest, f64::max).max(1e-5);
    let deepest = points.iter().map(|point| f64::from(point.height)).fold(-0.15 * highest, f64::min);
    let plot = Plot::new(rect, time(rect), Axis::over(deepest, highest, "m", rect.height()));
    plot.paint(painter, true);
    let floor = plot.at(0.0, 0.0).y;
    painter.rect(Rect::from_min_max(pos2(rect.left() + 1.0, floor), rect.max), 0.0, painter.ink.body.gamma_multiply(0.14));
    painter.line(pos2(rect.left(), floor), pos2(rect.right(), floor), 2.0, painter.ink.body);
    painter.text(pos2(rect.left() + 8.0, floor + 14.0), Side::Left, "body", (Face::Regular, Size::Label, painter.ink.body));
    if rest > 0.0 {
        let y = plot.at(0.0, rest).y;
        painter.dashed(&[pos2(rect.left(), y), pos2(rect.right(), y)], [6.0, 4.0], 1.3, painter.ink.text2);
        painter.text(pos2(rect.right(), y - 9.0), Side::Right, REST, painter.label());
    }
    let curve: Vec<_> =
        points.iter().enumerate().map(|(i, point)| plot.at(when(i, points.len()), f64::from(point.height))).collect();
    if curve.len() > 1 {
        painter.inside(rect.expand(2.0)).path(curve, 1.7, painter.ink.text);
    }
}

fn forces(painter: &ThemePainter, rect: Rect, points: &[TracePoint], contacts: &[(usize, f32)]) {
    let strongest = contacts.iter().map(|contact| f64::from(contact.1)).fold(0.0, f64::max);
    let strongest = if strongest > 0.0 { strongest } else { 10.0 };
    let plot = Plot::new(rect, time(rect), Axis::over(0.0, 1.05 * strongest, "N", rect.height()));
    plot.paint(painter, true);
    painter.text(pos2(rect.right(), rect.top() + 2.0), Side::Right, "contact force", painter.label());
    for &(i, force) in contacts {
        let top = plot.at(when(i, points.len()), f64::from(force));
        painter.line(pos2(top.x, rect.bottom()), top, 2.4, painter.ink.force);
        painter.disc(top, 3.0, painter.ink.force, 0.0, painter.ink.force);
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
