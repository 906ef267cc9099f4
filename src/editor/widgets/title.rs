//! The title of a column of a page.

use egui::{Rect, pos2};

use crate::editor::theme;
use crate::editor::theme::{Face, Size};
use crate::editor::widgets::painter::{Side, ThemePainter};

/// Draws `title` at the top left of the column `rect`, followed by `about` in smaller type.
pub fn title(pen: &ThemePainter, rect: Rect, title: &str, about: &str) {
    let at = pos2(rect.left() + theme::MARGIN, rect.top() + 30.0);
    let shown = pen.text(at, Side::Left, title, (Face::SemiBold, Size::Title, pen.ink.text));
    pen.text(pos2(shown.right() + 12.0, at.y + 1.0), Side::Left, about, (Face::Regular, Size::Text, pen.ink.text2));
}
