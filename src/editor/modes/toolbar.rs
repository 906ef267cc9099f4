//! The head of the page: how many partials there are, where they come from, to what they snap, whether what is heard is shown.

use egui::{Popup, Rect, Ui, pos2, vec2};

use crate::editor::modes::import::Goal;
use crate::editor::modes::{Modes, ModesAction, beside};
use crate::editor::param_context::ParamContext;
use crate::editor::param_controls::context_menu;
use crate::editor::partial::Partial;
use crate::editor::theme;
use crate::editor::theme::{Face, Size};
use crate::editor::widgets::button;
use crate::editor::widgets::{Side, ThemePainter};
use urto_engine::params::BodyKind;
use urto_engine::patch::PartialEdit;

/// Widths of the source, of snap and of the spectrum, their height, their top, and the gap between them.
const WIDTHS: [f32; 3] = [176.0, 108.0, 80.0];
const HEIGHT: f32 = 28.0;
const TOP: f32 = 16.0;
const GAP: f32 = 8.0;

/// What the head shows.
pub struct Bar<'a> {
    /// All partials.
    pub partials: &'a [Partial],
    /// The trims of the patch.
    pub trims: &'a [PartialEdit],
    /// Whether zones play.
    pub plays_kit: bool,
}

impl Bar<'_> {
    /// Draws the head and follows the player.
    pub fn show(&self, ui: &mut Ui, rect: Rect, page: &mut Modes, desk: &mut ParamContext) -> Option<ModesAction> {
        let inside = rect.shrink2(vec2(theme::MARGIN, TOP));
        let places = beside(inside, &WIDTHS, HEIGHT, GAP);
        self.title(&ThemePainter::new(ui), rect, places[0].left(), page);
        let from = self.source(ui, places[0], page, desk);
        let snap = button::show(ui, places[1], "Snap to notes", page.snaps);
        if snap.on_hover_text("A partial that is dragged sideways goes to the keys of the tuning.").clicked() {
            page.snaps = !page.snaps;
        }
        let spectrum = button::show(ui, places[2], "Spectrum", page.spectrum.on);
        if spectrum.on_hover_text("What is heard, behind the partials; its strongest lies at 0 dB.").clicked() {
            page.spectrum.on = !page.spectrum.on;
        }
        let field = Rect::from_min_size(pos2(inside.left(), rect.top() + TOP + HEIGHT + GAP), vec2(inside.width(), HEIGHT));
        let read = page.import.show(ui, field, || desk.params.own_patch());
        from.or(read.map(|patch| ModesAction::Body(Box::new(patch))))
    }

    fn title(&self, pen: &ThemePainter, rect: Rect, right: f32, page: &Modes) {
        let at = pos2(rect.left() + theme::MARGIN, rect.top() + TOP + 0.5 * HEIGHT);
        let shown = pen.text(at, Side::Left, "Modes", (Face::SemiBold, Size::Title, pen.ink.text));
        let second = self.partials.iter().filter(|partial| partial.is_second()).count();
        let mut about = match (self.partials.len(), second) {
            _ if page.import.reads() => vec!["The file is being read.".to_owned()],
            (0, _) => vec!["The body is being made.".to_owned()],
            (all, 0) => vec![format!("{all} partials")],
            (all, second) => vec![format!("{all} partials"), format!("{} of the first family, {second} of others", all - second)],
        };
        if !page.solo.is_empty() {
            about.truncate(1);
            about.push(format!("{} soloed", page.solo.len()));
        } else if !self.trims.is_empty() {
            about.truncate(1);
            about.push(format!("{} edited", self.trims.len()));
        }
        let left = shown.right() + 12.0;
        let fits = |words: &[String]| pen.width(&words.join(", "), Face::Regular, Size::Text) < right - left - 8.0;
        while !about.is_empty() && !fits(&about) {
            about.pop();
        }
        pen.text(pos2(left, at.y + 1.0), Side::Left, &about.join(", "), (Face::Regular, Size::Text, pen.ink.text2));
    }

    /// Where the partials come from.
    fn source(&self, ui: &Ui, rect: Rect, page: &mut Modes, desk: &ParamContext) -> Option<ModesAction> {
        let list = desk.params.settings().body_kind() == BodyKind::Modes;
        let shown = if list { "Partials from a list" } else { "Partials from body" };
        let response = button::drop_down(ui, rect, "Partials from", shown);
        let mut deed = None;
        Popup::menu(&response).width(rect.width()).show(|ui| {
            ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
            if !self.trims.is_empty() && context_menu::entry(ui, "As the body has them: undo all edits") {
                deed = Some(ModesAction::Plain);
            }
            // zones have bodies of their own
            if self.plays_kit {
                ui.label("A kit's zones have bodies of their own.");
                return;
            }
            for (words, recording, goal) in [
                ("From a list of modes: CSV, TOML, JSON", false, Goal::Body),
                ("From a recording of a stroke: WAV", true, Goal::Body),
                ("Morph into a list of modes", false, Goal::Morph),
                ("Morph into a recording's partials", true, Goal::Morph),
            ] {
                if context_menu::entry(ui, words) {
                    page.import.ask(recording, goal);
                }
            }
        });
        deed
    }
}
