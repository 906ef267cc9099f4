//! Readings that the tuning page shows, and the title of its halves.

use egui::{Rect, pos2};

use crate::editor::theme;
use crate::editor::theme::{Face, Size};
use crate::editor::widgets::{Side, ThemePainter};
use urto_engine::HitPulse;
use urto_engine::telemetry::ControllerReadings;
use urto_engine::tuning::KeyFrequencies;

/// Readings that the page shows.
pub struct TuningReadings<'a> {
    /// The last hit.
    pub last: Option<&'a HitPulse>,
    /// Controller values of the held notes.
    pub controllers: &'a ControllerReadings,
    /// The tuning of an MTS-ESP master, while one is running.
    pub master: Option<KeyFrequencies>,
}

/// Title of a half, with a subtitle if it fits.
pub fn title(painter: &ThemePainter, rect: Rect, title: &str, about: &str) {
    let at = pos2(rect.left() + theme::MARGIN, rect.top() + 30.0);
    let shown = painter.text(at, Side::Left, title, (Face::SemiBold, Size::Title, painter.ink.text));
    let left = shown.right() + 12.0;
    if left + painter.width(about, Face::Regular, Size::Text) < rect.right() - theme::MARGIN {
        painter.text(pos2(left, at.y + 1.0), Side::Left, about, (Face::Regular, Size::Text, painter.ink.text2));
    }
}
