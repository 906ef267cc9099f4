//! The Drive page: source, force diagram and trace of the driven hammer, and a row of its parameters.

use std::collections::VecDeque;

use egui::{Rect, Ui, vec2};

use crate::editor::drive::{force_diagram, source};
use crate::editor::param_context::ParamContext;
use crate::editor::param_controls::{Row, param_grid};
use crate::editor::theme;
use crate::editor::theme::{Hue, part};
use crate::editor::widgets::{ThemePainter, tabs};
use urto_engine::drive::DriveContent;
use urto_engine::params::ParamId;
use urto_engine::patch::Patch;
use urto_engine::{POINTS, TracePoint};

/// Widths of the first two columns at the default size [px].
const COLUMNS: [f32; 2] = [352.0, 448.0];
/// Height of the row of parameters below its tabs: [normal, small window].
const ROW: [f32; 2] = [116.0, 96.0];
/// Width of the first of two columns in a small window.
const SMALL: f32 = 330.0;
/// Parameters of the first tab: the forces on the hammer.
const FORCES: [&[ParamId]; 3] = [
    &[ParamId::DriveGain, ParamId::Follow, ParamId::DriveFrequency],
    &[ParamId::Tether, ParamId::TetherDamping, ParamId::RestHeight],
    &[ParamId::Hold, ParamId::Gravity, ParamId::Rattle, ParamId::RattleGap],
];
/// Name of the first tab, and the parameter groups of the others.
const FIRST: &str = "Forces";
/// Tabs after [`FIRST`].
pub const ROWS: &[Row] = &[
    ("Source", &[("Drive", Hue::Force)]),
    ("Signal", &[("Drive signal", Hue::Force), ("Mount", Hue::Force)]),
    ("Rolling", &[("Rolling", Hue::Force)]),
    ("Rattle", &[("Rattle", Hue::Body)]),
    ("Rattle contact", &[("Rattle contact", Hue::Body)]),
];

/// State of the page.
#[derive(Default)]
pub struct DrivePage {
    points: VecDeque<TracePoint>,
    frozen: bool,
    /// Number of trace points since the hammer last moved.
    points_at_rest: usize,
    source: source::SourceColumn,
    /// Index of the selected tab.
    tab: usize,
}

impl DrivePage {
    /// Adds points of the trace.
    pub fn push(&mut self, points: impl Iterator<Item = TracePoint>) {
        for point in points {
            let moves = point.contact > 0.0 || point.push != 0.0 || point.input > 0.0;
            self.points_at_rest = if moves { 0 } else { self.points_at_rest + 1 };
            if !self.frozen {
                self.points.push_back(point);
            }
        }
        while self.points.len() > POINTS {
            self.points.pop_front();
        }
    }

    /// Whether the page is animated.
    pub fn is_moving(&self) -> bool {
        !self.frozen && !self.points.is_empty() && self.points_at_rest < 2 * POINTS
    }

    /// Selects a tab of the row of parameters.
    #[cfg(test)]
    pub fn select_tab(&mut self, tab: usize) {
        self.tab = tab;
    }

    /// Draws the page and handles input; `level` of the side-chain [dBFS], `last` key struck. Returns the patch with another pattern or
    /// recording if the user changed it.
    pub fn show(&mut self, ui: &mut Ui, rect: Rect, params: &mut ParamContext, level: f32, last: Option<u8>) -> Option<Patch> {
        let row = theme::TABS + 6.0 + ROW[usize::from(params.small)];
        let (upper, lower) = rect.split_top_bottom_at_y(rect.bottom() - row);
        let painter = ThemePainter::new(ui);
        painter.hline(rect.x_range(), upper.bottom(), painter.ink.hair);
        let [first, second] =
            if params.small { [SMALL, 0.0] } else { COLUMNS.map(|width| width * (rect.width() / 1280.0).max(0.9)) };
        let (left, rest) = upper.split_left_right_at_x(upper.left() + first);
        let (middle, right) = rest.split_left_right_at_x(rest.left() + second);
        painter.vline(left.right(), upper.y_range(), painter.ink.hair);
        let points: Vec<TracePoint> = self.points.iter().copied().collect();
        let mut patch = params.params.own_patch();
        let content = drive_content(&mut patch, last);
        let changed = self.source.show(ui, left, params, (&points, level), content).map(|changed| *content = changed);
        if !params.small {
            painter.vline(middle.right(), upper.y_range(), painter.ink.hair);
            force_diagram::show(&painter.inside(middle), middle, params, points.last().copied().unwrap_or_default());
        }
        force_diagram::trace(ui, right, params, &points, &mut self.frozen);
        // separate ids: a parameter may appear in a column and in this row
        let lower = lower.shrink2(vec2(theme::MARGIN, 0.0));
        self.tab_row(&mut part(ui, "Parameters of the drive", lower), lower, params);
        changed.map(|()| patch)
    }

    /// The row of parameters of the selected tab.
    fn tab_row(&mut self, ui: &mut Ui, rect: Rect, params: &mut ParamContext) {
        let names: Vec<_> = std::iter::once(FIRST).chain(ROWS.iter().map(|(name, _)| *name)).collect();
        let (tabs, row) = rect.split_top_bottom_at_y(rect.top() + theme::TABS);
        tabs::show(ui, tabs, &names, &mut self.tab, tabs::Rule::Above);
        match self.tab.checked_sub(1).and_then(|place| ROWS.get(place)) {
            Some((_, groups)) => param_grid::bare(ui, row, groups, params),
            None => param_grid::plain(ui, row, &FORCES, (forces_name, Hue::Force), params),
        }
    }
}

/// Pattern and recording of `patch`; of a kit, those of the zone that was struck last.
fn drive_content(patch: &mut Patch, last: Option<u8>) -> &mut DriveContent {
    let struck = patch.zones.iter().position(|zone| last.is_some_and(|key| zone.holds(key))).unwrap_or(0);
    match patch.zones.get_mut(struck) {
        Some(zone) => &mut zone.drive_content,
        None => &mut patch.drive_content,
    }
}

/// Name of a parameter in the row of the forces, which has no heading of the group.
fn forces_name(id: ParamId) -> &'static str {
    match id {
        ParamId::DriveFrequency => "Drive freq.",
        ParamId::Tether => "Tether",
        ParamId::Rattle => "Rattle",
        ParamId::TetherDamping => "Tether damp.",
        ParamId::Follow => "Follower depth",
        ParamId::RestHeight => "Rest distance",
        ParamId::Hold => "Press force",
        ParamId::Gravity => "Gravity",
        _ => id.spec().name,
    }
}
