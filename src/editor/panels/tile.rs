//! The tile that shows the kind of the body as a picture.

use egui::{Rect, pos2, vec2};

use crate::editor::body_view;
use crate::editor::widgets::ThemePainter;
use crate::editor::widgets::Way;
use crate::editor::widgets::icon;
use urto_engine::params::BodyKind;

/// Room of the chevron at the right.
const CHEVRON: f32 = 20.0;

/// Draws the picture of the `place`-th kind in the field `rect`.
pub fn kind(pen: &ThemePainter, rect: Rect, place: usize) {
    let kind = BodyKind::ALL[place.min(BodyKind::ALL.len() - 1)];
    let picture = rect.with_max_x(rect.right() - CHEVRON).shrink2(vec2(6.0, 5.0));
    body_view::miniature(&pen.inside(rect), picture, kind);
    icon::chevron(pen, pos2(rect.right() - 13.0, rect.center().y), Way::Down, 4.0, pen.ink.text2);
}
