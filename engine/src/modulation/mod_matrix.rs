//! What the player's hands move about one note: four sources, each with a target and an amount.
//!
//! | source | from | at rest |
//! |---|---|---|
//! | wheel | controller 1 | 0 |
//! | pressure | the key's own, its channel's | 0 |
//! | brightness | a note's own, controller 74 | 0, goes either way |
//! | expression | a note's own, controller 11 | 0, goes either way; the controller down from 127 |
//!
//! What comes together on one target adds up, to at most 1 either way.

use crate::midi::MidiControllers;
use crate::midi::Note;
use crate::params::{ModTarget, ParamId, ParamValues};

/// Most decay rate [1/s] that a hand adds.
const DAMPING: f64 = 40.0;
/// Most force [N] that presses a hammer against the body.
const HOLD: f64 = 20.0;
/// Most acceleration [m/s^2] by which hands draw a hammer back.
const GRAVITY: f64 = 100.0;
/// Most semitones that a source bends.
const PITCH: f64 = 12.0;

/// How far every target is moved, -1 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ModOffsets([f64; ModTarget::ALL.len()]);

impl ModOffsets {
    /// What `hands` move about `note`.
    pub fn new(note: &Note, hands: &MidiControllers, settings: &ParamValues) -> Self {
        let mut sway = Self::default();
        let sources = [
            (hands.wheel(note), ParamId::WheelTarget, ParamId::WheelAmount),
            (hands.pressure(note), ParamId::PressureTarget, ParamId::PressureAmount),
            (hands.brightness(note), ParamId::BrightnessTarget, ParamId::BrightnessAmount),
            (hands.expression(note), ParamId::ExpressionTarget, ParamId::ExpressionAmount),
        ];
        for (source, target, amount) in sources {
            let target = &mut sway.0[ModTarget::from_value(settings.get(target)) as usize];
            *target = (*target + source * settings.get(amount)).clamp(-1.0, 1.0);
        }
        sway
    }

    /// How far `target` is moved, -1 to 1.
    pub fn get(&self, target: ModTarget) -> f64 {
        self.0[target as usize]
    }

    /// Value of `knob` in `settings`, moved by what hands do to `target` over all of the knob's travel.
    pub fn modulated_value(&self, knob: ParamId, target: ModTarget, settings: &ParamValues) -> f64 {
        let (row, value, by) = (knob.knob(), settings.get(knob), self.get(target));
        if by == 0.0 { value } else { row.from_normalized((row.to_normalized(value) + by).clamp(0.0, 1.0)) }
    }

    /// Semitones that the body is bent.
    pub fn semitones(&self) -> f64 {
        PITCH * self.get(ModTarget::Pitch)
    }

    /// Decay rate [1/s] that a hand adds, >= 0.
    pub fn damping(&self) -> f64 {
        DAMPING * self.get(ModTarget::Damping).max(0.0)
    }

    /// Force [N] that presses the hammer against the body, >= 0.
    pub fn hold(&self) -> f64 {
        HOLD * self.get(ModTarget::Hold).max(0.0)
    }

    /// Acceleration [m/s^2] that draws the hammer back to the body, that of `settings` included; >= 0.
    pub fn gravity(&self, settings: &ParamValues) -> f64 {
        (settings.get(ParamId::Gravity) + GRAVITY * self.get(ModTarget::Gravity)).max(0.0)
    }
}
