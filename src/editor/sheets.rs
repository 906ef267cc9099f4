//! Every knob of the table by its group, on sheets of up to four rows.

use egui::{Rect, Ui, pos2, vec2};

use super::choice;
use super::desk::Desk;
use super::knob;
use super::pen::{Pen, Side};
use super::tabs;
use super::theme::{self, Face, Hue, Size};
use crate::engine::knob::{KnobId, Scale};

/// A group and its ink.
type Group = (&'static str, Hue);

/// A page: its name, and the groups of its upper and of its lower row. A group that is not named here is in the last row of all.
type Page = (&'static str, [&'static [Group]; 2]);

const PAGES: [Page; 8] = [
    ("Strike", [&[("Contact", Hue::Force), ("Bounce", Hue::Force)], &[("Hammer", Hue::Force)]]),
    ("Drive", [&[("Drive", Hue::Force)], &[("Signal", Hue::Force), ("Tether", Hue::Force)]]),
    ("Rolling", [&[("Rolling", Hue::Force)], &[]]),
    ("Rattle", [&[("Rattle", Hue::Body)], &[("Obstacle", Hue::Body)]]),
    ("Body", [&[("Body", Hue::Body)], &[("Shape", Hue::Body), ("Release", Hue::Body)]]),
    ("Listen", [&[("Pickups", Hue::Body), ("Material", Hue::Body)], &[("Radiation", Hue::Body), ("Output", Hue::Plain)]]),
    ("Touch", [&[("Touch", Hue::Force)], &[("Human", Hue::Force), ("MIDI", Hue::Plain)]]),
    ("Keys", [&[("Stage", Hue::Body), ("Voices", Hue::Body)], &[("Pitch", Hue::Body), ("Tracking", Hue::Body)]]),
];
/// Letters of a word that a field as wide as a knob cannot hold, and how much wider than a knob it is then.
const LONG: usize = 8;
const WIDE: f32 = 1.4;
/// The same for values with a quotient for their unit.
const WIDER: f32 = 1.2;

fn row(small: bool) -> f32 {
    theme::ROW[usize::from(small)]
}

/// Draws the chosen sheet and follows the player.
pub fn show(ui: &mut Ui, rect: Rect, desk: &mut Desk, chosen: &mut usize) {
    let inside = rect.shrink2(vec2(theme::MARGIN, 12.0));
    let (tabs, rows) = inside.split_top_bottom_at_y(inside.top() + theme::TABS);
    tabs::show(ui, tabs, &PAGES.map(|(name, _)| name), chosen, tabs::Rule::Above);
    let rows = rows.with_min_y(rows.top() + 14.0);
    let sheet = Sheet::new(rows, *chosen, desk.small);
    let pen = Pen::new(ui);
    for &((group, hue), at) in &sheet.groups {
        let rule = Rect::from_min_size(at.min, vec2(at.width(), theme::RULE));
        pen.rect(rule, 0.0, pen.ink.of(hue));
        pen.text(at.min + vec2(0.0, 17.0), Side::Left, group, (Face::SemiBold, Size::Label, pen.ink.of(hue)));
    }
    for &(id, hue, column) in &sheet.controls {
        match id.knob().scale {
            Scale::Choice(_) => choice::show(ui, column, id, hue, desk),
            _ => knob::show(ui, column, id, hue, desk),
        };
    }
}

/// Where everything of one sheet is.
struct Sheet {
    groups: Vec<(Group, Rect)>,
    controls: Vec<(KnobId, Hue, Rect)>,
}

impl Sheet {
    fn new(rect: Rect, page: usize, small: bool) -> Self {
        let mut sheet = Self { groups: Vec::new(), controls: Vec::new() };
        for (i, groups) in rows(page).into_iter().enumerate() {
            let top = rect.top() + i as f32 * (row(small) + theme::TITLE);
            let size = vec2(rect.width(), row(small) + theme::TITLE);
            sheet.add_row(Rect::from_min_size(pos2(rect.left(), top), size), &groups);
        }
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
}

/// The groups of both rows of a page.
fn rows(page: usize) -> [Vec<Group>; 2] {
    let mut rows = PAGES[page].1.map(<[Group]>::to_vec);
    if page == PAGES.len() - 1 {
        let named =
            |group: &str| PAGES.iter().flat_map(|(_, rows)| rows.iter().copied().flatten()).any(|(name, _)| *name == group);
        for id in KnobId::ALL {
            let group = id.knob().group;
            if !named(group) && rows[1].iter().all(|(name, _)| *name != group) {
                rows[1].push((group, Hue::Plain));
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
            let size = vec2(width - 2.0 * theme::MARGIN, 2.0 * (row(small) + theme::TITLE));
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
    fn every_knob_is_on_one_sheet() {
        let mut seen = BTreeSet::new();
        for page in 0..PAGES.len() {
            let sheet = Sheet::new(Rect::from_min_size(pos2(0.0, 0.0), vec2(1200.0, 280.0)), page, false);
            assert!(sheet.controls.iter().all(|(id, ..)| seen.insert(*id)), "a knob stands twice");
        }
        assert_eq!(seen, KnobId::ALL.iter().copied().collect());
    }

    #[test]
    fn nothing_overlaps_or_leaves_the_sheet() {
        let mut faults = Vec::new();
        everywhere(|_, sheet, rect, place| {
            let controls = sheet.controls.iter().map(|(id, _, at)| (id.knob().id, *at));
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
                fit(knob.name, knob::label(ui.painter(), knob::fitting(ui.painter(), knob.name, room)).size().x);
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
