//! The flap in the mouth of the tubes: a motor turns it, and it opens and closes all tubes alike.
//!
//! ```text
//! opening = 1 - depth sin^2(pi turn)        turn grows by rate times the time; it begins open
//! ```

use std::f64::consts::PI;

/// The place of the flap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TubeFlap {
    /// Turns since it was open, 0 to 1.
    turn: f64,
}

impl TubeFlap {
    /// Open.
    pub const OPEN: Self = Self { turn: 0.0 };

    /// Moves by `time` [s] at `rate` [Hz].
    pub fn advance(&mut self, rate: f64, time: f64) {
        self.turn = (self.turn + rate * time).fract();
    }

    /// How far it is open, 0 to 1, where it closes the part `depth` of the mouth.
    pub fn opening(&self, depth: f64) -> f64 {
        1.0 - depth * (PI * self.turn).sin().powi(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_closes_half_a_turn_after_it_was_open() {
        let mut flap = TubeFlap::OPEN;
        assert_eq!(flap.opening(0.8), 1.0);
        (0..100).for_each(|_| flap.advance(5.0, 1e-3));
        assert!((flap.opening(0.8) - 0.2).abs() < 1e-12, "{}", flap.opening(0.8));
        (0..100).for_each(|_| flap.advance(5.0, 1e-3));
        assert!((flap.opening(0.8) - 1.0).abs() < 1e-12);
    }
}
