//! The editor of the drive pattern: sixteen levels; above the centre line they push, below it they pull.

use egui::accesskit::Role;
use egui::{EventFilter, Key, Rect, Response, Sense, Ui, WidgetInfo, pos2};

use crate::editor::theme;
use crate::editor::theme::{Face, Size};
use crate::editor::widgets::{Side, ThemePainter};
use urto_engine::drive::STEPS;

/// Levels of all steps, -1 to 1.
pub type Levels = [f64; STEPS];

/// Drawn levels are rounded to multiples of this.
const LEVEL_STEP: f64 = 0.05;
/// Steps per beat.
const BEAT: usize = 4;

/// State of the editor: the levels while they are drawn.
#[derive(Default)]
pub struct Pattern {
    draft: Option<Levels>,
}

impl Pattern {
    /// Draws `levels` in `rect` and handles input; returns changed levels when the pointer is released or a key is pressed.
    pub fn show(&mut self, ui: &Ui, rect: Rect, levels: &Levels) -> Option<Levels> {
        let mut changed = None;
        let width = rect.width() / STEPS as f32;
        let painter = ThemePainter::new(ui);
        painter.hline(rect.x_range(), rect.center().y, painter.ink.line);
        for step in 0..STEPS {
            let column = Rect::from_x_y_ranges(
                rect.left() + width * step as f32..=rect.left() + width * (step + 1) as f32,
                rect.y_range(),
            );
            let response = ui.interact(column, ui.scope_id().with(("step", step)), Sense::click_and_drag());
            changed = self.follow(ui, rect, &response, (step, levels)).or(changed);
            let level = self.draft.as_ref().unwrap_or(levels)[step];
            response.widget_info(|| WidgetInfo {
                current_text_value: Some(format!("{level:.2}").replace('-', "−")),
                ..WidgetInfo::labeled(Role::Slider, true, format!("Pattern step {}", step + 1))
            });
            paint(&painter, column.shrink2(egui::vec2(1.5, 0.0)), (step, level), &response);
            response.on_hover_text(format!("Step {}: {}", step + 1, format!("{level:.2}").replace('-', "−")));
        }
        changed
    }

    /// Handles pointer and keys on one step.
    fn follow(&mut self, ui: &Ui, rect: Rect, response: &Response, (step, levels): (usize, &Levels)) -> Option<Levels> {
        if response.is_pointer_button_down_on() || response.clicked() {
            if let Some(at) = response.interact_pointer_pos() {
                let draft = self.draft.get_or_insert(*levels);
                let under = ((at.x - rect.left()) / rect.width() * STEPS as f32).clamp(0.0, STEPS as f32 - 1.0) as usize;
                let level = f64::from(1.0 - 2.0 * (at.y - rect.top()) / rect.height()).clamp(-1.0, 1.0);
                draft[under] = (level / LEVEL_STEP).round() * LEVEL_STEP;
            }
            response.request_focus();
        }
        if response.double_clicked() {
            self.draft.get_or_insert(*levels)[step] = 0.0;
        }
        if response.drag_stopped() || response.clicked() || response.double_clicked() {
            return self.draft.take().filter(|draft| draft != levels);
        }
        if response.has_focus() && self.draft.is_none() {
            return edit_by_keys(ui, response, step, levels);
        }
        None
    }
}

/// Edits by keyboard: up and down change the level, Delete sets it to 0, left and right select the neighbour.
fn edit_by_keys(ui: &Ui, response: &Response, step: usize, levels: &Levels) -> Option<Levels> {
    let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    // consumed, so that the newly focused neighbour does not handle it again
    let pressed = |key| ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, key));
    let way = isize::from(pressed(Key::ArrowRight)) - isize::from(pressed(Key::ArrowLeft));
    if way != 0 {
        let next = (step as isize + way).rem_euclid(STEPS as isize) as usize;
        ui.memory_mut(|memory| memory.request_focus(ui.scope_id().with(("step", next))));
        return None;
    }
    let by = f64::from(i8::from(pressed(Key::ArrowUp)) - i8::from(pressed(Key::ArrowDown)));
    let mut next = *levels;
    next[step] = if pressed(Key::Delete) { 0.0 } else { ((levels[step] / LEVEL_STEP).round() + by) * LEVEL_STEP };
    next[step] = next[step].clamp(-1.0, 1.0);
    ((by != 0.0 || next[step] == 0.0) && next != *levels).then_some(next)
}

fn paint(painter: &ThemePainter, column: Rect, (step, level): (usize, f64), response: &Response) {
    let ink = painter.ink;
    let lit = response.hovered() || response.dragged();
    let ground = if lit { ink.hover } else { ink.raised };
    painter.rect(column, 1.5, if step.is_multiple_of(BEAT) || lit { ground } else { theme::mix(ink.bg, ground, 0.6) });
    let middle = column.center().y;
    let end = middle - 0.5 * column.height() * level as f32;
    let bar = Rect::from_x_y_ranges(column.x_range(), middle.min(end)..=middle.max(end));
    painter.rect(bar, 0.0, ink.force);
    painter.line(pos2(column.left(), end), pos2(column.right(), end), 2.0, ink.force);
    if response.has_focus() {
        painter.outline(column, 1.5, theme::FOCUS, ink.text);
    }
    if step.is_multiple_of(BEAT) {
        let beat = (step / BEAT + 1).to_string();
        let at = pos2(column.left(), column.bottom() + 12.0);
        painter.text(at, Side::Left, &beat, (Face::Regular, Size::Tick, ink.text3));
    }
}
