//! What counts at one frame: what the player has set and does, where the smoothed knobs are, and when it is.

use crate::body::PickupModel;
use crate::body::{BodyTuning, KeyScaling};
use crate::midi::MidiControllers;
use crate::modulation::NoteParamContext;
use crate::modulation::ParamSmoothers;
use crate::params::SolverQuality;
use crate::params::{ParamId, ParamValues};
use crate::tuning::KeyFrequencies;
use urto_physics::solver::Resolution;

/// What the player has set and does, where the smoothed knobs are, and when it is.
#[derive(Clone, Copy)]
pub struct RenderContext<'a> {
    /// The value of every knob.
    pub settings: &'a ParamValues,
    /// The frequency of every key.
    pub tuning: &'a KeyFrequencies,
    /// What the player does beside striking.
    pub hands: &'a MidiControllers,
    /// The smoothed knobs.
    pub glides: &'a ParamSmoothers,
    /// Sample rate [Hz].
    pub rate: f64,
    /// Absolute frame.
    pub frame: u64,
}

impl<'a> RenderContext<'a> {
    /// What a note's hammer is made from.
    pub fn note_param_context(&self) -> NoteParamContext<'a> {
        NoteParamContext { settings: self.settings, tuning: self.tuning, hands: self.hands }
    }

    /// The body of `key`.
    pub fn key_scaling(&self, key: u8) -> KeyScaling {
        KeyScaling::new(self.settings, self.note_param_context().ratio(key))
    }

    /// Mass of a body [kg].
    pub fn body_mass(&self, build: KeyScaling) -> f64 {
        self.glides.get(ParamId::BodyMass) * build.mass
    }

    /// Mass of a body [kg] and how far it has turned into its other.
    pub fn size(&self, build: KeyScaling) -> (f64, f64) {
        (self.body_mass(build), self.glides.get(ParamId::Morph))
    }

    /// Pitch and losses of a body of `hertz` [Hz].
    pub fn pitch(&self, hertz: f64, build: KeyScaling) -> BodyTuning {
        BodyTuning::new(hertz, build, |knob| self.knob(knob))
    }

    /// How a body is heard.
    pub fn pickup_model(&self, build: KeyScaling) -> PickupModel {
        PickupModel::new(build, |knob| self.knob(knob))
    }

    /// Gain of the sound of hammers, 0 at the bottom of its knob.
    pub fn click(&self) -> f64 {
        let level = self.glides.get(ParamId::Click);
        if level > ParamId::Click.knob().min { 10_f64.powf(level / 20.0) } else { 0.0 }
    }

    /// Where a knob is: those that glide may be on their way.
    fn knob(&self, knob: ParamId) -> f64 {
        let gliding = self.glides.get(knob);
        if gliding.is_nan() { self.settings.get(knob) } else { gliding }
    }

    /// How finely contacts are resolved.
    pub fn resolution(&self) -> Resolution {
        let (substeps_per_contact, coarsest_level) = match self.settings.quality() {
            SolverQuality::Eco => (8.0, 0),
            SolverQuality::Default => (16.0, 2),
            SolverQuality::Reference => (48.0, 2),
        };
        Resolution { substeps_per_contact, coarsest_level }
    }
}

/// Decay rate [1/s] of the amplitude that falls by 60 dB in `time` [s].
pub fn decay_rate(time: f64) -> f64 {
    1000_f64.ln() / time
}
