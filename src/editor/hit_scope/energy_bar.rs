//! Parts of the hit scope: energy balance, force pulse, the row of recent hits, and the measured values of one.
//!
//! The energy balance divides the energy of a hit into the energy kept by the hammer (solid), passed to the body (outlined), lost
//! in the contact (hatched), and dissipated by the body's damping during the contact (grey).

use std::collections::VecDeque;

use egui::accesskit::Role;
use egui::{Key, Pos2, Rect, Sense, Ui, pos2, vec2};

use crate::editor::theme;
use crate::editor::theme::{Face, Size, faint, mix};
use crate::editor::widgets::keys::FocusGroup;
use crate::editor::widgets::{Axis, DASHED, Plot, Side, ThemePainter, keys};
use urto_engine::HitPulse;
use urto_engine::params::value_text::with_prefix;
use urto_engine::telemetry::HitPoint;

/// Names of the shares.
const NAMES: [&str; 4] = ["Hammer", "Body", "Contact loss", "Body damping"];
/// Left edges of the legend entries, over the width.
const LEGEND: [f32; 4] = [0.0, 0.265, 0.515, 0.765];

/// Deviation of the balance from 1 above which it is shown as a warning.
const BALANCED: f64 = 1e-3;

/// Height of a row of values [px].
const ROW: f32 = 45.0;
/// Relative widths of the columns.
const WIDTHS: [f32; 6] = [1.15, 1.2, 0.75, 1.05, 1.0, 0.9];

/// Spacing and width of the bars [px].
const BAR_STEP: f32 = 8.0;
const BAR_WIDTH: f32 = 5.0;

/// Energies of the shares [J], at least 0: a body that already vibrated may have given energy to the hammer.
fn parts(hit: &HitPulse) -> [f64; 4] {
    [hit.energy_hammer, hit.energy_body, hit.energy_contact_loss, hit.energy_decay()].map(|energy| energy.max(0.0))
}

/// Draws title, bar and legend; `at` is the left centre of the title.
pub fn show(painter: &ThemePainter, at: Pos2, width: f32, hit: Option<&HitPulse>, small: bool) {
    painter.text(at, Side::Left, "Energy balance", (Face::SemiBold, Size::Text, painter.ink.text));
    let bar = Rect::from_min_size(at + vec2(0.0, 14.0), vec2(width, if small { 10.0 } else { 14.0 }));
    let energies = hit.map_or([0.0; 4], parts);
    let total: f64 = energies.iter().sum();
    if let Some(hit) = hit {
        let accounted = hit.accounted();
        let tint = if (accounted - 1.0).abs() <= BALANCED { painter.ink.text2 } else { painter.ink.warn };
        let text = format!("{:.1} % accounted", 100.0 * accounted);
        let shown = painter.text(pos2(at.x + width, at.y), Side::Right, &text, (Face::Regular, Size::Label, tint));
        let text = format!("{} in", with_prefix(hit.energy_in, "J"));
        painter.text(pos2(shown.left() - 14.0, at.y), Side::Right, &text, painter.label());
    }
    if total > 0.0 {
        divided(painter, bar, energies, total);
    } else {
        painter.outline(bar, 0.0, 1.0, painter.ink.hair);
    }
    for (i, energy) in energies.into_iter().enumerate() {
        let corner = if small {
            pos2(at.x + 0.5 * width * (i % 2) as f32, bar.bottom() + 17.0 + 22.0 * (i / 2) as f32)
        } else {
            pos2(at.x + LEGEND[i] * width, bar.bottom() + 17.0)
        };
        let share = hit.filter(|_| total > 0.0).map(|_| (energy / total, energy));
        legend(painter, corner, i, share, small);
    }
}

/// The bar; every share above 0 is visible.
fn divided(painter: &ThemePainter, bar: Rect, energies: [f64; 4], total: f64) {
    let gap = 2.0;
    let room = bar.width() - 3.0 * gap;
    let mut left = bar.left();
    for (i, energy) in energies.into_iter().enumerate() {
        let share_width = (room * (energy / total) as f32).max(if energy > 0.0 { 2.0 } else { 0.0 });
        let width = share_width.min((bar.right() - left).max(0.0));
        if width > 0.0 {
            form(painter, Rect::from_min_size(pos2(left, bar.top()), vec2(width, bar.height())), i, 5.0);
            left += width + gap;
        }
    }
}

fn legend(painter: &ThemePainter, at: Pos2, i: usize, share: Option<(f64, f64)>, small: bool) {
    form(painter, Rect::from_min_size(at - vec2(0.0, 4.5), vec2(9.0, 9.0)), i, 4.0);
    let name = painter.text(at + vec2(15.0, 0.0), Side::Left, NAMES[i], painter.label());
    let Some((share, energy)) = share else { return };
    let decimals = usize::from(share < 0.01 && share > 0.0);
    let percent = format!("{:.decimals$} %", 100.0 * share);
    let style = (Face::Medium, Size::Text, painter.ink.text);
    if small {
        painter.text(pos2(name.right() + 8.0, at.y), Side::Left, &percent, style);
        return;
    }
    let shown = painter.text(at + vec2(15.0, 18.0), Side::Left, &percent, style);
    let after = pos2(shown.right() + 8.0, at.y + 18.0);
    painter.text(after, Side::Left, &with_prefix(energy, "J"), (Face::Regular, Size::Label, painter.ink.text3));
}

/// The fill of a share: solid, outlined, hatched, grey.
fn form(painter: &ThemePainter, span: Rect, part: usize, step: f32) {
    let ink = painter.ink;
    match part {
        0 => painter.rect(span, 0.0, ink.force),
        1 => {
            painter.rect(span, 0.0, mix(ink.bg, ink.body, 0.32));
            painter.outline(span, 0.0, 1.8, ink.body);
        }
        2 => {
            painter.rect(span, 0.0, mix(ink.bg, ink.text3, 0.20));
            painter.hatch(span, step, 1.2, ink.text2);
        }
        _ => painter.rect(span, 0.0, ink.text3),
    }
}

/// Draws the contact force over time with its peak and contact time, and the compared hit dashed.
pub fn force_pulse(painter: &ThemePainter, rect: Rect, hit: Option<&HitPulse>, other: Option<&HitPulse>) {
    let both = || hit.into_iter().chain(other);
    let largest = |of: fn(&HitPulse) -> f64, empty: f64| {
        both().map(of).fold(None, |a: Option<f64>, b| Some(a.map_or(b, |a| a.max(b)))).unwrap_or(empty)
    };
    let (duration, peak) = (largest(|hit| hit.duration, 2e-3), largest(|hit| hit.peak_force, 100.0));
    let plot = Plot::new(
        rect,
        Axis::over(0.0, 1.25 * duration, "s", 0.6 * rect.width()),
        Axis::over(0.0, 1.05 * peak, "N", rect.height()),
    );
    plot.paint(painter, true);
    let Some(hit) = hit else {
        painter.text(
            rect.center(),
            Side::Center,
            "Play a note, or click the body.",
            (Face::Regular, Size::Row, painter.ink.text2),
        );
        return;
    };
    let line = curve(&plot, hit);
    let ink = painter.ink.force;
    painter.fill_to(&line, plot.at(0.0, 0.0).y, [faint(ink, 0.55), faint(ink, 0.16)]);
    if let Some(other) = other {
        painter.dashed(&curve(&plot, other), DASHED, 1.6, painter.ink.text2);
    }
    painter.path(line, theme::CURVE, ink);
    peak_of(painter, &plot, hit);
    contact_time(painter, &plot, hit);
}

fn curve(plot: &Plot, hit: &HitPulse) -> Vec<Pos2> {
    hit.points().iter().map(|point| plot.at(f64::from(point.time), f64::from(point.force))).collect()
}

/// Marks the peak, with its value at the right edge.
fn peak_of(painter: &ThemePainter, plot: &Plot, hit: &HitPulse) {
    let top = hit.points().iter().copied().fold(HitPoint::default(), |a, b| if b.force > a.force { b } else { a });
    let at = plot.at(f64::from(top.time), f64::from(top.force));
    let style = (Face::Medium, Size::Text, painter.ink.text);
    let shown =
        painter.text(pos2(plot.inner().right(), at.y), Side::Right, &format!("peak {}", with_prefix(hit.peak_force, "N")), style);
    painter.hline(at.x..=(shown.left() - 10.0).max(at.x), at.y, painter.ink.text3);
    painter.disc(at, 3.6, painter.ink.bg, 2.0, painter.ink.force);
}

/// A dimension line over the contact time.
fn contact_time(painter: &ThemePainter, plot: &Plot, hit: &HitPulse) {
    let y = plot.inner().bottom() - 9.0;
    let (left, right) = (plot.at(0.0, 0.0).x, plot.at(hit.duration, 0.0).x);
    painter.hline(left + 1.0..=right - 1.0, y, painter.ink.text);
    for (x, side) in [(left, 1.0), (right, -1.0)] {
        let tip = pos2(x, y);
        painter.polygon(
            vec![tip, tip + vec2(7.0 * side, -3.0), tip + vec2(7.0 * side, 3.0)],
            painter.ink.text,
            0.0,
            painter.ink.text,
        );
    }
    let text = with_prefix(hit.duration, "s");
    painter.text(pos2(0.5 * (left + right), y - 11.0), Side::Center, &text, (Face::Medium, Size::Label, painter.ink.text));
}

/// Coefficient of restitution: speed after over speed before the contact.
fn restitution(hit: &HitPulse) -> String {
    if hit.velocity_in > 0.0 { format!("{:.2}", -hit.velocity_out / hit.velocity_in).replace('-', "−") } else { "–".into() }
}

/// Draws the values in rows of `columns`, over `width`; `at` is the left centre of the first label.
pub fn values(painter: &ThemePainter, at: Pos2, width: f32, hit: Option<&HitPulse>, columns: usize) {
    let of = |read: fn(&HitPulse) -> String| hit.map_or_else(|| "–".to_owned(), read);
    let cells: [(&str, String); 6] = [
        ("*v*~in~", of(|hit| with_prefix(hit.velocity_in, "m/s"))),
        ("*v*~out~", of(|hit| with_prefix(-hit.velocity_out, "m/s"))),
        ("*e*", of(restitution)),
        ("*τ*", of(|hit| with_prefix(hit.duration, "s"))),
        ("*F*~max~", of(|hit| with_prefix(hit.peak_force, "N"))),
        ("Substeps", of(|hit| hit.substeps.to_string())),
    ];
    let across: f32 = WIDTHS[..columns].iter().sum();
    for (i, (label, value)) in cells.iter().enumerate() {
        let left: f32 = WIDTHS[..i % columns].iter().sum();
        let corner = at + vec2(width * left / across, ROW * (i / columns) as f32);
        if i % columns > 0 {
            painter.vline(corner.x - 9.0, corner.y - 7.0..=corner.y + 29.0, painter.ink.hair);
        }
        painter.text(corner, Side::Left, label, painter.label());
        let (number, unit) = value.split_once(' ').unwrap_or((value, ""));
        let shown = painter.text(corner + vec2(0.0, 21.0), Side::Left, number, (Face::Medium, Size::Reading, painter.ink.text));
        let after = pos2(shown.right() + 3.5, corner.y + 22.0);
        painter.text(after, Side::Left, unit, (Face::Regular, Size::Tick, painter.ink.text3));
    }
}

/// A hit that the user clicked.
pub struct ClickedHit {
    /// Number of the hit.
    pub number: u32,
    /// Whether to compare with it (Alt-click) instead of showing it.
    pub compare: bool,
}

/// Draws the bars; `hit` is shown, `other` is compared. Returns the clicked hit.
pub fn hit_row(ui: &Ui, rect: Rect, hits: &VecDeque<HitPulse>, hit: Option<u32>, other: Option<u32>) -> Option<ClickedHit> {
    let painter = ThemePainter::new(ui);
    let highest = hits.iter().map(|hit| hit.peak_force).fold(0.0, f64::max);
    let mut clicked = None;
    let id = |i: usize| ui.scope_id().with(("hit", i));
    let entry = hits.iter().position(|each| Some(each.number) == hit).unwrap_or(0);
    let group = FocusGroup::new(ui, hits.len(), entry, id);
    let next = group.next(ui, id, [Key::ArrowLeft, Key::ArrowRight]);
    for (i, each) in hits.iter().enumerate() {
        let height = if highest > 0.0 { (rect.height() * (each.peak_force / highest) as f32).max(1.5) } else { 1.5 };
        let left = rect.left() + BAR_STEP * i as f32;
        let bar = Rect::from_min_size(pos2(left, rect.bottom() - height), vec2(BAR_WIDTH, height));
        let target = Rect::from_min_max(pos2(left - 1.5, rect.top() - 2.0), pos2(left + BAR_STEP - 1.5, rect.bottom() + 2.0));
        let response = ui.interact(target, id(i), group.sense(i, Sense::CLICK));
        let name = format!("Hit {}, {}", each.number, with_prefix(each.peak_force, "N"));
        keys::describe_choice(&response, Role::ListBoxOption, Some(each.number) == hit, &name);
        if response.has_focus() {
            painter.focus(target.shrink(2.0), 1.0);
        }
        if response.clicked() {
            clicked = Some(ClickedHit { number: each.number, compare: ui.input(|input| input.modifiers.alt) });
        }
        match Some(each.number) {
            number if number == hit => painter.rect(bar, 0.0, painter.ink.force),
            number if number == other => painter.outline(bar, 0.0, 1.2, painter.ink.text2),
            _ if response.hovered() => painter.rect(bar, 0.0, painter.ink.text3),
            _ => painter.rect(bar, 0.0, mix(painter.ink.bg, painter.ink.text3, 0.55)),
        }
        response.on_hover_text(format!("{name}. Click to recall, Alt-click to compare."));
    }
    keys::give_focus(ui, next.map(id));
    clicked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_to_the_energy_of_the_hammer() {
        let hit = HitPulse {
            energy_in: 10.0,
            energy_hammer: 3.0,
            energy_body: 2.0,
            energy_contact_loss: 4.5,
            work_on_compression: 4.5,
            ..HitPulse::default()
        };
        assert_eq!((parts(&hit), hit.accounted()), ([3.0, 2.0, 4.5, 0.5], 1.0));
        // a body that already rang gives the hammer some of its energy
        let hit = HitPulse { energy_body: -1.0, energy_hammer: 6.0, ..hit };
        assert_eq!(parts(&hit), [6.0, 0.0, 4.5, 0.5]);
        // work of the force that the contact did not account for
        let hit = HitPulse { work_on_compression: 4.0, ..hit };
        assert_eq!(hit.accounted(), 1.05);
    }
}
