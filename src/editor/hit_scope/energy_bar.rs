//! The energy balance of a hit: energy kept by the hammer (solid), passed to the body (outlined), lost in the contact (hatched), and
//! dissipated by the body's damping during the contact (grey).

use egui::{Pos2, Rect, pos2, vec2};

use crate::editor::theme::{Face, Size, mix};
use crate::editor::widgets::{Side, ThemePainter};
use crate::host_params::value_text::with_prefix;
use urto_engine::HitPulse;

/// Names of the shares.
const NAMES: [&str; 4] = ["Hammer", "Body", "Contact loss", "Body damping"];
/// Left edges of the legend entries, over the width.
const LEGEND: [f32; 4] = [0.0, 0.265, 0.515, 0.765];

/// Deviation of the balance from 1 above which it is shown as a warning.
const BALANCED: f64 = 1e-3;

/// Energies of the shares [J], at least 0: a body that already vibrated may have given energy to the hammer.
fn parts(hit: &HitPulse) -> [f64; 4] {
    [hit.energy_hammer, hit.energy_body, hit.energy_contact_loss, hit.energy_decay()].map(|energy| energy.max(0.0))
}

/// Draws title, bar and legend; `at` is the left centre of the title.
pub fn show(pen: &ThemePainter, at: Pos2, width: f32, hit: Option<&HitPulse>, small: bool) {
    pen.text(at, Side::Left, "Energy balance", (Face::SemiBold, Size::Text, pen.ink.text));
    let bar = Rect::from_min_size(at + vec2(0.0, 14.0), vec2(width, if small { 10.0 } else { 14.0 }));
    let energies = hit.map_or([0.0; 4], parts);
    let total: f64 = energies.iter().sum();
    if let Some(hit) = hit {
        let accounted = hit.accounted();
        let tint = if (accounted - 1.0).abs() <= BALANCED { pen.ink.text2 } else { pen.ink.warn };
        let text = format!("{:.1} % accounted", 100.0 * accounted);
        let shown = pen.text(pos2(at.x + width, at.y), Side::Right, &text, (Face::Regular, Size::Label, tint));
        let text = format!("{} in", with_prefix(hit.energy_in, "J"));
        pen.text(pos2(shown.left() - 14.0, at.y), Side::Right, &text, pen.label());
    }
    if total > 0.0 {
        divided(pen, bar, energies, total);
    } else {
        pen.outline(bar, 0.0, 1.0, pen.ink.hair);
    }
    for (i, energy) in energies.into_iter().enumerate() {
        let corner = if small {
            pos2(at.x + 0.5 * width * (i % 2) as f32, bar.bottom() + 17.0 + 22.0 * (i / 2) as f32)
        } else {
            pos2(at.x + LEGEND[i] * width, bar.bottom() + 17.0)
        };
        let share = hit.filter(|_| total > 0.0).map(|_| (energy / total, energy));
        legend(pen, corner, i, share, small);
    }
}

/// The bar; every share above 0 is visible.
fn divided(pen: &ThemePainter, bar: Rect, energies: [f64; 4], total: f64) {
    let gap = 2.0;
    let room = bar.width() - 3.0 * gap;
    let mut left = bar.left();
    for (i, energy) in energies.into_iter().enumerate() {
        let wanted = (room * (energy / total) as f32).max(if energy > 0.0 { 2.0 } else { 0.0 });
        let width = wanted.min((bar.right() - left).max(0.0));
        if width > 0.0 {
            form(pen, Rect::from_min_size(pos2(left, bar.top()), vec2(width, bar.height())), i, 5.0);
            left += width + gap;
        }
    }
}

fn legend(pen: &ThemePainter, at: Pos2, i: usize, share: Option<(f64, f64)>, small: bool) {
    form(pen, Rect::from_min_size(at - vec2(0.0, 4.5), vec2(9.0, 9.0)), i, 4.0);
    let name = pen.text(at + vec2(15.0, 0.0), Side::Left, NAMES[i], pen.label());
    let Some((share, energy)) = share else { return };
    let decimals = usize::from(share < 0.01 && share > 0.0);
    let percent = format!("{:.decimals$} %", 100.0 * share);
    let style = (Face::Medium, Size::Text, pen.ink.text);
    if small {
        pen.text(pos2(name.right() + 8.0, at.y), Side::Left, &percent, style);
        return;
    }
    let shown = pen.text(at + vec2(15.0, 18.0), Side::Left, &percent, style);
    let after = pos2(shown.right() + 8.0, at.y + 18.0);
    pen.text(after, Side::Left, &with_prefix(energy, "J"), (Face::Regular, Size::Label, pen.ink.text3));
}

/// The fill of a share: solid, outlined, hatched, grey.
fn form(pen: &ThemePainter, span: Rect, part: usize, step: f32) {
    let ink = pen.ink;
    match part {
        0 => pen.rect(span, 0.0, ink.force),
        1 => {
            pen.rect(span, 0.0, mix(ink.bg, ink.body, 0.32));
            pen.outline(span, 0.0, 1.8, ink.body);
        }
        2 => {
            pen.rect(span, 0.0, mix(ink.bg, ink.text3, 0.20));
            pen.hatch(span, step, 1.2, ink.text2);
        }
        _ => pen.rect(span, 0.0, ink.text3),
    }
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
