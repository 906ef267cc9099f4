//! The row of recent hits: a bar each, scaled by its peak force.

use std::collections::VecDeque;

use egui::accesskit::Role;
use egui::{Rect, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::editor::theme::mix;
use crate::editor::widgets::ThemePainter;
use crate::host_params::value_text::with_prefix;
use urto_engine::HitPulse;

/// Spacing and width of the bars [px].
const STEP: f32 = 8.0;
const WIDTH: f32 = 5.0;

/// Draws the bars; `hit` is shown, `other` is compared. Returns the number of a clicked hit, and whether Alt was held.
pub fn show(ui: &Ui, rect: Rect, hits: &VecDeque<HitPulse>, hit: Option<u32>, other: Option<u32>) -> Option<(u32, bool)> {
    let pen = ThemePainter::new(ui);
    let highest = hits.iter().map(|hit| hit.peak_force).fold(0.0, f64::max);
    let mut clicked = None;
    for (i, each) in hits.iter().enumerate() {
        let height = if highest > 0.0 { (rect.height() * (each.peak_force / highest) as f32).max(1.5) } else { 1.5 };
        let left = rect.left() + STEP * i as f32;
        let bar = Rect::from_min_size(pos2(left, rect.bottom() - height), vec2(WIDTH, height));
        let target = Rect::from_min_max(pos2(left - 1.5, rect.top() - 2.0), pos2(left + STEP - 1.5, rect.bottom() + 2.0));
        let response = ui.interact(target, ui.scope_id().with(("hit", i)), Sense::click());
        let name = format!("Hit {}, {}", each.number, with_prefix(each.peak_force, "N"));
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, Some(each.number) == hit, &name));
        if response.clicked() {
            clicked = Some((each.number, ui.input(|input| input.modifiers.alt)));
        }
        match Some(each.number) {
            number if number == hit => pen.rect(bar, 0.0, pen.ink.force),
            number if number == other => pen.outline(bar, 0.0, 1.2, pen.ink.text2),
            _ if response.hovered() => pen.rect(bar, 0.0, pen.ink.text3),
            _ => pen.rect(bar, 0.0, mix(pen.ink.bg, pen.ink.text3, 0.55)),
        }
        response.on_hover_text(format!("{name}. Click to recall, Alt-click to compare."));
    }
    clicked
}
