//! Axes left and bottom, ticks at 1-2-5 steps, the unit at the end.

use egui::{Align2, Painter, Pos2, Rect, Stroke, pos2};

use super::theme::{self, Face, Size};
use crate::params::quantity;

/// Room for the numbers left of the axis and below it.
const LEFT: f32 = 40.0;
const BELOW: f32 = 24.0;
/// An axis spans at least this much, in SI.
const LEAST: f64 = 1e-9;
/// Ticks that an axis aims at.
const TICKS: f64 = 4.0;

/// One axis in SI, drawn in a prefixed unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    low: f64,
    high: f64,
    step: f64,
    scale: f64,
    unit: String,
}

impl Axis {
    /// An axis that holds `low` to `high` (in `unit`), widened to whole steps.
    pub fn over(low: f64, high: f64, unit: &str) -> Self {
        let high = high.max(low + LEAST);
        let (scale, unit) = quantity::prefixed(high.abs().max(low.abs()), unit);
        let step = nice((high - low) / scale / TICKS) * scale;
        Self { low: (low / step).floor() * step, high: (high / step).ceil() * step, step, scale, unit }
    }

    fn part(&self, value: f64) -> f32 {
        ((value - self.low) / (self.high - self.low)) as f32
    }

    /// Values at ticks, with what is written there.
    fn ticks(&self) -> impl Iterator<Item = (f64, String)> + '_ {
        let first = (self.low / self.step).round() as i64;
        let last = (self.high / self.step).round() as i64;
        (first..=last).map(|i| {
            let shown = i as f64 * self.step / self.scale;
            let decimals = (-(self.step / self.scale).log10().floor()).clamp(0.0, 6.0) as usize;
            (i as f64 * self.step, format!("{shown:.decimals$}").replace('-', "−"))
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
    /// Axes inside `outer`.
    pub fn new(outer: Rect, x: Axis, y: Axis) -> Self {
        let inner = Rect::from_min_max(outer.min + egui::vec2(LEFT, 24.0), outer.max - egui::vec2(0.0, BELOW));
        Self { inner, x, y }
    }

    /// Where a point in SI is drawn.
    pub fn at(&self, x: f64, y: f64) -> Pos2 {
        let Self { inner, x: across, y: up } = self;
        pos2(inner.left() + inner.width() * across.part(x), inner.bottom() - inner.height() * up.part(y))
    }

    /// The rectangle between the axes.
    pub fn inner(&self) -> Rect {
        self.inner
    }

    /// Paints grid, axes, ticks and units; the x axis at y = 0 where that is inside.
    pub fn paint(&self, painter: &Painter) {
        let font = theme::font(Face::Regular, Size::Tick);
        let (grid, line) = (Stroke::new(theme::HAIRLINE, theme::GRID), Stroke::new(theme::HAIRLINE, theme::LINE));
        let Rect { min, max } = self.inner;
        for (value, text) in self.y.ticks() {
            let y = self.at(0.0, value).y;
            painter.hline(min.x..=max.x, y, grid);
            painter.hline(min.x - 4.0..=min.x, y, line);
            painter.text(pos2(min.x - 8.0, y), Align2::RIGHT_CENTER, text, font.clone(), theme::TEXT3);
        }
        let unit_width = 12.0 * self.x.unit.chars().count() as f32;
        for (value, text) in self.x.ticks() {
            let x = self.at(value, 0.0).x;
            painter.vline(x, max.y..=max.y + 4.0, line);
            if x < max.x - unit_width {
                painter.text(pos2(x, max.y + 7.0), Align2::CENTER_TOP, text, font.clone(), theme::TEXT3);
            }
        }
        painter.vline(min.x, min.y..=max.y, line);
        painter.hline(min.x..=max.x, max.y, line);
        if self.y.low < 0.0 && self.y.high > 0.0 {
            painter.hline(min.x..=max.x, self.at(0.0, 0.0).y, Stroke::new(theme::HAIRLINE, theme::HAIR));
        }
        painter.text(pos2(max.x, max.y + 7.0), Align2::RIGHT_TOP, &self.x.unit, font.clone(), theme::TEXT3);
        painter.text(pos2(min.x - 8.0, min.y - 24.0), Align2::RIGHT_TOP, &self.y.unit, font, theme::TEXT3);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_hold_what_they_show_in_one_two_five_steps() {
        for (low, high, unit) in [(0.0, 1.57e-3, "s"), (0.0, 105.0, "N"), (-1.16, 2.1, "m/s"), (0.0, 3e-6, "m"), (0.0, 0.0, "N")]
        {
            let axis = Axis::over(low, high, unit);
            assert!(axis.low <= low && axis.high >= high, "{axis:?}");
            let ticks = axis.ticks().count();
            assert!((2..=7).contains(&ticks), "{ticks} ticks: {axis:?}");
            let leading = axis.step / axis.scale / 10f64.powf((axis.step / axis.scale).log10().floor() + 1e-9);
            assert!([1.0, 2.0, 5.0, 10.0].iter().any(|nice| (leading - nice).abs() < 1e-6), "{axis:?}");
        }
        let texts: Vec<_> = Axis::over(0.0, 1.57e-3, "s").ticks().map(|(_, text)| text).collect();
        assert_eq!(texts, ["0.0", "0.5", "1.0", "1.5", "2.0"]);
    }
}
