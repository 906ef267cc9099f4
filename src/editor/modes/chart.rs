//! Partials over a logarithmic axis: upward their level, downward their decay.

use egui::accesskit::Role;
use egui::{Pos2, Rect, Sense, Ui, WidgetInfo, pos2, vec2};

use super::Partial;
use crate::editor::desk::Desk;
use crate::editor::pen::{DASHED, Pen, Side};
use crate::editor::theme::{Face, Size};
use crate::engine::body::{Build, Pitch};

/// Height of the axis between the lanes, and what the lanes share of the rest.
const BAND: f32 = 40.0;
const LANES: (f32, f32) = (250.0, 176.0);
/// Lowest level that is drawn [dB], highest frequency [Hz], shortest decay [s].
const LOWEST_DB: f64 = -60.0;
const HIGHEST: f64 = 20e3;
const SHORTEST: f64 = 0.01;
/// Most names of notes, and the room between two [px].
const NAMED: usize = 6;
const APART: f32 = 60.0;

/// The axes.
struct Chart {
    level: Rect,
    decay: Rect,
    lowest: f64,
    longest: f64,
}

impl Chart {
    fn new(rect: Rect, partials: &[Partial]) -> Self {
        let inside = Rect::from_min_max(rect.min + vec2(72.0, 74.0), rect.max - vec2(24.0, 24.0));
        let lanes = inside.height() - BAND;
        let high = lanes * LANES.0 / (LANES.0 + LANES.1);
        let level = inside.with_max_y(inside.top() + high);
        let decay = inside.with_min_y(level.bottom() + BAND);
        let first = partials.iter().map(|partial| partial.hertz).fold(f64::MAX, f64::min);
        let longest = partials.iter().map(|partial| partial.t60).fold(2.0, f64::max);
        let lowest = if first.is_finite() { (0.45 * first).clamp(10.0, 2000.0) } else { 100.0 };
        Self { level, decay, lowest, longest: 1.6 * longest }
    }

    fn x(&self, hertz: f64) -> f32 {
        let part = (hertz / self.lowest).ln() / (HIGHEST / self.lowest).ln();
        self.level.left() + self.level.width() * part as f32
    }

    fn y(&self, level: f64) -> f32 {
        let part = ((level - LOWEST_DB) / -LOWEST_DB).clamp(0.0, 1.0);
        self.level.bottom() - self.level.height() * part as f32
    }

    fn foot(&self, t60: f64) -> f32 {
        let part = ((t60 / SHORTEST).ln() / (self.longest / SHORTEST).ln()).clamp(0.0, 1.0);
        self.decay.top() + self.decay.height() * part as f32
    }
}

/// Draws the chart and follows the player.
pub fn show(ui: &Ui, rect: Rect, partials: &[Partial], chosen: &mut usize, desk: &mut Desk) {
    let pen = Pen::new(ui);
    let chart = Chart::new(rect, partials);
    head(&pen, rect, partials);
    grids(&pen, &chart);
    law(&pen, &chart, partials, desk);
    choose(ui, &chart, partials, chosen, desk);
    for (i, partial) in partials.iter().enumerate() {
        stem(&pen, &chart, partial, i == *chosen);
    }
    names(&pen, &chart, partials, *chosen);
}

fn head(pen: &Pen, rect: Rect, partials: &[Partial]) {
    let at = pos2(rect.left() + 24.0, rect.top() + 30.0);
    let shown = pen.text(at, Side::Left, "Modes", (Face::SemiBold, Size::Title, pen.ink.text));
    let second = partials.iter().filter(|partial| partial.is_second()).count();
    let about = match (partials.len(), second) {
        (0, _) => "The body is being made.".to_owned(),
        (all, 0) => format!("{all} partials"),
        (all, second) => format!("{all} partials, {} of the first family, {second} of others", all - second),
    };
    pen.text(pos2(shown.right() + 12.0, at.y + 1.0), Side::Left, &about, (Face::Regular, Size::Text, pen.ink.text2));
}

fn grids(pen: &Pen, chart: &Chart) {
    let ink = pen.ink;
    let Chart { level, decay, .. } = chart;
    let tick = (Face::Regular, Size::Tick, ink.text3);
    for db in [0.0, -12.0, -24.0, -36.0, -48.0] {
        pen.hline(level.x_range(), chart.y(db), ink.grid);
        let text = if db == 0.0 { "0 dB".to_owned() } else { format!("{db:.0}").replace('-', "−") };
        pen.text(pos2(level.left() - 10.0, chart.y(db)), Side::Right, &text, tick);
    }
    for t60 in [0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0].into_iter().filter(|t60| *t60 < chart.longest) {
        pen.hline(decay.x_range(), chart.foot(t60), ink.grid);
        pen.text(pos2(decay.left() - 10.0, chart.foot(t60)), Side::Right, &format!("{t60}"), tick);
    }
    let band = Rect::from_min_max(level.left_bottom(), decay.right_top());
    pen.rect(band, 0.0, ink.panel);
    pen.hline(level.x_range(), level.bottom(), ink.line);
    pen.hline(level.x_range(), decay.top(), ink.line);
    keys(pen, chart);
    frequencies(pen, chart);
    pen.text(level.min + vec2(8.0, 12.0), Side::Left, "Level", pen.label());
    pen.text(decay.min + vec2(8.0, 14.0), Side::Left, "Decay *T*~60~, s", pen.label());
}

/// Ticks of all keys, with the names of every C.
fn keys(pen: &Pen, chart: &Chart) {
    let top = chart.level.bottom();
    let octave = chart.x(2.0 * chart.lowest) - chart.x(chart.lowest);
    for key in 0..=135 {
        let x = chart.x(440.0 * ((f64::from(key) - 69.0) / 12.0).exp2());
        if !chart.level.x_range().contains(x) {
            continue;
        }
        let length = if key % 12 == 0 {
            8.0
        } else if octave > 60.0 {
            3.5
        } else {
            0.0
        };
        pen.vline(x, top + 1.0..=top + length, if key % 12 == 0 { pen.ink.text2 } else { pen.ink.line });
        if key % 12 == 0 {
            let name = format!("C{}", key / 12 - 1).replace('-', "−");
            pen.text(pos2(x, top + 14.0), Side::Center, &name, (Face::Regular, Size::Tick, pen.ink.text2));
        }
    }
}

fn frequencies(pen: &Pen, chart: &Chart) {
    let bottom = chart.decay.top();
    let marks = [10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1e3, 2e3, 5e3, 10e3, 20e3];
    for hertz in marks.into_iter().filter(|hertz| *hertz >= chart.lowest) {
        let x = chart.x(hertz);
        pen.vline(x, bottom - 4.0..=bottom, pen.ink.line);
        let text = if hertz >= 1e3 { format!("{:.0} k", hertz / 1e3) } else { format!("{hertz:.0}") };
        let side = if hertz >= HIGHEST { Side::Right } else { Side::Center };
        pen.text(pos2(x, bottom - 11.0), side, &text, (Face::Regular, Size::Tick, pen.ink.text3));
    }
}

/// The decay that the knobs of the body give every frequency, before what single modes have of their own.
fn law(pen: &Pen, chart: &Chart, partials: &[Partial], desk: &Desk) {
    let Some(first) = partials.first() else { return };
    let settings = desk.knobs.settings();
    let losses = Pitch::new(first.hertz, Build::default(), |knob| settings.get(knob)).losses;
    let point = |i: usize| {
        let hertz = first.hertz * (HIGHEST / first.hertz).powf(i as f64 / 60.0);
        pos2(chart.x(hertz), chart.foot(losses.t60(hertz)))
    };
    let points: Vec<Pos2> = (0..=60).map(point).collect();
    pen.inside(chart.decay).dashed(&points, DASHED, 1.3, pen.ink.text2);
    let at = chart.decay.right_bottom() - vec2(4.0, 8.0);
    pen.text(at, Side::Right, "dashed: damping law of the body", pen.label());
}

/// The partial nearest to a click becomes the chosen one.
fn choose(ui: &Ui, chart: &Chart, partials: &[Partial], chosen: &mut usize, desk: &mut Desk) {
    let area = Rect::from_min_max(chart.level.min, chart.decay.max);
    let response = ui.interact(area, ui.scope_id().with("chart"), Sense::click());
    let name = partials.get(*chosen).map_or_else(String::new, |partial| format!("Mode {}, {:.1} Hz", *chosen + 1, partial.hertz));
    response.widget_info(|| WidgetInfo::labeled(Role::ListBox, true, &name));
    let nearest = |x: f32| {
        let distance = |i: &usize| (chart.x(partials[*i].hertz) - x).abs();
        (0..partials.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)))
    };
    if response.clicked()
        && let Some(found) = response.interact_pointer_pos().and_then(|at| nearest(at.x))
    {
        *chosen = found;
    }
    if let Some(partial) = response.hover_pos().and_then(|at| nearest(at.x)).and_then(|i| partials.get(i)) {
        *desk.hint =
            format!("{:.1} Hz, {}, decays in {:.2} s. Click to see its shape.", partial.hertz, partial.note_words(), partial.t60);
    }
    if response.has_focus() {
        Pen::new(ui).focus(area, 0.0);
    }
}

/// One partial: a head at its level, a foot at its decay.
fn stem(pen: &Pen, chart: &Chart, partial: &Partial, chosen: bool) {
    let ink = pen.ink;
    let x = chart.x(partial.hertz);
    if !chart.level.x_range().contains(x) {
        return;
    }
    if chosen {
        let column = Rect::from_x_y_ranges(x - 11.0..=x + 11.0, chart.level.top() - 6.0..=chart.decay.bottom());
        pen.rect(column, 3.0, ink.body.gamma_multiply(if ink.dark { 0.13 } else { 0.11 }));
    }
    let (top, foot) = (chart.y(partial.level), chart.foot(partial.t60));
    let width = if chosen { 3.4 } else { 2.4 };
    pen.line(pos2(x, chart.level.bottom()), pos2(x, top), width, ink.body);
    let fades = (0.55 + 0.45 * ((partial.t60 / 0.02).ln() / 4.0).clamp(0.0, 1.0)) as f32;
    pen.line(pos2(x, chart.decay.top()), pos2(x, foot), width, ink.body.gamma_multiply(fades));
    pen.rect(Rect::from_center_size(pos2(x, foot), vec2(9.0, 3.0)), 0.0, ink.body);
    let head = pos2(x, top);
    if partial.is_second() {
        let corners = [(0.0, -6.0), (6.0, 0.0), (0.0, 6.0), (-6.0, 0.0)].map(|(x, y)| head + vec2(x, y));
        pen.polygon(corners.to_vec(), ink.body, 1.5, ink.bg);
    } else {
        pen.disc(head, if chosen { 7.0 } else { 5.0 }, ink.body, 1.5, ink.bg);
    }
    if chosen {
        pen.circle(head, 10.5, 1.5, ink.text);
    }
}

/// Names of the chosen partial and of the strongest, where there is room.
fn names(pen: &Pen, chart: &Chart, partials: &[Partial], chosen: usize) {
    let mut order: Vec<usize> = (0..partials.len()).collect();
    order.sort_by(|a, b| (*b == chosen).cmp(&(*a == chosen)).then(partials[*b].level.total_cmp(&partials[*a].level)));
    let mut taken: Vec<f32> = Vec::new();
    for i in order {
        let x = chart.x(partials[i].hertz);
        let free = taken.iter().all(|other| (other - x).abs() >= APART) && chart.level.x_range().contains(x);
        if !free || taken.len() >= NAMED || partials[i].level <= LOWEST_DB {
            continue;
        }
        taken.push(x);
        let at = pos2(x, chart.y(partials[i].level) - if i == chosen { 23.0 } else { 18.0 });
        let (face, color) = if i == chosen { (Face::SemiBold, pen.ink.text) } else { (Face::Medium, pen.ink.text2) };
        pen.text(at, Side::Center, &partials[i].note_words(), (face, Size::Label, color));
    }
}
