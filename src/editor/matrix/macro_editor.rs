//! The editor of macros: their names, and a list of what they move, with the offsets at both ends.

use egui::{Rect, RichText, Ui, pos2, vec2};

use crate::editor::param_context::{ParamContext, macro_at, macro_name};
use crate::editor::theme;
use crate::editor::theme::{Face, Size};
use crate::editor::widgets::text_field::read_number;
use crate::editor::widgets::{Number, Side, Table, TableRow, ThemePainter, button, menu, text_field};
use urto_engine::patch::{MACRO_PARAMS, MACROS, Macro, MacroTarget};

/// The columns of the list.
const TABLE: Table = Table {
    name: "targets of macros",
    columns: &[(0.0, "Parameter"), (0.36, "Macro"), (0.62, "At 0"), (0.81, "At 1")],
    row: 34.0,
};
/// Height of a field, and of the names above the list; space between two names [px].
const FIELD: f32 = 26.0;
const NAMES: f32 = 58.0;
const GAP: f32 = 8.0;
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
    TABLE.show(ui, inside, &places, |ui, row, place| line(ui, row, *place, &macros, context));
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

/// Draws the row of one target, and makes the changes of the user.
fn line(ui: &mut Ui, row: &TableRow, place: TargetPlace, macros: &[Macro], context: &mut ParamContext) {
    let TargetPlace { number, index, target } = place;
    let param = target.param.spec().name;
    row.title(ui, param);
    // two macros may move the same parameter
    let name = format!("{param} in {}", MACRO_PARAMS[number].spec().name);
    if let Some(to) = chosen_macro(ui, row.cell(1), &name, number, macros) {
        context.edit_macros(|macros| move_target(macros, place, to));
    }
    let mut changed = target;
    for (i, value) in [&mut changed.from, &mut changed.to].into_iter().enumerate() {
        if let Some(new) = offset(ui, row.cell(2 + i), &format!("{name} {}", ["at 0", "at 1"][i]), *value) {
            *value = new;
        }
    }
    if changed != target {
        context.edit_macros(|macros| macros[number].targets[index] = changed);
    }
    if row.remove(ui, &format!("Remove {name}")) {
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
    let read = |text: &str| read_number(text.trim().trim_end_matches('%'));
    let number = Number { value: 100.0 * value, range: -100.0..=100.0, step: 1.0, show: &show, read: &read };
    text_field::number(ui, field, name, &number).map(|percent| percent / 100.0)
}
