//! The last hit: its force over time, force and velocity over compression, its numbers, where its energy went.

use egui::epaint::Mesh;
use egui::{Align2, Color32, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, pos2, vec2};

use super::plot::{Axis, Plot};
use super::theme::{self, Face, Size};
use crate::engine::HitPulse;
use crate::engine::hit::HitPoint;
use crate::params::quantity::{figures, with_prefix};

/// Force over time, with the contact time as a dimension line and the peak named.
pub fn pulse(painter: &Painter, rect: Rect, hit: Option<&HitPulse>) {
    let (duration, peak) = hit.map_or((2e-3, 100.0), |hit| (hit.duration, hit.peak_force));
    let plot = Plot::new(rect, Axis::over(0.0, 1.12 * duration, "s"), Axis::over(0.0, peak, "N"));
    plot.paint(painter);
    let Some(hit) = hit else {
        let font = theme::font(Face::Regular, Size::Row);
        let text = painter.layout_no_wrap("Play a note, or click here.".to_owned(), font, theme::TEXT2);
        let place = Align2::CENTER_CENTER.anchor_size(plot.inner().center(), text.size());
        painter.rect_filled(place.expand2(vec2(12.0, 6.0)), 0.0, theme::BG);
        painter.galley(place.min, text, theme::TEXT2);
        return;
    };
    let curve: Vec<Pos2> = hit.points().iter().map(|p| plot.at(f64::from(p.time), f64::from(p.force))).collect();
    fill_below(painter, &plot, &curve);
    painter.line(curve, Stroke::new(theme::CURVE, theme::FORCE));

    let top = hit.points().iter().copied().fold(HitPoint::default(), |a, b| if b.force > a.force { b } else { a });
    let at = plot.at(f64::from(top.time), f64::from(top.force));
    let end = plot.inner().right();
    let font = theme::font(Face::SemiBold, Size::Value);
    let label = painter.layout_no_wrap(format!("peak {}", with_prefix(hit.peak_force, "N")), font.clone(), theme::TEXT);
    painter.hline(at.x + 5.0..=end - label.size().x - 8.0, at.y, Stroke::new(theme::HAIRLINE, theme::LINE));
    painter.galley(pos2(end - label.size().x, at.y - 0.5 * label.size().y), label, theme::TEXT);
    painter.circle(at, 4.0, theme::BG, Stroke::new(1.5, theme::FORCE));

    let y = plot.inner().bottom() - 12.0;
    dimension(painter, [plot.at(0.0, 0.0).x, plot.at(hit.duration, 0.0).x], y);
    let middle = plot.at(0.5 * hit.duration, 0.0).x;
    painter.text(pos2(middle, y - 4.0), Align2::CENTER_BOTTOM, with_prefix(hit.duration, "s"), font, theme::TEXT);
}

/// A strip from the curve down to the axis, darker towards it.
fn fill_below(painter: &Painter, plot: &Plot, curve: &[Pos2]) {
    let mut mesh = Mesh::default();
    let floor = plot.inner().bottom();
    for (i, &point) in curve.iter().enumerate() {
        mesh.colored_vertex(point, theme::faint(theme::FORCE, 0.55));
        mesh.colored_vertex(pos2(point.x, floor), theme::faint(theme::FORCE, 0.16));
        if i > 0 {
            let last = 2 * i as u32;
            mesh.add_triangle(last - 2, last - 1, last);
            mesh.add_triangle(last - 1, last, last + 1);
        }
    }
    painter.add(Shape::mesh(mesh));
}

fn dimension(painter: &Painter, [left, right]: [f32; 2], y: f32) {
    let line = Stroke::new(theme::HAIRLINE, theme::TEXT);
    painter.hline(left..=right, y, line);
    for (x, side) in [(left, 1.0), (right, -1.0)] {
        let tip = pos2(x, y);
        let head = vec![tip, tip + vec2(6.0 * side, -3.0), tip + vec2(6.0 * side, 3.0)];
        painter.add(Shape::convex_polygon(head, theme::TEXT, Stroke::NONE));
    }
}

/// What is drawn over compression.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Loop {
    /// Force: the area inside is lost.
    Force,
    /// Velocity, from the filled point to the hollow one.
    Velocity,
}

/// Force or velocity over compression.
pub fn over_compression(painter: &Painter, rect: Rect, hit: Option<&HitPulse>, what: Loop) {
    let title = if what == Loop::Force { "Force over compression" } else { "Velocity over compression" };
    painter.text(rect.min, Align2::LEFT_TOP, title, theme::font(Face::Regular, Size::Label), theme::TEXT2);
    let rect = rect.with_min_y(rect.top() + 20.0);
    let depth = hit.map_or(1e-3, |hit| hit.max_compression);
    let y = match (what, hit) {
        (Loop::Force, hit) => Axis::over(0.0, hit.map_or(100.0, |hit| hit.peak_force), "N"),
        (_, Some(hit)) => Axis::over(hit.velocity_out.min(0.0), hit.velocity_in, "m/s"),
        (_, None) => Axis::over(-2.0, 2.0, "m/s"),
    };
    let plot = Plot::new(rect, Axis::over(0.0, depth, "m"), y);
    plot.paint(painter);
    let Some(hit) = hit else { return };
    let value = |p: &HitPoint| f64::from(if what == Loop::Force { p.force } else { p.velocity });
    let curve: Vec<Pos2> = hit.points().iter().map(|p| plot.at(f64::from(p.compression), value(p))).collect();
    if what == Loop::Force {
        fill_between(painter, hit, &plot);
    }
    let (Some(&first), Some(&last)) = (curve.first(), curve.last()) else { return };
    painter.line(curve, Stroke::new(theme::CURVE, theme::FORCE));
    if what == Loop::Velocity {
        painter.circle_filled(first, 3.5, theme::FORCE);
        painter.circle(last, 3.5, theme::BG, Stroke::new(1.5, theme::FORCE));
    }
}

/// The area between loading and unloading, in strips.
fn fill_between(painter: &Painter, hit: &HitPulse, plot: &Plot) {
    let points = hit.points();
    let deepest = (0..points.len()).fold(0, |a, b| if points[b].compression > points[a].compression { b } else { a });
    let (loading, unloading) = (&points[..=deepest], &points[deepest..]);
    let mut mesh = Mesh::default();
    let color = theme::faint(theme::FORCE, 0.22);
    const STRIPS: u32 = 48;
    for i in 0..=STRIPS {
        let depth = points[deepest].compression * i as f32 / STRIPS as f32;
        for branch in [loading, unloading] {
            mesh.colored_vertex(plot.at(f64::from(depth), f64::from(force_at(branch, depth))), color);
        }
        if i > 0 {
            let last = 2 * i;
            mesh.add_triangle(last - 2, last - 1, last);
            mesh.add_triangle(last - 1, last, last + 1);
        }
    }
    painter.add(Shape::mesh(mesh));
}

/// Force of a branch at a compression, 0 where the branch does not reach.
fn force_at(branch: &[HitPoint], depth: f32) -> f32 {
    let between = |pair: &&[HitPoint]| (pair[0].compression - depth) * (pair[1].compression - depth) <= 0.0;
    branch.windows(2).find(between).map_or(0.0, |pair| {
        let span = pair[1].compression - pair[0].compression;
        let part = if span == 0.0 { 0.0 } else { (depth - pair[0].compression) / span };
        pair[0].force + part * (pair[1].force - pair[0].force)
    })
}

/// The hit's numbers, three in a row, between hairlines.
pub fn numbers(painter: &Painter, rect: Rect, hit: Option<&HitPulse>) {
    let of = |read: fn(&HitPulse) -> String| hit.map_or_else(|| "–".to_owned(), read);
    let cells: [(&str, &str, String); 6] = [
        ("v", "in", of(|hit| with_prefix(hit.velocity_in, "m/s"))),
        ("v", "out", of(|hit| with_prefix(hit.velocity_out.abs(), "m/s"))),
        ("e", "", of(|hit| if hit.velocity_in > 0.0 { figures(-hit.velocity_out / hit.velocity_in) } else { "–".into() })),
        ("τ", "", of(|hit| with_prefix(hit.duration, "s"))),
        ("F", "max", of(|hit| with_prefix(hit.peak_force, "N"))),
        ("x", "max", of(|hit| with_prefix(hit.max_compression, "m"))),
    ];
    let (width, height) = (rect.width() / 3.0, rect.height() / 2.0);
    for (i, (letter, sub, value)) in cells.iter().enumerate() {
        let corner = rect.min + vec2((i % 3) as f32 * width, (i / 3) as f32 * height);
        if i % 3 > 0 {
            let line = Stroke::new(theme::HAIRLINE, theme::HAIR);
            painter.vline(corner.x - 8.0, corner.y..=corner.y + height - 10.0, line);
        }
        symbol(painter, corner, letter, sub);
        let (number, unit) = value.split_once(' ').unwrap_or((value, ""));
        let font = theme::font(Face::Medium, Size::Reading);
        let shown = painter.text(corner + vec2(0.0, 20.0), Align2::LEFT_TOP, number, font, theme::TEXT);
        let at = pos2(shown.right() + 5.0, shown.bottom() - 1.5);
        painter.text(at, Align2::LEFT_BOTTOM, unit, theme::font(Face::Regular, Size::Tick), theme::TEXT3);
    }
}

/// A letter with an index.
fn symbol(painter: &Painter, at: Pos2, letter: &str, sub: &str) {
    let font = theme::font(Face::Symbol, Size::Row);
    let shown = painter.text(at, Align2::LEFT_TOP, letter, font, theme::TEXT2);
    let mut small = theme::font(Face::Regular, Size::Tick);
    small.size *= 0.85;
    painter.text(pos2(shown.right() + 1.0, shown.bottom() + 2.0), Align2::LEFT_BOTTOM, sub, small, theme::TEXT2);
}

/// Where the hammer's energy went: it keeps (solid), the body rings (outlined), the contact loses (hatched).
pub fn ledger(painter: &Painter, rect: Rect, hit: Option<&HitPulse>) {
    let title = theme::font(Face::SemiBold, Size::Text);
    painter.text(rect.min, Align2::LEFT_TOP, "Where the energy went", title, theme::TEXT);
    let bar = Rect::from_min_size(rect.min + vec2(0.0, 24.0), vec2(rect.width(), 14.0));
    let parts = hit.map_or([0.0; 3], |hit| [hit.energy_hammer, hit.energy_body, hit.energy_contact_loss].map(|e| e.max(0.0)));
    let total: f64 = parts.iter().sum();
    if total <= 0.0 {
        painter.rect_stroke(bar, 0.0, Stroke::new(theme::HAIRLINE, theme::HAIR), StrokeKind::Inside);
    }
    let mut left = bar.left();
    let (width, column) = (bar.width() - 4.0, rect.width() / 3.0);
    for (i, (name, energy)) in ["Hammer", "Body", "Contact loss"].into_iter().zip(parts).enumerate() {
        let part = if total > 0.0 { (energy / total) as f32 } else { 0.0 };
        let span = Rect::from_min_max(pos2(left, bar.top()), pos2(left + width * part, bar.bottom()));
        left = span.right() + 2.0;
        if part > 0.0 {
            form(painter, span, i);
        }
        let corner = pos2(rect.left() + i as f32 * column, bar.bottom() + 12.0);
        form(painter, Rect::from_min_size(corner + vec2(0.0, 4.0), vec2(9.0, 9.0)), i);
        let label = theme::font(Face::Regular, Size::Tick);
        painter.text(corner + vec2(15.0, 0.0), Align2::LEFT_TOP, name, label.clone(), theme::TEXT2);
        if hit.is_some() {
            let percent = format!("{:.0} %", 100.0 * part);
            let font = theme::font(Face::Medium, Size::Value);
            let shown = painter.text(corner + vec2(15.0, 17.0), Align2::LEFT_TOP, percent, font, theme::TEXT);
            let at = pos2(shown.right() + 6.0, shown.bottom() - 1.0);
            painter.text(at, Align2::LEFT_BOTTOM, with_prefix(energy, "J"), label, theme::TEXT3);
        }
    }
}

/// The form of one part of the ledger: solid, outlined, hatched.
fn form(painter: &Painter, span: Rect, part: usize) {
    match part {
        0 => drop(painter.rect_filled(span, 0.0, theme::FORCE)),
        1 => {
            painter.rect_filled(span, 0.0, theme::faint(theme::BODY, 0.32));
            painter.rect_stroke(span, 0.0, Stroke::new(1.5, theme::BODY), StrokeKind::Inside);
        }
        _ => hatch(painter, span, theme::TEXT3),
    }
}

fn hatch(painter: &Painter, span: Rect, color: Color32) {
    let painter = painter.with_clip_rect(span.intersect(painter.clip_rect()));
    let height = span.height();
    let mut x = span.left() - height;
    while x < span.right() {
        painter.line_segment([pos2(x, span.bottom()), pos2(x + height, span.top())], Stroke::new(1.5, color));
        x += 4.5;
    }
}
