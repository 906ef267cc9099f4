//! Axes of a plot, and the level meter.
//!
//! Axes are at the left and bottom, with ticks in 1-2-5 steps and the unit at the end.

use std::time::Duration;

use egui::{Pos2, Rect, pos2, vec2};

use crate::editor::theme::{Face, Size};
use crate::editor::widgets::painter::{Side, ThemePainter};
use crate::threads::Levels;
use urto_engine::params::value_text;

/// Minimum span of an axis, in SI units.
const LEAST: f64 = 1e-9;
/// Target distance between two ticks [px].
const APART: f32 = 44.0;
/// Minimum and maximum number of steps of an axis.
const STEPS: (f64, f64) = (2.0, 5.0);
/// Minimum distance between two labels one above the other [px].
const LABEL_HEIGHT: f32 = 14.0;

/// Greatest length of an axis over the range it shows, before finer steps are tried.
const WIDENED: f64 = 1.3;

/// Range of the meter [dBFS].
const LOWEST_DB: f32 = -60.0;
const HIGHEST_DB: f32 = 6.0;
/// Fall rate of the meter's bars [dB/s], and hold time of a peak.
const FALL: f32 = 20.0;
const HOLD: Duration = Duration::from_millis(1500);
/// Peaks above this are shown in the warning colour [dBFS]; independent of the limiter's ceiling.
const WARNING: f32 = -1.0;

/// Level of silence on the meter [dBFS].
pub const SILENT: f32 = 2.0 * LOWEST_DB;

/// One axis in SI units, labelled in a prefixed unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    low: f64,
    high: f64,
    step: f64,
    scale: f64,
    unit: String,
}

impl Axis {
    /// An axis of `length` pixels from `low` to `high` (in `unit`), extended to whole steps.
    pub fn over(low: f64, high: f64, unit: &str, length: f32) -> Self {
        let high = high.max(low + LEAST);
        let (scale, unit) = value_text::prefixed(high.abs().max(low.abs()), unit);
        let steps = f64::from(length / APART).clamp(STEPS.0, STEPS.1);
        let ends = |step: f64| [(low / step).floor(), (high / step).ceil()];
        let widened = |step: f64| step * (ends(step)[1] - ends(step)[0]) / (high - low);
        let mut step = nice((high - low) / scale / steps) * scale;
        let most = f64::from(length / LABEL_HEIGHT).clamp(1.0, STEPS.1);
        let mut finer = step;
        while widened(step) > WIDENED && finer * STEPS.1 > 0.5 * (high - low) {
            finer = nice(0.4 * finer / scale) * scale;
            if widened(finer) <= WIDENED && ends(finer)[1] - ends(finer)[0] <= most {
                step = finer;
            }
        }
        let [first, last] = ends(step).map(|end| end * step);
        Self { low: first, high: last, step, scale, unit }
    }

    fn part(&self, value: f64) -> f32 {
        ((value - self.low) / (self.high - self.low)) as f32
    }

    /// Values of ticks, with their labels.
    fn ticks(&self) -> impl Iterator<Item = (f64, String)> + '_ {
        let first = (self.low / self.step).round() as i64;
        let last = (self.high / self.step).round() as i64;
        (first..=last).map(|i| {
            let shown = i as f64 * self.step / self.scale;
            let decimals = (-(self.step / self.scale).log10().floor()).clamp(0.0, 6.0) as usize;
            let text = if i == 0 { "0".to_owned() } else { format!("{shown:.decimals$}").replace('-', "−") };
            (i as f64 * self.step, text)
        })
    }
}

/// The next of 1, 2, 5 times a power of ten.
fn nice(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    [1.0, 2.0, 5.0].map(|factor| factor * power).into_iter().find(|&nice| nice >= step * 0.999).unwrap_or(10.0 * power)
}

/// Two axes around a rectangle.
pub struct Plot {
    inner: Rect,
    x: Axis,
    y: Axis,
}

impl Plot {
    /// Axes at the left and lower edge of `inner`; the labels are outside.
    pub fn new(inner: Rect, x: Axis, y: Axis) -> Self {
        Self { inner, x, y }
    }

    /// Position of a point in SI units.
    pub fn at(&self, x: f64, y: f64) -> Pos2 {
        let Self { inner, x: across, y: up } = self;
        pos2(inner.left() + inner.width() * across.part(x), inner.bottom() - inner.height() * up.part(y))
    }

    /// The rectangle between the axes.
    pub fn inner(&self) -> Rect {
        self.inner
    }

    /// Draws grid, axes, ticks and units; the unit of y only with `named`.
    pub fn paint(&self, painter: &ThemePainter, named: bool) {
        let ink = painter.ink;
        let tick = (Face::Regular, Size::Tick, ink.text3);
        let Rect { min, max } = self.inner;
        for (value, text) in self.y.ticks() {
            let y = self.at(0.0, value).y;
            if value != self.y.low {
                painter.hline(min.x..=max.x, y, if value == 0.0 { ink.hair } else { ink.grid });
            }
            painter.hline(min.x - 4.0..=min.x, y, ink.line);
            painter.text(pos2(min.x - 8.0, y), Side::Right, &text, tick);
        }
        let unit = painter.width(&self.x.unit, tick.0, tick.1) + 14.0;
        for (value, text) in self.x.ticks() {
            let x = self.at(value, 0.0).x;
            painter.vline(x, max.y..=max.y + 4.0, ink.line);
            if x < max.x - unit {
                painter.text(pos2(x, max.y + 13.0), Side::Center, &text, tick);
            }
        }
        painter.vline(min.x, min.y..=max.y, ink.line);
        painter.hline(min.x..=max.x, max.y, ink.line);
        painter.text(pos2(max.x, max.y + 13.0), Side::Right, &self.x.unit, tick);
        if named {
            painter.text(pos2(min.x - 8.0, min.y - 13.0), Side::Right, &self.y.unit, tick);
        }
    }
}

/// Level meter: two bars from -60 to +6 dBFS, a line at the highest peak, and the gain reduction of the limiter.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_hold_what_they_show_in_one_two_five_steps() {
        for (low, high, unit) in [(0.0, 1.57e-3, "s"), (0.0, 105.0, "N"), (-1.16, 2.1, "m/s"), (0.0, 3e-6, "m"), (0.0, 0.0, "N")]
        {
            let axis = Axis::over(low, high, unit, 180.0);
            assert!(axis.low <= low && axis.high >= high, "{axis:?}");
            let ticks = axis.ticks().count();
            assert!((2..=7).contains(&ticks), "{ticks} ticks: {axis:?}");
            let leading = axis.step / axis.scale / 10f64.powf((axis.step / axis.scale).log10().floor() + 1e-9);
            assert!([1.0, 2.0, 5.0, 10.0].iter().any(|nice| (leading - nice).abs() < 1e-6), "{axis:?}");
        }
        let axis = Axis::over(0.0, 53.5, "N", 106.0);
        assert_eq!((axis.high, axis.step), (60.0, 20.0), "no more room than is needed");
        let texts: Vec<_> = Axis::over(0.0, 1.57e-3, "s", 180.0).ticks().map(|(_, text)| text).collect();
        assert_eq!(texts, ["0", "0.5", "1.0", "1.5", "2.0"]);
    }

    #[test]
    fn labels_of_a_low_plot_stand_apart() {
        for high in [0.7, 3.0, 11.0, 23.4, 24.6, 51.0, 99.0] {
            let axis = Axis::over(0.0, high, "N", 28.0);
            let apart = 28.0 * axis.part(axis.step);
            assert!(apart >= 0.99 * LABEL_HEIGHT, "{apart} px between labels: {axis:?}");
        }
    }
}
