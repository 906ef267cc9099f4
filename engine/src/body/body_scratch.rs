//! Buffers in which the weights and modes of one voice are computed.

use crate::body::pickup_inputs::LastPickupInputs;
use urto_physics::modal::Mode;

/// Buffers for the weights and modes of one voice.
pub struct BodyScratch {
    /// Weights of one contact or pickup.
    pub weights: Vec<f64>,
    /// Weights of the body that it morphs into.
    pub others: Vec<f64>,
    /// Weights of the left and right pickup.
    pub pickups: [Vec<f64>; 2],
    /// Modes of one key.
    pub modes: Vec<Mode>,
    /// What the weights of pickups followed from when a voice was activated last.
    pub pickup_inputs: LastPickupInputs,
}

impl BodyScratch {
    /// Buffers for `modes` modes. Allocates.
    pub fn new(modes: usize) -> Self {
        let weights = || vec![0.0; modes];
        let pickup_inputs = LastPickupInputs::default();
        let modes = vec![Mode::RIGID; modes];
        Self { weights: weights(), others: weights(), pickups: [weights(), weights()], modes, pickup_inputs }
    }

    /// Number of modes that it has room for.
    pub fn room(&self) -> usize {
        self.modes.len()
    }
}
