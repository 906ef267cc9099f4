//! The toolbar of the Modes page: number of partials, their source, snapping and spectrum.

use egui::{Popup, Rect, Ui, pos2, vec2};

use crate::editor::modes::action::ModesAction;
use crate::editor::modes::import::{Goal, Import};
use crate::editor::modes::spectrum::Spectrum;
use crate::editor::param_context::ParamContext;
use crate::editor::param_controls::context_menu;
use crate::editor::partial::Partial;
use crate::editor::theme;
use crate::editor::theme::{Face, Size};
use crate::editor::widgets::button;
use crate::editor::widgets::{Side, ThemePainter};
use urto_engine::params::BodyKind;
use urto_engine::patch::PartialEdit;

/// Widths of the buttons for source, snapping and spectrum, their height, top and gap [px].
const WIDTHS: [f32; 3] = [176.0, 108.0, 80.0];
const HEIGHT: f32 = 28.0;
const TOP: f32 = 16.0;
const GAP: f32 = 8.0;

/// The toolbar: what it shows, and the settings that it changes.
pub struct Toolbar<'a> {
    /// All partials.
    pub partials: &'a [Partial],
    /// The edits of the patch.
    pub edits: &'a [PartialEdit],
    /// Indices of the soloed partials; empty: all are heard.
    pub solo: &'a [usize],
    /// Whether the patch is a kit.
    pub plays_kit: bool,
    /// Whether dragged partials snap to the keys of the tuning.
    pub snap: &'a mut bool,
    /// The spectrum behind the partials.
    pub spectrum: &'a mut Spectrum,
    /// The import of partials from a file.
    pub import: &'a mut Import,
}

impl Toolbar<'_> {
    /// Draws the toolbar at the top of `rect` and handles input.
    pub fn show(mut self, ui: &mut Ui, rect: Rect, params: &ParamContext) -> Option<ModesAction> {
        let inside = rect.shrink2(vec2(theme::MARGIN, TOP));
        let places = row_of(inside, &WIDTHS, HEIGHT, GAP);
        self.title(&ThemePainter::new(ui), rect, places[0].left());
        let from = self.source(ui, places[0], params);
        let snap = button::show(ui, places[1], "Snap to notes", *self.snap);
        if snap.on_hover_text("Dragging a partial sideways snaps it to the keys of the tuning.").clicked() {
            *self.snap = !*self.snap;
        }
        let spectrum = button::show(ui, places[2], "Spectrum", self.spectrum.is_on());
        if spectrum.on_hover_text("Show the spectrum of the sound behind the partials; its peak is at 0 dB.").clicked() {
            self.spectrum.toggle();
        }
        let field = Rect::from_min_size(pos2(inside.left(), rect.top() + TOP + HEIGHT + GAP), vec2(inside.width(), HEIGHT));
        let read = self.import.show(ui, field, || params.params.own_patch());
        from.or(read.map(|patch| ModesAction::Body(Box::new(patch))))
    }

    fn title(&self, pen: &ThemePainter, rect: Rect, right: f32) {
        let at = pos2(rect.left() + theme::MARGIN, rect.top() + TOP + 0.5 * HEIGHT);
        let shown = pen.text(at, Side::Left, "Modes", (Face::SemiBold, Size::Title, pen.ink.text));
        let second = self.partials.iter().filter(|partial| partial.is_second_family()).count();
        let mut about = match (self.partials.len(), second) {
            _ if self.import.is_reading() => vec!["Reading the file…".to_owned()],
            (0, _) => vec!["Computing the body…".to_owned()],
            (all, 0) => vec![format!("{all} partials")],
            (all, second) => vec![format!("{all} partials"), format!("{} of the first family, {second} of others", all - second)],
        };
        if !self.solo.is_empty() {
            about.truncate(1);
            about.push(format!("{} soloed", self.solo.len()));
        } else if !self.edits.is_empty() {
            about.truncate(1);
            about.push(format!("{} edited", self.edits.len()));
        }
        let left = shown.right() + 12.0;
        let fits = |words: &[String]| pen.width(&words.join(", "), Face::Regular, Size::Text) < right - left - 8.0;
        while !about.is_empty() && !fits(&about) {
            about.pop();
        }
        pen.text(pos2(left, at.y + 1.0), Side::Left, &about.join(", "), (Face::Regular, Size::Text, pen.ink.text2));
    }

    /// The menu of the source of the partials.
    fn source(&mut self, ui: &Ui, rect: Rect, params: &ParamContext) -> Option<ModesAction> {
        let list = params.params.settings().body_kind() == BodyKind::Modes;
        let shown = if list { "Partials from a list" } else { "Partials from body" };
        let response = button::drop_down(ui, rect, "Partials from", shown);
        let mut action = None;
        Popup::menu(&response).width(rect.width()).show(|ui| {
            ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
            if !self.edits.is_empty() && context_menu::entry(ui, "Reset all partials to the body") {
                action = Some(ModesAction::ClearEdits);
            }
            // a zone has its own body
            if self.plays_kit {
                ui.label("Each zone of a kit has its own body.");
                return;
            }
            for (words, recording, goal) in [
                ("From a list of modes: CSV, TOML, JSON", false, Goal::Body),
                ("From a recording of a hit: WAV", true, Goal::Body),
                ("Morph to a list of modes", false, Goal::Morph),
                ("Morph to the partials of a recording", true, Goal::Morph),
            ] {
                if context_menu::entry(ui, words) {
                    self.import.ask(recording, goal);
                }
            }
        });
        action
    }
}

/// A row of rectangles of `widths`, right-aligned at the top of `rect`.
fn row_of(rect: Rect, widths: &[f32], height: f32, gap: f32) -> Vec<Rect> {
    let all = widths.iter().sum::<f32>() + gap * widths.len().saturating_sub(1) as f32;
    let mut left = rect.right() - all;
    let one = |width: &f32| {
        let place = Rect::from_min_size(rect.min, vec2(*width, height)).translate(vec2(left - rect.left(), 0.0));
        left += width + gap;
        place
    };
    widths.iter().map(one).collect()
}
