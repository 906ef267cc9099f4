//! The recent hits as a row of bars, and the measured values of one.

use std::collections::VecDeque;

use egui::accesskit::Role;
use egui::{Pos2, Rect, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::editor::theme::{Face, Size, mix};
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
pub fn values(pen: &ThemePainter, at: Pos2, width: f32, hit: Option<&HitPulse>, columns: usize) {
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
        let after = pos2(shown.right() + 3.5, corner.y + 22.0);
        pen.text(after, Side::Left, unit, (Face::Regular, Size::Tick, pen.ink.text3));
    }
}

/// Spacing and width of the bars [px].
const BAR_STEP: f32 = 8.0;
const BAR_WIDTH: f32 = 5.0;

/// A hit that the user clicked.
pub struct ClickedHit {
    /// Number of the hit.
    pub number: u32,
    /// Whether to compare with it (Alt-click) instead of showing it.
    pub compare: bool,
}

/// Draws the bars; `hit` is shown, `other` is compared. Returns the clicked hit.
pub fn hit_row(ui: &Ui, rect: Rect, hits: &VecDeque<HitPulse>, hit: Option<u32>, other: Option<u32>) -> Option<ClickedHit> {
    let pen = ThemePainter::new(ui);
    let highest = hits.iter().map(|hit| hit.peak_force).fold(0.0, f64::max);
    let mut clicked = None;
    for (i, each) in hits.iter().enumerate() {
        let height = if highest > 0.0 { (rect.height() * (each.peak_force / highest) as f32).max(1.5) } else { 1.5 };
        let left = rect.left() + BAR_STEP * i as f32;
        let bar = Rect::from_min_size(pos2(left, rect.bottom() - height), vec2(BAR_WIDTH, height));
        let target = Rect::from_min_max(pos2(left - 1.5, rect.top() - 2.0), pos2(left + BAR_STEP - 1.5, rect.bottom() + 2.0));
        let response = ui.interact(target, ui.scope_id().with(("hit", i)), Sense::click());
        let name = format!("Hit {}, {}", each.number, with_prefix(each.peak_force, "N"));
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, Some(each.number) == hit, &name));
        if response.clicked() {
            clicked = Some(ClickedHit { number: each.number, compare: ui.input(|input| input.modifiers.alt) });
        }
        match Some(each.number) {
            number if number == hit => pen.rect(bar, 0.0, pen.ink.force),
            number if number == other => pen.outline(bar, 0.0, 1.2, pen.ink.text2),
            _ if response.hovered() => pen.rect(bar, 0.0, pen.ink.text3),
            _ => pen.rect(bar, 0.0, mix(pen.ink.bg, pen.ink.text3, 0.55)),
        }
        response.on_hover_text(format!("{name}. Click to recall, Alt-click to compare."));
    }
    clicked
}
