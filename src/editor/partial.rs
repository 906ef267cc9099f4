//! One partial of a body, and its shape along the body, as the editor shows them.

use egui::{Pos2, Rect, pos2};

use urto_engine::patch::PartialEdit;
use urto_engine::tuning::key_name;

/// One partial of the body of a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Partial {
    /// Frequency [Hz].
    pub hertz: f64,
    /// Time to -60 dB [s].
    pub t60: f64,
    /// Weights of the hammer and of the left and right pickup, each over the largest of all partials: -1 to 1.
    pub weights: [f64; 3],
    /// Level at the pickups after an impulse, over the loudest unedited partial [dB].
    pub level: f64,
    /// Its numbers on the body: see [`urto_engine::Body::family`].
    pub family: Option<(u32, u32)>,
    /// Whether it is one of the modes of Mode density.
    pub is_dense: bool,
    /// Its index without edits, by which an edit names it; none if it cannot be edited: only the morph target has it, or it is not one of the
    /// lowest [`MAX_PARTIALS`](urto_engine::patch::partial_edits::MAX_PARTIALS).
    pub index: Option<usize>,
    /// Its edit; neutral if there is none.
    pub edit: PartialEdit,
}

impl Partial {
    /// Name of the nearest key, and distance from it [cents].
    pub fn note(&self) -> (String, f64) {
        let key = 69.0 + 12.0 * (self.hertz / 440.0).log2();
        let nearest = key.round().clamp(0.0, 127.0);
        (key_name(nearest as u8).replace('-', "−"), 100.0 * (key - nearest))
    }

    /// Nearest key and distance as text: `A5 −9`.
    pub fn note_text(&self) -> String {
        let (name, cents) = self.note();
        format!("{name} {}{:.0}", if cents < -0.5 { "−" } else { "+" }, cents.abs())
    }

    /// Whether it is of the second family: torsion of a bar, nodal circles of a round body.
    pub fn is_second_family(&self) -> bool {
        self.family.is_some_and(|(_, second)| second > 0)
    }

    /// Whether it is heard while the partials `solo` are soloed.
    pub fn is_heard(&self, solo: &[usize]) -> bool {
        !self.edit.muted && (solo.is_empty() || self.index.is_some_and(|place| solo.contains(&place)))
    }
}

/// Shape of one mode along the body, normalised to -1 to 1, with its values at the strike and the pickups.
#[derive(Clone, Debug, Default)]
pub struct ModeShape {
    /// Values at equally spaced positions from one end to the other.
    pub values: Vec<f32>,
    /// Position (0 to 1) and value at the strike, the left and the right pickup.
    pub marks: [(f32, f32); 3],
}

impl ModeShape {
    /// Points of the shape in `rect`, upward or, if `flipped`, mirrored.
    pub fn points(&self, rect: Rect, flipped: bool) -> Vec<Pos2> {
        let sign = if flipped { 1.0 } else { -1.0 };
        let last = self.values.len().max(2) - 1;
        let point = |(i, value): (usize, &f32)| {
            pos2(rect.left() + rect.width() * i as f32 / last as f32, rect.center().y + sign * 0.5 * rect.height() * value)
        };
        self.values.iter().enumerate().map(point).collect()
    }
}

/// A number with a comma before every three digits: `1,709`.
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_have_a_comma() {
        assert_eq!([7, 999, 1709, 2_560_001].map(thousands), ["7", "999", "1,709", "2,560,001"]);
    }

    #[test]
    fn partials_are_called_by_the_nearest_key() {
        let words = |hertz: f64| {
            let (weights, trim) = ([1.0; 3], PartialEdit::new(0));
            Partial { hertz, t60: 1.0, weights, level: 0.0, family: None, is_dense: false, index: Some(0), edit: trim }
                .note_text()
        };
        assert_eq!([220.0, 875.6, 226.5].map(words), ["A3 +0", "A5 −9", "A#3 −50"]);
    }
}
