//! A menu for a parameter with named choices.

use std::sync::Arc;

use egui::{Galley, Key, Popup, Rect, Response, Sense, Ui, pos2, vec2};

use crate::editor::param_context::ParamContext;
use crate::editor::param_controls::knob;
use crate::editor::param_controls::knob::Spot;
use crate::editor::theme;
use crate::editor::theme::{Face, Size};
use crate::editor::widgets::keys::{Arrows, ValueRequest};
use crate::editor::widgets::{Side, ThemePainter, Way, icon, keys, menu, tooltip};
use urto_engine::params::ParamId;

/// Height of the field with one and two lines of text, and the width below which it has no chevron.
const HEIGHT: f32 = 30.0;
const TALL: f32 = 38.0;
const NARROW: f32 = 60.0;
/// Width of the chevron, and padding of the text.
const CHEVRON: f32 = 24.0;
const BESIDE: f32 = 8.0;
/// Minimum width of the open list.
const LIST_WIDTH: f32 = 132.0;
/// Maximum height of the open list.
const LIST_HEIGHT: f32 = 420.0;

/// Draws the choice `id` in `column` with its label.
pub fn show(ui: &mut Ui, column: Rect, id: ParamId, context: &mut ParamContext) -> Response {
    let name = knob::fitting(ui.painter(), id, column.width() - 4.0);
    labelled(ui, column, id, &name, context)
}

/// The same with the label `name`.
pub fn labelled(ui: &mut Ui, column: Rect, id: ParamId, name: &str, context: &mut ParamContext) -> Response {
    let spot = Spot::in_column(column, name, context.small);
    let shown = chosen(id, context).1;
    let width = (column.width() - 4.0).min(112.0);
    let word = Word::fit(ui, shown, width);
    let field = Rect::from_center_size(spot.center, vec2(width, if word.galley.rows.len() > 1 { TALL } else { HEIGHT }));
    let response = field_of(ui, field, id, context);

    let painter = ThemePainter::new(ui);
    let left = if word.chevron { field.left() + BESIDE } else { field.center().x - 0.5 * word.galley.size().x };
    painter.painter().galley(pos2(left, field.center().y - 0.5 * word.galley.size().y), word.galley, painter.ink.text);
    if word.chevron {
        icon::chevron(&painter, field.right_center() - vec2(0.5 * CHEVRON + 1.0, 0.0), Way::Down, 4.0, painter.ink.text2);
    }
    let color = if response.hovered() || response.has_focus() { painter.ink.text } else { painter.ink.text2 };
    painter.text(spot.label(), Side::Center, name, (Face::Regular, Size::Label, color));
    response
}

/// Index and name of the current choice.
pub fn chosen(id: ParamId, context: &ParamContext) -> (usize, &'static str) {
    let names = id.spec().labels();
    let place = context.params.value_at(id, context.params.travel(id).0) as usize;
    (place, names.get(place).copied().unwrap_or_default())
}

/// A field without text that opens the choices of `id`. Up and Down select a neighbour, Home and End the first and the last, Delete the
/// default.
pub fn field_of(ui: &mut Ui, field: Rect, id: ParamId, context: &mut ParamContext) -> Response {
    let spec = id.spec();
    let names = spec.labels();
    let (place, name) = chosen(id, context);
    let response = ui.interact(field, ui.scope_id().with(spec.id), Sense::click());
    keys::describe_list(&response, spec.name, name);
    let painter = ThemePainter::new(ui);
    painter.field(field, if response.hovered() { painter.ink.hover } else { painter.ink.raised });
    if response.has_focus() {
        painter.focus(field, theme::FIELD);
    }
    let mut to = |choice: usize| context.jump(id, context.params.travel_of(id, choice as f64));
    for request in keys::requests(ui, &response, Arrows::Vertical) {
        match request {
            // downward in the list
            ValueRequest::Step(by) => to(place.saturating_add_signed(-by.signum() as isize).min(names.len() - 1)),
            ValueRequest::Number(choice) => to((choice.max(0.0) as usize).min(names.len() - 1)),
            ValueRequest::Text(text) => _ = names.iter().position(|name| *name == text).map(&mut to),
            ValueRequest::Minimum => to(0),
            ValueRequest::Maximum => to(names.len() - 1),
            ValueRequest::Default => to(spec.default as usize),
        }
    }
    if let Some(choice) = open_list(ui, &response, names, place) {
        to(choice);
    }
    if response.hovered() || response.has_focus() {
        context.show_hint(id, name);
    }
    tooltip::show(response, id, name)
}

/// The list that a click on `response` or Enter opens. The arrow keys move the highlight, first on the choice at `place`. Enter returns
/// the highlighted choice and closes; Escape closes.
fn open_list(ui: &Ui, response: &Response, names: &[&str], place: usize) -> Option<usize> {
    let was_open = Popup::is_id_open(ui.ctx(), Popup::default_response_id(response));
    let is_new = response.id.with("new list");
    if response.clicked() {
        ui.data_mut(|data| data.insert_temp(is_new, true));
    }
    let keys = |keys: &[Key]| ui.input(|input| keys.iter().any(|key| input.key_pressed(*key)));
    let enters = keys(&[Key::Enter, Key::Space]);
    let shown = menu(response).width(response.rect.width().max(LIST_WIDTH)).show(|ui| {
        ui.spacing_mut().item_spacing.y = 1.0;
        ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
        // the Enter that opens the list must not choose from it
        let starts = !ui.is_sizing_pass() && !enters && ui.data_mut(|data| data.remove_temp::<bool>(is_new)).is_some();
        egui::ScrollArea::vertical().max_height(LIST_HEIGHT).show(ui, |ui| entries(ui, names, place, starts)).inner
    });
    let chosen = shown.and_then(|shown| shown.inner);
    let is_open = Popup::is_id_open(ui.ctx(), Popup::default_response_id(response));
    if is_open && ui.data(|data| data.get_temp::<bool>(is_new)).is_some() {
        ui.request_repaint();
    }
    if was_open && !is_open && (enters || keys(&[Key::Escape])) {
        response.request_focus();
    }
    chosen
}

/// Draws the entries of an open list; with `starts`, the choice at `place` takes the highlight. Returns the entry that was clicked or
/// entered.
fn entries(ui: &mut Ui, names: &[&str], place: usize, starts: bool) -> Option<usize> {
    let mut chosen = None;
    for (choice, name) in names.iter().enumerate() {
        let text = egui::RichText::new(*name).font(theme::font(Face::Regular, Size::Row));
        let entry = ui.selectable_label(choice == place, text);
        if starts && choice == place {
            entry.request_focus();
        }
        if entry.gained_focus() {
            entry.scroll_to_me(None);
        }
        if entry.clicked() {
            chosen = Some(choice);
            ui.close();
        }
    }
    chosen
}

/// The text of a choice, fitted into its field.
struct Word {
    galley: Arc<Galley>,
    chevron: bool,
}

impl Word {
    /// One line beside the chevron, else two, else one line without a chevron, else two.
    fn fit(ui: &Ui, name: &str, width: f32) -> Self {
        let one = |size| ui.painter().layout_no_wrap(name.to_owned(), theme::font(Face::Medium, size), theme::ink(ui.ctx()).text);
        let two =
            |room| ui.painter().layout(name.to_owned(), theme::font(Face::Medium, Size::Label), theme::ink(ui.ctx()).text, room);
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

/// Whether no word is broken.
fn is_whole(galley: &Galley) -> bool {
    let last = galley.rows.len().saturating_sub(1);
    galley.rows[..last].iter().all(|row| row.text().ends_with([' ', '-']))
}

/// Whether `name` fits into a field of `width` without breaking a word.
#[cfg(test)]
pub fn fits(ui: &Ui, name: &str, width: f32) -> bool {
    let galley = Word::fit(ui, name, width).galley;
    galley.rows.len() <= 2 && is_whole(&galley)
}
