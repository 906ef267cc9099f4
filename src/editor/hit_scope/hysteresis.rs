//! Hysteresis loops: force and velocity over compression, beside the closed form for a rigid wall.

use egui::epaint::Mesh;
use egui::{Pos2, Rect, pos2};

use crate::editor::theme::{Face, Size, faint};
use crate::editor::widgets::{Axis, DASHED, DOTTED, Plot, Side, ThemePainter};
use urto_engine::HitPulse;
use urto_engine::telemetry::HitPoint;
use urto_physics::contact::{ContactLaw, RigidImpact};

/// Strips that fill a loop, and points of the closed form.
const STRIPS: u32 = 48;
const POINTS: usize = 96;
/// Length of an arrow head on a branch [px].
const HEAD: f32 = 8.0;

/// The larger value of both hits, or `empty` if there is none above 0.
fn largest(hits: [Option<&HitPulse>; 2], of: fn(&HitPulse) -> f64, empty: f64) -> f64 {
    let highest = hits.into_iter().flatten().map(of).fold(0.0, f64::max);
    if highest > 0.0 { highest } else { empty }
}

fn curve(plot: &Plot, hit: &HitPulse, value: fn(&HitPoint) -> f32) -> Vec<Pos2> {
    hit.points().iter().map(|point| plot.at(f64::from(point.compression), f64::from(value(point)))).collect()
}

/// Draws force over compression; the enclosed area is the energy lost in the contact.
pub fn force(painter: &ThemePainter, rect: Rect, hit: Option<&HitPulse>, other: Option<&HitPulse>) {
    let depth = 1.2 * largest([hit, other], |hit| hit.max_compression, 1e-3);
    let peak = 1.05 * largest([hit, other], |hit| hit.peak_force, 100.0);
    let plot = Plot::new(rect, Axis::over(0.0, depth, "m", 0.6 * rect.width()), Axis::over(0.0, peak, "N", rect.height()));
    plot.paint(painter, false);
    let Some(hit) = hit else { return };
    inside(painter, &plot, hit);
    if let Some(other) = other {
        painter.dashed(&curve(&plot, other, |point| point.force), DASHED, 1.4, painter.ink.text2);
    }
    let line = curve(&plot, hit, |point| point.force);
    for part in [0.28, 0.70] {
        heading(painter, &line, part);
    }
    painter.path(line, 2.2, painter.ink.force);
}

/// An arrow head at the fraction `part` of a line.
fn heading(painter: &ThemePainter, line: &[Pos2], part: f32) {
    let i = (part * line.len() as f32) as usize;
    let (Some(&a), Some(&b)) = (line.get(i), line.get(i + 2)) else { return };
    if a.distance(b) > 0.5 {
        painter.arrow(b - 0.01 * (b - a), b + 0.5 * HEAD * (b - a).normalized(), 0.0, HEAD, painter.ink.force);
    }
}

/// Fills the area between loading and unloading with strips.
fn inside(painter: &ThemePainter, plot: &Plot, hit: &HitPulse) {
    let points = hit.points();
    let deepest = (0..points.len()).fold(0, |a, b| if points[b].compression > points[a].compression { b } else { a });
    let (loading, unloading) = (&points[..=deepest], &points[deepest..]);
    let mut mesh = Mesh::default();
    let color = faint(painter.ink.force, 0.22);
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
    painter.mesh(mesh);
}

/// Force of a branch at a compression; 0 outside of the branch.
fn force_at(branch: &[HitPoint], depth: f32) -> f32 {
    let between = |pair: &&[HitPoint]| (pair[0].compression - depth) * (pair[1].compression - depth) <= 0.0;
    branch.windows(2).find(between).map_or(0.0, |pair| {
        let span = pair[1].compression - pair[0].compression;
        let part = if span == 0.0 { 0.0 } else { (depth - pair[0].compression) / span };
        pair[0].force + part * (pair[1].force - pair[0].force)
    })
}

/// The same impact on a rigid wall; none if its contact law has no closed form.
fn rigid(hit: &HitPulse) -> Option<RigidImpact> {
    let ContactLaw::HuntCrossley(law) = hit.law else { return None };
    let (stiffness, exponent, damping) = (law.stiffness(), law.exponent(), law.damping());
    let sound = hit.velocity_in > 0.0 && hit.mass > 0.0 && stiffness > 0.0;
    sound.then_some(RigidImpact { mass: hit.mass, stiffness, exponent, damping, velocity: hit.velocity_in })
}

/// Draws velocity over compression, from the filled point to the hollow one. Dotted: closed form for a rigid wall. Dashed: limiting
/// rebound velocity.
pub fn velocity(painter: &ThemePainter, rect: Rect, hit: Option<&HitPulse>, other: Option<&HitPulse>) {
    let wall = hit.and_then(rigid);
    let walls_depth = wall.map_or(0.0, |wall| wall.max_compression());
    let depth = 1.2 * largest([hit, other], |hit| hit.max_compression, 1e-3).max(walls_depth);
    let fastest = largest([hit, other], |hit| hit.velocity_in, 2.0);
    let limit = wall.map(|wall| wall.limiting_velocity()).filter(|limit| -*limit < 2.0 * fastest);
    let back = largest([hit, other], |hit| -hit.velocity_out, 0.6 * fastest).max(limit.map_or(0.0, |limit| -1.15 * limit));
    let up = Axis::over(-1.1 * back, 1.15 * fastest, "m/s", rect.height());
    let plot = Plot::new(rect, Axis::over(0.0, depth, "m", 0.6 * rect.width()), up);
    plot.paint(painter, false);
    let text = |at: Pos2, text: &str| painter.text(at, Side::Right, text, (Face::Regular, Size::Label, painter.ink.text2));
    if let Some(limit) = limit {
        let y = plot.at(0.0, limit).y;
        painter.dashed(&[pos2(rect.left(), y), pos2(rect.right(), y)], [6.0, 4.0], 1.2, painter.ink.text2);
        text(pos2(rect.right() - 2.0, y - 11.0), "*v*~lim~ = −1/*μ*");
    }
    if let Some(wall) = wall {
        let line: Vec<_> = wall.phase_portrait(POINTS).map(|point| plot.at(point.compression, point.velocity)).collect();
        painter.dashed(&line, DOTTED, 1.3, painter.ink.text2);
        text(pos2(rect.right(), plot.at(0.0, fastest).y), "rigid wall");
    }
    let Some(hit) = hit else { return };
    if let Some(other) = other {
        painter.dashed(&curve(&plot, other, |point| point.velocity), DASHED, 1.4, painter.ink.text2);
    }
    let line = curve(&plot, hit, |point| point.velocity);
    let (first, last) = (line.first().copied(), line.last().copied());
    painter.path(line, 2.2, painter.ink.force);
    if let (Some(first), Some(last)) = (first, last) {
        painter.disc(first, 3.4, painter.ink.force, 0.0, painter.ink.force);
        painter.disc(last, 3.4, painter.ink.bg, 2.0, painter.ink.force);
    }
}
