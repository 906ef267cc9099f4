//! What counts at one frame: what the player has set and does, where the smoothed knobs are, and when it is.

use crate::body::pickup_weights::Listening;
use crate::body::prepared_body::{Build, Pitch};
use crate::midi::controllers::Hands;
use crate::modulation::note_params::Grasp;
use crate::modulation::param_smoother::Glides;
use crate::params::table::{KnobId, Settings};
use crate::patch::patch::Quality;
use crate::tuning::key_frequencies::Tuning;
use urto_physics::solver::step_size::Resolution;

/// What the player has set and does, where the smoothed knobs are, and when it is.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The value of every knob.
    pub settings: &'a Settings,
    /// The frequency of every key.
    pub tuning: &'a Tuning,
    /// What the player does beside striking.
    pub hands: &'a Hands,
    /// The smoothed knobs.
    pub glides: &'a Glides,
    /// Sample rate [Hz].
    pub rate: f64,
    /// Absolute frame.
    pub frame: u64,
}

impl<'a> Scene<'a> {
    /// What a note's hammer is made from.
    pub fn grasp(&self) -> Grasp<'a> {
        Grasp { settings: self.settings, tuning: self.tuning, hands: self.hands }
    }

    /// The body of `key`.
    pub fn build(&self, key: u8) -> Build {
        Build::new(self.settings, self.grasp().ratio(key))
    }

    /// Mass of a body [kg].
    pub fn body_mass(&self, build: Build) -> f64 {
        self.glides.get(KnobId::BodyMass) * build.mass
    }

    /// Mass of a body [kg] and how far it has turned into its other.
    pub fn size(&self, build: Build) -> (f64, f64) {
        (self.body_mass(build), self.glides.get(KnobId::Morph))
    }

    /// Pitch and losses of a body of `hertz` [Hz].
    pub fn pitch(&self, hertz: f64, build: Build) -> Pitch {
        Pitch::new(hertz, build, |knob| self.knob(knob))
    }

    /// How a body is heard.
    pub fn listening(&self, build: Build) -> Listening {
        Listening::new(build, |knob| self.knob(knob))
    }

    /// Gain of the sound of hammers, 0 at the bottom of its knob.
    pub fn click(&self) -> f64 {
        let level = self.glides.get(KnobId::Click);
        if level > KnobId::Click.knob().lowest { 10_f64.powf(level / 20.0) } else { 0.0 }
    }

    /// Where a knob is: those that glide may be on their way.
    fn knob(&self, knob: KnobId) -> f64 {
        let gliding = self.glides.get(knob);
        if gliding.is_nan() { self.settings.get(knob) } else { gliding }
    }

    /// How finely contacts are resolved.
    pub fn resolution(&self) -> Resolution {
        let (substeps_per_contact, coarsest_level) = match self.settings.quality() {
            Quality::Eco => (8.0, 0),
            Quality::Default => (16.0, 2),
            Quality::Reference => (48.0, 2),
        };
        Resolution { substeps_per_contact, coarsest_level }
    }
}

/// Decay rate [1/s] of the amplitude that falls by 60 dB in `time` [s].
pub fn decay_rate(time: f64) -> f64 {
    1000_f64.ln() / time
}
