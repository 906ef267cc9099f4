//! A painter for lines, fills and text with formulas, in the colours of the theme.
//!
//! Text is centred vertically on its capitals. In it `*x*` is an italic symbol, `~in~` a subscript, `^2^` a superscript.

use std::borrow::Cow;
use std::sync::Arc;

use egui::epaint::Mesh;
use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, Galley, Painter, Pos2, Rangef, Rect, Shape, Stroke, StrokeKind, Ui, pos2, vec2};

use crate::editor::theme;
use crate::editor::theme::{Face, Ink, Size};

/// Height of the middle of the capitals above the baseline, over the font size.
const CAPITALS: f32 = 0.349;
/// Font sizes of symbols, subscripts and superscripts over that of the text, and offsets of their baselines.
const ITALIC: f32 = 1.06;
const LOWER: (f32, f32) = (0.78, 0.20);
const HIGHER: (f32, f32) = (0.74, -0.34);
/// Lengths of dash and gap: the previous hit, theory, and placeholders.
pub const DASHED: [f32; 2] = [5.0, 4.0];
/// See [`DASHED`].
pub const DOTTED: [f32; 2] = [1.5, 3.5];
/// See [`DASHED`].
pub const RESTING: [f32; 2] = [2.0, 5.0];

/// Horizontal alignment of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The text begins at the position.
    Left,
    /// The text is centred at the position.
    Center,
    /// The text ends at the position.
    Right,
}

/// Font face, size and colour of a text.
pub type Look = (Face, Size, Color32);

/// An egui painter with the colours of the theme.
#[derive(Clone)]
pub struct ThemePainter {
    painter: Painter,
    /// The colours.
    pub ink: &'static Ink,
}

impl ThemePainter {
    /// A painter for `ui`.
    pub fn new(ui: &Ui) -> Self {
        Self::with(ui.painter().clone())
    }

    /// Wraps `painter`.
    pub fn with(painter: Painter) -> Self {
        let ink = theme::ink(painter.ctx());
        Self { painter, ink }
    }

    /// The same painter, clipped to `rect`.
    pub fn inside(&self, rect: Rect) -> Self {
        Self { painter: self.painter.with_clip_rect(rect.intersect(self.painter.clip_rect())), ink: self.ink }
    }

    /// The egui painter.
    pub fn painter(&self) -> &Painter {
        &self.painter
    }

    /// The look of labels.
    pub fn label(&self) -> Look {
        (Face::Regular, Size::Label, self.ink.text2)
    }

    /// A filled rectangle.
    pub fn rect(&self, rect: Rect, radius: f32, fill: Color32) {
        self.painter.rect_filled(rect, radius, fill);
    }

    /// The outline of a rectangle, inside it.
    pub fn outline(&self, rect: Rect, radius: f32, width: f32, color: Color32) {
        self.painter.rect_stroke(rect, radius, Stroke::new(width, color), StrokeKind::Inside);
    }

    /// The background of a field, outlined in the light theme.
    pub fn field(&self, rect: Rect, fill: Color32) {
        self.rect(rect, theme::FIELD, fill);
        if !self.ink.dark {
            self.outline(rect, theme::FIELD, theme::HAIRLINE, self.ink.hair);
        }
    }

    /// A focus ring.
    pub fn focus(&self, rect: Rect, radius: f32) {
        self.outline(rect.expand(2.5 + theme::FOCUS), radius + 2.0, theme::FOCUS, self.ink.text);
    }

    /// A straight line.
    pub fn line(&self, a: Pos2, b: Pos2, width: f32, color: Color32) {
        self.painter.line_segment([a, b], Stroke::new(width, color));
    }

    /// A horizontal hairline, aligned to pixels.
    pub fn hline(&self, x: impl Into<Rangef>, y: f32, color: Color32) {
        self.painter.hline(x, self.painter.round_to_pixel_center(y), Stroke::new(theme::HAIRLINE, color));
    }

    /// A vertical hairline, aligned to pixels.
    pub fn vline(&self, x: f32, y: impl Into<Rangef>, color: Color32) {
        self.painter.vline(self.painter.round_to_pixel_center(x), y, Stroke::new(theme::HAIRLINE, color));
    }

    /// A line through `points`.
    pub fn path(&self, points: Vec<Pos2>, width: f32, color: Color32) {
        self.painter.line(points, Stroke::new(width, color));
    }

    /// A closed line through `points`.
    pub fn ring(&self, points: Vec<Pos2>, width: f32, color: Color32) {
        self.painter.add(Shape::closed_line(points, Stroke::new(width, color)));
    }

    /// A dashed line through `points`; `pattern` is the lengths of dash and gap.
    pub fn dashed(&self, points: &[Pos2], pattern: [f32; 2], width: f32, color: Color32) {
        self.painter.extend(Shape::dashed_line(points, Stroke::new(width, color), pattern[0], pattern[1]));
    }

    /// A convex area, outlined where `width` > 0.
    pub fn polygon(&self, points: Vec<Pos2>, fill: Color32, width: f32, outline: Color32) {
        let stroke = if width > 0.0 { Stroke::new(width, outline) } else { Stroke::NONE };
        self.painter.add(Shape::convex_polygon(points, fill, stroke));
    }

    /// A disc, outlined where `width` > 0.
    pub fn disc(&self, center: Pos2, radius: f32, fill: Color32, width: f32, outline: Color32) {
        let stroke = if width > 0.0 { Stroke::new(width, outline) } else { Stroke::NONE };
        self.painter.circle(center, radius, fill, stroke);
    }

    /// A circle.
    pub fn circle(&self, center: Pos2, radius: f32, width: f32, color: Color32) {
        self.painter.circle_stroke(center, radius, Stroke::new(width, color));
    }

    /// A mesh.
    pub fn mesh(&self, mesh: Mesh) {
        self.painter.add(Shape::mesh(mesh));
    }

    /// A mesh that is kept between frames.
    pub fn shared_mesh(&self, mesh: Arc<Mesh>) {
        self.painter.add(Shape::Mesh(mesh));
    }

    /// The area between `curve` and the height `floor`, with a gradient of `colors` from the curve to the floor.
    pub fn fill_to(&self, curve: &[Pos2], floor: f32, colors: [Color32; 2]) {
        let mut mesh = Mesh::default();
        for (i, &point) in curve.iter().enumerate() {
            mesh.colored_vertex(point, colors[0]);
            mesh.colored_vertex(pos2(point.x, floor), colors[1]);
            if i > 0 {
                let last = 2 * i as u32;
                mesh.add_triangle(last - 2, last - 1, last);
                mesh.add_triangle(last - 1, last, last + 1);
            }
        }
        self.mesh(mesh);
    }

    /// An arrow; `head` is the length of its filled head.
    pub fn arrow(&self, from: Pos2, to: Pos2, width: f32, head: f32, color: Color32) {
        let way = (to - from).normalized();
        let base = to - head * way;
        self.line(from, base, width, color);
        self.polygon(vec![to, base + 0.55 * head * way.rot90(), base - 0.55 * head * way.rot90()], color, 0.0, color);
    }

    /// Hatching over `span`.
    pub fn hatch(&self, span: Rect, step: f32, width: f32, color: Color32) {
        let inside = self.inside(span);
        let height = span.height();
        let lines = ((span.width() + height) / step).ceil() as usize;
        for i in 0..lines {
            let x = span.left() - height + step * i as f32;
            inside.line(pos2(x, span.bottom()), pos2(x + height, span.top()), width, color);
        }
    }

    /// A triangular ruler mark that points down at `tip`.
    pub fn mark(&self, tip: Pos2, color: Color32) {
        self.polygon(vec![tip, tip + vec2(-6.5, -11.0), tip + vec2(6.5, -11.0)], color, 0.0, color);
    }

    /// Draws a line of text. Returns its bounds.
    pub fn text(&self, at: Pos2, side: Side, text: &str, look: Look) -> Rect {
        let runs = self.runs(text, look);
        let width: f32 = runs.iter().map(|run| run.width()).sum();
        let size = look.1.points();
        let left = match side {
            Side::Left => at.x,
            Side::Center => at.x - 0.5 * width,
            Side::Right => at.x - width,
        };
        let baseline = at.y + CAPITALS * size;
        let mut x = left;
        for run in runs {
            let place = pos2(x, baseline + run.drop - run.baseline());
            x += run.width();
            self.painter.galley(place, run.galley, look.2);
        }
        Rect::from_min_max(pos2(left, baseline - size), pos2(x, baseline + 0.3 * size))
    }

    /// Width of a line of text.
    pub fn width(&self, text: &str, face: Face, size: Size) -> f32 {
        self.runs(text, (face, size, self.ink.text)).iter().map(Run::width).sum()
    }

    /// A name cut to `width`, with an ellipsis if it does not fit.
    pub fn fitting<'a>(&self, name: &'a str, face: Face, size: Size, width: f32) -> Cow<'a, str> {
        if self.width(name, face, size) <= width {
            return Cow::Borrowed(name);
        }
        let cut = |end: usize| format!("{}…", name[..end].trim_end());
        let ends: Vec<usize> = name.char_indices().map(|(end, _)| end).collect();
        let fit = ends.partition_point(|&end| self.width(&cut(end), face, size) <= width);
        fit.checked_sub(1).map(|last| cut(ends[last])).unwrap_or_default().into()
    }

    fn runs(&self, text: &str, (face, size, color): Look) -> Vec<Run> {
        let points = size.points();
        split(text)
            .map(|(kind, part)| {
                let (face, points, drop) = match kind {
                    Kind::Plain => (face, points, 0.0),
                    Kind::Symbol => (Face::Symbol, ITALIC * points, 0.0),
                    Kind::Lower => (face, LOWER.0 * points, LOWER.1 * points),
                    Kind::Higher => (face, HIGHER.0 * points, HIGHER.1 * points),
                };
                let mut font = theme::font(face, size);
                font.size = points;
                // the italic font has no Greek: the upright font is slanted instead
                let italics = kind == Kind::Symbol && part.chars().any(|letter| ('α'..='ω').contains(&letter));
                let format = TextFormat { font_id: font, color, italics, ..TextFormat::default() };
                let job = LayoutJob { break_on_newline: false, ..LayoutJob::single_section(part.to_owned(), format) };
                Run { galley: self.painter.layout_job(job), drop }
            })
            .collect()
    }
}

/// A piece of text in one type.
struct Run {
    galley: Arc<Galley>,
    /// Offset of its baseline below that of the line.
    drop: f32,
}

impl Run {
    fn width(&self) -> f32 {
        self.galley.size().x
    }

    /// Distance of its baseline from its top.
    fn baseline(&self) -> f32 {
        let row = self.galley.rows.first();
        row.and_then(|row| Some(row.pos.y + row.glyphs.first()?.pos.y)).unwrap_or(0.0)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Plain,
    Symbol,
    Lower,
    Higher,
}

/// Splits a text at its marks. A mark without a partner is plain text.
fn split(text: &str) -> impl Iterator<Item = (Kind, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        for (mark, kind) in [('*', Kind::Symbol), ('~', Kind::Lower), ('^', Kind::Higher)] {
            if let Some((inner, after)) = rest.strip_prefix(mark).and_then(|rest| rest.split_once(mark)) {
                rest = after;
                return Some((kind, inner));
            }
        }
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let end = rest[first..].find(['*', '~', '^']).map_or(rest.len(), |end| first + end);
        let (plain, after) = rest.split_at(end);
        rest = after;
        Some((Kind::Plain, plain))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_divide_a_text() {
        let pieces = |text| split(text).collect::<Vec<_>>();
        assert_eq!(pieces("*v*~in~ 2.1 m/s"), [(Kind::Symbol, "v"), (Kind::Lower, "in"), (Kind::Plain, " 2.1 m/s")]);
        assert_eq!(pieces("9.81 m/s^2^"), [(Kind::Plain, "9.81 m/s"), (Kind::Higher, "2")]);
        assert_eq!(pieces("2 * 3"), [(Kind::Plain, "2 "), (Kind::Plain, "* 3")]);
        assert_eq!(pieces(""), []);
    }
}
