//! Hammers that fly apart from a dense body, which meanwhile rings control block by control block, for a fraction of the cost of single frames.
//!
//! ```text
//! compression   x_n = x_0 + n h c + sum w (q_n - q_0)        c: velocity of the hammer; at every second frame
//! free          x_n + largest |x_n - x_(n-1)| < 0            nothing is missed between two frames
//! ```
//!
//! A stick that has struck a cymbal stays near it for some 60 ms, in which the edge swings back towards it. It touches again in few of these control
//! blocks, which are then stepped frame by frame.

use crate::voice::block_ringing::{PATH_POINTS, PATH_STRIDE, displacement_path};
use crate::voice::flight_state::HammerFlight;
use crate::voice::ring::RingingBody;
use crate::voice::voice::Voice;
use urto_physics::solver::{FreeFlight, FreeHammer};

/// Distance [m] that a free hammer keeps: far above the rounding errors of a path.
const CLEARANCE: f64 = 1e-6;

/// Cost of a path for a mode, in samples of one reference resonator.
const PATH_COST: f32 = 1.6;

impl Voice {
    /// Lets its hammers fly over a control block, at its beginning, if none of them comes near the body.
    pub fn begin_flight(&mut self) {
        self.flight = HammerFlight::Stepped;
        if self.hammers.count == 0 || !self.is_dense() || self.obstacles.active_count() > 0 || self.decay.factor() != 1.0 {
            return;
        }
        if self.active().any(|i| self.is_driven(i) || self.is_pressed(i)) {
            return;
        }
        self.discard_lookahead();
        if self.has_free_path() {
            self.lookahead.touch();
            let modes = self.collision.modes().len() as f32;
            self.lookahead.charge(PATH_COST * modes * self.hammers.count as f32);
            self.flight = HammerFlight::Flying;
        }
    }

    /// Whether no hammer comes near the body within a control block.
    fn has_free_path(&mut self) -> bool {
        let thinned = self.collision.is_thinned();
        let Some(FreeFlight { h, table, q, v, hammers }) = self.collision.free_flight() else { return false };
        let body = RingingBody { table, q, v, thinned };
        hammers.iter().all(|hammer| is_free(&hammer, &body, h))
    }

    /// Whether hammers or obstacles on it are stepped frame by frame.
    pub fn is_stepped(&self) -> bool {
        self.active_count() > 0 && !self.is_flying()
    }

    /// Whether its hammers fly in this control block.
    pub fn is_flying(&self) -> bool {
        self.flight == HammerFlight::Flying
    }

    /// Whether its hammers have flown for the whole of the control block that ends.
    pub fn has_flown(&self) -> bool {
        self.flight == HammerFlight::Landed
    }

    /// Whether hammers or obstacles on it are likely to be stepped frame by frame: hammers that have flown go on flying.
    pub fn expects_steps(&self) -> bool {
        self.is_stepped() && !self.has_flown()
    }

    /// Whether a change has ended a flight within the control block, since the last call.
    pub fn take_interruption(&mut self) -> bool {
        let interrupted = self.flight == HammerFlight::Interrupted;
        if interrupted {
            self.flight = HammerFlight::Stepped;
        }
        interrupted
    }
}

/// Whether `hammer` stays clear of `body` over a control block with samples of `h` [s].
fn is_free(hammer: &FreeHammer, body: &RingingBody, h: f64) -> bool {
    let path = displacement_path(body, hammer.weights);
    let time = PATH_STRIDE as f64 * h;
    let compression = |n: usize| hammer.compression + n as f64 * time * hammer.closing + path[n] - path[0];
    let (mut nearest, mut longest) = (hammer.compression, 0.0_f64);
    for n in 1..=PATH_POINTS {
        nearest = nearest.max(compression(n));
        longest = longest.max((compression(n) - compression(n - 1)).abs());
    }
    nearest + longest + CLEARANCE < 0.0
}
