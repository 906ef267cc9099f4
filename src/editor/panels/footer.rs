//! The footer (hint, level of the side-chain, voices, processor load), and the three hints of the first run.
//!
//! The hints of the first run are shown until the first key or click: strike the body, turn a knob, read the hit.

use egui::accesskit::Role;
use egui::{Align2, Event, LayerId, Order, Pos2, Rect, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::editor::partial::thousands;
use crate::editor::theme;
use crate::editor::theme::{Face, Size, WindowLayout};
use crate::editor::widgets::{Side, ThemePainter};
use urto_engine::params::value_text::figures;

/// Width of the level bar.
const BAR: f32 = 64.0;
/// Lowest level of the bar [dBFS].
const LOWEST_DB: f32 = -60.0;

/// Greatest shown processor load [%].
const MAX_PERCENT: f32 = 999.0;
/// Tooltips of the processor load and of the voices.
const LOAD_HINT: &str = "Processor load: time that the audio thread computes in this plugin, over the duration of the block. The highest recent block is shown.";
const VOICES_HINT: &str = "Active voices, and the limit (Polyphony).";
/// Cost of a ringing mode [% of a core of 3.7 GHz at 48 kHz]: docs/manual/performance.md, 64 gongs of 1,024 modes.
const MODE_PERCENT: f64 = 6e-4;

/// Width of a hint of the first run, and its padding.
const WIDTH: f32 = 216.0;
const INSIDE: f32 = 12.0;
/// Radius of the disc with its number, and length of its line.
const DISC: f32 = 12.0;
const LINE: f32 = 26.0;

/// Texts of the hints of the first run.
const WORDS: [&str; 3] = [
    "Click the body to strike it; click lower for a harder hit.",
    "Turn Hardness: from felt to steel. Click a group's name for more.",
    "Read the hit: force over time, and the energy balance.",
];

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
    /// Number of modes of a voice; none while the body is being computed.
    pub modes: Option<usize>,
}

/// Draws the footer.
pub fn show(ui: &Ui, rect: Rect, shown: &FooterState) {
    let painter = &ThemePainter::new(ui);
    let ink = painter.ink;
    painter.rect(rect, 0.0, ink.panel);
    painter.hline(rect.x_range(), rect.top(), ink.hair);
    let y = rect.center().y;
    let mut x = rect.right() - 28.0;
    let percent = format!("{:.0} %", (100.0 * shown.load).min(MAX_PERCENT));
    let voices = format!("{} / {}", shown.voices.0, shown.voices.1);
    let modes = shown.modes.map_or_else(|| "…".to_owned(), thousands);
    let fields = [
        ("CPU", percent, "888 %", ("Processor load", LOAD_HINT)),
        ("Voices", voices, "88 / 88", ("Voices", VOICES_HINT)),
        ("Modes", modes, "8,888", ("Modes of a voice", &modes_hint(shown.modes))),
    ];
    for (label, value, widest, (name, hint)) in fields {
        let right = x;
        painter.text(pos2(x, y), Side::Right, &value, (Face::Medium, Size::Label, ink.text));
        // reserves the greatest width, so that nothing moves
        let width = |text: &str| painter.width(text, Face::Medium, Size::Label);
        x -= width(widest).max(width(&value)) + 7.0;
        painter.text(pos2(x, y), Side::Right, label, (Face::Regular, Size::Label, ink.text3));
        x -= painter.width(label, Face::Regular, Size::Label);
        let response = ui.interact(rect.with_min_x(x).with_max_x(right), ui.scope_id().with(("footer", label)), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{name} {value}")));
        response.on_hover_text(hint);
        x -= 22.0;
    }
    let bar = Rect::from_min_size(pos2(x - BAR, y - 3.0), vec2(BAR, 6.0));
    painter.rect(bar, 1.5, if ink.dark { ink.raised } else { ink.hover });
    let part = (1.0 - shown.side_chain / LOWEST_DB).clamp(0.0, 1.0);
    if part > 0.0 {
        painter.rect(bar.with_max_x(bar.left() + BAR * part), 1.5, ink.force);
    }
    let label = painter.text(pos2(bar.left() - 8.0, y), Side::Right, shown.input, (Face::Regular, Size::Label, ink.text3));
    let left = rect.left() + 24.0;
    let look = painter.label();
    let hint = painter.fitting(shown.hint, look.0, look.1, label.left() - 16.0 - left);
    painter.text(pos2(left, y), Side::Left, &hint, look);
}

/// Tooltip of the number of modes, with the cost of a voice.
fn modes_hint(modes: Option<usize>) -> String {
    let Some(modes) = modes else { return "The modes of the body are being computed.".to_owned() };
    let percent = figures(MODE_PERCENT * modes as f64);
    format!(
        "A voice has {} modes. Ringing, it takes about {percent} % of a processor core of 3.7 GHz at 48 kHz; a contact takes more for some milliseconds. \
         Number of modes and Mode density reduce it.",
        thousands(modes)
    )
}

/// Whether a key or a click ends the hints.
pub fn end(ui: &Ui) -> bool {
    ui.input(|input| {
        let ends = |event: &Event| matches!(event, Event::Key { pressed: true, .. } | Event::PointerButton { pressed: true, .. });
        input.events.iter().any(ends)
    })
}

/// Draws the hints over everything: at the body, at the hardness knob, at the hit scope.
pub fn first_run_hints(ui: &Ui, frame: &WindowLayout, hardness: Pos2) {
    let painter = ui.ctx().layer_painter(LayerId::new(Order::Foreground, egui::Id::unique("urto first marks")));
    let painter = ThemePainter::with(painter);
    let bar = frame.stage.left_top() + vec2(0.62 * frame.stage.width(), 0.56 * frame.stage.height());
    // beside the text in the middle of the empty plot
    let scope = frame.scope.left_top() + vec2(0.2 * frame.scope.width(), if frame.small { 150.0 } else { 204.0 });
    let places = [(bar, Align2::CENTER_BOTTOM), (hardness - vec2(0.0, 34.0), Align2::LEFT_BOTTOM), (scope, Align2::LEFT_TOP)];
    for (i, (at, side)) in places.into_iter().enumerate() {
        mark(&painter, frame.window, i, at, side);
    }
    let hint = pos2(frame.stage.center().x, frame.stage.bottom() - 22.0);
    painter.text(hint, Side::Center, "Press a key or click to begin.", (Face::Regular, Size::Label, painter.ink.text2));
}

/// One hint with a line to what it points at.
fn mark(painter: &ThemePainter, window: Rect, i: usize, at: Pos2, side: Align2) {
    let words = painter.painter().layout(
        WORDS[i].to_owned(),
        theme::font(Face::Medium, Size::Text),
        painter.ink.bg,
        WIDTH - 2.0 * INSIDE - 22.0,
    );
    let size = vec2(WIDTH, words.size().y + 2.0 * INSIDE);
    let up = if side.y() == egui::Align::Max { -1.0 } else { 1.0 };
    let from = at + vec2(0.0, up * LINE);
    let left = if side.x() == egui::Align::Min { at.x - 24.0 } else { at.x - 0.5 * WIDTH };
    let left = left.clamp(window.left() + 12.0, window.right() - WIDTH - 12.0);
    let top = if up < 0.0 { from.y - size.y } else { from.y };
    let card = Rect::from_min_size(pos2(left, top), size);
    painter.line(from, at, theme::FOCUS, painter.ink.text);
    painter.disc(at, 3.5, painter.ink.text, 0.0, painter.ink.text);
    painter.rect(card, theme::POPOVER, painter.ink.text);
    let disc = card.left_top() + vec2(INSIDE + 0.5 * DISC, INSIDE + 0.5 * words.rows.first().map_or(16.0, |row| row.size.y));
    painter.text(disc, Side::Center, &(i + 1).to_string(), (Face::SemiBold, Size::Reading, painter.ink.bg));
    painter.painter().galley(card.min + vec2(INSIDE + 22.0, INSIDE), words, painter.ink.bg);
}
