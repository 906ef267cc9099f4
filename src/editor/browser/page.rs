//! Draws the browser: filters, list, and the right column.

use std::collections::BTreeSet;

use egui::{Key, Modifiers, Rect, Ui, pos2, vec2};

use crate::editor::browser::preset_index::{Preset, PresetIndex};
use crate::editor::browser::state::{Browser, BrowserAction, COMING, CurrentSound};
use crate::editor::browser::{details, filters, preset_list, preview, zones};
use crate::editor::theme::Hue;
use crate::editor::widgets::ThemePainter;
use crate::editor::widgets::button;

/// Widths of the filters and of the right column.
const FILTERS: f32 = 260.0;
const PREVIEW: f32 = 368.0;
/// Width of the filters in a small window, which shows one of the two.
const SMALL: f32 = 232.0;
/// Views of the right column.
const SIDES: [&str; 3] = ["Preview", "Details", "Zones"];

impl Browser {
    /// Draws the browser; the actions that the user asks for.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        rect: Rect,
        presets: &PresetIndex,
        (favourites, current): (&BTreeSet<String>, &CurrentSound),
        small: bool,
    ) -> Vec<BrowserAction> {
        if self.fingerprints.take() {
            ui.ctx().request_repaint_after(COMING);
        }
        let wanted: Vec<&Preset> = presets.presets().iter().filter(|preset| self.filter.wants(preset, favourites)).collect();
        let mut choices = self.keys(ui, &wanted);
        let [left, right] = match (small, self.unfolded) {
            (false, _) => [FILTERS, PREVIEW],
            (true, false) => [SMALL, 0.0],
            (true, true) => [0.0, PREVIEW],
        };
        let (left, rest) = rect.split_left_right_at_x(rect.left() + left);
        let (middle, right) = rest.split_left_right_at_x(rest.right() - right);
        let painter = ThemePainter::new(ui);
        for x in [left.right(), middle.right()] {
            painter.vline(x, rect.y_range(), painter.ink.hair);
        }
        if left.width() > 0.0 {
            filters::show(ui, left, self, presets, favourites, wanted.len());
        }
        if small {
            let at = Rect::from_min_size(pos2(middle.left() + 112.0, middle.top() + 18.0), vec2(76.0, 28.0));
            self.unfolded ^= button::named(ui, at, "Details and zones", "Details", self.unfolded).clicked();
        }
        choices.extend(preset_list::show(ui, middle, self, &wanted, (favourites, presets.broken())));
        if right.width() > 0.0 {
            choices.extend(self.side(ui, right, presets, current));
        }
        self.fresh = false;
        choices
    }

    /// The right column: preview, details, or zones.
    fn side(&mut self, ui: &mut Ui, rect: Rect, presets: &PresetIndex, current: &CurrentSound) -> Vec<BrowserAction> {
        let inside = rect.shrink2(vec2(24.0, 0.0));
        let tabs = Rect::from_min_size(inside.min + vec2(0.0, 14.0), vec2(inside.width(), 28.0));
        self.side = button::segments(ui, tabs, "Column", &SIDES, self.side, Hue::Plain);
        let below = Rect::from_min_max(pos2(inside.left(), tabs.bottom() + 10.0), inside.max);
        match SIDES[self.side] {
            "Details" => details::show(ui, below, self, presets, current),
            "Zones" => zones::show(ui, below, presets, current, &mut self.zone),
            _ => {
                let selected = presets.presets().iter().find(|preset| Some(&preset.patch.name) == self.selected.as_ref());
                let broken = self.broken.and_then(|i| presets.broken().get(i));
                preview::show(ui, below, self, selected, broken)
            }
        }
    }

    /// Keys: Up and Down select, Enter confirms, Esc cancels, F marks a favourite.
    fn keys(&mut self, ui: &Ui, wanted: &[&Preset]) -> Vec<BrowserAction> {
        let mut choices = Vec::new();
        if self.saving.is_some() {
            if ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
                (self.saving, self.error) = (None, None);
            }
            return choices;
        }
        // another text field than the search has the keys
        let focused = ui.memory(|memory| memory.focused());
        if ui.ctx().text_edit_focused() && focused != Some(filters::search_id()) {
            return choices;
        }
        let taken = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        let step = isize::from(taken(Key::ArrowDown)) - isize::from(taken(Key::ArrowUp));
        if step != 0 && !wanted.is_empty() {
            let here = wanted.iter().position(|preset| Some(&preset.patch.name) == self.selected.as_ref());
            let next = here.map_or(0, |here| here.saturating_add_signed(step).min(wanted.len() - 1));
            self.follow = true;
            choices.extend(self.select(&wanted[next].patch));
        }
        if taken(Key::Enter) {
            choices.push(BrowserAction::Confirm);
        }
        if taken(Key::Escape) {
            choices.push(BrowserAction::Cancel);
        }
        if !ui.ctx().text_edit_focused() && taken(Key::F) {
            choices.extend(self.selected.clone().map(BrowserAction::ToggleFavourite));
        }
        choices
    }
}
