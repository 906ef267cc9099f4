//! Icons, drawn as lines since the font has none.

use egui::{Color32, Pos2, pos2, vec2};
use std::f32::consts::{PI, TAU};

use crate::editor::theme::{Face, Size};
use crate::editor::widgets::painter::{Side, ThemePainter};

/// Direction of a chevron.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// Upward.
    Up,
    /// Downward.
    Down,
}

/// A chevron; `size` is half its width.
pub fn chevron(painter: &ThemePainter, at: Pos2, way: Way, size: f32, color: Color32) {
    let (a, b) = (size, 0.5 * size);
    let points = match way {
        Way::Down => [(-a, -b), (0.0, b), (a, -b)],
        Way::Up => [(-a, b), (0.0, -b), (a, b)],
        Way::Left => [(b, -a), (-b, 0.0), (b, a)],
        Way::Right => [(-b, -a), (b, 0.0), (-b, a)],
    };
    painter.path(points.map(|(x, y)| at + vec2(x, y)).to_vec(), 1.6, color);
}

/// A cross: remove.
pub fn cross(painter: &ThemePainter, at: Pos2, color: Color32) {
    for (x, y) in [(4.5, 4.5), (4.5, -4.5)] {
        painter.line(at - vec2(x, y), at + vec2(x, y), 1.4, color);
    }
}

/// A star, filled or outlined.
pub fn star(painter: &ThemePainter, at: Pos2, radius: f32, filled: bool, color: Color32) {
    let point = |i: usize| {
        let radius = if i.is_multiple_of(2) { radius } else { 0.44 * radius };
        at + radius * egui::Vec2::angled(-0.5 * PI + PI * i as f32 / 5.0)
    };
    if filled {
        // the star is not convex: drawn as five kites
        for i in (0..10).step_by(2) {
            let points = vec![at, point(i + 9), point(i), point(i + 1)];
            painter.polygon(points, color, 0.5, color);
        }
    } else {
        painter.ring((0..10).map(point).collect(), 1.2, color);
    }
}

/// The logo: a hammer head above a bent bar, and the name.
pub fn logo(painter: &ThemePainter, at: Pos2) {
    painter.disc(at + vec2(10.0, -4.5), 6.5, painter.ink.force, 0.0, painter.ink.force);
    let bar = (0..=16).map(|i| {
        let t = i as f32 / 16.0;
        at + vec2(-3.0 + 26.0 * t, 3.5 + 10.0 * t * (1.0 - t))
    });
    painter.path(bar.collect(), 2.6, painter.ink.body);
    painter.text(at + vec2(34.0, 0.0), Side::Left, "Urto", (Face::SemiBold, Size::Title, painter.ink.text));
}

/// A bent arrow: undo, or redo with `forward`.
pub fn turn(painter: &ThemePainter, at: Pos2, forward: bool, color: Color32) {
    let side = if forward { -1.0 } else { 1.0 };
    let place = |x: f32, y: f32| pos2(at.x + side * x, at.y + y);
    let mut path = vec![place(-6.0, -2.0)];
    path.extend((0..=12).map(|i| {
        let angle = -0.5 * PI + PI * i as f32 / 12.0;
        place(2.0 + 4.6 * angle.cos(), 2.6 + 4.6 * angle.sin())
    }));
    path.push(place(-2.0, 7.2));
    painter.path(path, 1.7, color);
    painter.path(vec![place(-2.6, -5.6), place(-6.2, -2.0), place(-2.6, 1.6)], 1.7, color);
}

/// A dice.
pub fn die(painter: &ThemePainter, at: Pos2, color: Color32) {
    painter.outline(egui::Rect::from_center_size(at, vec2(16.0, 16.0)), 3.0, 1.6, color);
    for (x, y) in [(-3.2, -3.2), (3.2, 3.2), (0.0, 0.0), (3.2, -3.2), (-3.2, 3.2)] {
        painter.disc(at + vec2(x, y), 1.35, color, 0.0, color);
    }
}

/// Three sliders: settings.
pub fn sliders(painter: &ThemePainter, at: Pos2, color: Color32) {
    for (y, x) in [(-5.5, 3.0), (0.0, -4.5), (5.5, 1.0)] {
        painter.line(at + vec2(-8.0, y), at + vec2(8.0, y), 1.5, color);
        painter.disc(at + vec2(x, y), 1.9, painter.ink.bg, 1.3, color);
    }
}

/// A magnifying glass.
pub fn glass(painter: &ThemePainter, at: Pos2, color: Color32) {
    painter.circle(at - vec2(1.5, 1.5), 5.0, 1.6, color);
    painter.line(at + vec2(2.5, 2.5), at + vec2(6.5, 6.5), 1.8, color);
}

/// A closed padlock.
pub fn lock(painter: &ThemePainter, at: Pos2, color: Color32) {
    painter.rect(egui::Rect::from_min_size(at + vec2(-4.0, -1.0), vec2(8.0, 6.5)), 1.0, color);
    let shackle = (0..=8).map(|i| at + vec2(0.0, -2.5) + 2.6 * egui::Vec2::angled(0.5 * TAU + PI * i as f32 / 8.0));
    painter.path(shackle.collect(), 1.4, color);
}

/// A question mark.
pub fn question(painter: &ThemePainter, at: Pos2, color: Color32) {
    painter.circle(at, 8.5, 1.5, color);
    painter.text(at, Side::Center, "?", (Face::SemiBold, Size::Text, color));
}

/// Piano keys.
pub fn keys(painter: &ThemePainter, at: Pos2, color: Color32) {
    let frame = egui::Rect::from_center_size(at, vec2(18.0, 14.0));
    painter.outline(frame, 2.0, 1.5, color);
    for x in [-3.0, 3.0] {
        painter.line(at + vec2(x, 0.0), at + vec2(x, 7.0), 1.2, color);
        painter.rect(egui::Rect::from_center_size(at + vec2(x, -3.0), vec2(3.6, 7.0)), 0.5, color);
    }
}
