//! All that the weights of a voice's pickups follow from.

use crate::body::key_body::{BodySize, BodyTuning};
use crate::body::pickup_model::PickupModel;

/// Numbers of partials of a voice.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PartialCounts {
    /// All that may be below the band limit at any morph.
    pub all: usize,
    /// Those below the band limit when the voice was activated.
    pub at_activation: usize,
    /// Those below the band limit now.
    pub audible: usize,
    /// Heavy modes below the band limit now.
    pub audible_heavy: usize,
}

/// A body of a voice as its pickups hear it, at unit gain: equal inputs give equal weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PickupInputs {
    /// Number of the body.
    pub body: u64,
    /// Frequencies and decays of its modes.
    pub tuning: BodyTuning,
    /// Mass and morph.
    pub size: BodySize,
    /// Mass [kg] of the body of the home key.
    pub home: f64,
    /// Positions of the pickups, and radiation.
    pub model: PickupModel,
    /// Those that are audible.
    pub partials: PartialCounts,
    /// Sample rate [Hz].
    pub rate: f64,
}

/// The inputs of the weights that were computed last, with a number that changes with them: a voice that stores the number has these weights.
#[derive(Debug, Default)]
pub struct LastPickupInputs {
    inputs: Option<PickupInputs>,
    number: u64,
}

impl LastPickupInputs {
    /// The number of the last inputs; 0 before any.
    #[cfg(test)]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The number of `inputs`, which are the last from now on. Never 0.
    pub fn number_of(&mut self, inputs: PickupInputs) -> u64 {
        if self.inputs != Some(inputs) {
            self.inputs = Some(inputs);
            self.number += 1;
        }
        self.number
    }
}
