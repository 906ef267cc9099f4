//! A strum: strokes of one note, one after another across the body.

use crate::params::{ParamId, ParamValues};

/// Most strokes of a strum.
pub const MAX_STROKES: usize = 8;

/// The strokes of one note.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strum {
    strokes: usize,
    /// Time from the first to the last stroke [s].
    time: f64,
    /// Part of the body that it crosses; negative: from the far end.
    width: f64,
}

/// One of its strokes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrumStroke {
    /// Time since the first stroke [s].
    pub delay: f64,
    /// Distance along the body from the strike position.
    pub along: f64,
}

impl Strum {
    /// The strum of the parameters `settings`; `None` for a single stroke.
    pub fn of(settings: &ParamValues) -> Option<Self> {
        let strokes = (settings.get(ParamId::StrumStrokes) as usize).min(MAX_STROKES);
        let [time, width] = [ParamId::StrumTime, ParamId::StrumWidth].map(|param| settings.get(param));
        (strokes > 1).then_some(Self { strokes, time, width })
    }

    /// Its strokes at equal distances around `position`, 0 to 1 along the body. It is moved where it would leave the body.
    pub fn strokes(&self, position: f64) -> impl Iterator<Item = StrumStroke> + use<> {
        let Self { strokes, time, width } = *self;
        let room = width.abs();
        let start = (position - 0.5 * room).clamp(0.0, 1.0 - room);
        (0..strokes).map(move |n| {
            let part = n as f64 / (strokes - 1) as f64;
            let crossed = if width < 0.0 { 1.0 - part } else { part };
            StrumStroke { delay: time * part, along: start + room * crossed - position }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(width: f64, position: f64) -> Vec<f64> {
        let strum = Strum { strokes: 3, time: 0.1, width };
        strum.strokes(position).map(|stroke| position + stroke.along).collect()
    }

    #[test]
    fn a_strum_crosses_its_part_of_the_body_and_stays_on_it() {
        let near = |found: Vec<f64>, expected: [f64; 3]| {
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{found:?} {expected:?}");
        };
        near(places(0.4, 0.5), [0.3, 0.5, 0.7]);
        near(places(-0.4, 0.5), [0.7, 0.5, 0.3]);
        near(places(0.4, 0.1), [0.0, 0.2, 0.4]);
        near(places(1.0, 0.9), [0.0, 0.5, 1.0]);
        near(places(0.0, 0.9), [0.9, 0.9, 0.9]);
    }
}
