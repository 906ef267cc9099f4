//! The page of tuning: the scale, and what hands and pedals do to a hit.

mod scale;
mod touch;

use egui::{Rect, Ui, pos2};

use super::desk::Desk;
use super::pen::{Pen, Side};
use super::theme::{Face, Size};
use crate::engine::patch::Patch;

/// Draws the page and follows the player; the patch with another scale if one has been chosen.
pub fn show(ui: &mut Ui, rect: Rect, desk: &mut Desk, last: Option<u8>) -> Option<Patch> {
    let (left, right) = rect.split_left_right_at_x(rect.left() + (0.5 * rect.width()).round());
    let pen = Pen::new(ui);
    pen.vline(right.left(), rect.y_range(), pen.ink.hair);
    let chosen = scale::show(ui, left, desk, last);
    touch::show(ui, right, desk);
    chosen
}

/// Title of a half, with what it is about where there is room.
fn title(pen: &Pen, rect: Rect, title: &str, about: &str) {
    let at = pos2(rect.left() + 24.0, rect.top() + 30.0);
    let shown = pen.text(at, Side::Left, title, (Face::SemiBold, Size::Title, pen.ink.text));
    let left = shown.right() + 12.0;
    if left + pen.width(about, Face::Regular, Size::Text) < rect.right() - 24.0 {
        pen.text(pos2(left, at.y + 1.0), Side::Left, about, (Face::Regular, Size::Text, pen.ink.text2));
    }
}
