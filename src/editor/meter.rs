//! The level meter: two bars from -60 to +6 dBFS, a line at the highest peak, a word about the limiter.

use std::time::Duration;

use egui::{Align2, Painter, Rect, Stroke, pos2, vec2};

use super::theme::{self, Face, Size};
use crate::link::Levels;

const LOWEST_DB: f32 = -60.0;
const HIGHEST_DB: f32 = 6.0;
/// Fall of the bars [dB/s], and time for which a peak is held.
const FALL: f32 = 20.0;
const HOLD: Duration = Duration::from_millis(1500);
/// Peaks above this are shown in the warning colour [dB].
const WARNING: f32 = -1.0;

/// What the meter shows between two looks.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    bars: [f32; 2],
    peak: f32,
    held: f32,
    limited: f32,
}

impl Default for Meter {
    fn default() -> Self {
        Self { bars: [LOWEST_DB; 2], peak: LOWEST_DB, held: 0.0, limited: 0.0 }
    }
}

fn decibels(gain: f32) -> f32 {
    20.0 * gain.max(1e-6).log10()
}

impl Meter {
    /// Takes new levels, `elapsed` seconds after the last.
    pub fn follow(&mut self, levels: &Levels, elapsed: f32) {
        for (bar, peak) in self.bars.iter_mut().zip(levels.peaks) {
            *bar = (*bar - FALL * elapsed).max(decibels(peak)).clamp(LOWEST_DB, HIGHEST_DB);
        }
        let loudest = self.bars[0].max(self.bars[1]);
        self.held += elapsed;
        if loudest >= self.peak || self.held > HOLD.as_secs_f32() {
            (self.peak, self.held) = (loudest, 0.0);
        }
        self.limited = (self.limited + FALL * elapsed).min(0.0).min(decibels(levels.lowest_gain));
    }

    /// Something still moves.
    pub fn moves(&self) -> bool {
        self.bars.iter().any(|&bar| bar > LOWEST_DB) || self.peak > LOWEST_DB || self.limited < 0.0
    }

    /// Paints bars of `height` with their scale, and the limiter below.
    pub fn paint(&self, painter: &Painter, column: Rect, height: f32) {
        let at = |db: f32| column.top() + height * (HIGHEST_DB - db) / (HIGHEST_DB - LOWEST_DB);
        let left = column.center().x - 22.0;
        let ink = |db: f32| if db > WARNING { theme::WARN } else { theme::TEXT2 };
        for (i, &db) in self.bars.iter().enumerate() {
            let bar = Rect::from_min_size(pos2(left + 12.0 * i as f32, column.top()), vec2(9.0, height));
            painter.rect_filled(bar, 0.0, theme::RAISED);
            painter.rect_filled(bar.with_min_y(at(db)), 0.0, ink(db));
        }
        if self.peak > LOWEST_DB {
            painter.hline(left..=left + 21.0, at(self.peak), Stroke::new(2.0, theme::TEXT));
        }
        let font = theme::font(Face::Regular, Size::Tick);
        for db in [0.0, -20.0, -40.0] {
            painter.hline(left + 25.0..=left + 29.0, at(db), Stroke::new(theme::HAIRLINE, theme::LINE));
            let text = format!("{db:.0}").replace('-', "−");
            painter.text(pos2(left + 33.0, at(db)), Align2::LEFT_CENTER, text, font.clone(), theme::TEXT3);
        }
        let (text, color) = if self.limited < -0.05 {
            (format!("Limiter −{:.1} dB", -self.limited), theme::WARN)
        } else {
            ("Limiter off".to_owned(), theme::TEXT2)
        };
        painter.text(pos2(column.center().x, column.top() + height + 8.0), Align2::CENTER_TOP, text, font, color);
        let peak = if self.peak > LOWEST_DB { format!("{:.1} dB", self.peak).replace('-', "−") } else { "–".to_owned() };
        let value = theme::font(Face::Medium, Size::Value);
        painter.text(pos2(column.center().x, column.top() + height + 34.0), Align2::CENTER_CENTER, peak, value, theme::TEXT);
    }
}
