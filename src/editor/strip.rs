//! The control strip: every knob of the table by its group, on pages of two rows; level and meter stand on all of them.

use egui::{Align2, Color32, Rect, Stroke, Ui, pos2, vec2};

use super::choice;
use super::knob::{self, Desk};
use super::meter::Meter;
use super::tabs;
use super::theme::{self, Face, Size};
use crate::engine::knob::{KnobId, Scale};

/// A group and its ink.
type Group = (&'static str, Color32);

/// A page: its name, and the groups of its upper and of its lower row. A group that is not named here is in the last row of all.
type Page = (&'static str, [&'static [Group]; 2]);

const PAGES: [Page; 8] = [
    ("Strike", [&[("Contact", theme::FORCE), ("Bounce", theme::FORCE)], &[("Hammer", theme::FORCE)]]),
    ("Drive", [&[("Drive", theme::FORCE)], &[("Signal", theme::FORCE), ("Tether", theme::FORCE)]]),
    ("Rolling", [&[("Rolling", theme::FORCE)], &[]]),
    ("Rattle", [&[("Rattle", theme::BODY)], &[("Obstacle", theme::BODY)]]),
    ("Body", [&[("Body", theme::BODY)], &[("Shape", theme::BODY), ("Release", theme::BODY)]]),
    ("Listen", [&[("Pickups", theme::BODY), ("Material", theme::BODY)], &[("Radiation", theme::BODY)]]),
    ("Touch", [&[("Touch", theme::FORCE)], &[("Human", theme::FORCE), ("MIDI", theme::TEXT2)]]),
    ("Keys", [&[("Stage", theme::BODY), ("Voices", theme::BODY)], &[("Pitch", theme::BODY), ("Tracking", theme::BODY)]]),
];
/// The group that stands on every page, with the meter.
const ALWAYS: Group = ("Output", theme::TEXT2);
/// Letters of a word that a field as wide as a knob cannot hold, and how much wider than a knob it is then.
const LONG: usize = 8;
const WIDE: f32 = 1.4;
/// The same for values with a quotient for their unit.
const WIDER: f32 = 1.2;

/// Height of the strip.
pub fn height(small: bool) -> f32 {
    theme::TABS + 2.0 * row(small)
}

fn row(small: bool) -> f32 {
    theme::ROW[usize::from(small)]
}

/// Draws the chosen page and follows the player.
pub fn show(ui: &mut Ui, rect: Rect, desk: &mut Desk, chosen: &mut usize, meter: &Meter) {
    ui.painter().rect_filled(rect, 0.0, theme::PANEL);
    ui.painter().hline(rect.x_range(), rect.top(), Stroke::new(theme::HAIRLINE, theme::HAIR));
    let inside = rect.shrink2(vec2(theme::MARGIN, 0.0));
    let (tabs, rows) = inside.split_top_bottom_at_y(rect.top() + theme::TABS);
    tabs::show(ui, tabs, &PAGES.map(|(name, _)| name), chosen);
    let sheet = Sheet::new(rows, *chosen, desk.small);
    for &((group, ink), at) in &sheet.groups {
        ui.painter().hline(at.x_range(), at.top() + 1.0, Stroke::new(theme::RULE, ink));
        let title = theme::font(Face::SemiBold, Size::Text);
        ui.painter().text(at.min + vec2(0.0, 6.0), Align2::LEFT_TOP, group, title, ink);
    }
    for &(id, ink, column) in &sheet.controls {
        match id.knob().scale {
            Scale::Choice(_) => choice::show(ui, column, id, ink, desk),
            _ => knob::show(ui, column, id, ink, desk),
        };
    }
    let radius = theme::KNOB[usize::from(desk.small)];
    meter.paint(ui.painter(), sheet.meter.with_min_y(sheet.meter.top() + 4.0), 2.0 * radius + 4.0);
}

/// Where everything of one page is.
struct Sheet {
    groups: Vec<(Group, Rect)>,
    controls: Vec<(KnobId, Color32, Rect)>,
    meter: Rect,
}

impl Sheet {
    fn new(rect: Rect, page: usize, small: bool) -> Self {
        let (left, always) = rect.split_left_right_at_x(rect.right() - theme::ALWAYS[usize::from(small)]);
        let left = left.with_max_x(left.right() - theme::GAP);
        let mut sheet = Self { groups: Vec::new(), controls: Vec::new(), meter: Rect::NOTHING };
        for (i, groups) in rows(page).into_iter().enumerate() {
            let top = rect.top() + i as f32 * row(small);
            sheet.add_row(Rect::from_min_size(pos2(left.left(), top), vec2(left.width(), row(small))), &groups);
        }
        sheet.add_always(always, small);
        sheet
    }

    fn add_row(&mut self, rect: Rect, groups: &[Group]) {
        let count: f32 = groups.iter().map(|(group, _)| columns(group)).sum();
        let unit = (rect.width() - theme::GAP * (groups.len().max(1) - 1) as f32) / count;
        let mut left = rect.left();
        for &group in groups {
            let at = Rect::from_min_size(pos2(left, rect.top()), vec2(unit * columns(group.0), rect.height()));
            self.groups.push((group, at));
            for id in members(group.0) {
                let right = left + unit * width(id);
                self.controls.push((id, group.1, Rect::from_x_y_ranges(left..=right, at.top() + theme::TITLE..=at.bottom())));
                left = right;
            }
            left += theme::GAP;
        }
    }

    /// One control below the other, the meter beside the first.
    fn add_always(&mut self, rect: Rect, small: bool) {
        self.groups.push((ALWAYS, rect));
        let (controls, meter) = rect.split_left_right_at_fraction(0.5);
        for (i, id) in members(ALWAYS.0).into_iter().enumerate() {
            let top = rect.top() + theme::TITLE + i as f32 * row(small);
            let bottom = rect.top() + (i + 1) as f32 * row(small);
            self.controls.push((id, ALWAYS.1, controls.with_min_y(top).with_max_y(bottom)));
        }
        self.meter = meter.with_min_y(rect.top() + theme::TITLE).with_max_y(rect.top() + row(small));
    }
}

/// The groups of both rows of a page.
fn rows(page: usize) -> [Vec<Group>; 2] {
    let mut rows = PAGES[page].1.map(<[Group]>::to_vec);
    if page == PAGES.len() - 1 {
        let named =
            |group: &str| PAGES.iter().flat_map(|(_, rows)| rows.iter().copied().flatten()).any(|(name, _)| *name == group);
        for id in KnobId::ALL {
            let group = id.knob().group;
            if !named(group) && group != ALWAYS.0 && rows[1].iter().all(|(name, _)| *name != group) {
                rows[1].push((group, theme::TEXT2));
            }
        }
    }
    rows.map(|groups| groups.into_iter().filter(|(group, _)| !members(group).is_empty()).collect())
}

fn members(group: &str) -> Vec<KnobId> {
    KnobId::ALL.iter().copied().filter(|id| id.knob().group == group).collect()
}

/// Width of a control over that of an ordinary knob: long words and units take more.
fn width(id: KnobId) -> f32 {
    match id.knob().scale {
        Scale::Choice(names) if names.iter().any(|name| name.len() > LONG) => WIDE,
        _ if id.knob().unit.contains('/') => WIDER,
        _ => 1.0,
    }
}

fn columns(group: &str) -> f32 {
    members(group).into_iter().map(width).sum()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use egui::{Context, RawInput, Ui};

    use super::super::entry::Entry;
    use super::*;
    use crate::params::quantity;

    /// Runs `look` on the sheet of every page in windows of the sizes that matter.
    fn everywhere(mut look: impl FnMut(&Ui, &Sheet, Rect, &str)) {
        for [width, window] in [[900.0, 600.0], [1119.0, 719.0], [1120.0, 720.0], [1240.0, 780.0], [2560.0, 1600.0]] {
            let small = width < theme::SMALL[0] || window < theme::SMALL[1];
            let size = vec2(width - 2.0 * theme::MARGIN, 2.0 * row(small));
            let rect = Rect::from_min_size(pos2(theme::MARGIN, 300.0), size);
            let context = Context::default();
            theme::dress(&context);
            let mut shown = context.run_ui(RawInput::default(), |ui| {
                for (page, (name, _)) in PAGES.iter().enumerate() {
                    look(ui, &Sheet::new(rect, page, small), rect, &format!("{name} at {width}x{window}"));
                }
            });
            shown.textures_delta.clear();
        }
    }

    #[test]
    fn every_knob_is_on_one_page_and_what_is_out_is_on_all() {
        let mut seen = BTreeSet::new();
        for page in 0..PAGES.len() {
            let sheet = Sheet::new(Rect::from_min_size(pos2(0.0, 0.0), vec2(1200.0, 280.0)), page, false);
            let (always, own): (Vec<(KnobId, Color32, Rect)>, Vec<_>) =
                sheet.controls.iter().copied().partition(|(id, ..)| id.knob().group == ALWAYS.0);
            assert_eq!(always.len(), members(ALWAYS.0).len());
            assert!(own.iter().all(|(id, ..)| seen.insert(*id)), "a knob stands twice");
        }
        assert_eq!(seen.len() + members(ALWAYS.0).len(), KnobId::ALL.len());
    }

    #[test]
    fn nothing_overlaps_or_leaves_the_strip() {
        let mut faults = Vec::new();
        everywhere(|_, sheet, rect, place| {
            let controls = sheet.controls.iter().map(|(id, _, at)| (id.knob().id, *at));
            let all: Vec<_> = controls.chain([("meter", sheet.meter)]).collect();
            for (i, (id, at)) in all.iter().enumerate() {
                let over = all[i + 1..].iter().find(|(_, other)| at.shrink(0.01).intersects(*other));
                if !rect.expand(0.01).contains_rect(*at) || over.is_some() {
                    faults.push(format!("{place}: {id} at {at:?} in {rect:?}, over {over:?}"));
                }
            }
        });
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }

    /// Names, values at every travel, and words of choices, in the type they are shown in.
    #[test]
    fn every_text_fits_into_its_column() {
        let mut faults = Vec::new();
        everywhere(|ui, sheet, _, place| {
            for (id, _, column) in &sheet.controls {
                let (knob, room) = (id.knob(), column.width() - 4.0);
                let mut fit = |what: &str, width: f32| {
                    if width > room {
                        faults.push(format!("{place}: {} \"{what}\" takes {width} of {room}", knob.id));
                    }
                };
                fit(knob.name, knob::label(ui.painter(), knob.name, room, theme::TEXT).size().x);
                if let Scale::Choice(names) = knob.scale {
                    names.iter().for_each(|name| fit(name, if choice::fits(ui, name, room) { 0.0 } else { f32::INFINITY }));
                    continue;
                }
                for step in 0..=40 {
                    let text = quantity::show(knob, knob.clean(knob.value_at(f64::from(step) / 40.0)));
                    fit(&text, Entry::lay(ui, &text, room).size().x);
                }
            }
        });
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}
