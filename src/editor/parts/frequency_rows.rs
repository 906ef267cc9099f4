//! Rows of frequencies: each part alone, and all together below, with the shift from the nearest frequency of a part.

use egui::{Rect, pos2};

use crate::editor::theme::{Face, Size};
use crate::editor::widgets::{Side, ThemePainter};
use urto_engine::body::ConnectedParts;

/// Half height of a mark over the height of its row.
const MARK: f32 = 0.24;
/// Largest distance of a frequency together from that of a part to which it is connected [octaves].
const NEAR: f64 = 0.5;
/// Smallest distance between two shifts that are written, and height of the text [px].
const APART: f32 = 54.0;
const TEXT: f32 = 15.0;
/// Shifts below this are not marked [cents].
const NO_SHIFT: f64 = 0.5;
/// Round frequencies of the axis [Hz].
const TICKS: [f64; 10] = [20.0, 50.0, 100.0, 200.0, 500.0, 1e3, 2e3, 5e3, 10e3, 20e3];

/// The rows in an area.
pub struct FrequencyRows<'a> {
    connected: &'a ConnectedParts,
    area: Rect,
    /// Range of the axis [Hz].
    range: [f64; 2],
}

impl<'a> FrequencyRows<'a> {
    /// Rows in `area` with an axis below them that contains all frequencies.
    pub fn new(connected: &'a ConnectedParts, area: Rect) -> Self {
        let all = || connected.parts.iter().flat_map(|part| &part.hertz).chain(&connected.together);
        let (lowest, highest) = (all().copied().fold(f64::MAX, f64::min), all().copied().fold(0.0, f64::max));
        let range = if highest > lowest { [0.85 * lowest, (1.15 * highest).min(20e3)] } else { [50.0, 5e3] };
        Self { connected, area, range }
    }

    /// Number of rows.
    fn count(&self) -> usize {
        self.connected.parts.len() + usize::from(!self.connected.together.is_empty())
    }

    /// y of the middle of a row.
    pub fn middle(&self, row: usize) -> f32 {
        self.area.top() + self.height() * (row as f32 + 0.5)
    }

    /// Height of a row [px].
    pub fn height(&self) -> f32 {
        (self.area.height() - TEXT) / self.count().max(1) as f32
    }

    fn x(&self, hertz: f64) -> f32 {
        let [low, high] = self.range;
        self.area.left() + self.area.width() * ((hertz / low).ln() / (high / low).ln()) as f32
    }

    /// Draws all rows; `joined` says of each part whether anything joins it.
    pub fn paint(&self, painter: &ThemePainter, joined: &[bool]) {
        let ink = painter.ink;
        let bottom = self.area.bottom() - TEXT;
        for hertz in TICKS.into_iter().filter(|hertz| (self.range[0]..self.range[1]).contains(hertz)) {
            let x = self.x(hertz);
            painter.vline(x, self.area.top()..=bottom, ink.grid);
            let text = if hertz < 1e3 { format!("{hertz} Hz") } else { format!("{} kHz", hertz / 1e3) };
            painter.text(pos2(x, bottom + 0.6 * TEXT), Side::Center, &text, (Face::Regular, Size::Tick, ink.text3));
        }
        let half = MARK * self.height();
        for (row, part) in self.connected.parts.iter().enumerate() {
            let (y, color) = (self.middle(row), if joined[row] { ink.body } else { ink.text3 });
            painter.hline(self.area.x_range(), y, ink.hair);
            for x in part.hertz.iter().map(|hertz| self.x(*hertz)).filter(|x| *x <= self.area.right()) {
                painter.line(pos2(x, y - half), pos2(x, y + half), 1.6, color);
            }
        }
        if !self.connected.together.is_empty() {
            self.together(painter, joined);
        }
    }

    /// The row of all parts together, connected to the nearest frequencies of the parts.
    fn together(&self, painter: &ThemePainter, joined: &[bool]) {
        let (ink, row) = (painter.ink, self.connected.parts.len());
        let (y, half) = (self.middle(row), MARK * self.height());
        painter.hline(self.area.x_range(), y, ink.hair);
        let mut free = f32::MIN;
        for &hertz in &self.connected.together {
            let x = self.x(hertz);
            if x > self.area.right() {
                continue;
            }
            if let Some((part, own)) = self.nearest(hertz, joined) {
                let from = pos2(self.x(own), self.middle(part) + half);
                painter.line(from, pos2(x, y - half), 1.0, ink.body.gamma_multiply(0.35));
                let cents = 1200.0 * (hertz / own).log2();
                if cents.abs() >= NO_SHIFT && x > free {
                    let text = format!("{}{:.0} c", if cents < 0.0 { "−" } else { "+" }, cents.abs());
                    let look = (Face::Regular, Size::Tick, ink.text2);
                    painter.text(pos2(x, y + half + 0.6 * TEXT), Side::Center, &text, look);
                    free = x + APART;
                }
            }
            painter.line(pos2(x, y - half), pos2(x, y + half), 2.0, ink.text);
        }
    }

    /// The joined part and its frequency nearest to `hertz`.
    fn nearest(&self, hertz: f64, joined: &[bool]) -> Option<(usize, f64)> {
        let parts = self.connected.parts.iter().enumerate().filter(|(row, _)| joined[*row]);
        let all = parts.flat_map(|(row, part)| part.hertz.iter().map(move |own| (row, *own)));
        let apart = |own: f64| (hertz / own).log2().abs();
        all.min_by(|a, b| apart(a.1).total_cmp(&apart(b.1))).filter(|(_, own)| apart(*own) < NEAR)
    }
}
