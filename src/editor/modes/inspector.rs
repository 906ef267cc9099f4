//! The inspector: shape and values of one partial, and parameters of all partials.

use crate::editor::param_controls::{param_row, value_entry};
use egui::{Rect, Ui, pos2, vec2};

use crate::editor::modes::chart::ChartState;
use crate::editor::modes::partial_editing::{ModesAction, Number, NumberEntry};
use crate::editor::param_context::ParamContext;
use crate::editor::partial::{ModeShape, Partial};
use crate::editor::theme;
use crate::editor::theme::{Face, Hue, Size};
use crate::editor::widgets::{RESTING, Rule, Side, TARGET, ThemePainter, Way, button, icon, tabs};
use urto_engine::params::value_text;
use urto_engine::params::value_text::figures;
use urto_engine::params::{ParamId, Scale};
use urto_engine::patch::PartialEdit;

/// Height of a line and of a button, and gap between buttons [px].
const LINE: f32 = 30.0;
const GAP: f32 = 8.0;
/// Height of the shape, and with its legend [px].
const SHAPE: [f32; 2] = [90.0, 194.0];
/// Distance of two pickups below which their labels would overlap [px].
const PICKUP_GAP: f32 = 12.0;
/// Height of the title without a shape [px].
const TITLE_HEIGHT: f32 = 52.0;
/// Minimum distance of a slider from its label [px].
const SLIDER_GAP: f32 = 16.0;
/// Parameters of all partials, on tabs.
const ALL: [(&str, &[(ParamId, &str)]); 3] = [
    ("All modes", &[(ParamId::Inharmonicity, "Inharmonicity"), (ParamId::Modes, "Modes")]),
    ("Shape", &[(ParamId::RatioPower, "Partial stretch"), (ParamId::Material, "Material")]),
    ("Morph", &[(ParamId::MorphTo, "Morph to"), (ParamId::Morph, "Morph")]),
];

/// Draws the inspector and handles input.
pub fn show(
    ui: &mut Ui,
    rect: Rect,
    (view, chosen, typed): (&ChartState, &mut usize, &mut Option<NumberEntry>),
    line: &ModeShape,
    params: &mut ParamContext,
) -> Vec<ModesAction> {
    let inside = rect.shrink2(vec2(theme::MARGIN, 0.0));
    let partials = view.partials;
    steps(ui, inside, chosen, partials.len());
    let Some(partial) = partials.get(*chosen) else { return Vec::new() };
    title(&ThemePainter::new(ui), inside, *chosen, partial);
    let mut top = inside.top() + TITLE_HEIGHT;
    if !params.small {
        shape(&ThemePainter::new(ui), Rect::from_min_size(inside.min + vec2(0.0, 68.0), vec2(inside.width(), SHAPE[0])), line);
        top = inside.top() + SHAPE[1];
    }
    let column = Rect::from_min_max(pos2(inside.left(), top), pos2(inside.right(), rect.bottom()));
    let mut actions = numbers(ui, column, (view, *chosen, typed), params);
    let below = column.with_min_y(column.top() + 6.0 * LINE);
    let buttons = Rect::from_min_size(below.min + vec2(0.0, 0.5 * LINE - 3.0), vec2(below.width(), LINE));
    actions.extend(switches(ui, buttons, partial, view, params));
    let rest = below.with_min_y(buttons.bottom() + if params.small { 6.0 } else { 23.0 });
    all(ui, rest, params);
    actions
}

/// Buttons for the previous and next mode.
fn steps(ui: &Ui, inside: Rect, chosen: &mut usize, count: usize) {
    let painter = ThemePainter::new(ui);
    let y = inside.top() + 30.0;
    for (x, way, name) in [(inside.right() - 38.0, Way::Left, "Previous mode"), (inside.right() - 10.0, Way::Right, "Next mode")]
    {
        let target = Rect::from_center_size(pos2(x, y), vec2(TARGET, TARGET));
        if button::bare(ui, target, name).clicked() {
            let step = if way == Way::Left { -1 } else { 1 };
            *chosen = chosen.saturating_add_signed(step).min(count.saturating_sub(1));
        }
        icon::chevron(&painter, target.center(), way, 5.0, painter.ink.text2);
    }
}

fn title(painter: &ThemePainter, inside: Rect, chosen: usize, partial: &Partial) {
    let at = pos2(inside.left(), inside.top() + 30.0);
    let shown = painter.text(at, Side::Left, &format!("Mode {}", chosen + 1), (Face::SemiBold, Size::Title, painter.ink.text));
    let (about, color) = match (partial.edit.muted, partial.edit.is_neutral()) {
        (true, _) => ("muted".to_owned(), painter.ink.text2),
        (_, false) => (format!("{} edited", family(partial)).trim_start().to_owned(), painter.ink.text2),
        _ => (family(partial), painter.ink.text2),
    };
    painter.text(pos2(shown.right() + 12.0, at.y + 1.0), Side::Left, &about, (Face::Regular, Size::Text, color));
}

/// The mode's numbers on its body: nodal diameters and circles.
fn family(partial: &Partial) -> String {
    let unnamed = || if partial.is_dense { "dense".to_owned() } else { String::new() };
    partial.family.map_or_else(unnamed, |(diameters, circles)| format!("({diameters}, {circles})"))
}

/// The values; five of them can be typed.
fn numbers(
    ui: &mut Ui,
    column: Rect,
    (view, chosen, typed): (&ChartState, usize, &mut Option<NumberEntry>),
    params: &mut ParamContext,
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
    let mut actions = Vec::new();
    for (i, (name, number, value, unit)) in lines.iter().enumerate() {
        let row = Rect::from_min_size(column.min + vec2(0.0, LINE * i as f32), vec2(column.width(), LINE));
        let field = Rect::from_min_max(pos2(row.center().x - 8.0, row.top() + 2.0), row.max - vec2(0.0, 2.0));
        match (*number, typed.take()) {
            (Some(number), Some(now)) if now.is(number) => {
                param_row::label(&ThemePainter::new(ui), row, name, i > 0);
                let read = |number: Number, text: &str| number.read(text, partial, lowest, view.morph);
                match now.edit(ui, field, read, params) {
                    Ok(now) => *typed = Some(now),
                    Err(edit) => actions.extend(edit.filter(|_| partial.index.is_some()).map(ModesAction::Edit)),
                }
            }
            (number, now) => {
                *typed = now;
                // the unit has its own column even if it is empty
                let unit = if unit.is_empty() { " " } else { unit };
                param_row::reading(&ThemePainter::new(ui), row, name, (value, unit), i > 0);
                if let Some(number) = number.filter(|_| partial.index.is_some()) {
                    let plain = name.replace(['*', '~'], "").replace("T60", "time");
                    NumberEntry::target(ui, field, (number, &plain), &format!("{value} {}", unit.trim()), typed);
                }
            }
        }
    }
    actions
}

/// Buttons Solo, Mute and Reset.
fn switches(ui: &Ui, rect: Rect, partial: &Partial, view: &ChartState, params: &mut ParamContext) -> Option<ModesAction> {
    let Some(place) = partial.index else {
        let words =
            if partial.is_dense { "Only the lowest 256 modes can be edited." } else { "Only the morph target has this partial." };
        let painter = ThemePainter::new(ui);
        painter.text(rect.left_center(), Side::Left, words, (Face::Regular, Size::Text, painter.ink.text2));
        return None;
    };
    let width = (rect.width() - 2.0 * GAP) / 3.0;
    let at = |i: usize| Rect::from_min_size(rect.min + vec2((width + GAP) * i as f32, 0.0), vec2(width, rect.height()));
    let edit = partial.edit;
    let solo = button::toggle(ui, at(0), "Solo", view.solo.contains(&place));
    let mute = button::toggle(ui, at(1), "Mute", edit.muted);
    let reset = button::show(ui, at(2), "Reset", false);
    for (response, words) in [
        (&solo, "S: play only the soloed partials. Solo is not saved with the preset."),
        (&mute, "M: remove this partial from the vibration of the body."),
        (&reset, "Delete: reset frequency, level and decay to those of the body."),
    ] {
        if response.hovered() {
            *params.hint = words.into();
        }
    }
    let kit = !params.params.own_patch().zones.is_empty();
    if kit && solo.hovered() {
        *params.hint = "Partials of a kit cannot be soloed.".into();
    }
    match (solo.clicked() && !kit, mute.clicked(), reset.clicked()) {
        (true, ..) => Some(ModesAction::Solo(place)),
        (_, true, _) => Some(ModesAction::Edit(PartialEdit { muted: !edit.muted, ..edit })),
        (.., true) => Some(ModesAction::Edit(PartialEdit::new(place))),
        _ => None,
    }
}

/// The tabs of parameters of all partials.
fn all(ui: &mut Ui, rect: Rect, params: &mut ParamContext) {
    let id = ui.scope_id().with("tabs of all partials");
    let mut tab = ui.data(|data| data.get_temp::<usize>(id)).unwrap_or(0).min(ALL.len() - 1);
    ThemePainter::new(ui).hline(rect.x_range(), rect.top(), ThemePainter::new(ui).ink.hair);
    let names = ALL.map(|(name, _)| name);
    let head = Rect::from_min_size(rect.min + vec2(0.0, 6.0), vec2(rect.width(), LINE));
    tabs::show(ui, head, &names, &mut tab, Rule::Below);
    ui.data_mut(|data| data.insert_temp(id, tab));
    for (i, param) in ALL[tab].1.iter().enumerate() {
        let row = Rect::from_min_size(pos2(rect.left(), head.bottom() + 5.0 + LINE * i as f32), vec2(rect.width(), LINE));
        if row.bottom() <= rect.bottom() + 1.0 {
            slider_row(ui, row, *param, params);
        }
    }
}

/// A line of a parameter with a slider; a choice as text.
fn slider_row(ui: &mut Ui, row: Rect, (id, name): (ParamId, &str), params: &mut ParamContext) {
    if matches!(id.spec().scale, Scale::Choice(_)) {
        return param_row::show(ui, row, (id, name), false, params);
    }
    param_row::label(&ThemePainter::new(ui), row, name, false);
    let value =
        Rect::from_min_max(pos2(row.right() - 58.0, row.center().y - 10.0), pos2(row.right() + 4.0, row.center().y + 10.0));
    let end = row.left() + ThemePainter::new(ui).width(name, Face::Regular, Size::Text);
    let left = (row.left() + 0.4 * row.width()).max(end + SLIDER_GAP);
    param_row::slider(ui, pos2(left, row.center().y), value.left() - left - 14.0, id, Hue::Body, params);
    value_entry::show(ui, value, id, &value_text::show(id.spec(), params.value(id)), params);
}

/// The shape along the body with its mirror image, and the strike and pickup positions.
fn shape(painter: &ThemePainter, rect: Rect, line: &ModeShape) {
    let ink = painter.ink;
    let y = rect.center().y;
    painter.dashed(&[pos2(rect.left(), y), pos2(rect.right(), y)], RESTING, 1.0, ink.line);
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
    painter.mesh(mesh);
    painter.path(back, 1.0, theme::faint(ink.body, 0.5));
    painter.path(there, theme::CURVE, ink.body);
    marks(painter, rect, line);
}

/// Strike and pickup positions; labels that would overlap are lowered.
fn marks(painter: &ThemePainter, rect: Rect, line: &ModeShape) {
    let (ink, y) = (painter.ink, rect.center().y);
    let x = |place: f32| rect.left() + rect.width() * place;
    let strike = x(line.marks[0].0);
    for (i, (place, value)) in line.marks.into_iter().enumerate() {
        let at = pos2(x(place), y - 0.5 * rect.height() * value);
        let (color, fill) = if i == 0 { (ink.force, ink.force) } else { (ink.body, ink.bg) };
        painter.line(pos2(at.x, y), at, 1.2, if i == 0 { ink.force } else { ink.text });
        painter.disc(at, 5.0, fill, 1.8, color);
        // one label for pickups at the same place
        let both = (x(line.marks[1].0) - x(line.marks[2].0)).abs() < PICKUP_GAP;
        let words = if both { ["strike", "L R", ""] } else { ["strike", "L", "R"] };
        let (word, color) = (words[i], if i == 0 { ink.force } else { ink.text2 });
        let clash = i > 0 && (at.x - strike).abs() < 30.0;
        let drop = if clash { 34.0 } else { 19.0 };
        painter.text(pos2(at.x, rect.bottom() + drop), Side::Center, word, (Face::Regular, Size::Label, color));
    }
}
