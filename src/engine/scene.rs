//! What counts at one frame: what the player has set and does, where the smoothed knobs are, and when it is.

use super::body::{Body, Pitch, Scratch};
use super::glide::Glides;
use super::grip::Grasp;
use super::hands::Hands;
use super::knob::{KnobId, Settings};
use super::patch::{Layout, Quality};
use super::tuning::Tuning;
use crate::physics::level::Resolution;
use crate::physics::shapes::Place;

/// How the body of one key differs from the one that the knobs describe.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Build {
    /// Factor of its mass.
    pub mass: f64,
    /// Factor of its decay time.
    pub decay: f64,
}

impl Default for Build {
    fn default() -> Self {
        Self { mass: 1.0, decay: 1.0 }
    }
}

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

    /// The key whose body a note on `key` strikes.
    pub fn body_key(&self, key: u8) -> u8 {
        match self.settings.layout() {
            Layout::Keys => key,
            Layout::Surface => self.settings.get(KnobId::HomeKey) as u8,
        }
    }

    /// The body of `key`.
    pub fn build(&self, key: u8) -> Build {
        let ratio = self.grasp().ratio(key);
        let power = |knob| ratio.powf(self.settings.get(knob));
        Build { mass: power(KnobId::TrackBody), decay: power(KnobId::TrackDecay) }
    }

    /// Mass of a body [kg].
    pub fn body_mass(&self, build: Build) -> f64 {
        self.glides.get(KnobId::BodyMass) * build.mass
    }

    /// Pitch and losses of a body of `hertz` [Hz].
    pub fn pitch(&self, hertz: f64, build: Build) -> Pitch {
        let factor = |knob| if knob == KnobId::Decay { build.decay } else { 1.0 };
        Pitch::new(hertz, |knob| self.glides.get(knob) * factor(knob))
    }

    /// Weights of `count` modes of `body` of `mass` [kg] for a hammer at `place` [kg^-1/2].
    pub fn hammer_weights<'s>(
        &self,
        body: &Body,
        mass: f64,
        place: Place,
        count: usize,
        scratch: &'s mut Scratch,
    ) -> &'s mut [f64] {
        body.hammer_weights(place, (mass, self.glides.get(KnobId::Morph)), count, scratch)
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
