//! The page of the drive: what pushes the hammer, the forces on it, and what it did lately.

mod forces;
mod source;
mod trace;

use std::collections::VecDeque;

use egui::{Rect, Ui, pos2, vec2};

use super::choice;
use super::desk::Desk;
use super::knob::{self, Spot};
use super::pen::{Pen, Side};
use super::theme::{self, Face, Hue, Size};
use crate::engine::knob::{KnobId, Scale};
use crate::engine::{POINTS, TracePoint};

/// Widths of the first two columns, and height of the row of knobs.
const COLUMNS: [f32; 2] = [352.0, 448.0];
const ROW: [f32; 2] = [128.0, 104.0];
/// The same where the window is small: two columns.
const SMALL: f32 = 330.0;
/// Knobs under each column.
const KNOBS: [&[(KnobId, &str)]; 3] = [
    &[(KnobId::DriveGain, "Gain"), (KnobId::Follow, "Follower"), (KnobId::DriveFrequency, "Frequency")],
    &[(KnobId::Tether, "Tether"), (KnobId::TetherDamping, "Damping"), (KnobId::RestHeight, "Rest height")],
    &[(KnobId::Hold, "Hold"), (KnobId::Gravity, "Gravity"), (KnobId::Rattle, "Rattle"), (KnobId::RattleGap, "Rattle gap")],
];

/// What the page remembers.
#[derive(Default)]
pub struct Drive {
    points: VecDeque<TracePoint>,
    frozen: bool,
    /// Points since something last moved.
    calm: usize,
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

    /// Draws the page and follows the player; `level` is that of the side-chain [dBFS].
    pub fn show(&mut self, ui: &mut Ui, rect: Rect, desk: &mut Desk, level: f32) {
        let row = ROW[usize::from(desk.small)];
        let (upper, lower) = rect.split_top_bottom_at_y(rect.bottom() - row);
        let pen = Pen::new(ui);
        pen.hline(rect.x_range(), upper.bottom(), pen.ink.hair);
        let [first, second] =
            if desk.small { [SMALL, 0.0] } else { COLUMNS.map(|width| width * (rect.width() / 1280.0).max(0.9)) };
        let (left, rest) = upper.split_left_right_at_x(upper.left() + first);
        let (middle, right) = rest.split_left_right_at_x(rest.left() + second);
        pen.vline(left.right(), upper.y_range(), pen.ink.hair);
        let points: Vec<TracePoint> = self.points.iter().copied().collect();
        source::show(ui, left, desk, &points, level);
        if !desk.small {
            pen.vline(middle.right(), upper.y_range(), pen.ink.hair);
            forces::show(&pen.inside(middle), middle, desk, points.last().copied().unwrap_or_default());
        }
        trace::show(ui, right, desk, &points, &mut self.frozen);
        knobs(ui, lower, desk, [left.right(), middle.right()]);
    }
}

/// The row of knobs, with hairlines where the columns end.
fn knobs(ui: &mut Ui, rect: Rect, desk: &mut Desk, ends: [f32; 2]) {
    let count: usize = KNOBS.iter().map(|knobs| knobs.len()).sum();
    let step = (rect.width() - 2.0 * theme::MARGIN) / count as f32;
    let mut x = rect.left() + theme::MARGIN;
    let pen = Pen::new(ui);
    for (i, group) in KNOBS.iter().enumerate() {
        if i > 0 {
            pen.vline(x, rect.top() + 12.0..=rect.bottom() - 12.0, pen.ink.hair);
        }
        for &(id, name) in *group {
            let column = Rect::from_min_size(pos2(x, rect.top() + 6.0), vec2(step, rect.height() - 6.0));
            x += step;
            if let Scale::Choice(_) = id.knob().scale {
                choice::show(ui, column, id, Hue::Force, desk);
            } else {
                let spot = Spot { width: step - 6.0, ..Spot::in_column(column, name, desk.small) };
                knob::at(ui, &spot, id, Hue::Force, desk);
            }
        }
    }
    let _ = ends;
}

/// Title of a column, with what it is about.
fn title(pen: &Pen, rect: Rect, title: &str, about: &str) {
    let at = pos2(rect.left() + theme::MARGIN, rect.top() + 30.0);
    let shown = pen.text(at, Side::Left, title, (Face::SemiBold, Size::Title, pen.ink.text));
    pen.text(pos2(shown.right() + 12.0, at.y + 1.0), Side::Left, about, (Face::Regular, Size::Text, pen.ink.text2));
}
