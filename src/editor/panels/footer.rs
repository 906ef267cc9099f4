//! The footer: hint, level of the side-chain, voices, processor load.

use egui::{Rect, pos2, vec2};

use crate::editor::theme::{Face, Size};
use crate::editor::widgets::{Side, ThemePainter};

/// Width of the level bar.
const BAR: f32 = 64.0;
/// Lowest level of the bar [dBFS].
const LOWEST_DB: f32 = -60.0;

/// State shown in the footer.
pub struct FooterState<'a> {
    /// Hint for the control under the pointer.
    pub hint: &'a str,
    /// Name of the input, and its level [dBFS].
    pub input: &'a str,
    /// See [`FooterState::input`].
    pub side_chain: f32,
    /// Number of active voices, and the limit.
    pub voices: (u32, u32),
    /// Processor load of the audio thread, 0 to 1.
    pub load: f32,
}

/// Draws the footer.
pub fn show(painter: &ThemePainter, rect: Rect, shown: &FooterState) {
    let ink = painter.ink;
    painter.rect(rect, 0.0, ink.panel);
    painter.hline(rect.x_range(), rect.top(), ink.hair);
    let y = rect.center().y;
    let mut x = rect.right() - 28.0;
    let load = format!("{:.0} %", 100.0 * shown.load);
    let voices = format!("{} / {}", shown.voices.0, shown.voices.1);
    // reserves the greatest width, so that nothing moves
    for (label, value, widest) in [("CPU", load, "100 %"), ("Voices", voices, "64 / 64")] {
        painter.text(pos2(x, y), Side::Right, &value, (Face::Medium, Size::Label, ink.text));
        x -= painter.width(widest, Face::Medium, Size::Label) + 7.0;
        painter.text(pos2(x, y), Side::Right, label, (Face::Regular, Size::Label, ink.text3));
        x -= painter.width(label, Face::Regular, Size::Label) + 22.0;
    }
    let bar = Rect::from_min_size(pos2(x - BAR, y - 3.0), vec2(BAR, 6.0));
    painter.rect(bar, 1.5, if ink.dark { ink.raised } else { ink.hover });
    let part = (1.0 - shown.side_chain / LOWEST_DB).clamp(0.0, 1.0);
    if part > 0.0 {
        painter.rect(bar.with_max_x(bar.left() + BAR * part), 1.5, ink.force);
    }
    let label = painter.text(pos2(bar.left() - 8.0, y), Side::Right, shown.input, (Face::Regular, Size::Label, ink.text3));
    let words = painter.inside(rect.with_max_x(label.left() - 16.0));
    words.text(pos2(rect.left() + 24.0, y), Side::Left, shown.hint, painter.label());
}
