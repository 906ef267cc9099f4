//! The chart of partials over a logarithmic frequency axis: level upward, decay time downward, the spectrum behind them.

use egui::accesskit::Role;
use egui::{Color32, CursorIcon, Id, Pos2, Rect, Response, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::editor::modes::axes::{Axes, MAX_HZ, MIN_DB};
use crate::editor::modes::dense_modes::{DenseModes, ModeGroup};
use crate::editor::modes::partial_editing::{DraggedPartial, End, ModesAction};
use crate::editor::modes::spectrum::Spectrum;
use crate::editor::param_context::ParamContext;
use crate::editor::partial::{Partial, thousands};
use crate::editor::theme::{Face, Size, faint};
use crate::editor::widgets::{DASHED, DOTTED, Side, ThemePainter, keys};
use urto_engine::body::{BodyTuning, KeyScaling};
use urto_engine::patch::PartialEdit;
use urto_engine::tuning::KeyFrequencies;

/// Maximum number of note names, and their minimum spacing [px].
const MAX_NAMES: usize = 6;
const MIN_NAME_SPACING: f32 = 60.0;
/// Distance within which the pointer selects a head, foot or stem [px].
const POINTER_RANGE: f32 = 14.0;
/// Distance within which the pointer is at a line, although there is shade [px].
const LINE_RANGE: f32 = 4.0;
/// Opacity of partials that are not soloed.
const UNSOLOED_OPACITY: f32 = 0.3;

/// What the chart shows.
pub struct ChartState<'a> {
    /// The partials.
    pub partials: &'a [Partial],
    /// Which of them are lines, and the shade of the others.
    pub dense: &'a DenseModes,
    /// The axes.
    pub axes: Axes,
    /// Indices of the soloed partials; empty: all are heard.
    pub solo: &'a [usize],
    /// Tuning to whose keys dragged partials snap; none: no snapping.
    pub snap: Option<&'a KeyFrequencies>,
    /// Morph, 0 to 1.
    pub morph: f64,
    /// The spectrum, if it is shown.
    pub spectrum: Option<&'a Spectrum>,
}

/// Draws the chart and handles input.
pub fn show(
    ui: &Ui,
    view: &ChartState,
    (chosen, dragged): (&mut usize, &mut Option<DraggedPartial>),
    params: &mut ParamContext,
) -> Vec<ModesAction> {
    let (painter, axes) = (ThemePainter::new(ui), &view.axes);
    let actions = follow(ui, view, (chosen, dragged), params);
    if let Some(spectrum) = view.spectrum {
        spectrum.paint(&painter, axes);
    }
    axes.paint(&painter);
    view.dense.paint(&painter);
    name_shade(ui, view);
    damping_law(&painter, axes, view.partials, params);
    for i in view.drawn(*chosen) {
        let partial = &view.partials[i];
        name(ui, axes, (i, i == *chosen), partial);
        stem(&painter, axes, partial, (i == *chosen, partial.is_heard(view.solo) || partial.edit.muted && view.solo.is_empty()));
    }
    names(&painter, view, *chosen);
    actions
}

impl ChartState<'_> {
    /// Indices of the partials that are drawn as lines: the selected one is, too.
    fn drawn(&self, chosen: usize) -> impl Iterator<Item = usize> + '_ {
        let shaded = Some(chosen).filter(|i| *i < self.partials.len() && !self.dense.lines().contains(i));
        self.dense.lines().iter().copied().chain(shaded)
    }

    /// The modes in the shade below the pointer; none at a line, or where there is no shade.
    fn group_at(&self, at: Pos2) -> Option<ModeGroup> {
        let at_line = self.dense.lines().iter().any(|i| (self.axes.x(self.partials[*i].hertz) - at.x).abs() < LINE_RANGE);
        let near = self.dense.near(self.partials, &self.axes, at.x);
        ModeGroup::of(self.partials, near).filter(|group| group.count > 1 && !at_line)
    }
}

/// Dashes the damping law: decay time over frequency from the body's parameters, before edits.
fn damping_law(painter: &ThemePainter, axes: &Axes, partials: &[Partial], params: &ParamContext) {
    let Some(first) = partials.first() else { return };
    let settings = params.params.settings();
    let losses = BodyTuning::new(first.hertz, KeyScaling::default(), |id| settings.get(id)).losses;
    let point = |i: usize| {
        let hertz = first.hertz * (MAX_HZ / first.hertz).powf(i as f64 / 60.0);
        pos2(axes.x(hertz), axes.foot(losses.t60(hertz)))
    };
    let points: Vec<Pos2> = (0..=60).map(point).collect();
    painter.inside(axes.decay).dashed(&points, DASHED, 1.3, painter.ink.text2);
    let at = axes.decay.right_bottom() - vec2(4.0, 8.0);
    let (text, look) = ("dashed: damping law of the body", painter.label());
    // readable above the shade
    let ground = Rect::from_min_max(at - vec2(painter.width(text, look.0, look.1) + 4.0, 9.0), at + vec2(4.0, 8.0));
    painter.rect(ground, 0.0, faint(painter.ink.bg, 0.75));
    painter.text(at, Side::Right, text, look);
}

/// Identifier of the chart.
pub fn id(ui: &Ui) -> Id {
    ui.scope_id().with("chart")
}

/// Handles the pointer: click to select, drag to edit, Alt-click to solo, double-click to reset.
fn follow(
    ui: &Ui,
    view: &ChartState,
    (chosen, dragged): (&mut usize, &mut Option<DraggedPartial>),
    params: &mut ParamContext,
) -> Vec<ModesAction> {
    let (partials, axes) = (view.partials, &view.axes);
    let response = ui.interact(axes.area(), id(ui), Sense::click_and_drag());
    tell(&response, partials.get(*chosen), *chosen);
    let modifiers = ui.input(|input| input.modifiers);
    let mut actions = Vec::new();
    let pressed = ui.input(|input| input.pointer.press_origin());
    if response.drag_started()
        && let Some(at) = pressed
        && let Some((i, end)) = draggable_at(view, *chosen, at)
    {
        (*chosen, *dragged) = (i, DraggedPartial::new(end, &partials[i], at, *axes));
    }
    if let (Some(dragged), Some(at)) = (dragged.as_mut(), response.interact_pointer_pos()) {
        actions.push(ModesAction::Drag(dragged.edit(at, modifiers, view.morph, view.snap)));
        ui.set_cursor_icon(CursorIcon::Grabbing);
    }
    if response.drag_stopped() && dragged.take().is_some() {
        actions.push(ModesAction::Release);
    }
    let under = response.interact_pointer_pos().filter(|_| response.clicked() || response.double_clicked());
    if let Some((i, end)) = under.and_then(|at| nearest(view, at)) {
        *chosen = i;
        if let Some(place) = partials[i].index {
            actions.extend(clicked(&response, modifiers.alt, (place, end), &partials[i].edit));
        }
    }
    if let Some(at) = response.hover_pos() {
        hover(ui, view, (*chosen, at), params);
    }
    if response.has_focus() {
        ThemePainter::new(ui).focus(axes.area(), 0.0);
    }
    actions
}

fn clicked(response: &Response, alt: bool, (place, end): (usize, End), edit: &PartialEdit) -> Option<ModesAction> {
    match (response.double_clicked(), end) {
        (true, End::Head) => Some(ModesAction::Edit(PartialEdit { decay: edit.decay, ..PartialEdit::new(place) })),
        (true, End::Foot) => Some(ModesAction::Edit(PartialEdit { decay: 1.0, ..*edit })),
        _ => alt.then_some(ModesAction::Solo(place)),
    }
}

/// Accessible items for head and foot of a partial.
fn name(ui: &Ui, axes: &Axes, (i, chosen): (usize, bool), partial: &Partial) {
    let x = axes.x(partial.hertz);
    if !axes.level.x_range().expand(0.5).contains(x) {
        return;
    }
    let values = [format!("{:.1} Hz, {:.1} dB", partial.hertz, partial.level), format!("{:.3} s", partial.t60)];
    let ends =
        [(axes.y(partial.level), format!("Partial {}", i + 1)), (axes.foot(partial.t60), format!("Decay of partial {}", i + 1))];
    for ((y, label), value) in ends.into_iter().zip(values) {
        let target = Rect::from_center_size(pos2(x, y), vec2(POINTER_RANGE, POINTER_RANGE));
        let response = ui.interact(target, ui.scope_id().with(&label), Sense::hover());
        keys::describe_choice(&response, Role::ListBoxOption, chosen, &label);
        ui.ctx().accesskit_node_builder(response.id, |node| node.set_value(value.as_str()));
    }
}

/// Accessible description of the chart and the selected partial.
fn tell(response: &Response, partial: Option<&Partial>, chosen: usize) {
    response.widget_info(|| {
        let words = partial.map(|partial| {
            format!("Partial {}: {:.1} Hz, {:.1} dB, decay {:.2} s", chosen + 1, partial.hertz, partial.level, partial.t60)
        });
        WidgetInfo {
            current_text_value: words,
            ..WidgetInfo::labeled(
                Role::ListBox,
                true,
                "Partials: Left and Right select, Up and Down change the level, S solos, M mutes, Delete resets",
            )
        }
    });
}

/// Accessible item for all modes in the shade.
fn name_shade(ui: &Ui, view: &ChartState) {
    let Some(group) = ModeGroup::of(view.partials, view.dense.shaded().iter().copied()) else { return };
    let (left, right) = (view.axes.x(group.hertz[0]), view.axes.x(group.hertz[1]));
    let area =
        view.axes.area().intersect(Rect::everything_right_of(left)).intersect(Rect::everything_left_of(right.max(left + 1.0)));
    let response = ui.interact(area, ui.scope_id().with("shade"), Sense::hover());
    let label = format!("{} dense modes: {}", thousands(group.count), group.text("from", "to"));
    keys::describe_choice(&response, Role::ListBoxOption, false, &label);
}

fn hover(ui: &Ui, view: &ChartState, (chosen, at): (usize, Pos2), params: &mut ParamContext) {
    if draggable_at(view, chosen, at).is_some() {
        ui.set_cursor_icon(CursorIcon::Grab);
    }
    if let Some(group) = view.group_at(at) {
        *params.hint = format!("{} modes {}. Click to select one.", group.count, group.text("between", "and"));
        return;
    }
    let Some(partial) = nearest(view, at).and_then(|(i, _)| view.partials.get(i)) else { return };
    let what = if partial.index.is_some() { "Drag head or foot. Alt-click: solo. Double-click: reset." } else { "" };
    let (hertz, note, level, t60) = (partial.hertz, partial.note_text(), partial.level, partial.t60);
    let values = format!("{hertz:.1} Hz, {note}, {level:.1} dB, decay {t60:.2} s.").replace('-', "−");
    *params.hint = format!("{values} {what}").trim_end().to_owned();
}

/// The partial nearest to the pointer horizontally, of many in the shade the one with the nearest level or decay time; and the end of it in
/// whose lane the pointer is.
fn nearest(view: &ChartState, at: Pos2) -> Option<(usize, End)> {
    let (axes, partials) = (&view.axes, view.partials);
    let end = if at.y <= axes.level.bottom() { End::Head } else { End::Foot };
    if view.group_at(at).is_some() {
        let height = |i: &usize| (tip(axes, &partials[*i], end).y - at.y).abs();
        let found = view.dense.near(partials, axes, at.x).min_by(|a, b| height(a).total_cmp(&height(b)));
        return found.map(|i| (i, end));
    }
    let distance = |i: &usize| (axes.x(partials[*i].hertz) - at.x).abs();
    let found = (0..partials.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
    Some((found, end))
}

/// What the pointer can drag: a head or foot within range, else the nearest stem; of lines only.
fn draggable_at(view: &ChartState, chosen: usize, at: Pos2) -> Option<(usize, End)> {
    let axes = &view.axes;
    let end = if at.y <= axes.level.bottom() { End::Head } else { End::Foot };
    let tip = |i: usize| tip(axes, &view.partials[i], end);
    let all = || view.drawn(chosen).filter(|i| view.partials[*i].index.is_some());
    let near = all().filter(|i| tip(*i).distance(at) < POINTER_RANGE);
    let found = near.min_by(|a, b| tip(*a).distance_sq(at).total_cmp(&tip(*b).distance_sq(at)));
    let beside = |i: &usize| (tip(*i).x - at.x).abs();
    let stem = all().filter(|i| beside(i) < 0.5 * POINTER_RANGE).min_by(|a, b| beside(a).total_cmp(&beside(b)));
    found.or(stem).map(|i| (i, end))
}

/// Position of an end of a partial.
fn tip(axes: &Axes, partial: &Partial, end: End) -> Pos2 {
    pos2(axes.x(partial.hertz), if end == End::Head { axes.y(partial.level) } else { axes.foot(partial.t60) })
}

/// Draws a partial: a head at its level, a foot at its decay time. Muted: dotted and hollow. Unheard: faint.
fn stem(painter: &ThemePainter, axes: &Axes, partial: &Partial, (chosen, is_heard): (bool, bool)) {
    let ink = painter.ink;
    let x = axes.x(partial.hertz);
    if !axes.level.x_range().expand(0.5).contains(x) {
        return;
    }
    if chosen {
        let column = Rect::from_x_y_ranges(x - 11.0..=x + 11.0, axes.level.top() - 6.0..=axes.decay.bottom());
        painter.rect(column, 3.0, faint(ink.body, if ink.dark { 0.13 } else { 0.11 }));
    }
    let muted = partial.edit.muted;
    let color = faint(if muted { ink.text3 } else { ink.body }, if is_heard { 1.0 } else { UNSOLOED_OPACITY });
    let (top, foot) = (axes.y(partial.level), axes.foot(partial.t60));
    let fades = (0.55 + 0.45 * ((partial.t60 / 0.02).ln() / 4.0).clamp(0.0, 1.0)) as f32;
    let width = if chosen { 3.4 } else { 2.4 };
    for (from, to, color) in [(axes.level.bottom(), top, color), (axes.decay.top(), foot, faint(color, fades))] {
        if muted {
            painter.dashed(&[pos2(x, from), pos2(x, to)], DOTTED, width, color);
        } else {
            painter.line(pos2(x, from), pos2(x, to), width, color);
        }
    }
    painter.rect(Rect::from_center_size(pos2(x, foot), vec2(9.0, 3.0)), 0.0, color);
    head(painter, pos2(x, top), partial, (chosen, color));
}

fn head(painter: &ThemePainter, at: Pos2, partial: &Partial, (chosen, color): (bool, Color32)) {
    let ink = painter.ink;
    let (fill, edge) = if partial.edit.muted { (ink.bg, color) } else { (color, ink.bg) };
    if partial.is_second_family() {
        let corners = [(0.0, -6.0), (6.0, 0.0), (0.0, 6.0), (-6.0, 0.0)].map(|(x, y)| at + vec2(x, y));
        painter.polygon(corners.to_vec(), fill, 1.5, edge);
    } else {
        painter.disc(at, if chosen { 7.0 } else { 5.0 }, fill, 1.5, edge);
    }
    if chosen {
        painter.circle(at, 10.5, 1.5, ink.text);
    }
}

/// Note names of the selected partial and of the loudest, where they do not overlap.
fn names(painter: &ThemePainter, view: &ChartState, chosen: usize) {
    let (axes, partials) = (&view.axes, view.partials);
    let mut order: Vec<usize> = view.drawn(chosen).collect();
    order.sort_by(|a, b| (*b == chosen).cmp(&(*a == chosen)).then(partials[*b].level.total_cmp(&partials[*a].level)));
    let mut labelled: Vec<f32> = Vec::new();
    for i in order {
        let x = axes.x(partials[i].hertz);
        let free = labelled.iter().all(|other| (other - x).abs() >= MIN_NAME_SPACING) && axes.level.x_range().contains(x);
        if !free || labelled.len() >= MAX_NAMES || partials[i].level <= MIN_DB {
            continue;
        }
        labelled.push(x);
        let at = pos2(x, axes.y(partials[i].level) - if i == chosen { 23.0 } else { 18.0 });
        let (face, color) = if i == chosen { (Face::SemiBold, painter.ink.text) } else { (Face::Medium, painter.ink.text2) };
        painter.text(at, Side::Center, &partials[i].note_text(), (face, Size::Label, color));
    }
}
