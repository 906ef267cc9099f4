//! The dense modes of the chart: too many for a line each, they are drawn as shade.
//!
//! Every mode is a translucent strip from the axis to its level or decay time. The strips of one pixel column lie over each other, so
//! that the shade is as opaque as there are modes. It is computed when the partials or the axes change.

use std::sync::Arc;

use egui::epaint::Mesh;
use egui::{Color32, Rect, pos2};

use crate::editor::modes::axes::Axes;
use crate::editor::partial::Partial;
use crate::editor::theme::faint;
use crate::editor::widgets::ThemePainter;
use urto_engine::params::value_text::figures;

/// Width of a column [px].
const COLUMN: f32 = 2.0;
/// Opacity of one mode, and its part at the axis: the strip is brightest at the end that tells the value.
const OPACITY: f32 = 0.30;
const BASE: f32 = 0.35;
/// Dense modes are lines up to the first of [`NEIGHBOURS`] whose mean spacing is smaller than this [px].
const LINE_SPACING: f32 = 6.0;
const NEIGHBOURS: usize = 8;
/// Distance within which the pointer counts modes [px].
const REACH: f32 = 3.0;

/// Which partials are lines and which are shade, and the shade.
#[derive(Default)]
pub struct DenseModes {
    source: Option<(Arc<[Partial]>, Axes, Color32)>,
    /// Indices of the partials that are drawn as lines, and of the others.
    lines: Vec<usize>,
    shaded: Vec<usize>,
    /// The strips of levels and of decay times.
    mesh: Arc<Mesh>,
}

/// The modes near the pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModeGroup {
    /// Number of modes.
    pub count: usize,
    /// Lowest and highest frequency [Hz].
    pub hertz: [f64; 2],
    /// Highest level [dB].
    pub level: f64,
    /// Shortest and longest decay time [s].
    pub t60: [f64; 2],
}

impl DenseModes {
    /// Computes lines and shade in `color` if `partials`, `axes` or the colour have changed.
    pub fn update(&mut self, partials: &Arc<[Partial]>, axes: &Axes, color: Color32) {
        let same = |(old, old_axes, old_color): &(Arc<[Partial]>, Axes, Color32)| {
            Arc::ptr_eq(old, partials) && old_axes == axes && *old_color == color
        };
        if self.source.as_ref().is_some_and(same) {
            return;
        }
        let first = first_shaded(partials, axes);
        let is_line = |i: &usize| *i < first || !partials[*i].is_dense || !partials[*i].edit.is_neutral();
        (self.lines, self.shaded) = (0..partials.len()).partition(is_line);
        let mut mesh = Mesh::default();
        let [level, decay] = [(axes.level, axes.level.bottom()), (axes.decay, axes.decay.top())];
        let tips = |value: &dyn Fn(&Partial) -> f32| {
            self.shaded.iter().map(|&i| (axes.x(partials[i].hertz), value(&partials[i]))).collect()
        };
        strips(&mut mesh, level, tips(&|partial| axes.y(partial.level)), color);
        strips(&mut mesh, decay, tips(&|partial| axes.foot(partial.t60)), color);
        self.mesh = Arc::new(mesh);
        self.source = Some((Arc::clone(partials), *axes, color));
    }

    /// Indices of the partials that are drawn as lines.
    pub fn lines(&self) -> &[usize] {
        &self.lines
    }

    /// Indices of the partials that are drawn as shade.
    pub fn shaded(&self) -> &[usize] {
        &self.shaded
    }

    /// Draws the shade.
    pub fn paint(&self, painter: &ThemePainter) {
        if !self.mesh.is_empty() {
            painter.shared_mesh(Arc::clone(&self.mesh));
        }
    }

    /// Indices of the shaded modes near `x` [px].
    pub fn near<'a>(&'a self, partials: &'a [Partial], axes: &'a Axes, x: f32) -> impl Iterator<Item = usize> + 'a {
        self.shaded.iter().copied().filter(move |&i| (axes.x(partials[i].hertz) - x).abs() <= REACH)
    }
}

impl ModeGroup {
    /// The group of the partials `members`; none if there are none.
    pub fn of(partials: &[Partial], members: impl Iterator<Item = usize>) -> Option<Self> {
        members.map(|i| &partials[i]).fold(None, |group: Option<Self>, partial| {
            let Partial { hertz, t60, level, .. } = *partial;
            let before = group.unwrap_or(Self { count: 0, hertz: [hertz; 2], level, t60: [t60; 2] });
            let widened = |[low, high]: [f64; 2], value: f64| [low.min(value), high.max(value)];
            Some(Self {
                count: before.count + 1,
                hertz: widened(before.hertz, hertz),
                level: before.level.max(level),
                t60: widened(before.t60, t60),
            })
        })
    }

    /// Frequencies, with the words `from` and `to`, level and decay times: `from 6.20 to 6.29 kHz, up to −12.0 dB, decay 0.81 to 0.83 s`.
    pub fn text(&self, from: &str, to: &str) -> String {
        let [low, high] = self.hertz.map(with_unit);
        // a unit that both have is told once
        let low = if low.1 == high.1 { low.0 } else { format!("{} {}", low.0, low.1) };
        let frequencies = format!("{from} {low} {to} {} {}", high.0, high.1);
        let decays = self.t60.map(figures);
        let decay = if decays[0] == decays[1] { decays[0].clone() } else { format!("{} to {}", decays[0], decays[1]) };
        format!("{frequencies}, up to {:.1} dB, decay {decay} s", self.level).replace('-', "−")
    }
}

/// A frequency [Hz] as a number and its unit.
fn with_unit(hertz: f64) -> (String, &'static str) {
    if hertz < 1000.0 { (format!("{hertz:.0}"), "Hz") } else { (format!("{:.2}", hertz / 1000.0), "kHz") }
}

/// Index of the first dense partial that is too near to its neighbours for a line, or that cannot be edited.
fn first_shaded(partials: &[Partial], axes: &Axes) -> usize {
    let is_crowded = |i: usize| {
        let end = (i + NEIGHBOURS).min(partials.len() - 1);
        end == i || axes.x(partials[end].hertz) - axes.x(partials[i].hertz) < LINE_SPACING * (end - i) as f32
    };
    let is_shaded = |i: &usize| partials[*i].is_dense && (partials[*i].index.is_none() || is_crowded(*i));
    (0..partials.len()).find(is_shaded).unwrap_or(partials.len())
}

/// Adds the strips from the axis at height `from` of `lane` to `tips` (x, y).
fn strips(mesh: &mut Mesh, (lane, from): (Rect, f32), mut tips: Vec<(f32, f32)>, color: Color32) {
    let column = |x: f32| ((x - lane.left()) / COLUMN).floor();
    tips.retain(|(x, y)| lane.x_range().contains(*x) && (y - from).abs() >= 1.0);
    // from column to column, in each from the axis outward
    tips.sort_by(|a, b| column(a.0).total_cmp(&column(b.0)).then((a.1 - from).abs().total_cmp(&(b.1 - from).abs())));
    for tips in tips.chunk_by(|a, b| column(a.0) == column(b.0)) {
        let left = lane.left() + COLUMN * column(tips[0].0);
        let mut start = from;
        for (i, (_, end)) in tips.iter().enumerate() {
            let above = (tips.len() - i) as f32;
            let opacity = 1.0 - (1.0 - OPACITY).powf(above);
            let shade = |y: f32| faint(color, opacity * (BASE + (1.0 - BASE) * (y - from).abs() / lane.height()));
            if (end - start).abs() > 0.25 {
                quad(mesh, Rect::from_min_max(pos2(left, start), pos2(left + COLUMN, *end)), [shade(start), shade(*end)]);
                start = *end;
            }
        }
    }
}

/// Adds a quad from its top to its bottom, with the colours of both.
fn quad(mesh: &mut Mesh, rect: Rect, [first, last]: [Color32; 2]) {
    let start = mesh.vertices.len() as u32;
    for (corner, color) in
        [(rect.left_top(), first), (rect.right_top(), first), (rect.left_bottom(), last), (rect.right_bottom(), last)]
    {
        mesh.colored_vertex(corner, color);
    }
    mesh.add_triangle(start, start + 1, start + 2);
    mesh.add_triangle(start + 1, start + 2, start + 3);
}

#[cfg(test)]
mod tests {
    use super::*;
    use urto_engine::patch::PartialEdit;

    /// Exact partials at 100 and 150 Hz, then `count` dense ones at equal spacing up to 20 kHz.
    fn partials(count: usize) -> Arc<[Partial]> {
        let spacing = 19.8e3 / count as f64;
        let one = |i: usize| Partial {
            hertz: if i < 2 { 100.0 + 50.0 * i as f64 } else { 200.0 + spacing * (i - 2) as f64 },
            t60: 1.0,
            weights: [1.0; 3],
            level: -6.0,
            family: None,
            is_dense: i >= 2,
            index: Some(i).filter(|i| *i < 256),
            edit: PartialEdit::new(i),
        };
        (0..count + 2).map(one).collect()
    }

    fn axes(partials: &[Partial]) -> Axes {
        Axes::new(Rect::from_min_max(pos2(0.0, 0.0), pos2(900.0, 500.0)), partials)
    }

    #[test]
    fn separate_modes_are_lines() {
        let mut dense = DenseModes::default();
        let many = partials(2500);
        dense.update(&many, &axes(&many), Color32::WHITE);
        let lines = dense.lines().len();
        assert!((2..60).contains(&lines) && lines + dense.shaded().len() == 2502, "{lines} lines");
        assert!(dense.mesh.vertices.len() <= 8 * 2500, "bounded by the number of modes");
        let few = partials(10);
        dense.update(&few, &axes(&few), Color32::WHITE);
        assert!(dense.shaded().len() <= NEIGHBOURS, "{:?}", dense.shaded());
    }

    #[test]
    fn an_edited_mode_is_a_line() {
        let mut dense = DenseModes::default();
        let mut many = partials(2500).to_vec();
        many[200].edit.level = 3.0;
        let many: Arc<[Partial]> = many.into();
        dense.update(&many, &axes(&many), Color32::WHITE);
        assert!(dense.lines().contains(&200) && !dense.lines().contains(&199));
    }

    #[test]
    fn the_pointer_counts_the_modes_below_it() {
        let mut dense = DenseModes::default();
        let many = partials(2500);
        let axes = axes(&many);
        dense.update(&many, &axes, Color32::WHITE);
        let near = || dense.near(&many, &axes, axes.x(10e3));
        let group = ModeGroup::of(&many, near()).expect("many modes");
        let known = 10e3 * 6.0 / f64::from(axes.level.width()) * (20e3 / axes.lowest).ln() / (19.8e3 / 2500.0);
        assert!((group.count as f64 - known).abs() < 2.0, "{group:?} instead of {known}");
        let text = group.text("between", "and");
        assert!(text.starts_with("between 9.78 and 10.23") && text.ends_with("kHz, up to −6.0 dB, decay 1.00 s"), "{text}");
    }
}
