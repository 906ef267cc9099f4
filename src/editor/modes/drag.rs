//! Dragging a partial: its head changes level and frequency, its foot the decay time.
//!
//! What the user does on the Modes page, as a value that the page executes.

use egui::{Modifiers, Pos2, Vec2};

use crate::editor::modes::axes::Axes;
use crate::editor::partial::Partial;
use urto_engine::patch::{DECAYS, LEVELS, PartialEdit, Patch, RATIOS};
use urto_engine::tuning::{KEYS, KeyFrequencies};

/// The dragged end of a partial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Level and frequency.
    Head,
    /// Decay time.
    Foot,
}

/// Dead zone of the pointer: horizontal for the frequency, vertical for the level [px].
const DEAD_ZONE: Vec2 = Vec2::new(6.0, 3.0);
/// Fraction of pointer movements while Shift is held.
const FINE: f32 = 0.1;
/// Maximum morph at which the frequency still follows the pointer exactly.
const MAX_MORPH: f64 = 0.95;

/// A partial while it is dragged.
#[derive(Clone, Debug)]
pub struct DraggedPartial {
    end: End,
    place: usize,
    /// The partial when the drag started.
    partial: Partial,
    /// Pointer movement since then [px], and last pointer position.
    moved: Vec2,
    at: Pos2,
    /// The axes when the drag started: they stay fixed during the drag.
    pub axes: Axes,
}

impl DraggedPartial {
    /// Starts to drag the `end` of a partial with the pointer `at`; none if the partial belongs to the morph target only.
    pub fn new(end: End, partial: &Partial, at: Pos2, axes: Axes) -> Option<Self> {
        Some(Self { end, place: partial.index?, partial: *partial, moved: Vec2::ZERO, at, axes })
    }

    /// Index of the partial.
    pub fn index(&self) -> usize {
        self.place
    }

    /// The edit with the pointer `at`. `morph`: 0 to 1; `snap`: tuning to whose keys the frequency snaps.
    pub fn edit(&mut self, at: Pos2, modifiers: Modifiers, morph: f64, snaps: Option<&KeyFrequencies>) -> PartialEdit {
        self.moved += (at - self.at) * if modifiers.shift { FINE } else { 1.0 };
        self.at = at;
        let (before, moved) = (self.partial.edit, beyond(self.moved));
        if self.end == End::Foot {
            let factor = (f64::from(moved.y) * self.axes.decay_per_pixel()).exp();
            return PartialEdit { decay: within(before.decay * factor, DECAYS), ..before };
        }
        let level = within(before.level - f64::from(moved.y) * self.axes.db_per_pixel(), LEVELS);
        if moved.x == 0.0 {
            return PartialEdit { level, ..before };
        }
        let hertz = self.axes.hertz(self.axes.x(self.partial.hertz) + moved.x);
        let hertz = snaps.map_or(hertz, |tuning| nearest(tuning, hertz));
        // the morph target's frequency is not edited
        let factor = (hertz / self.partial.hertz).powf(1.0 / (1.0 - morph.min(MAX_MORPH)));
        PartialEdit { level, ratio: within(before.ratio * factor, RATIOS), ..before }
    }
}

/// A movement minus the dead zone.
fn beyond(moved: Vec2) -> Vec2 {
    let one = |moved: f32, stays: f32| moved.signum() * (moved.abs() - stays).max(0.0);
    Vec2::new(one(moved.x, DEAD_ZONE.x), one(moved.y, DEAD_ZONE.y))
}

fn within(value: f64, range: std::ops::RangeInclusive<f64>) -> f64 {
    value.clamp(*range.start(), *range.end())
}

/// Frequency [Hz] of the key nearest to `hertz`; beyond the last key in semitones.
pub fn nearest(tuning: &KeyFrequencies, hertz: f64) -> f64 {
    let far = |other: f64| (other / hertz).log2().abs();
    let keys = (0..KEYS as u8).filter_map(|key| tuning.hertz(key));
    let beyond = (KEYS as i32..KEYS as i32 + 24).map(|key| 440.0 * (f64::from(key - 69) / 12.0).exp2());
    keys.chain(beyond).min_by(|a, b| far(*a).total_cmp(&far(*b))).unwrap_or(hertz)
}

/// A command of the user about partials.
pub enum ModesAction {
    /// Drags a partial: the edit is a draft until the pointer is released.
    Drag(PartialEdit),
    /// Releases the partial that was dragged.
    Release,
    /// Sets the edit of one partial.
    Edit(PartialEdit),
    /// Removes all edits.
    ClearEdits,
    /// Adds the partial with this index to the soloed ones, or removes it from them.
    Solo(usize),
    /// Replaces the patch by one with another body.
    Body(Box<Patch>),
}

#[cfg(test)]
mod tests {
    use egui::{Rect, pos2};

    use super::*;

    fn dragged(end: End) -> DraggedPartial {
        let (weights, edit) = ([1.0; 3], PartialEdit { level: -3.0, ..PartialEdit::new(4) });
        let partial = Partial { hertz: 500.0, t60: 1.0, weights, level: -9.0, family: None, index: Some(4), edit };
        let axes = Axes::new(Rect::from_min_size(Pos2::ZERO, Vec2::new(900.0, 560.0)), &[partial]);
        DraggedPartial::new(end, &partial, pos2(300.0, 200.0), axes).expect("its own")
    }

    #[test]
    fn a_head_follows_the_pointer_and_a_straight_drag_changes_one_value() {
        let mut up = dragged(End::Head);
        let pixels = (10.0 / up.axes.db_per_pixel()) as f32 + DEAD_ZONE.y;
        let edit = up.edit(pos2(304.0, 200.0 - pixels), Modifiers::NONE, 0.0, None);
        assert!((edit.level - 7.0).abs() < 1e-4 && (edit.ratio, edit.decay) == (1.0, 1.0), "{edit:?}");
        let mut right = dragged(End::Head);
        let octave = right.axes.x(1000.0) - right.axes.x(500.0) + DEAD_ZONE.x;
        let edit = right.edit(pos2(300.0 + octave, 201.0), Modifiers::NONE, 0.0, None);
        assert!((edit.ratio - 2.0).abs() < 1e-4 && edit.level == -3.0, "{edit:?}");
        let mut fine = dragged(End::Head);
        let edit = fine.edit(pos2(300.0 + 10.0 * octave, 200.0), Modifiers::SHIFT, 0.0, None);
        assert!((edit.ratio - 2.0).abs() < 1e-4, "{edit:?}");
        let mut half = dragged(End::Head);
        let edit = half.edit(pos2(300.0 + octave, 200.0), Modifiers::NONE, 0.5, None);
        assert!((edit.ratio - 4.0).abs() < 1e-3, "half of it is the morph target: {edit:?}");
    }

    #[test]
    fn a_foot_changes_the_decay_and_ranges_are_kept() {
        let mut foot = dragged(End::Foot);
        let pixels = (2_f64.ln() / foot.axes.decay_per_pixel()) as f32 + DEAD_ZONE.y;
        let edit = foot.edit(pos2(500.0, 200.0 + pixels), Modifiers::NONE, 0.0, None);
        assert!((edit.decay - 2.0).abs() < 1e-4 && (edit.ratio, edit.level) == (1.0, -3.0), "{edit:?}");
        let far = dragged(End::Head).edit(pos2(1e6, -1e6), Modifiers::NONE, 0.0, None);
        assert_eq!((far.ratio, far.level), (*RATIOS.end(), *LEVELS.end()));
    }

    #[test]
    fn frequencies_snap_to_the_keys_of_the_tuning() {
        let tuning = KeyFrequencies::default();
        assert_eq!(nearest(&tuning, 450.0), 440.0);
        assert!((nearest(&tuning, 15_000.0) / 14_917.0 - 1.0).abs() < 1e-3);
        let edit = dragged(End::Head).edit(pos2(330.0, 200.0), Modifiers::NONE, 0.0, Some(&tuning));
        assert!((69.0 + 12.0 * (500.0 * edit.ratio / 440.0).log2()).fract().abs() < 1e-9, "{edit:?}");
    }
}
