//! The axes of the chart: a common frequency axis, level upward, decay time downward.

use egui::{Rect, pos2, vec2};

use crate::editor::partial::Partial;
use crate::editor::theme::{Face, Size};
use crate::editor::widgets::{Side, ThemePainter};

/// Height of the axis between the lanes [px], and relative heights of the lanes.
const BAND: f32 = 40.0;
const LANES: (f32, f32) = (250.0, 176.0);
/// Minimum level, and step of the maximum [dB]; maximum frequency [Hz]; minimum decay time [s].
pub const MIN_DB: f64 = -60.0;
const STEP_DB: f64 = 6.0;
pub const MAX_HZ: f64 = 20e3;
const MIN_DECAY: f64 = 0.01;

/// The axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axes {
    /// Area of the levels.
    pub level: Rect,
    /// Area of the decay times.
    pub decay: Rect,
    /// Minimum frequency [Hz].
    pub lowest: f64,
    /// Maximum decay time [s].
    longest: f64,
    /// Maximum level [dB].
    highest_db: f64,
}

impl Axes {
    /// Axes in `rect` whose ranges contain `partials`.
    pub fn new(rect: Rect, partials: &[Partial]) -> Self {
        let inside = Rect::from_min_max(rect.min + vec2(72.0, 74.0), rect.max - vec2(24.0, 24.0));
        let lanes = inside.height() - BAND;
        let high = lanes * LANES.0 / (LANES.0 + LANES.1);
        let level = inside.with_max_y(inside.top() + high);
        let decay = inside.with_min_y(level.bottom() + BAND);
        let first = partials.iter().map(|partial| partial.hertz).fold(f64::MAX, f64::min);
        let longest = partials.iter().map(|partial| partial.t60).fold(2.0, f64::max);
        let loudest = partials.iter().map(|partial| partial.level).fold(0.0, f64::max);
        let lowest = if first.is_finite() { (0.45 * first).clamp(10.0, 2000.0) } else { 100.0 };
        Self { level, decay, lowest, longest: 1.6 * longest, highest_db: STEP_DB * (loudest / STEP_DB - 1e-6).ceil().max(0.0) }
    }

    /// Both lanes and the axis between them.
    pub fn area(&self) -> Rect {
        Rect::from_min_max(self.level.min, self.decay.max)
    }

    /// x of a frequency [Hz].
    pub fn x(&self, hertz: f64) -> f32 {
        let part = (hertz / self.lowest).ln() / (MAX_HZ / self.lowest).ln();
        self.level.left() + self.level.width() * part as f32
    }

    /// The frequency [Hz] at `x`.
    pub fn hertz(&self, x: f32) -> f64 {
        let part = f64::from((x - self.level.left()) / self.level.width());
        self.lowest * (MAX_HZ / self.lowest).powf(part)
    }

    /// y of a level [dB], limited to the lane.
    pub fn y(&self, level: f64) -> f32 {
        let part = ((level - MIN_DB) / (self.highest_db - MIN_DB)).clamp(0.0, 1.0);
        self.level.bottom() - self.level.height() * part as f32
    }

    /// Level per pixel, upward [dB].
    pub fn db_per_pixel(&self) -> f64 {
        (self.highest_db - MIN_DB) / f64::from(self.level.height())
    }

    /// y of a decay time [s].
    pub fn foot(&self, t60: f64) -> f32 {
        let part = ((t60 / MIN_DECAY).ln() / (self.longest / MIN_DECAY).ln()).clamp(0.0, 1.0);
        self.decay.top() + self.decay.height() * part as f32
    }

    /// Logarithm of the decay time per pixel, downward.
    pub fn decay_per_pixel(&self) -> f64 {
        (self.longest / MIN_DECAY).ln() / f64::from(self.decay.height())
    }

    /// Draws grid, ticks and labels.
    pub fn paint(&self, painter: &ThemePainter) {
        let (ink, Self { level, decay, .. }) = (painter.ink, self);
        let tick = (Face::Regular, Size::Tick, ink.text3);
        let apart = if self.y(-12.0) - self.y(0.0) < 18.0 { 24 } else { 12 };
        for db in (MIN_DB as i32 + 12..=self.highest_db as i32).filter(|db| db % apart == 0) {
            let y = self.y(f64::from(db));
            painter.hline(level.x_range(), y, ink.grid);
            let text = if db == 0 { "0 dB".to_owned() } else { format!("{db}").replace('-', "−") };
            painter.text(pos2(level.left() - 10.0, y), Side::Right, &text, tick);
        }
        let mut free = decay.top() + 10.0;
        for t60 in [0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0].into_iter().filter(|t60| *t60 < self.longest) {
            let y = self.foot(t60);
            painter.hline(decay.x_range(), y, ink.grid);
            if y >= free {
                painter.text(pos2(decay.left() - 10.0, y), Side::Right, &format!("{t60}"), tick);
                free = y + 14.0;
            }
        }
        let band = Rect::from_min_max(level.left_bottom(), decay.right_top());
        painter.rect(band, 0.0, ink.panel);
        painter.hline(level.x_range(), level.bottom(), ink.line);
        painter.hline(level.x_range(), decay.top(), ink.line);
        self.keys(painter);
        self.frequencies(painter);
        painter.text(level.min + vec2(8.0, 12.0), Side::Left, "Level", painter.label());
        painter.text(decay.min + vec2(8.0, 14.0), Side::Left, "Decay *T*~60~, s", painter.label());
    }

    /// A tick for every key, with the name of every C.
    fn keys(&self, painter: &ThemePainter) {
        let top = self.level.bottom();
        let octave = self.x(2.0 * self.lowest) - self.x(self.lowest);
        for key in 0..=135 {
            let x = self.x(440.0 * ((f64::from(key) - 69.0) / 12.0).exp2());
            if !self.level.x_range().contains(x) {
                continue;
            }
            let length = match (key % 12 == 0, octave > 60.0) {
                (true, _) => 8.0,
                (false, true) => 3.5,
                (false, false) => 0.0,
            };
            painter.vline(x, top + 1.0..=top + length, if key % 12 == 0 { painter.ink.text2 } else { painter.ink.line });
            if key % 12 == 0 {
                let name = format!("C{}", key / 12 - 1).replace('-', "−");
                painter.text(pos2(x, top + 14.0), Side::Center, &name, (Face::Regular, Size::Tick, painter.ink.text2));
            }
        }
    }

    fn frequencies(&self, painter: &ThemePainter) {
        let bottom = self.decay.top();
        let style = (Face::Regular, Size::Tick, painter.ink.text3);
        let marks = [10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1e3, 2e3, 5e3, 10e3, 20e3];
        let mut unit = " Hz";
        let mut free = self.level.left();
        for hertz in marks.into_iter().filter(|hertz| *hertz >= self.lowest) {
            let x = self.x(hertz);
            painter.vline(x, bottom - 4.0..=bottom, painter.ink.line);
            let text = if hertz >= 1e3 { format!("{:.0} k", hertz / 1e3) } else { format!("{hertz:.0}{unit}") };
            let width = painter.width(&text, style.0, style.1);
            let left = (x - 0.5 * width).clamp(self.level.left(), self.level.right() - width);
            if left >= free {
                painter.text(pos2(left, bottom - 11.0), Side::Left, &text, style);
                (free, unit) = (left + width + 8.0, "");
            }
        }
    }
}
