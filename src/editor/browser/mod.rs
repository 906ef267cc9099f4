//! The browser: presets by family, tag and word, heard as they are stepped through.

mod filters;
mod list;
mod picture;
mod preview;
mod print;
mod shelf;

use std::collections::BTreeSet;

use egui::{Key, Modifiers, Rect, Ui};

use self::print::Prints;
use self::shelf::Filter;
use super::pen::Pen;
use crate::engine::patch::Patch;

pub use self::shelf::Shelf;

/// Widths of filters and preview.
const FILTERS: f32 = 260.0;
const PREVIEW: f32 = 368.0;
/// The same in a small window, which has no room for a preview.
const SMALL: f32 = 232.0;

/// What the player wants of it.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
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
}

impl Browser {
    /// Opens it: reads the presets, and has their fingerprints made.
    pub fn open(shelf: &mut Shelf, before: Patch) -> Self {
        shelf.read();
        let mut prints = Prints::default();
        prints.want(shelf.presets());
        let heard = Some(before.name.clone());
        let filter = Filter::default();
        Self { filter, prints, before, heard, saving: None, trouble: None, fresh: true, follow: true }
    }

    /// The sound that there was when it was opened.
    pub fn before(&self) -> &Patch {
        &self.before
    }

    /// A preset has been saved, or could not be.
    pub fn saved(&mut self, shelf: &mut Shelf, result: Result<String, String>) {
        match result {
            Ok(name) => {
                shelf.read();
                self.prints.want(shelf.presets());
                (self.saving, self.trouble, self.heard, self.follow) = (None, None, Some(name), true);
            }
            Err(trouble) => self.trouble = Some(trouble),
        }
    }

    /// Draws it and follows the player.
    pub fn show(&mut self, ui: &mut Ui, rect: Rect, shelf: &Shelf, favourites: &BTreeSet<String>, small: bool) -> Vec<Choice> {
        if self.prints.take() {
            ui.ctx().request_repaint();
        }
        let wanted: Vec<&shelf::Preset> = shelf.presets().iter().filter(|preset| self.filter.wants(preset, favourites)).collect();
        let mut choices = self.keys(ui, &wanted);
        let (left, rest) = rect.split_left_right_at_x(rect.left() + if small { SMALL } else { FILTERS });
        let (middle, right) = rest.split_left_right_at_x(rest.right() - if small { 0.0 } else { PREVIEW });
        let pen = Pen::new(ui);
        for x in [left.right(), middle.right()] {
            pen.vline(x, rect.y_range(), pen.ink.hair);
        }
        filters::show(ui, left, self, shelf, favourites, wanted.len());
        choices.extend(list::show(ui, middle, self, &wanted, favourites));
        if !small {
            let heard = shelf.presets().iter().find(|preset| Some(&preset.patch.name) == self.heard.as_ref());
            choices.extend(preview::show(ui, right, self, heard));
        }
        self.fresh = false;
        choices
    }

    /// Up and down step through, Enter keeps, Esc leaves, F turns a favourite.
    fn keys(&mut self, ui: &Ui, wanted: &[&shelf::Preset]) -> Vec<Choice> {
        let mut choices = Vec::new();
        if self.saving.is_some() {
            if ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
                (self.saving, self.trouble) = (None, None);
            }
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
            choices.push(Choice::Keep);
        }
        if taken(Key::Escape) {
            choices.push(Choice::Leave);
        }
        if !ui.ctx().text_edit_focused() && taken(Key::F) {
            choices.extend(self.heard.clone().map(Choice::Favour));
        }
        choices
    }

    fn hear(&mut self, patch: &Patch) -> Option<Choice> {
        let known = self.heard.as_ref() == Some(&patch.name);
        self.heard = Some(patch.name.clone());
        (!known).then(|| Choice::Hear(Box::new(patch.clone())))
    }
}
