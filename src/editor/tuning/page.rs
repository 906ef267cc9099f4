//! The tuning page: the scale at the left, controllers or learned controllers at the right.

use egui::{Rect, Ui};

use crate::editor::command::PatchChange;
use crate::editor::param_context::ParamContext;
use crate::editor::theme;
use crate::editor::theme::Hue;
use crate::editor::tuning::controllers::TuningReadings;
use crate::editor::tuning::source::Sources;
use crate::editor::tuning::{controllers, learned_controllers, scale};
use crate::editor::widgets::{Rule, ThemePainter, button, tabs};

/// Titles of the parts in a small window, and the height of their tabs.
const PARTS: [&str; 3] = ["Scale", "Controllers", "Learned"];
const TABS: f32 = 36.0;
/// Names of the parts that share the right half, and the area of their switch: distance from the right edge, and width [px].
const RIGHT: [&str; 2] = ["Of notes", "Learned"];
const SWITCH: [f32; 2] = [264.0, 150.0];

/// State of the page.
#[derive(Default)]
pub struct TuningPage {
    /// The part shown in a small window; the last one is also that of the right half in others.
    part: usize,
    sources: Sources,
}

impl TuningPage {
    /// Draws the page. Returns the patch with another tuning if the user has chosen one.
    pub fn show(&mut self, ui: &mut Ui, rect: Rect, context: &mut ParamContext, now: &TuningReadings) -> Option<PatchChange> {
        if context.small {
            let (head, rest) = rect.split_top_bottom_at_y(rect.top() + TABS);
            let head = head.shrink2(egui::vec2(theme::MARGIN, 0.0));
            tabs::show(ui, head, &PARTS, &mut self.part, Rule::Below);
            ThemePainter::new(ui).hline(rect.x_range(), head.bottom(), ThemePainter::new(ui).ink.hair);
            match self.part {
                0 => return scale::show(ui, rest, &mut self.sources, context, now),
                1 => controllers::show(ui, rest, context, now),
                _ => learned_controllers::show(ui, rest, context),
            }
            return None;
        }
        let (left, right) = rect.split_left_right_at_x(rect.left() + (0.5 * rect.width()).round());
        let painter = ThemePainter::new(ui);
        painter.vline(right.left(), rect.y_range(), painter.ink.hair);
        let change = scale::show(ui, left, &mut self.sources, context, now);
        let is_learned = self.part + 1 == PARTS.len();
        if is_learned {
            learned_controllers::show(ui, right, context);
        } else {
            controllers::show(ui, right, context, now);
        }
        let end = right.right() - theme::MARGIN - if is_learned { 0.0 } else { SWITCH[0] - theme::MARGIN };
        let place = Rect::from_min_size(egui::pos2(end - SWITCH[1], right.top() + 16.0), egui::vec2(SWITCH[1], 28.0));
        let shown = button::segments(ui, place, "Controllers", &RIGHT, usize::from(is_learned), Hue::Plain);
        if shown != usize::from(is_learned) {
            self.part = PARTS.len() - RIGHT.len() + shown;
        }
        change
    }

    /// Shows the learned controllers.
    #[cfg(test)]
    pub fn show_learned(&mut self) {
        self.part = PARTS.len() - 1;
    }
}
