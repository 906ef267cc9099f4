//! What counts at one frame: what the player has set and does, where the smoothed knobs are, and when it is.

use super::body::{Body, Build, Pitch, Scratch};
use super::glide::Glides;
use super::grip::Grasp;
use super::hands::Hands;
use super::knob::{KnobId, Settings};
use super::patch::Quality;
use super::tuning::Tuning;
use crate::physics::level::Resolution;
use crate::physics::shapes::Place;

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

    /// Pitch and losses of a body of `hertz` [Hz].
    pub fn pitch(&self, hertz: f64, build: Build) -> Pitch {
        Pitch::new(hertz, build, |knob| self.glides.get(knob))
    }

    /// Weights of `count` modes of `body` of `mass` [kg] for the pickups, left and right, one after the other [kg^-1/2].
    pub fn pickup_weights(
        &self,
        body: &Body,
        mass: f64,
        count: usize,
        scratch: &mut Scratch,
        mut take: impl FnMut(usize, &mut [f64]),
    ) {
        let places = [(KnobId::PickupLeft, KnobId::PickupLeftAcross), (KnobId::PickupRight, KnobId::PickupRightAcross)];
        for (side, (along, across)) in places.into_iter().enumerate() {
            let place = Place { along: self.glides.get(along), across: self.glides.get(across) };
            take(side, body.pickup_weights(place, (mass, self.glides.get(KnobId::Morph)), count, scratch));
        }
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
