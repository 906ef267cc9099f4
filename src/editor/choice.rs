//! A choice of a few words: a field that opens a list.

use std::sync::Arc;

use egui::{Color32, Galley, Key, Popup, Pos2, Rect, Response, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::knob::{Desk, jump, label};
use super::theme::{self, Face, Size};
use crate::engine::knob::{KnobId, Scale};

/// Height of the field, of one with two rows, and the width below which it has no chevron.
const HEIGHT: f32 = 30.0;
const TALL: f32 = 38.0;
const NARROW: f32 = 60.0;
/// Room that the chevron takes, and the gap beside a word.
const CHEVRON: f32 = 24.0;
const BESIDE: f32 = 8.0;
/// Least width of the open list.
const LIST_WIDTH: f32 = 132.0;

/// Draws the choice `id` in `column` and follows the player.
pub fn show(ui: &mut Ui, column: Rect, id: KnobId, ink: Color32, desk: &mut Desk) -> Response {
    let knob = id.knob();
    let Scale::Choice(names) = knob.scale else { return super::knob::show(ui, column, id, ink, desk) };
    let radius = theme::KNOB[usize::from(desk.small)];
    let middle = pos2(column.center().x, column.top() + radius + 6.0);
    let chosen = desk.knobs.value_at(id, desk.knobs.travel(id).0) as usize;
    let name = names.get(chosen).copied().unwrap_or_default();
    let width = (column.width() - 4.0).min(112.0);
    let word = Word::fit(ui, name, width);
    let field = Rect::from_center_size(middle, vec2(width, if word.galley.rows.len() > 1 { TALL } else { HEIGHT }));
    let response = ui.interact(field, ui.scope_id().with(knob.id), Sense::click());
    response.widget_info(|| WidgetInfo {
        current_text_value: Some(name.to_owned()),
        ..WidgetInfo::labeled(egui::accesskit::Role::ComboBox, true, format!("{} {}", knob.group, knob.name))
    });

    let painter = ui.painter();
    let fill = if response.hovered() { theme::HOVER } else { theme::RAISED };
    painter.rect_filled(field, theme::FIELD, fill);
    if response.has_focus() {
        painter.rect_stroke(field.expand(2.5), theme::FIELD, Stroke::new(1.5, theme::TEXT), egui::StrokeKind::Outside);
    }
    let left = if word.chevron { field.left() + BESIDE } else { field.center().x - 0.5 * word.galley.size().x };
    painter.galley(pos2(left, field.center().y - 0.5 * word.galley.size().y), word.galley, theme::TEXT);
    if word.chevron {
        chevron(ui, field.right_center() - vec2(0.5 * CHEVRON + 1.0, 0.0));
    }
    let label = label(painter, knob.name, column.width() - 4.0, theme::TEXT2);
    let top = middle.y + radius + if desk.small { 4.0 } else { 8.0 };
    painter.galley(pos2(middle.x - 0.5 * label.size().x, top), label, theme::TEXT2);

    let to = |choice: usize| jump(desk.knobs, desk.host, id, desk.knobs.travel_of(id, choice as f64));
    if response.has_focus() {
        let pressed = |key| ui.input(|input| input.key_pressed(key));
        if pressed(Key::Home) || pressed(Key::Delete) {
            to(if pressed(Key::Home) { 0 } else { knob.default as usize });
        }
    }
    Popup::menu(&response).width(field.width().max(LIST_WIDTH)).show(|ui| {
        ui.spacing_mut().item_spacing.y = 1.0;
        ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
        for (choice, name) in names.iter().enumerate() {
            let text = egui::RichText::new(*name).font(theme::font(Face::Regular, Size::Row));
            if ui.selectable_label(choice == chosen, text).clicked() {
                to(choice);
            }
        }
    });
    response.on_hover_text(knob.hint)
}

/// A name as it fits into a field.
struct Word {
    galley: Arc<Galley>,
    chevron: bool,
}

impl Word {
    /// In one row beside the chevron or in two, else in one row without it, else in two.
    fn fit(ui: &Ui, name: &str, width: f32) -> Self {
        let one = |size| ui.painter().layout_no_wrap(name.to_owned(), theme::font(Face::Medium, size), theme::TEXT);
        let two = |room| ui.painter().layout(name.to_owned(), theme::font(Face::Medium, Size::Label), theme::TEXT, room);
        let beside = if width >= NARROW { width - BESIDE - CHEVRON } else { 0.0 };
        let (row, rows) = (one(Size::Value), two(beside));
        let fits = |galley: &Galley| galley.size().x <= beside && galley.rows.len() <= 2 && is_whole(galley);
        match (fits(&row), fits(&rows) && name.contains(' ')) {
            (true, _) => Self { galley: row, chevron: true },
            (_, true) => Self { galley: rows, chevron: true },
            _ if row.size().x <= width - 6.0 => Self { galley: row, chevron: false },
            _ => Self { galley: two(width - 4.0), chevron: false },
        }
    }
}

fn chevron(ui: &Ui, at: Pos2) {
    let points = vec![at + vec2(-4.0, -2.0), at + vec2(0.0, 2.0), at + vec2(4.0, -2.0)];
    ui.painter().line(points, Stroke::new(1.5, theme::TEXT2));
}

/// Whether no word is torn.
fn is_whole(galley: &Galley) -> bool {
    let last = galley.rows.len().saturating_sub(1);
    galley.rows[..last].iter().all(|row| row.text().ends_with([' ', '-']))
}

/// Whether `name` is shown in a field as wide as `width` without tearing a word.
#[cfg(test)]
pub fn fits(ui: &Ui, name: &str, width: f32) -> bool {
    let galley = Word::fit(ui, name, width).galley;
    galley.rows.len() <= 2 && is_whole(&galley)
}
