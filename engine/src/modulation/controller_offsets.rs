//! What controllers move for one note: four of them, each with a target and an amount.
//!
//! | source | from | neutral |
//! |---|---|---|
//! | wheel | controller 1 | 0 |
//! | pressure | of the key, of its channel | 0 |
//! | slide | note expression, controller 74 | 0, bipolar |
//! | expression | note expression, controller 11 | 0, bipolar; the controller is 127 |
//!
//! Sources with the same target add up, limited to -1 and 1.

use crate::midi::{MidiControllers, Note};
use crate::params::{ModTarget, ParamId, ParamValues};

/// Maximum decay rate [1/s] added to the body.
const DAMPING: f64 = 40.0;
/// Maximum force [N] that presses a hammer against the body.
const HOLD: f64 = 20.0;
/// Maximum acceleration [m/s^2] that returns a hammer to the body.
const GRAVITY: f64 = 100.0;
/// Maximum bend [semitones].
const PITCH: f64 = 12.0;

/// The offset of every target, -1 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ControllerOffsets([f64; ModTarget::ALL.len()]);

impl ControllerOffsets {
    /// The offsets of `note` with the controllers `controllers`.
    pub fn new(note: &Note, controllers: &MidiControllers, settings: &ParamValues) -> Self {
        let mut offsets = Self::default();
        let sources = [
            (controllers.wheel(note), ParamId::WheelTarget, ParamId::WheelAmount),
            (controllers.pressure(note), ParamId::PressureTarget, ParamId::PressureAmount),
            (controllers.brightness(note), ParamId::BrightnessTarget, ParamId::BrightnessAmount),
            (controllers.expression(note), ParamId::ExpressionTarget, ParamId::ExpressionAmount),
        ];
        for (source, target, amount) in sources {
            let offset = &mut offsets.0[ModTarget::from_value(settings.get(target)) as usize];
            *offset = (*offset + source * settings.get(amount)).clamp(-1.0, 1.0);
        }
        offsets
    }

    /// The offset of `target`, -1 to 1.
    pub fn get(&self, target: ModTarget) -> f64 {
        self.0[target as usize]
    }

    /// Value of the parameter `id` in `settings`; the offset of `target` is added to its normalised value.
    pub fn modulated_value(&self, id: ParamId, target: ModTarget, settings: &ParamValues) -> f64 {
        let (param, value, offset) = (id.spec(), settings.get(id), self.get(target));
        if offset == 0.0 { value } else { param.from_normalized((param.to_normalized(value) + offset).clamp(0.0, 1.0)) }
    }

    /// Bend of the body [semitones].
    pub fn semitones(&self) -> f64 {
        PITCH * self.get(ModTarget::Pitch)
    }

    /// Decay rate [1/s] added to the body, >= 0.
    pub fn damping(&self) -> f64 {
        DAMPING * self.get(ModTarget::Damping).max(0.0)
    }

    /// Force [N] that presses the hammer against the body, >= 0.
    pub fn hold(&self) -> f64 {
        HOLD * self.get(ModTarget::Hold).max(0.0)
    }

    /// Acceleration [m/s^2] that returns the hammer to the body, including that of `settings`; >= 0.
    pub fn gravity(&self, settings: &ParamValues) -> f64 {
        (settings.get(ParamId::Gravity) + GRAVITY * self.get(ModTarget::Gravity)).max(0.0)
    }
}
