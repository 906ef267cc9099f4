//! The measured values of a hit.

use egui::{Pos2, vec2};

use crate::editor::theme::{Face, Size};
use crate::editor::widgets::{Side, ThemePainter};
use crate::host_params::value_text::with_prefix;
use urto_engine::HitPulse;

/// Height of a row of values [px].
const ROW: f32 = 45.0;
/// Relative widths of the columns.
const WIDTHS: [f32; 6] = [1.15, 1.2, 0.75, 1.05, 1.0, 0.9];

/// Coefficient of restitution: speed after over speed before the contact.
fn restitution(hit: &HitPulse) -> String {
    if hit.velocity_in > 0.0 { format!("{:.2}", -hit.velocity_out / hit.velocity_in).replace('-', "−") } else { "–".into() }
}

/// Draws the values in rows of `columns`, over `width`; `at` is the left centre of the first label.
pub fn show(pen: &ThemePainter, at: Pos2, width: f32, hit: Option<&HitPulse>, columns: usize) {
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
            pen.vline(corner.x - 9.0, corner.y - 7.0..=corner.y + 29.0, pen.ink.hair);
        }
        pen.text(corner, Side::Left, label, pen.label());
        let (number, unit) = value.split_once(' ').unwrap_or((value, ""));
        let shown = pen.text(corner + vec2(0.0, 21.0), Side::Left, number, (Face::Medium, Size::Reading, pen.ink.text));
        let after = egui::pos2(shown.right() + 3.5, corner.y + 22.0);
        pen.text(after, Side::Left, unit, (Face::Regular, Size::Tick, pen.ink.text3));
    }
}
