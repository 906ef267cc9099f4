//! Grids of parameters by group: one row, or rows selected by tabs.

use egui::{Rect, Ui, pos2, vec2};

use crate::editor::param_context::ParamContext;
use crate::editor::param_controls::dense_body::DenseBodyState;
use crate::editor::param_controls::group::{DENSE_BODY, group_of};
use crate::editor::param_controls::knob::Spot;
use crate::editor::param_controls::{dense_body, dropdown, knob, stiffening};
use crate::editor::theme;
use crate::editor::theme::{Face, Hue, Size};
use crate::editor::widgets::{Side, ThemePainter, tabs};
use urto_engine::params::{ParamId, Scale};

/// A group and its colour.
pub type Group = (&'static str, Hue);
/// A row: its name and its groups.
pub type Row = (&'static str, &'static [Group]);

/// Length of a word that is too long for the width of a knob, and the factor on that width.
const LONG: usize = 8;
const WIDE: f32 = 1.4;
/// Factor on the width for values whose unit is a quotient.
const WIDER: f32 = 1.2;

/// Largest width of a parameter in a row without titles [px].
const WIDEST: f32 = 128.0;

/// Distance of a sentence from the top of the row [px], and opacity of what covers controls without effect.
const NOTE: f32 = 9.0;
const UNUSED: f32 = 0.6;

/// Height of the tabs above a row, including the gap.
pub const TABS: f32 = theme::TABS + 10.0;

/// Height of a row with the titles of its groups.
pub fn height(small: bool) -> f32 {
    theme::ROW[usize::from(small)] + theme::TITLE
}

/// Draws the tabs of `rows` along the upper edge, and the chosen row below.
pub fn tabbed(ui: &mut Ui, rect: Rect, rows: &[Row], chosen: &mut usize, context: &mut ParamContext) {
    let names: Vec<_> = rows.iter().map(|(name, _)| *name).collect();
    let (tabs, below) = rect.split_top_bottom_at_y(rect.top() + theme::TABS);
    tabs::show(ui, tabs, &names, chosen, tabs::Rule::Below);
    if let Some((_, groups)) = rows.get(*chosen) {
        show(ui, below.with_min_y(rect.top() + TABS), groups, context);
    }
}

/// Draws one row of groups with their titles.
pub fn show(ui: &mut Ui, rect: Rect, groups: &[Group], context: &mut ParamContext) {
    // a single group has the name of its row
    let titled = groups.len() > 1;
    let dense = groups.iter().any(|(group, _)| *group == DENSE_BODY).then(|| DenseBodyState::of(context));
    let layout = GridLayout::new(rect, groups, if titled || dense.is_some() { theme::TITLE } else { 0.5 * theme::TITLE });
    let painter = ThemePainter::new(ui);
    for &((group, hue), at) in layout.groups.iter().filter(|_| titled) {
        let rule = Rect::from_min_size(at.min, vec2(at.width(), theme::RULE));
        painter.rect(rule, 0.0, painter.ink.of(hue));
        painter.text(at.min + vec2(0.0, 17.0), Side::Left, group, (Face::SemiBold, Size::Label, painter.ink.of(hue)));
    }
    if let Some(dense) = &dense {
        note(ui, rect, &dense.note);
    }
    layout.controls(ui, context);
    if dense.is_some_and(|dense| !dense.acts) {
        painter.rect(rect.with_min_y(rect.top() + theme::TITLE), 0.0, theme::faint(painter.ink.panel, UNUSED));
    }
}

/// A sentence above the controls, at the place of a title.
fn note(ui: &Ui, rect: Rect, text: &str) {
    let painter = ThemePainter::new(ui);
    let (face, size, color) = (Face::Regular, Size::Label, painter.ink.text2);
    let shown = painter.fitting(text, face, size, rect.width());
    painter.text(rect.min + vec2(0.0, NOTE), Side::Left, &shown, (face, size, color));
    let place = Rect::from_min_size(rect.min, vec2(rect.width(), 2.0 * NOTE));
    let response = ui.interact(place, ui.scope_id().with("note"), egui::Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Label, true, text));
}

/// Draws one row without titles.
pub fn bare(ui: &mut Ui, rect: Rect, groups: &[Group], context: &mut ParamContext) {
    GridLayout::new(rect, groups, 0.0).controls(ui, context);
}

/// Draws a row of parameters with hairlines between `groups`, and labels by `name`.
pub fn plain(
    ui: &mut Ui,
    rect: Rect,
    groups: &[&[ParamId]],
    (name, hue): (fn(ParamId) -> &'static str, Hue),
    context: &mut ParamContext,
) {
    let count: usize = groups.iter().map(|group| group.len()).sum();
    let step = (rect.width() / count as f32).min(WIDEST);
    let mut x = rect.left();
    let painter = ThemePainter::new(ui);
    for (i, group) in groups.iter().enumerate() {
        if i > 0 {
            painter.vline(x, rect.top() + 8.0..=rect.bottom() - 8.0, painter.ink.hair);
        }
        for &id in *group {
            let column = Rect::from_min_size(pos2(x, rect.top()), vec2(step, rect.height()));
            x += step;
            if let Scale::Choice(_) = id.spec().scale {
                dropdown::labelled(ui, column, id, name(id), context);
            } else {
                let spot = Spot { width: step - 6.0, ..Spot::in_column(column, name(id), context.small) };
                knob::at(ui, &spot, id, hue, context);
            }
        }
    }
}

/// Positions in one row.
struct GridLayout {
    groups: Vec<(Group, Rect)>,
    controls: Vec<(ParamId, Hue, Rect)>,
}

impl GridLayout {
    /// Lays out a row below titles of the height `title`.
    fn new(rect: Rect, groups: &[Group], title: f32) -> Self {
        let mut layout = Self { groups: Vec::new(), controls: Vec::new() };
        let count: f32 = groups.iter().map(|(group, _)| columns(group)).sum();
        let unit = (rect.width() - theme::GAP * (groups.len().max(1) - 1) as f32) / count;
        let mut left = rect.left();
        for &group in groups {
            let at = Rect::from_min_size(pos2(left, rect.top()), vec2(unit * columns(group.0), rect.height()));
            layout.groups.push((group, at));
            for id in members(group.0) {
                let right = left + unit * width(id);
                layout.controls.push((id, group.1, Rect::from_x_y_ranges(left..=right, at.top() + title..=at.bottom())));
                left = right;
            }
            left += theme::GAP;
        }
        layout
    }

    fn controls(&self, ui: &mut Ui, context: &mut ParamContext) {
        for &(id, hue, column) in &self.controls {
            match id.spec().scale {
                Scale::Choice(_) => _ = dropdown::show(ui, column, id, context),
                _ => _ = knob::show(ui, column, id, hue, context),
            }
            if id == ParamId::Nonlinearity {
                stiffening::show(ui, column, context);
            }
            if id == ParamId::Specimen {
                dense_body::dice(ui, column, context);
            }
        }
    }
}

fn members(group: &str) -> Vec<ParamId> {
    ParamId::ALL.iter().copied().filter(|id| group_of(*id) == group).collect()
}

/// Width of a control over that of a knob: long words and units need more.
fn width(id: ParamId) -> f32 {
    match id.spec().scale {
        Scale::Choice(_) if id.spec().labels().iter().any(|name| name.len() > LONG) => WIDE,
        _ if id.spec().unit.contains('/') => WIDER,
        _ => 1.0,
    }
}

fn columns(group: &str) -> f32 {
    members(group).into_iter().map(width).sum()
}

#[cfg(test)]
mod tests {
    use egui::{Context, RawInput, Ui};

    use super::*;
    use crate::editor::drive::ROWS;
    use crate::editor::matrix;
    use crate::editor::panels::main_controls::DRAWERS;
    use crate::editor::param_controls::value_entry;
    use urto_engine::params::value_text;

    /// All rows of the editor.
    fn rows() -> impl Iterator<Item = Row> {
        DRAWERS.iter().flat_map(|drawer| drawer.rows).chain(ROWS).chain(matrix::ROWS).copied()
    }

    /// Runs `look` on every row at the boundary sizes of the window.
    fn everywhere(mut look: impl FnMut(&Ui, &GridLayout, Rect, &str)) {
        for [width, window] in [[900.0, 600.0], [1119.0, 719.0], [1120.0, 720.0], [1240.0, 780.0], [2560.0, 1600.0]] {
            let small = width < theme::SMALL[0] || window < theme::SMALL[1];
            let size = vec2(width - 2.0 * theme::MARGIN, height(small));
            let rect = Rect::from_min_size(pos2(theme::MARGIN, 300.0), size);
            let context = Context::default();
            theme::install(&context);
            let mut shown = context.run_ui(RawInput::default(), |ui| {
                for (name, groups) in rows() {
                    look(ui, &GridLayout::new(rect, groups, theme::TITLE), rect, &format!("{name} at {width}x{window}"));
                }
            });
            shown.textures_delta.clear();
        }
    }

    #[test]
    fn every_group_has_its_row() {
        let known: Vec<_> = rows().flat_map(|(_, groups)| groups.iter().map(|(group, _)| *group)).collect();
        // the Matrix page has controls of its own for these
        for id in ParamId::ALL.iter().filter(|id| !["Macros", "Modulation"].contains(&group_of(**id))) {
            assert!(known.contains(&group_of(*id)), "{} is in no row", group_of(*id));
        }
        assert!(known.iter().all(|group| !members(group).is_empty()), "{known:?}");
    }

    #[test]
    fn nothing_overlaps_or_leaves_the_sheet() {
        let mut faults = Vec::new();
        everywhere(|_, layout, rect, place| {
            let controls = layout.controls.iter().map(|(id, _, at)| (id.spec().id, *at));
            let all: Vec<_> = controls.collect();
            for (i, (id, at)) in all.iter().enumerate() {
                let over = all[i + 1..].iter().find(|(_, other)| at.shrink(0.01).intersects(*other));
                if !rect.expand(0.01).contains_rect(*at) || over.is_some() {
                    faults.push(format!("{place}: {id} at {at:?} in {rect:?}, over {over:?}"));
                }
            }
        });
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }

    /// Names, values over the whole range, and names of choices fit in their font.
    #[test]
    fn every_text_fits_into_its_column() {
        let mut faults = Vec::new();
        everywhere(|ui, layout, _, place| {
            for (id, _, column) in &layout.controls {
                let (spec, room) = (id.spec(), column.width() - 4.0);
                let mut fit = |what: &str, width: f32| {
                    if width > room {
                        faults.push(format!("{place}: {} \"{what}\" takes {width} of {room}", spec.id));
                    }
                };
                let name = knob::fitting(ui.painter(), *id, room);
                fit(&name, knob::label(ui.painter(), &name).size().x);
                if let Scale::Choice(_) = spec.scale {
                    spec.labels()
                        .iter()
                        .for_each(|name| fit(name, if dropdown::fits(ui, name, room) { 0.0 } else { f32::INFINITY }));
                    continue;
                }
                for step in 0..=40 {
                    let text = value_text::show(spec, spec.clamped(spec.from_normalized(f64::from(step) / 40.0)));
                    fit(&text, value_entry::layout_value(ui, &text, room).size().x);
                }
            }
        });
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}
