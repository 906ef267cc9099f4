//! The tuning page: the scale at the left, controllers at the right.

use egui::{Rect, Ui};

use crate::editor::command::PatchChange;
use crate::editor::param_context::ParamContext;
use crate::editor::theme;
use crate::editor::tuning::controllers::TuningReadings;
use crate::editor::tuning::source::Sources;
use crate::editor::tuning::{controllers, scale};
use crate::editor::widgets::{Rule, ThemePainter, tabs};

/// Titles of the halves in a small window, and the height of their tabs.
const HALVES: [&str; 2] = ["Scale", "Controllers"];
const TABS: f32 = 36.0;

/// State of the page.
#[derive(Default)]
pub struct TuningPage {
    half: usize,
    sources: Sources,
}

impl TuningPage {
    /// Draws the page. Returns the patch with another tuning if the user has chosen one.
    pub fn show(&mut self, ui: &mut Ui, rect: Rect, context: &mut ParamContext, now: &TuningReadings) -> Option<PatchChange> {
        if context.small {
            let (head, rest) = rect.split_top_bottom_at_y(rect.top() + TABS);
            let head = head.shrink2(egui::vec2(theme::MARGIN, 0.0));
            tabs::show(ui, head, &HALVES, &mut self.half, Rule::Below);
            ThemePainter::new(ui).hline(rect.x_range(), head.bottom(), ThemePainter::new(ui).ink.hair);
            if self.half == 0 {
                return scale::show(ui, rest, &mut self.sources, context, now);
            }
            controllers::show(ui, rest, context, now);
            return None;
        }
        let (left, right) = rect.split_left_right_at_x(rect.left() + (0.5 * rect.width()).round());
        let painter = ThemePainter::new(ui);
        painter.vline(right.left(), rect.y_range(), painter.ink.hair);
        let change = scale::show(ui, left, &mut self.sources, context, now);
        controllers::show(ui, right, context, now);
        change
    }
}
