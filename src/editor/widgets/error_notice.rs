//! An error message that stays until the user closes it.

use egui::accesskit::Role;
use egui::{Rect, Ui, WidgetInfo, pos2, vec2};

use crate::editor::theme;
use crate::editor::theme::{Face, Size};
use crate::editor::widgets::button;
use crate::editor::widgets::button::TARGET;
use crate::editor::widgets::painter::{Side, ThemePainter};

/// Width of the coloured bar at the left.
const BAR: f32 = 3.0;

/// Draws `error` about `what` in `rect`; whether the user closes it.
pub fn show(ui: &Ui, rect: Rect, what: &str, error: &str) -> bool {
    let painter = ThemePainter::new(ui);
    painter.rect(rect, theme::FIELD, painter.ink.raised);
    painter.outline(rect, theme::FIELD, theme::HAIRLINE, painter.ink.warn);
    painter.rect(rect.with_max_x(rect.left() + BAR), 0.0, painter.ink.warn);
    let close = Rect::from_center_size(pos2(rect.right() - 16.0, rect.center().y), vec2(TARGET, rect.height()));
    let words = rect.with_max_x(close.left());
    let response = ui.interact(words, ui.scope_id().with(("notice", what)), egui::Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Alert, true, format!("{what}: {error}")));
    let room = words.width() - 24.0;
    let mut shown = error.char_indices().map(|(end, _)| &error[..end]).chain([error]);
    let fits = |text: &&str| painter.width(text, Face::Regular, Size::Text) <= room;
    let text = if fits(&error) { error.to_owned() } else { format!("{}…", shown.rfind(fits).unwrap_or_default()) };
    painter.text(pos2(rect.left() + 14.0, rect.center().y), Side::Left, &text, (Face::Regular, Size::Text, painter.ink.text));
    response.on_hover_text(error);
    let gone = button::bare(ui, close, &format!("Close: {what}")).clicked();
    let (at, arm) = (close.center(), 4.5);
    for way in [1.0, -1.0] {
        painter.line(at - vec2(arm, way * arm), at + vec2(arm, way * arm), 1.5, painter.ink.text2);
    }
    gone
}
