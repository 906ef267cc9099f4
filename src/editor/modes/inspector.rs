//! One partial in full: its shape along the body, its numbers, and what moves all partials.

use egui::{Rect, Ui, pos2, vec2};

use crate::editor::modes::ModesAction;
use crate::editor::modes::axes::Line;
use crate::editor::modes::chart::View;
use crate::editor::modes::number_entry::{Number, Typed};
use crate::editor::param_context::ParamContext;
use crate::editor::param_controls::param_row;
use crate::editor::param_controls::slider;
use crate::editor::param_controls::value_entry;
use crate::editor::partial::Partial;
use crate::editor::theme;
use crate::editor::theme::{Face, Hue, Size};
use crate::editor::widgets::Rule;
use crate::editor::widgets::TARGET;
use crate::editor::widgets::Way;
use crate::editor::widgets::button;
use crate::editor::widgets::icon;
use crate::editor::widgets::tabs;
use crate::editor::widgets::{RESTING, Side, ThemePainter};
use crate::host_params::value_text;
use crate::host_params::value_text::figures;
use urto_engine::params::{ParamId, Scale};
use urto_engine::patch::PartialEdit;

/// Height of a line and of a button, and the gap between buttons.
const LINE: f32 = 30.0;
const GAP: f32 = 8.0;
/// Height of the shape, and of all that it takes with its legend.
const SHAPE: [f32; 2] = [90.0, 194.0];
/// Room without the shape.
const PLAIN: f32 = 52.0;
/// What moves all partials, on sheets.
const ALL: [(&str, &[(ParamId, &str)]); 3] = [
    ("All modes", &[(ParamId::Inharmonicity, "Stretch"), (ParamId::Modes, "Count")]),
    ("Shape", &[(ParamId::RatioPower, "Ratio power"), (ParamId::Material, "Material")]),
    ("Morph", &[(ParamId::MorphTo, "Into"), (ParamId::Morph, "How far")]),
];

/// Draws the inspector and follows the player.
pub fn show(
    ui: &mut Ui,
    rect: Rect,
    (view, chosen, typed): (&View, &mut usize, &mut Option<Typed>),
    line: &Line,
    desk: &mut ParamContext,
) -> Vec<ModesAction> {
    let inside = rect.shrink2(vec2(theme::MARGIN, 0.0));
    let partials = view.partials;
    steps(ui, inside, chosen, partials.len());
    let Some(partial) = partials.get(*chosen) else { return Vec::new() };
    title(&ThemePainter::new(ui), inside, *chosen, partial);
    let mut top = inside.top() + PLAIN;
    if !desk.small {
        shape(&ThemePainter::new(ui), Rect::from_min_size(inside.min + vec2(0.0, 68.0), vec2(inside.width(), SHAPE[0])), line);
        top = inside.top() + SHAPE[1];
    }
    let column = Rect::from_min_max(pos2(inside.left(), top), pos2(inside.right(), rect.bottom()));
    let mut deeds = numbers(ui, column, (view, *chosen, typed), desk);
    let below = column.with_min_y(column.top() + 6.0 * LINE);
    let buttons = Rect::from_min_size(below.min + vec2(0.0, 0.5 * LINE - 3.0), vec2(below.width(), LINE));
    deeds.extend(switches(ui, buttons, partial, view, desk));
    let rest = below.with_min_y(buttons.bottom() + if desk.small { 6.0 } else { 23.0 });
    all(ui, rest, desk);
    deeds
}

/// From one partial to the next.
fn steps(ui: &Ui, inside: Rect, chosen: &mut usize, count: usize) {
    let pen = ThemePainter::new(ui);
    let y = inside.top() + 30.0;
    for (x, way, name) in [(inside.right() - 38.0, Way::Left, "Mode before"), (inside.right() - 10.0, Way::Right, "Next mode")] {
        let target = Rect::from_center_size(pos2(x, y), vec2(TARGET, TARGET));
        if button::bare(ui, target, name).clicked() {
            let step = if way == Way::Left { -1 } else { 1 };
            *chosen = chosen.saturating_add_signed(step).min(count.saturating_sub(1));
        }
        icon::chevron(&pen, target.center(), way, 5.0, pen.ink.text2);
    }
}

fn title(pen: &ThemePainter, inside: Rect, chosen: usize, partial: &Partial) {
    let at = pos2(inside.left(), inside.top() + 30.0);
    let shown = pen.text(at, Side::Left, &format!("Mode {}", chosen + 1), (Face::SemiBold, Size::Title, pen.ink.text));
    let (about, color) = match (partial.trim.muted, partial.trim.is_neutral()) {
        (true, _) => ("muted".to_owned(), pen.ink.text2),
        (_, false) => (format!("{} edited", family(partial)).trim_start().to_owned(), pen.ink.text2),
        _ => (family(partial), pen.ink.text2),
    };
    pen.text(pos2(shown.right() + 12.0, at.y + 1.0), Side::Left, &about, (Face::Regular, Size::Text, color));
}

/// What the mode is called on its body.
fn family(partial: &Partial) -> String {
    partial.family.map_or_else(String::new, |(diameters, circles)| format!("({diameters}, {circles})"))
}

/// The numbers, five of which can be typed.
fn numbers(
    ui: &mut Ui,
    column: Rect,
    (view, chosen, typed): (&View, usize, &mut Option<Typed>),
    desk: &mut ParamContext,
) -> Vec<ModesAction> {
    let (partial, lowest) = (&view.partials[chosen], view.partials[0].hertz);
    let (note, cents) = partial.note();
    let sign = if cents < -0.5 { "−" } else { "+" };
    let level = format!("{:.1}", partial.level).replace('-', "−");
    let lines = [
        ("Frequency", Some(Number::Hertz), format!("{:.1}", partial.hertz), "Hz"),
        ("Ratio", Some(Number::Ratio), format!("{:.3}", partial.hertz / lowest), ""),
        ("Note", Some(Number::Note), format!("{note} {sign}{:.0}", cents.abs()), "ct"),
        ("Level", Some(Number::Level), level, "dB"),
        ("Decay *T*~60~", Some(Number::Decay), figures(partial.t60), "s"),
        ("Strike gain", None, figures(partial.weights[0].abs()), ""),
    ];
    let mut deeds = Vec::new();
    for (i, (name, number, value, unit)) in lines.iter().enumerate() {
        let row = Rect::from_min_size(column.min + vec2(0.0, LINE * i as f32), vec2(column.width(), LINE));
        let field = Rect::from_min_max(pos2(row.center().x - 8.0, row.top() + 2.0), row.max - vec2(0.0, 2.0));
        match (*number, typed.take()) {
            (Some(number), Some(now)) if now.is(number) => {
                param_row::label(&ThemePainter::new(ui), row, name, i > 0);
                let read = |number: Number, text: &str| number.read(text, partial, lowest, view.morph);
                match now.edit(ui, field, read, desk) {
                    Ok(now) => *typed = Some(now),
                    Err(trim) => deeds.extend(trim.filter(|_| partial.place.is_some()).map(ModesAction::Trim)),
                }
            }
            (number, now) => {
                *typed = now;
                // a unit stands in a column of its own, as far as there is one
                let unit = if unit.is_empty() { " " } else { unit };
                param_row::reading(&ThemePainter::new(ui), row, name, (value, unit), i > 0);
                if let Some(number) = number.filter(|_| partial.place.is_some()) {
                    let plain = name.replace(['*', '~'], "").replace("T60", "time");
                    Typed::target(ui, field, (number, &plain), &format!("{value} {}", unit.trim()), typed);
                }
            }
        }
    }
    deeds
}

/// Solo, mute, and back to what the body has.
fn switches(ui: &Ui, rect: Rect, partial: &Partial, view: &View, desk: &mut ParamContext) -> Option<ModesAction> {
    let Some(place) = partial.place else {
        let words = "Only the body it turns into has this partial.";
        let pen = ThemePainter::new(ui);
        pen.text(rect.left_center(), Side::Left, words, (Face::Regular, Size::Text, pen.ink.text2));
        return None;
    };
    let width = (rect.width() - 2.0 * GAP) / 3.0;
    let at = |i: usize| Rect::from_min_size(rect.min + vec2((width + GAP) * i as f32, 0.0), vec2(width, rect.height()));
    let trim = partial.trim;
    let solo = button::show(ui, at(0), "Solo", view.solo.contains(&place));
    let mute = button::show(ui, at(1), "Mute", trim.muted);
    let reset = button::show(ui, at(2), "Reset", false);
    for (response, words) in [
        (&solo, "S: hears this partial alone, with others that are soloed. Not kept with the sound."),
        (&mute, "M: holds this partial still; the hammer does not feel it and it is not heard."),
        (&reset, "Delete: frequency, level and decay as the body has them."),
    ] {
        if response.hovered() {
            *desk.hint = words.into();
        }
    }
    let kit = !desk.params.own_patch().zones.is_empty();
    if kit && solo.hovered() {
        *desk.hint = "The zones of a kit are not soloed by partials.".into();
    }
    match (solo.clicked() && !kit, mute.clicked(), reset.clicked()) {
        (true, ..) => Some(ModesAction::Solo(place)),
        (_, true, _) => Some(ModesAction::Trim(PartialEdit { muted: !trim.muted, ..trim })),
        (.., true) => Some(ModesAction::Trim(PartialEdit::new(place))),
        _ => None,
    }
}

/// What moves all partials.
fn all(ui: &mut Ui, rect: Rect, desk: &mut ParamContext) {
    let id = ui.scope_id().with("sheet of all");
    let mut sheet = ui.data(|data| data.get_temp::<usize>(id)).unwrap_or(0).min(ALL.len() - 1);
    ThemePainter::new(ui).hline(rect.x_range(), rect.top(), ThemePainter::new(ui).ink.hair);
    let names = ALL.map(|(name, _)| name);
    let head = Rect::from_min_size(rect.min + vec2(0.0, 6.0), vec2(rect.width(), LINE));
    tabs::show(ui, head, &names, &mut sheet, Rule::Below);
    ui.data_mut(|data| data.insert_temp(id, sheet));
    for (i, knob) in ALL[sheet].1.iter().enumerate() {
        let row = Rect::from_min_size(pos2(rect.left(), head.bottom() + 5.0 + LINE * i as f32), vec2(rect.width(), LINE));
        if row.bottom() <= rect.bottom() + 1.0 {
            slid(ui, row, *knob, desk);
        }
    }
}

/// A knob's line with a slider; a choice as a word.
fn slid(ui: &mut Ui, row: Rect, (id, name): (ParamId, &str), desk: &mut ParamContext) {
    if matches!(id.spec().scale, Scale::Choice(_)) {
        return param_row::knob(ui, row, (id, name), false, desk);
    }
    param_row::label(&ThemePainter::new(ui), row, name, false);
    let value =
        Rect::from_min_max(pos2(row.right() - 58.0, row.center().y - 10.0), pos2(row.right() + 4.0, row.center().y + 10.0));
    let left = row.left() + 0.3 * row.width();
    slider::show(ui, pos2(left, row.center().y), value.left() - left - 14.0, id, Hue::Body, desk);
    value_entry::show(ui, value, id, &value_text::show(id.spec(), desk.value(id)), desk);
}

/// The shape along the body, with its mirror image, and where strike and pickups are on it.
fn shape(pen: &ThemePainter, rect: Rect, line: &Line) {
    let ink = pen.ink;
    let y = rect.center().y;
    pen.dashed(&[pos2(rect.left(), y), pos2(rect.right(), y)], RESTING, 1.0, ink.line);
    let (there, back) = (line.points(rect, false), line.points(rect, true));
    if there.len() < 2 {
        return;
    }
    let tint = theme::faint(ink.body, 0.11);
    let mut mesh = egui::epaint::Mesh::default();
    for (i, (a, b)) in there.iter().zip(&back).enumerate() {
        mesh.colored_vertex(*a, tint);
        mesh.colored_vertex(*b, tint);
        if i > 0 {
            let last = 2 * i as u32;
            mesh.add_triangle(last - 2, last - 1, last);
            mesh.add_triangle(last - 1, last, last + 1);
        }
    }
    pen.mesh(mesh);
    pen.path(back, 1.0, theme::faint(ink.body, 0.5));
    pen.path(there, theme::CURVE, ink.body);
    marks(pen, rect, line);
}

/// Strike and pickups, with their names below where they do not touch.
fn marks(pen: &ThemePainter, rect: Rect, line: &Line) {
    let (ink, y) = (pen.ink, rect.center().y);
    let x = |place: f32| rect.left() + rect.width() * place;
    let strike = x(line.marks[0].0);
    for (i, (place, value)) in line.marks.into_iter().enumerate() {
        let at = pos2(x(place), y - 0.5 * rect.height() * value);
        let (color, fill) = if i == 0 { (ink.force, ink.force) } else { (ink.body, ink.bg) };
        pen.line(pos2(at.x, y), at, 1.2, if i == 0 { ink.force } else { ink.text });
        pen.disc(at, 5.0, fill, 1.8, color);
        let (word, color) = [("strike", ink.force), ("L", ink.text2), ("R", ink.text2)][i];
        let clash = i > 0 && (at.x - strike).abs() < 30.0;
        let drop = if clash { 34.0 } else { 19.0 };
        pen.text(pos2(at.x, rect.bottom() + drop), Side::Center, word, (Face::Regular, Size::Label, color));
    }
}
