//! The page of modes: every partial at its frequency, with its level and its decay, and one of them in full.

mod chart;
mod inspector;

use egui::{Key, Modifiers, Rect, Ui, pos2};

use super::desk::Desk;
use super::pen::Pen;
use super::stage::Stage;
use crate::engine::HitPulse;
use crate::engine::tuning::key_name;

/// Width of the inspector, and in a small window.
const INSPECTOR: [f32; 2] = [328.0, 264.0];

/// One partial of the body of a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Partial {
    /// Frequency [Hz].
    pub hertz: f64,
    /// Time to -60 dB [s].
    pub t60: f64,
    /// How strongly the hammer moves it, and left and right hear it, over the strongest of all: -1 to 1.
    pub weights: [f64; 3],
    /// Level of a very short stroke as it is heard, over the strongest [dB].
    pub level: f64,
    /// What it is called on its body: see [`crate::engine::Body::family`].
    pub family: Option<(u32, u32)>,
}

impl Partial {
    /// Name of the nearest key, and how far it is from there [cents].
    pub fn note(&self) -> (String, f64) {
        let key = 69.0 + 12.0 * (self.hertz / 440.0).log2();
        let nearest = key.round().clamp(0.0, 127.0);
        (key_name(nearest as u8).replace('-', "−"), 100.0 * (key - nearest))
    }

    /// The same in words: `A5 −9`.
    pub fn note_words(&self) -> String {
        let (name, cents) = self.note();
        format!("{name} {}{:.0}", if cents < -0.5 { "−" } else { "+" }, cents.abs())
    }

    /// Whether it is of the second family: twist of a bar, circles on what is round.
    pub fn is_second(&self) -> bool {
        self.family.is_some_and(|(_, second)| second > 0)
    }
}

/// What the page remembers.
#[derive(Default)]
pub struct Modes {
    chosen: usize,
}

impl Modes {
    /// Draws the page and follows the player.
    pub fn show(&mut self, ui: &mut Ui, rect: Rect, stage: &mut Stage, desk: &mut Desk, last: Option<&HitPulse>) {
        let patch = desk.knobs.patch();
        let key = stage.key(&patch, last);
        let partials = stage.partials(&patch, key, last);
        self.keys(ui, partials.len());
        self.chosen = self.chosen.min(partials.len().saturating_sub(1));
        let width = INSPECTOR[usize::from(desk.small)];
        let (left, right) = rect.split_left_right_at_x(rect.right() - width);
        Pen::new(ui).vline(right.left(), rect.y_range(), Pen::new(ui).ink.hair);
        chart::show(ui, left, &partials, &mut self.chosen, desk);
        let line = stage.mode_line(self.chosen, desk);
        inspector::show(ui, right, (&partials, &mut self.chosen), &line, desk);
    }

    /// Left and right go from one to the next.
    fn keys(&mut self, ui: &Ui, count: usize) {
        if ui.memory(|memory| memory.focused().is_some()) {
            return;
        }
        let taken = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        if taken(Key::ArrowRight) {
            self.chosen = (self.chosen + 1).min(count.saturating_sub(1));
        }
        if taken(Key::ArrowLeft) {
            self.chosen = self.chosen.saturating_sub(1);
        }
    }
}

/// The shape of one mode along the body, and where strike, left and right are on it: -1 to 1.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// At equally spaced places from one end to the other.
    pub shape: Vec<f32>,
    /// Place (0 to 1) and value of strike, left and right.
    pub marks: [(f32, f32); 3],
}

impl Line {
    /// Points of the shape in `rect`, upward or, with `flipped`, downward.
    pub fn points(&self, rect: Rect, flipped: bool) -> Vec<egui::Pos2> {
        let sign = if flipped { 1.0 } else { -1.0 };
        let last = self.shape.len().max(2) - 1;
        let point = |(i, value): (usize, &f32)| {
            pos2(rect.left() + rect.width() * i as f32 / last as f32, rect.center().y + sign * 0.5 * rect.height() * value)
        };
        self.shape.iter().enumerate().map(point).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partials_are_called_by_the_nearest_key() {
        let words = |hertz: f64| Partial { hertz, t60: 1.0, weights: [1.0; 3], level: 0.0, family: None }.note_words();
        assert_eq!([220.0, 875.6, 226.5].map(words), ["A3 +0", "A5 −9", "A#3 −50"]);
    }
}
