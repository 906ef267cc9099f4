//! The tuned tube under a body: its modes beside those of the body, their joints, and their sound.
//!
//! The tube is closed at its lower end, tuned to the lowest partial, and reaches under the middle of the body. Each of its modes exchanges energy with the
//! partial next to it, if there is one within a whole tone. See [`ResonatorTube`] for the equations.
//!
//! ```text
//! u_0 = coupling s_t            rate of the exchange with the lowest partial, s_t: decay rate of the tube
//! u_0 > s_t - s_b               the lowest partial, with the decay rate s_b alone, splits in two
//! ```

use std::f64::consts::TAU;

use crate::body::body_scratch::BodyScratch;
use crate::body::key_body::{BodySize, BodyTuning};
use crate::body::pickup_model::PickupModel;
use crate::body::prepared_body::PreparedBody;
use urto_physics::bodies::{BodyPosition, ResonatorTube};
use urto_physics::modal::Mode;

/// Inner radius of the tube [m].
const RADIUS: f64 = 0.02;

/// Maximum number of modes of a tube: no partial of tuned bars is near a higher one.
pub const MAX_TUBE: usize = 2;

/// Largest ratio of the frequencies of a partial and a mode of the tube that exchange energy, a whole tone.
const NEAR: f64 = 1.1225;

/// The middle of the body.
const MIDDLE: BodyPosition = BodyPosition { along: 0.5, across: 0.5 };

/// Parameters of a tube.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TubeSetting {
    /// Rate of the exchange with the lowest partial, over the decay rate of the tube. The air in the mouth that both move follows from it.
    pub coupling: f64,
    /// Pitch over the lowest partial [semitones].
    pub detune: f64,
}

/// A mode of a tube on one key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TubeMode {
    /// Frequency and decay rate.
    pub mode: Mode,
    /// The mode of the body that it exchanges energy with, suspensions included.
    pub body_mode: usize,
    /// Rate of the exchange [1/s].
    pub rate: f64,
    /// Weight of its velocity at both pickups [kg^-1/2].
    pub heard: f64,
}

impl PreparedBody {
    /// The modes of the tube under the body of one key that exchange energy with its lowest `partials` partials, into `out`;
    /// the lowest always does.
    pub fn tube_modes(
        &self,
        setting: TubeSetting,
        (tuning, size, pickups): (&BodyTuning, BodySize, &PickupModel),
        (partials, limit): (usize, f64),
        scratch: &mut BodyScratch,
        out: &mut [Option<TubeMode>; MAX_TUBE],
    ) {
        *out = [None; MAX_TUBE];
        let partials = partials.min(self.partials()).min(scratch.room().saturating_sub(self.suspensions()));
        if partials == 0 {
            return;
        }
        let lowest = self.partial(0, tuning);
        let tube = ResonatorTube { frequency: lowest * (setting.detune / 12.0).exp2(), radius: RADIUS };
        let weights = self.hammer_weights(MIDDLE, size, partials + self.suspensions(), scratch);
        let struck = |i: usize| weights[self.rigid() + i].abs().max(f64::MIN_POSITIVE);
        let first = tube.mode(0);
        // the distance of the tube from the body is adjusted for every key
        let air = setting.coupling * first.sigma / tube.exchange_rate(1.0, first.omega, struck(0));
        let mut modes = 0;
        for n in 0..MAX_TUBE {
            let mode = tube.mode(n);
            let hertz = mode.omega / TAU;
            let apart = |i: usize| (self.partial(i, tuning) / hertz).ln().abs();
            let nearest = (0..partials).min_by(|a, b| apart(*a).total_cmp(&apart(*b))).unwrap_or(0);
            let partner = if n == 0 { 0 } else { nearest };
            if hertz > limit || n > 0 && (partner == 0 || apart(partner) > NEAR.ln()) {
                continue;
            }
            let body_mode = self.rigid() + partner;
            let rate = tube.exchange_rate(air, mode.omega, struck(partner));
            out[modes] = Some(TubeMode { mode, body_mode, rate, heard: pickups.tube_weight(&tube, mode.omega) });
            modes += 1;
        }
    }
}
