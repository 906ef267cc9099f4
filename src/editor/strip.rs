//! The control strip: every knob of the table, by its group, in two rows, and the level meter.

use egui::{Align2, Color32, Rect, Stroke, Ui, pos2, vec2};

use super::choice;
use super::knob::{self, Desk};
use super::meter::Meter;
use super::theme::{self, Face, Size};
use crate::engine::knob::{KnobId, Scale};

/// Groups of the upper and of the lower row, with their inks. A group that is not named here follows in the lower row.
const UPPER: [(&str, Color32); 3] = [("Contact", theme::FORCE), ("Hammer", theme::FORCE), ("Output", theme::TEXT2)];
const LOWER: [(&str, Color32); 4] =
    [("Body", theme::BODY), ("Pickups", theme::BODY), ("Release", theme::BODY), ("Drive", theme::FORCE)];
/// Letters of a word that a field as wide as a knob cannot hold, and how much wider than a knob it is then.
const LONG: usize = 9;
const WIDE: f32 = 1.4;
/// The group that the meter belongs to.
const METERED: &str = "Output";

/// Height of the strip.
pub fn height(small: bool) -> f32 {
    2.0 * row(small)
}

fn row(small: bool) -> f32 {
    if small { theme::ROW_SMALL } else { theme::ROW }
}

/// Draws all groups and follows the player.
pub fn show(ui: &mut Ui, rect: Rect, desk: &mut Desk, meter: &Meter) {
    ui.painter().rect_filled(rect, 0.0, theme::PANEL);
    ui.painter().hline(rect.x_range(), rect.top(), Stroke::new(theme::HAIRLINE, theme::HAIR));
    let mut lower = LOWER.to_vec();
    for id in KnobId::ALL {
        let group = id.knob().group;
        if UPPER.iter().chain(&lower).all(|(named, _)| *named != group) {
            lower.push((group, theme::TEXT2));
        }
    }
    for (i, groups) in [UPPER.to_vec(), lower].into_iter().enumerate() {
        let top = rect.top() + i as f32 * row(desk.small);
        let line = Rect::from_min_size(
            pos2(rect.left() + theme::MARGIN, top),
            vec2(rect.width() - 2.0 * theme::MARGIN, row(desk.small)),
        );
        show_row(ui, line, &groups, desk, meter);
    }
}

fn members(group: &str) -> Vec<KnobId> {
    KnobId::ALL.iter().copied().filter(|id| id.knob().group == group).collect()
}

/// Width of a control over that of a knob: lists of long words take more.
fn width(id: KnobId) -> f32 {
    match id.knob().scale {
        Scale::Choice(names) if names.iter().any(|name| name.len() > LONG) => WIDE,
        _ => 1.0,
    }
}

fn columns(group: &str) -> f32 {
    members(group).into_iter().map(width).sum::<f32>() + if group == METERED { 1.0 } else { 0.0 }
}

fn show_row(ui: &mut Ui, rect: Rect, groups: &[(&'static str, Color32)], desk: &mut Desk, meter: &Meter) {
    let count: f32 = groups.iter().map(|(group, _)| columns(group)).sum();
    let gaps = theme::GAP * (groups.len() - 1) as f32;
    let width = (rect.width() - gaps) / count;
    let mut left = rect.left();
    for &(group, ink) in groups {
        let span = width * columns(group);
        show_group(ui, Rect::from_min_size(pos2(left, rect.top()), vec2(span, rect.height())), group, ink, desk, meter);
        left += span + theme::GAP;
    }
}

fn show_group(ui: &mut Ui, rect: Rect, group: &str, ink: Color32, desk: &mut Desk, meter: &Meter) {
    ui.painter().hline(rect.x_range(), rect.top() + 1.0, Stroke::new(theme::RULE, ink));
    let title = theme::font(Face::SemiBold, Size::Text);
    ui.painter().text(rect.min + vec2(0.0, 8.0), Align2::LEFT_TOP, group, title, ink);
    let unit = rect.width() / columns(group);
    let mut left = rect.left();
    let mut column = |wide: f32| {
        let whole = Rect::from_min_max(pos2(left, rect.top() + 24.0), pos2(left + wide * unit, rect.bottom()));
        left = whole.right();
        whole
    };
    for id in members(group) {
        match id.knob().scale {
            Scale::Choice(_) => choice::show(ui, column(width(id)), id, ink, desk),
            _ => knob::show(ui, column(width(id)), id, ink, desk),
        };
    }
    if group == METERED {
        let radius = theme::KNOB[usize::from(desk.small)];
        let column = column(1.0);
        meter.paint(ui.painter(), column.with_min_y(column.top() + 4.0), 2.0 * radius + 4.0);
    }
}
