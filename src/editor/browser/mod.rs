//! The browser: presets by family, tag and word, heard as they are stepped through.

mod details;
pub(crate) mod filters;
mod fingerprint;
pub(crate) mod fingerprint_view;
mod preset_index;
mod preset_list;
mod preview;
mod zones;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use egui::{Key, Modifiers, Rect, Ui, pos2, vec2};

use crate::editor::browser::fingerprint::Prints;
use crate::editor::browser::preset_index::Filter;
use crate::editor::theme::Hue;
use crate::editor::widgets::ThemePainter;
use crate::editor::widgets::button;
use urto_engine::patch::Patch;

pub use crate::editor::browser::preset_index::PresetIndex;

/// Widths of filters and preview.
const FILTERS: f32 = 260.0;
const PREVIEW: f32 = 368.0;
/// The same in a small window, which has room for one of them.
const SMALL: f32 = 232.0;
/// What the right column shows.
const SIDES: [&str; 3] = ["Preview", "Details", "Zones"];

/// How long the fingerprints are waited for until the list is drawn again.
const COMING: Duration = Duration::from_millis(100);

/// What the player wants of it.
#[derive(Clone, Debug, PartialEq)]
pub enum BrowserAction {
    /// Hears a preset.
    Hear(Box<Patch>),
    /// Keeps what is heard, and goes back to the stage.
    Keep,
    /// Has it as the other of A and B.
    Beside(Box<Patch>),
    /// Goes back to the stage, with the sound that there was.
    Leave,
    /// Keeps the sound as a preset of this name.
    Save(String),
    /// Turns a favourite.
    Favour(String),
    /// The sound is to be this one from now on: one step to undo.
    Edit(Box<Patch>),
    /// Goes over to the other of A and B, which is to be this.
    Across(Box<Patch>),
    /// Plays a key.
    Play(u8),
    /// Takes the file of a preset away.
    Delete(PathBuf),
}

/// What sounds, and what is not heard now.
pub struct CurrentSound<'a> {
    /// What sounds.
    pub patch: &'a Patch,
    /// The other of A and B, if there is one.
    pub other: Option<&'a Patch>,
    /// Whether this is the effect.
    pub effect: bool,
}

/// What the open browser remembers.
pub struct Browser {
    filter: Filter,
    prints: Prints,
    /// The sound that there was when it was opened.
    before: Patch,
    /// Name of the preset that is heard.
    heard: Option<String>,
    /// Name under which the sound is to be saved, while it is typed; and what went wrong.
    saving: Option<String>,
    trouble: Option<String>,
    /// Whether it has just been opened, and whether the list is to come to what is heard.
    fresh: bool,
    follow: bool,
    /// What the right column shows, and whether a small window shows it in place of the filters.
    pub side: usize,
    pub unfolded: bool,
    /// The zone that is shown in full, and the file that would be taken away by another press.
    zone: usize,
    deleting: Option<PathBuf>,
    /// The preset of those that cannot be read which is looked at.
    broken: Option<usize>,
}

impl Browser {
    /// Opens it: reads the presets, and has their fingerprints made.
    pub fn open(shelf: &mut PresetIndex, before: Patch) -> Self {
        shelf.read();
        let mut prints = Prints::default();
        prints.want(shelf.presets());
        let heard = Some(before.name.clone());
        let filter = Filter::default();
        Self {
            filter,
            prints,
            before,
            heard,
            saving: None,
            trouble: None,
            fresh: true,
            follow: true,
            side: 0,
            unfolded: false,
            zone: 0,
            deleting: None,
            broken: None,
        }
    }

    /// The sound that there was when it was opened.
    pub fn before(&self) -> &Patch {
        &self.before
    }

    /// The sound has been changed here: from now on there was this one when it was opened.
    pub fn edited(&mut self, patch: Patch) {
        self.before = patch;
        self.trouble = None;
    }

    /// The presets have been read anew; what went wrong before, if something did.
    pub fn refreshed(&mut self, shelf: &PresetIndex, trouble: Option<String>) {
        self.prints.want(shelf.presets());
        self.trouble = trouble;
    }

    /// A preset has been saved, or could not be.
    pub fn saved(&mut self, shelf: &mut PresetIndex, result: Result<String, String>) {
        match result {
            Ok(name) => {
                shelf.read();
                self.prints.want(shelf.presets());
                (self.saving, self.trouble, self.heard, self.follow) = (None, None, Some(name), true);
            }
            Err(trouble) => self.trouble = Some(trouble),
        }
    }

    /// Waits for all fingerprints.
    #[cfg(feature = "standalone")]
    pub fn settle(&mut self) {
        while self.prints.take() {
            std::thread::sleep(COMING);
        }
    }

    /// Draws it and follows the player.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        rect: Rect,
        shelf: &PresetIndex,
        (favourites, sounding): (&BTreeSet<String>, &CurrentSound),
        small: bool,
    ) -> Vec<BrowserAction> {
        if self.prints.take() {
            ui.ctx().request_repaint_after(COMING);
        }
        let wanted: Vec<&crate::editor::browser::preset_index::Preset> =
            shelf.presets().iter().filter(|preset| self.filter.wants(preset, favourites)).collect();
        let mut choices = self.keys(ui, &wanted);
        let [left, right] = match (small, self.unfolded) {
            (false, _) => [FILTERS, PREVIEW],
            (true, false) => [SMALL, 0.0],
            (true, true) => [0.0, PREVIEW],
        };
        let (left, rest) = rect.split_left_right_at_x(rect.left() + left);
        let (middle, right) = rest.split_left_right_at_x(rest.right() - right);
        let pen = ThemePainter::new(ui);
        for x in [left.right(), middle.right()] {
            pen.vline(x, rect.y_range(), pen.ink.hair);
        }
        if left.width() > 0.0 {
            filters::show(ui, left, self, shelf, favourites, wanted.len());
        }
        if small {
            let at = Rect::from_min_size(pos2(middle.left() + 112.0, middle.top() + 18.0), vec2(76.0, 28.0));
            self.unfolded ^= button::named(ui, at, "Details and zones", "Details", self.unfolded).clicked();
        }
        choices.extend(crate::editor::browser::preset_list::show(ui, middle, self, &wanted, (favourites, shelf.broken())));
        if right.width() > 0.0 {
            choices.extend(self.side(ui, right, shelf, sounding));
        }
        self.fresh = false;
        choices
    }

    /// The right column: what is heard, what is said of it, its zones.
    fn side(&mut self, ui: &mut Ui, rect: Rect, shelf: &PresetIndex, sounding: &CurrentSound) -> Vec<BrowserAction> {
        let inside = rect.shrink2(vec2(24.0, 0.0));
        let tabs = Rect::from_min_size(inside.min + vec2(0.0, 14.0), vec2(inside.width(), 28.0));
        self.side = button::segments(ui, tabs, "Column", &SIDES, self.side, Hue::Plain);
        let below = Rect::from_min_max(pos2(inside.left(), tabs.bottom() + 10.0), inside.max);
        match SIDES[self.side] {
            "Details" => details::show(ui, below, self, shelf, sounding),
            "Zones" => zones::show(ui, below, shelf, sounding, &mut self.zone),
            _ => {
                let heard = shelf.presets().iter().find(|preset| Some(&preset.patch.name) == self.heard.as_ref());
                let broken = self.broken.and_then(|i| shelf.broken().get(i));
                preview::show(ui, below, self, heard, broken)
            }
        }
    }

    /// Up and down step through, Enter keeps, Esc leaves, F turns a favourite.
    fn keys(&mut self, ui: &Ui, wanted: &[&crate::editor::browser::preset_index::Preset]) -> Vec<BrowserAction> {
        let mut choices = Vec::new();
        if self.saving.is_some() {
            if ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
                (self.saving, self.trouble) = (None, None);
            }
            return choices;
        }
        // another field than that of the search has the keys
        let focused = ui.memory(|memory| memory.focused());
        if ui.ctx().text_edit_focused() && focused != Some(filters::search_id()) {
            return choices;
        }
        let taken = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        let step = isize::from(taken(Key::ArrowDown)) - isize::from(taken(Key::ArrowUp));
        if step != 0 && !wanted.is_empty() {
            let here = wanted.iter().position(|preset| Some(&preset.patch.name) == self.heard.as_ref());
            let next = here.map_or(0, |here| here.saturating_add_signed(step).min(wanted.len() - 1));
            self.follow = true;
            choices.extend(self.hear(&wanted[next].patch));
        }
        if taken(Key::Enter) {
            choices.push(BrowserAction::Keep);
        }
        if taken(Key::Escape) {
            choices.push(BrowserAction::Leave);
        }
        if !ui.ctx().text_edit_focused() && taken(Key::F) {
            choices.extend(self.heard.clone().map(BrowserAction::Favour));
        }
        choices
    }

    fn hear(&mut self, patch: &Patch) -> Option<BrowserAction> {
        let known = self.heard.as_ref() == Some(&patch.name);
        (self.broken, self.deleting) = (None, None);
        self.heard = Some(patch.name.clone());
        (!known).then(|| BrowserAction::Hear(Box::new(patch.clone())))
    }
}
