//! The page of the drive: what pushes the hammer, the forces on it, and what it did lately.

mod force_diagram;
mod pattern_editor;
mod recording;
mod source;
mod trace;

use std::collections::VecDeque;

use egui::{Rect, Ui, pos2, vec2};

use crate::editor::layout::part;
use crate::editor::param_context::ParamContext;
use crate::editor::param_controls::Row;
use crate::editor::param_controls::Spot;
use crate::editor::param_controls::dropdown;
use crate::editor::param_controls::knob;
use crate::editor::param_controls::param_grid;
use crate::editor::theme;
use crate::editor::theme::{Face, Hue, Size};
use crate::editor::widgets::tabs;
use crate::editor::widgets::{Side, ThemePainter};
use urto_engine::drive::DriveContent;
use urto_engine::params::{ParamId, Scale};
use urto_engine::patch::Patch;
use urto_engine::{POINTS, TracePoint};

/// Widths of the first two columns.
const COLUMNS: [f32; 2] = [352.0, 448.0];
/// Height of the row of knobs below its tabs, and in a small window.
const ROW: [f32; 2] = [116.0, 96.0];
/// The first column where the window is small: there are two.
const SMALL: f32 = 330.0;
/// What stands under the columns at first: the forces on the hammer.
const FORCES: [&[(ParamId, &str)]; 3] = [
    &[(ParamId::DriveGain, "Gain"), (ParamId::Follow, "Follower"), (ParamId::DriveFrequency, "Frequency")],
    &[(ParamId::Tether, "Tether"), (ParamId::TetherDamping, "Damping"), (ParamId::RestHeight, "Rest height")],
    &[(ParamId::Hold, "Hold"), (ParamId::Gravity, "Gravity"), (ParamId::Rattle, "Rattle"), (ParamId::RattleGap, "Rattle gap")],
];
/// Name of that row, and the rows that may stand there in its place.
const FIRST: &str = "Forces";
/// See [`FIRST`].
pub const ROWS: &[Row] = &[
    ("Source", &[("Drive", Hue::Force)]),
    ("Signal", &[("Signal", Hue::Force), ("Tether", Hue::Force)]),
    ("Rolling", &[("Rolling", Hue::Force)]),
    ("Rattle", &[("Rattle", Hue::Body)]),
    ("Obstacle", &[("Obstacle", Hue::Body)]),
];

/// What the page remembers.
#[derive(Default)]
pub struct Drive {
    points: VecDeque<TracePoint>,
    frozen: bool,
    /// Points since something last moved.
    calm: usize,
    source: source::Column,
    /// The row of knobs that is shown.
    pub row: usize,
}

impl Drive {
    /// Takes what the hammer did.
    pub fn take(&mut self, points: impl Iterator<Item = TracePoint>) {
        for point in points {
            let moves = point.contact > 0.0 || point.push != 0.0 || point.input > 0.0;
            self.calm = if moves { 0 } else { self.calm + 1 };
            if !self.frozen {
                self.points.push_back(point);
            }
        }
        while self.points.len() > POINTS {
            self.points.pop_front();
        }
    }

    /// Whether something moves that can be seen.
    pub fn moves(&self) -> bool {
        !self.frozen && !self.points.is_empty() && self.calm < 2 * POINTS
    }

    /// Draws the page and follows the player; `level` is that of the side-chain [dBFS], `last` the key that was struck last. The patch
    /// with another pattern or recording if there is one.
    pub fn show(&mut self, ui: &mut Ui, rect: Rect, desk: &mut ParamContext, level: f32, last: Option<u8>) -> Option<Patch> {
        let row = theme::TABS + 6.0 + ROW[usize::from(desk.small)];
        let (upper, lower) = rect.split_top_bottom_at_y(rect.bottom() - row);
        let pen = ThemePainter::new(ui);
        pen.hline(rect.x_range(), upper.bottom(), pen.ink.hair);
        let [first, second] =
            if desk.small { [SMALL, 0.0] } else { COLUMNS.map(|width| width * (rect.width() / 1280.0).max(0.9)) };
        let (left, rest) = upper.split_left_right_at_x(upper.left() + first);
        let (middle, right) = rest.split_left_right_at_x(rest.left() + second);
        pen.vline(left.right(), upper.y_range(), pen.ink.hair);
        let points: Vec<TracePoint> = self.points.iter().copied().collect();
        let mut patch = desk.params.own_patch();
        let score = score(&mut patch, last);
        let changed = self.source.show(ui, left, desk, (&points, level), score).map(|changed| *score = changed);
        if !desk.small {
            pen.vline(middle.right(), upper.y_range(), pen.ink.hair);
            crate::editor::drive::force_diagram::show(
                &pen.inside(middle),
                middle,
                desk,
                points.last().copied().unwrap_or_default(),
            );
        }
        trace::show(ui, right, desk, &points, &mut self.frozen);
        // a knob may stand in a column and in a row
        let lower = lower.shrink2(vec2(theme::MARGIN, 0.0));
        self.knobs(&mut part(ui, "row", lower), lower, desk);
        changed.map(|()| patch)
    }

    /// The row of knobs that its tabs choose.
    fn knobs(&mut self, ui: &mut Ui, rect: Rect, desk: &mut ParamContext) {
        let names: Vec<_> = std::iter::once(FIRST).chain(ROWS.iter().map(|(name, _)| *name)).collect();
        let (tabs, row) = rect.split_top_bottom_at_y(rect.top() + theme::TABS);
        tabs::show(ui, tabs, &names, &mut self.row, tabs::Rule::Above);
        match self.row.checked_sub(1).and_then(|place| ROWS.get(place)) {
            Some((_, groups)) => param_grid::bare(ui, row, groups, desk),
            None => forces_row(ui, row, desk),
        }
    }
}

/// What the drive of `patch` plays: in a kit that of the zone that was struck last.
fn score(patch: &mut Patch, last: Option<u8>) -> &mut DriveContent {
    let struck = patch.zones.iter().position(|zone| last.is_some_and(|key| zone.holds(key))).unwrap_or(0);
    match patch.zones.get_mut(struck) {
        Some(zone) => &mut zone.drive_content,
        None => &mut patch.drive_content,
    }
}

/// The forces on the hammer, with hairlines where the columns end.
fn forces_row(ui: &mut Ui, rect: Rect, desk: &mut ParamContext) {
    let count: usize = FORCES.iter().map(|knobs| knobs.len()).sum();
    let step = rect.width() / count as f32;
    let mut x = rect.left();
    let pen = ThemePainter::new(ui);
    for (i, group) in FORCES.iter().enumerate() {
        if i > 0 {
            pen.vline(x, rect.top() + 8.0..=rect.bottom() - 8.0, pen.ink.hair);
        }
        for &(id, name) in *group {
            let column = Rect::from_min_size(pos2(x, rect.top()), vec2(step, rect.height()));
            x += step;
            if let Scale::Choice(_) = id.spec().scale {
                dropdown::show(ui, column, id, Hue::Force, desk);
            } else {
                let spot = Spot { width: step - 6.0, ..Spot::in_column(column, name, desk.small) };
                knob::at(ui, &spot, id, Hue::Force, desk);
            }
        }
    }
}

/// Title of a column, with what it is about.
fn title(pen: &ThemePainter, rect: Rect, title: &str, about: &str) {
    let at = pos2(rect.left() + theme::MARGIN, rect.top() + 30.0);
    let shown = pen.text(at, Side::Left, title, (Face::SemiBold, Size::Title, pen.ink.text));
    pen.text(pos2(shown.right() + 12.0, at.y + 1.0), Side::Left, about, (Face::Regular, Size::Text, pen.ink.text2));
}
