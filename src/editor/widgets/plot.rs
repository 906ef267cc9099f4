//! Axes of a plot: at the left and bottom, with ticks in 1-2-5 steps and the unit at the end.

use egui::{Pos2, Rect, pos2};

use crate::editor::theme::{Face, Size};
use crate::editor::widgets::painter::{Side, ThemePainter};
use crate::host_params::value_text;

/// Minimum span of an axis, in SI units.
const LEAST: f64 = 1e-9;
/// Target distance between two ticks [px].
const APART: f32 = 44.0;
/// Minimum and maximum number of steps of an axis.
const STEPS: (f64, f64) = (2.0, 5.0);

/// Greatest length of an axis over the range it shows, before finer steps are tried.
const WIDENED: f64 = 1.3;

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
        let mut finer = step;
        while widened(step) > WIDENED && finer * STEPS.1 > 0.5 * (high - low) {
            finer = nice(0.4 * finer / scale) * scale;
            if widened(finer) <= WIDENED && ends(finer)[1] - ends(finer)[0] <= STEPS.1 {
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
}
