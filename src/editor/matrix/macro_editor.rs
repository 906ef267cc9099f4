//! The editor of macros: their names, and a list of what they move, with the offsets at both ends.

use egui::{Rect, RichText, ScrollArea, Sense, Ui, pos2, vec2};

use crate::editor::param_context::{ParamContext, macro_name};
use crate::editor::theme;
use crate::editor::theme::{Face, Size};
use crate::editor::widgets::{Number, Side, ThemePainter, button, icon, menu, text_field};
use urto_engine::patch::{MACRO_PARAMS, MACROS, Macro, MacroTarget};

/// Height of a row, of a field, and of the names above the list [px].
const LINE: f32 = 34.0;
const FIELD: f32 = 26.0;
const NAMES: f32 = 58.0;
/// Left edges of the columns, as parts of the width, and their headings.
const COLUMNS: [f32; 4] = [0.0, 0.36, 0.62, 0.81];
const HEADINGS: [&str; 4] = ["Parameter", "Macro", "At 0", "At 1"];
/// Space between two fields, and width of the button that removes a row [px].
const GAP: f32 = 8.0;
const REMOVE: f32 = 26.0;
/// Text of an empty list.
const EMPTY: &str = "No macro moves anything yet. Right-click a knob and choose \"Add to a macro\".";

/// A target and its place: index of the macro, and index in its list.
#[derive(Clone, Copy)]
struct TargetPlace {
    number: usize,
    index: usize,
    target: MacroTarget,
}

/// Draws names and list in `rect`, and makes the changes of the user.
pub fn show(ui: &mut Ui, rect: Rect, context: &mut ParamContext) {
    let macros = context.params.macros();
    names(ui, rect.with_max_y(rect.top() + NAMES), &macros, context);
    let inside = rect.with_min_y(rect.top() + NAMES);
    let painter = ThemePainter::new(ui);
    let places: Vec<_> = macros.iter().enumerate().flat_map(|(number, one)| targets(number, one)).collect();
    if places.is_empty() {
        let at = pos2(inside.left(), inside.top() + 16.0);
        painter.text(at, Side::Left, EMPTY, (Face::Regular, Size::Value, painter.ink.text2));
        return;
    }
    for (part, heading) in COLUMNS.into_iter().zip(HEADINGS) {
        let at = pos2(inside.left() + part * (inside.width() - REMOVE), inside.top() + 4.0);
        painter.text(at, Side::Left, heading, painter.label());
    }
    let body = inside.with_min_y(inside.top() + 16.0);
    let mut list = ui.new_child(egui::UiBuilder::new().id_salt("targets of macros").max_rect(body));
    list.spacing_mut().item_spacing.y = 0.0;
    ScrollArea::vertical().auto_shrink(false).show_rows(&mut list, LINE, places.len(), |ui, rows| {
        for place in &places[rows] {
            let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::hover());
            line(ui, row, *place, &macros, context);
        }
    });
}

fn targets(number: usize, one: &Macro) -> impl Iterator<Item = TargetPlace> + '_ {
    one.targets.iter().enumerate().map(move |(index, &target)| TargetPlace { number, index, target })
}

/// The names of all macros.
fn names(ui: &mut Ui, rect: Rect, macros: &[Macro], context: &mut ParamContext) {
    let width = (rect.width() + GAP) / MACROS as f32;
    for (number, id) in MACRO_PARAMS.into_iter().enumerate() {
        let corner = pos2(rect.left() + width * number as f32, rect.top() + 18.0);
        let field = Rect::from_min_size(corner, vec2(width - GAP, FIELD));
        text_field::label(&ThemePainter::new(ui), field, id.spec().name);
        let shown = macros.get(number).map_or("", |one| one.name.as_str());
        if let Some(name) = text_field::text(ui, field, &format!("Name of {}", id.spec().name), shown) {
            context.edit_macros(|macros| macro_at(macros, number).name = name.trim().to_owned());
        }
    }
}

/// The macro with the index `number`, which is added if it is missing.
fn macro_at(macros: &mut Vec<Macro>, number: usize) -> &mut Macro {
    if macros.len() <= number {
        macros.resize(number + 1, Macro::default());
    }
    &mut macros[number]
}

/// Draws the row of one target, and makes the changes of the user.
fn line(ui: &mut Ui, row: Rect, place: TargetPlace, macros: &[Macro], context: &mut ParamContext) {
    let TargetPlace { number, index, target } = place;
    let painter = ThemePainter::new(ui);
    painter.hline(row.x_range(), row.top(), painter.ink.hair);
    let width = row.width() - REMOVE;
    let cell = |i: usize| {
        let right = COLUMNS.get(i + 1).copied().unwrap_or(1.0);
        let left = pos2(row.left() + COLUMNS[i] * width, row.center().y - 0.5 * FIELD);
        Rect::from_min_size(left, vec2((right - COLUMNS[i]) * width - GAP, FIELD))
    };
    let param = target.param.spec().name;
    let shown = painter.fitting(param, Face::Regular, Size::Value, cell(0).width());
    painter.text(cell(0).left_center(), Side::Left, &shown, (Face::Regular, Size::Value, painter.ink.text));
    // two macros may move the same parameter
    let name = format!("{param} in {}", MACRO_PARAMS[number].spec().name);
    if let Some(to) = chosen_macro(ui, cell(1), &name, number, macros) {
        context.edit_macros(|macros| move_target(macros, place, to));
    }
    let mut changed = target;
    for (i, value) in [&mut changed.from, &mut changed.to].into_iter().enumerate() {
        if let Some(new) = offset(ui, cell(2 + i), &format!("{name} {}", ["at 0", "at 1"][i]), *value) {
            *value = new;
        }
    }
    if changed != target {
        context.edit_macros(|macros| macros[number].targets[index] = changed);
    }
    let at = Rect::from_center_size(pos2(row.right() - 0.5 * REMOVE, row.center().y), vec2(REMOVE, REMOVE));
    let response = button::bare(ui, at, &format!("Remove {name}"));
    icon::cross(&ThemePainter::new(ui), at.center(), painter.ink.text2);
    if response.on_hover_text("Remove").clicked() {
        context.edit_macros(|macros| _ = macros[number].targets.remove(index));
    }
}

/// Moves a target to another macro, in place of one of the same parameter.
fn move_target(macros: &mut Vec<Macro>, place: TargetPlace, to: usize) {
    macros[place.number].targets.remove(place.index);
    let other = macro_at(macros, to);
    other.targets.retain(|target| target.param != place.target.param);
    other.targets.push(place.target);
}

/// The list of macros for a target. Returns the one that the user chooses.
fn chosen_macro(ui: &Ui, field: Rect, name: &str, number: usize, macros: &[Macro]) -> Option<usize> {
    let response = button::drop_down(ui, field, &format!("Macro of {name}"), macro_name(macros, number));
    let mut chosen = None;
    menu(&response).width(field.width()).show(|ui| {
        for other in 0..MACROS {
            let text = RichText::new(macro_name(macros, other)).font(theme::font(Face::Regular, Size::Row));
            if ui.selectable_label(other == number, text).clicked() {
                chosen = Some(other).filter(|&other| other != number);
                ui.close();
            }
        }
    });
    chosen
}

/// An offset in percent of the parameter's range.
fn offset(ui: &mut Ui, field: Rect, name: &str, value: f64) -> Option<f64> {
    let show = |value: f64| format!("{value:+.0} %").replace('-', "−");
    let read = |text: &str| text.trim().trim_end_matches('%').trim().replace('−', "-").parse().ok();
    let number = Number { value: 100.0 * value, range: -100.0..=100.0, step: 1.0, show: &show, read: &read };
    text_field::number(ui, field, name, &number).map(|percent| percent / 100.0)
}
