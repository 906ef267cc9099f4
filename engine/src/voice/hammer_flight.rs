//! Hammers and obstacles that fly apart from a dense body, which meanwhile rings control block by control block, for a fraction of the cost of
//! single frames.
//!
//! ```text
//! compression   x_n = x_0 + p_n - p_0 + sum w (q_n - q_0)    p: place of the hammer or obstacle; at every second frame
//! free          x_n + largest |x_n - x_(n-1)| < 0            nothing is missed between two frames
//! ```
//!
//! A stick that has struck a cymbal stays near it for some 60 ms, in which the edge swings back towards it. It touches again in few of these control
//! blocks, which are then stepped frame by frame. Rivets in a cymbal touch it in one control block of a hundred.

use crate::voice::block_ringing::{PATH_POINTS, PATH_STRIDE, PATHS, displacement_paths};
use crate::voice::flight_state::HammerFlight;
use crate::voice::ring::RingingBody;
use crate::voice::voice::Voice;
use urto_physics::solver::{FreeFlight, FreeHammer};

/// Distance [m] that a free hammer keeps: far above the rounding errors of a path.
const CLEARANCE: f64 = 1e-6;

/// Cost of a pass over the modes that finds paths, and of each path in it, for a mode, in samples of one reference resonator.
const PASS_COST: f32 = 1.3;
const PATH_COST: f32 = 0.3;

impl Voice {
    /// Lets its hammers fly over a control block, at its beginning, if none of them comes near the body.
    pub fn begin_flight(&mut self) {
        self.flight = HammerFlight::Stepped;
        if self.active_count() == 0 || !self.is_dense() || self.decay.factor() != 1.0 {
            return;
        }
        if self.active().any(|i| self.is_driven(i) || self.is_pressed(i)) {
            return;
        }
        self.discard_lookahead();
        if self.has_free_path() {
            self.lookahead.touch();
            let modes = self.collision.modes().len() as f32;
            let count = self.active_count();
            self.lookahead.charge(modes * (PASS_COST * count.div_ceil(PATHS) as f32 + PATH_COST * count as f32));
            self.flight = HammerFlight::Flying;
        }
    }

    /// Whether no hammer comes near the body within a control block.
    fn has_free_path(&mut self) -> bool {
        let thinned = self.collision.is_thinned();
        let Some(FreeFlight { h, table, q, v, hammers }) = self.collision.free_flight() else { return false };
        let body = RingingBody { table, q, v, thinned };
        let mut hammers = hammers.iter();
        loop {
            let group: [Option<FreeHammer>; PATHS] = std::array::from_fn(|_| hammers.next());
            let count = group.iter().flatten().count();
            if count == 0 {
                return true;
            }
            let weights = group.map(|hammer| hammer.map_or([&[][..]; 2], |hammer| hammer.weights));
            let paths = displacement_paths(&body, &weights[..count]);
            if !group.iter().flatten().zip(&paths).all(|(hammer, path)| is_free(hammer, path, h)) {
                return false;
            }
        }
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

/// Whether `hammer` stays clear of a body that moves along `path` [m] over a control block with samples of `h` [s].
fn is_free(hammer: &FreeHammer, path: &[f64; PATH_POINTS + 1], h: f64) -> bool {
    let time = PATH_STRIDE as f64 * h;
    let (mut nearest, mut longest, mut last) = (hammer.compression, 0.0_f64, hammer.compression);
    for (own, body) in hammer.motion.displacements(time).zip(&path[1..]) {
        let compression = hammer.compression + own + body - path[0];
        nearest = nearest.max(compression);
        longest = longest.max((compression - last).abs());
        last = compression;
    }
    nearest + longest + CLEARANCE < 0.0
}
