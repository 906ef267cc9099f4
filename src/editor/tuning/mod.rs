//! The page of tuning: the scale, and what hands and pedals do to a hit.

mod controllers;
pub(crate) mod live;
pub(crate) mod reference_pitch;
mod scale;
mod source;

use egui::{Rect, Ui, pos2};

use crate::editor::command::PatchChange;
use crate::editor::param_context::ParamContext;
use crate::editor::theme;
use crate::editor::theme::{Face, Size};
use crate::editor::tuning::source::Sources;
use crate::editor::widgets::Rule;
use crate::editor::widgets::tabs;
use crate::editor::widgets::{Side, ThemePainter};
use urto_engine::HitPulse;
use urto_engine::telemetry::ControllerReadings;
use urto_engine::tuning::KeyFrequencies;

/// The halves, as they are called in a small window, and the height of their tabs there.
const HALVES: [&str; 2] = ["Scale", "MPE and touch"];
const TABS: f32 = 36.0;

/// What the page remembers.
#[derive(Default)]
pub struct Tuner {
    half: usize,
    sources: Sources,
}

/// What goes on while the page is shown.
pub struct Now<'a> {
    /// The last hit.
    pub last: Option<&'a HitPulse>,
    /// What hands do to the notes that are held.
    pub hands: &'a ControllerReadings,
    /// The tuning of an MTS-ESP master, while there is one.
    pub master: Option<KeyFrequencies>,
}

impl Tuner {
    /// Draws the page and follows the player; the patch with another tuning if one has been chosen.
    pub fn show(&mut self, ui: &mut Ui, rect: Rect, desk: &mut ParamContext, now: &Now) -> Option<PatchChange> {
        if desk.small {
            let (head, rest) = rect.split_top_bottom_at_y(rect.top() + TABS);
            let head = head.shrink2(egui::vec2(theme::MARGIN, 0.0));
            tabs::show(ui, head, &HALVES, &mut self.half, Rule::Below);
            ThemePainter::new(ui).hline(rect.x_range(), head.bottom(), ThemePainter::new(ui).ink.hair);
            if self.half == 0 {
                return scale::show(ui, rest, &mut self.sources, desk, now);
            }
            crate::editor::tuning::controllers::show(ui, rest, desk, now);
            return None;
        }
        let (left, right) = rect.split_left_right_at_x(rect.left() + (0.5 * rect.width()).round());
        let pen = ThemePainter::new(ui);
        pen.vline(right.left(), rect.y_range(), pen.ink.hair);
        let change = scale::show(ui, left, &mut self.sources, desk, now);
        crate::editor::tuning::controllers::show(ui, right, desk, now);
        change
    }
}

/// Title of a half, with what it is about where there is room.
fn title(pen: &ThemePainter, rect: Rect, title: &str, about: &str) {
    let at = pos2(rect.left() + theme::MARGIN, rect.top() + 30.0);
    let shown = pen.text(at, Side::Left, title, (Face::SemiBold, Size::Title, pen.ink.text));
    let left = shown.right() + 12.0;
    if left + pen.width(about, Face::Regular, Size::Text) < rect.right() - theme::MARGIN {
        pen.text(pos2(left, at.y + 1.0), Side::Left, about, (Face::Regular, Size::Text, pen.ink.text2));
    }
}
