//! The level meter: two bars from -60 to +6 dBFS, a line at the highest peak, and the gain reduction of the limiter.

use std::time::Duration;

use egui::{Pos2, Rect, pos2, vec2};

use crate::editor::theme::{Face, Size};
use crate::editor::widgets::painter::{Side, ThemePainter};
use crate::threads::Levels;

const LOWEST_DB: f32 = -60.0;
const HIGHEST_DB: f32 = 6.0;
/// Fall rate of the bars [dB/s], and hold time of a peak.
const FALL: f32 = 20.0;
const HOLD: Duration = Duration::from_millis(1500);
/// Peaks above this are shown in the warning colour [dB].
const WARNING: f32 = -1.0;

/// State of the meter.
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

/// Level of silence [dBFS].
pub const SILENT: f32 = 2.0 * LOWEST_DB;

/// Level [dBFS] that falls from `level` over `elapsed` [s], or rises to `peak` (linear).
pub fn decayed(level: f32, peak: f32, elapsed: f32) -> f32 {
    (level - FALL * elapsed).max(decibels(peak)).max(SILENT)
}

impl Meter {
    /// Updates the meter with new levels, `elapsed` seconds after the last.
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

    /// Whether the display still changes.
    pub fn moves(&self) -> bool {
        self.bars.iter().any(|&bar| bar > LOWEST_DB) || self.peak > LOWEST_DB || self.limited < 0.0
    }

    /// Draws both bars with `height` and their upper left corner at `corner`; with `scale` also the scale.
    pub fn paint(&self, painter: &ThemePainter, corner: Pos2, height: f32, scale: bool) {
        let ink = painter.ink;
        let at = |db: f32| corner.y + height * (HIGHEST_DB - db) / (HIGHEST_DB - LOWEST_DB);
        let ground = if ink.dark { ink.raised } else { ink.hover };
        let (width, step) = if scale { (9.0, 13.0) } else { (8.0, 12.0) };
        for (i, &db) in self.bars.iter().enumerate() {
            let bar = Rect::from_min_size(corner + vec2(step * i as f32, 0.0), vec2(width, height));
            painter.rect(bar, 1.5, ground);
            if db > LOWEST_DB {
                painter.rect(bar.with_min_y(at(db)), 1.5, if db > WARNING { ink.warn } else { ink.text2 });
            }
        }
        if self.peak > LOWEST_DB {
            let peak = Rect::from_min_size(pos2(corner.x, at(self.peak) - 1.0), vec2(step + width, 2.0));
            painter.rect(peak, 0.0, if self.peak > WARNING { ink.warn } else { ink.text });
        }
        for db in [0.0, -20.0, -40.0].into_iter().filter(|_| scale) {
            painter.hline(corner.x + 25.0..=corner.x + 29.0, at(db), ink.line);
            let text = format!("{db:.0}").replace('-', "−");
            painter.text(pos2(corner.x + 33.0, at(db)), Side::Left, &text, (Face::Regular, Size::Tick, ink.text3));
        }
    }

    /// Gain reduction of the limiter as text, and whether there is any.
    pub fn limiter(&self) -> (String, bool) {
        let works = self.limited < -0.05;
        (if works { format!("Limiter −{:.1} dB", -self.limited) } else { "Limiter off".to_owned() }, works)
    }

    /// The held peak as text.
    pub fn peak(&self) -> String {
        if self.peak > LOWEST_DB { format!("{:.1} dB", self.peak).replace('-', "−") } else { "–".to_owned() }
    }
}
