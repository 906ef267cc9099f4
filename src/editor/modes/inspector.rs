//! One mode in full: its shape along the body, its numbers, and what moves all modes.

use egui::{Rect, Ui, pos2, vec2};

use super::{Line, Partial};
use crate::editor::button::{self, TARGET};
use crate::editor::desk::Desk;
use crate::editor::icon::{self, Way};
use crate::editor::pen::{Pen, RESTING, Side};
use crate::editor::rows;
use crate::editor::theme::{Face, Size};
use crate::engine::knob::KnobId;
use crate::params::quantity::figures;

/// Height of a line, and what moves all modes.
const LINE: f32 = 30.0;
const ALL: [(KnobId, &str); 6] = [
    (KnobId::Inharmonicity, "Stretch"),
    (KnobId::RatioPower, "Ratio power"),
    (KnobId::Modes, "Count"),
    (KnobId::Material, "Material"),
    (KnobId::Morph, "Morph"),
    (KnobId::MorphTo, "Morph to"),
];

/// Draws the inspector and follows the player.
pub fn show(ui: &mut Ui, rect: Rect, (partials, chosen): (&[Partial], &mut usize), line: &Line, desk: &mut Desk) {
    let inside = rect.shrink2(vec2(24.0, 0.0));
    let pen = Pen::new(ui);
    let title = pos2(inside.left(), inside.top() + 30.0);
    for (x, way, name) in [(inside.right() - 44.0, Way::Left, "Mode before"), (inside.right() - 12.0, Way::Right, "Next mode")] {
        let target = Rect::from_center_size(pos2(x, title.y), vec2(TARGET, TARGET));
        if button::bare(ui, target, name).clicked() {
            let step = if way == Way::Left { -1 } else { 1 };
            *chosen = chosen.saturating_add_signed(step).min(partials.len().saturating_sub(1));
        }
        icon::chevron(&pen, target.center(), way, 5.0, pen.ink.text2);
    }
    let Some(partial) = partials.get(*chosen) else { return };
    let shown = pen.text(title, Side::Left, &format!("Mode {}", *chosen + 1), (Face::SemiBold, Size::Title, pen.ink.text));
    pen.text(pos2(shown.right() + 12.0, title.y + 1.0), Side::Left, &family(partial), (Face::Regular, Size::Text, pen.ink.text2));
    shape(&pen, Rect::from_min_size(inside.min + vec2(0.0, 66.0), vec2(inside.width(), 92.0)), line);
    let mut y = inside.top() + 196.0;
    let mut at = || {
        let row = Rect::from_min_size(pos2(inside.left(), y), vec2(inside.width(), LINE));
        y += LINE;
        row
    };
    for (i, (name, value, unit)) in numbers(partial, partials).iter().enumerate() {
        rows::told(&pen, at(), name, (value, unit), i > 0);
    }
    let head = at();
    // without room for a single line there is no title either
    if head.bottom() + LINE > rect.bottom() {
        return;
    }
    pen.hline(inside.x_range(), head.top() + 4.0, pen.ink.hair);
    pen.text(head.left_center() + vec2(0.0, 4.0), Side::Left, "All modes", (Face::SemiBold, Size::Text, pen.ink.text));
    for knob in ALL {
        let row = at();
        if row.bottom() <= rect.bottom() {
            rows::knob(ui, row, knob, false, desk);
        }
    }
}

/// Name, value and unit of every number.
fn numbers(partial: &Partial, partials: &[Partial]) -> [(&'static str, String, &'static str); 6] {
    let (note, cents) = partial.note();
    let level = format!("{:.1}", partial.level).replace('-', "−");
    let sign = if cents < -0.5 { "−" } else { "+" };
    [
        ("Frequency", format!("{:.1}", partial.hertz), "Hz"),
        ("Ratio", format!("{:.3}", partial.hertz / partials[0].hertz), ""),
        ("Note", format!("{note} {sign}{:.0}", cents.abs()), "ct"),
        ("Level", level, "dB"),
        ("Decay *T*~60~", figures(partial.t60), "s"),
        ("Strike gain", figures(partial.weights[0].abs()), ""),
    ]
}

/// What the mode is called on its body.
fn family(partial: &Partial) -> String {
    match partial.family {
        Some((diameters, circles)) => format!("({diameters}, {circles})"),
        None => String::new(),
    }
}

/// The shape along the body, with its mirror image, and where strike and pickups are on it.
fn shape(pen: &Pen, rect: Rect, line: &Line) {
    let ink = pen.ink;
    let y = rect.center().y;
    pen.dashed(&[pos2(rect.left(), y), pos2(rect.right(), y)], RESTING, 1.0, ink.line);
    let (there, back) = (line.points(rect, false), line.points(rect, true));
    if there.len() < 2 {
        return;
    }
    let tint = ink.body.gamma_multiply(0.11);
    let mut mesh = egui::epaint::Mesh::default();
    for (i, (a, b)) in there.iter().zip(&back).enumerate() {
        mesh.colored_vertex(*a, tint);
        mesh.colored_vertex(*b, tint);
        if i > 0 {
            let last = 2 * i as u32;
            mesh.add_triangle(last - 2, last - 1, last);
            mesh.add_triangle(last - 1, last, last + 1);
        }
    }
    pen.mesh(mesh);
    pen.path(back, 1.0, ink.body.gamma_multiply(0.5));
    pen.path(there, 2.4, ink.body);
    for (i, (place, value)) in line.marks.into_iter().enumerate() {
        let at = pos2(rect.left() + rect.width() * place, y - 0.5 * rect.height() * value);
        let (color, fill) = if i == 0 { (ink.force, ink.force) } else { (ink.body, ink.bg) };
        pen.line(pos2(at.x, y), at, 1.2, if i == 0 { ink.force } else { ink.text });
        pen.disc(at, 5.0, fill, 1.8, color);
        let (word, color) = [("strike", ink.force), ("L", ink.text2), ("R", ink.text2)][i];
        // strike and pickups may be close to each other
        let drop = if i == 0 { 14.0 } else { 28.0 };
        pen.text(pos2(at.x, rect.bottom() + drop), Side::Center, word, (Face::Regular, Size::Label, color));
    }
}
