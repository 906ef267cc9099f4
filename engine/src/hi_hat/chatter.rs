//! Chatter and friction of two plates that touch, from their motion in a step of the exchange.
//!
//! ```text
//! chatter    places that touch for a moment take motion from a mode of weight w at the rate w^2 Z/2, and give it back in another phase:
//!            rate = (1/2) w^2 Z n d                             [1/s]
//!            w^2: mean square of the weights at the rim [1/kg];  Z: resistance that takes the most [kg/s];  n: number of such places;
//!            d: part of the time in which the contacts touch
//!            phases are lost at this rate, and energy passes between all bands of both fields at it
//! friction   dry: its force hardly grows with the speed, so that its resistance falls with it:
//!            r = r0/(1 + v/v0),  v^2 = 2 sum w^2 sum E          v: speed across the gap [m/s]
//! ```
//!
//! So a closed hat is noise, its bands decay alike, and it rings longer the harder it is struck. Pressed plates touch in many places, most of which
//! stay closed; the heights of a rim are uneven at every scale, so that about as many places chatter under soft strokes as under hard ones.

use crate::block::CONTROL_BLOCK;
use crate::hi_hat::exchange::Scattering;
use crate::hi_hat::plate::Plate;
use crate::hi_hat::points::{CONTACTS, PLATES};
use urto_physics::connections::Network;

/// Number of places that chatter, fitted to the flatness of recorded closed and half open hats.
const PLACES: f64 = 0.8;

/// Speed [m/s] at which the friction is half of that at rest, fitted to soft and hard strokes on a closed hat.
const SLIP_SPEED: f64 = 0.5;

/// Steps in an octave of the friction, and the most octaves by which it falls.
const SLIP_STEPS: f64 = 8.0;
const SLIP_OCTAVES: f64 = 8.0;

/// Chatter and friction of both plates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chatter {
    /// Control blocks.
    blocks: u64,
    /// Frames of all contacts together in which these have touched, since the step began.
    touched: u64,
    /// Factor of the friction.
    slip: f64,
}

impl Default for Chatter {
    fn default() -> Self {
        Self { blocks: 0, touched: 0, slip: 1.0 }
    }
}

impl Chatter {
    /// Counts a frame in which so many contacts touch.
    pub fn count(&mut self, touching: u64) {
        self.touched += touching;
    }

    /// Factor of the friction of plates that move as in the last step, 0 to 1.
    pub fn slip(&self) -> f64 {
        self.slip
    }

    /// Ends a control block. `impedance` [kg/s]: the resistance that takes the most.
    pub fn end_block(&mut self, network: &mut Network, plates: &mut [Plate; PLATES], impedance: f64) {
        plates.iter_mut().enumerate().for_each(|(number, plate)| plate.exchange.end_block(network, number));
        self.blocks += 1;
        if self.blocks.is_multiple_of(plates[0].exchange.step_blocks() as u64) {
            self.end_step(plates, impedance);
        }
    }

    fn end_step(&mut self, plates: &mut [Plate; PLATES], impedance: f64) {
        let totals = plates.each_mut().map(|plate| plate.exchange.end_step(&mut plate.field));
        let squares = plates.each_ref().map(|plate| plate.weight * plate.weight);
        let speed = (2.0 * squares.iter().zip(&totals).map(|(square, totals)| square * totals.energy).sum::<f64>()).sqrt();
        let slip = -(1.0 + speed / SLIP_SPEED).log2();
        self.slip = ((SLIP_STEPS * slip).round() / SLIP_STEPS).max(-SLIP_OCTAVES).exp2();
        let frames = plates[0].exchange.step_blocks() * CONTROL_BLOCK * CONTACTS;
        let touched = std::mem::take(&mut self.touched) as f64 / frames as f64;
        let rates = squares.map(|square| 0.5 * square * impedance * PLACES * touched);
        let time = plates[0].exchange.step_time();
        let parts = rates.map(|rate| -(-rate * time).exp_m1());
        let mixed = parts.iter().zip(&totals).map(|(part, totals)| part * totals.in_field).sum::<f64>();
        let shares = totals.iter().map(|totals| totals.shares).sum::<f64>().max(f64::MIN_POSITIVE);
        for (number, plate) in plates.iter_mut().enumerate() {
            let scattering = Scattering { rate: rates[number], part: parts[number], per_share: mixed / shares };
            let draw = PLATES as u64 * self.blocks + number as u64;
            plate.exchange.begin_step(&mut plate.field, scattering, draw);
        }
    }
}
