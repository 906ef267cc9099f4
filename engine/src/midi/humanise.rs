//! Chance with a seed: no two strikes are alike, and yet the same piece sounds the same each time.

use crate::params::{ParamId, ParamValues};

/// Chance with a seed (SplitMix64; Steele, Lea, Flood 2014): the same after every reset.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rng(u64);

impl Rng {
    /// Begins where the number `seed` says.
    pub fn seeded(seed: u64) -> Self {
        Self(seed.wrapping_mul(0xd134_2543_de82_ef95))
    }

    /// Evenly in [0, 1).
    pub fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 * 2f64.powi(-53)
    }

    /// Evenly in [-1, 1).
    pub fn bipolar(&mut self) -> f64 {
        2.0 * self.uniform() - 1.0
    }
}

/// What chance makes of one strike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Humanise {
    /// Time [s] by which the hammer is late at a body at rest, >= 0.
    pub late: f64,
    /// Distance from the place of the strike, along the body.
    pub along: f64,
    /// The same across.
    pub across: f64,
    /// Factor of the speed, 1/2 to 2.
    pub speed: f64,
    /// Factor of the hammer's mass, 1/2 to 2.
    pub mass: f64,
}

impl Default for Humanise {
    fn default() -> Self {
        Self { late: 0.0, along: 0.0, across: 0.0, speed: 1.0, mass: 1.0 }
    }
}

impl Humanise {
    /// Throws the dice as far as `settings` let them roll; always five times, so that a knob does not change what comes after.
    pub fn new(settings: &ParamValues, dice: &mut Rng) -> Self {
        let far = settings.get(ParamId::HumanPosition);
        Self {
            late: settings.get(ParamId::HumanTime) * dice.uniform(),
            along: far * dice.bipolar(),
            across: far * dice.bipolar(),
            speed: (settings.get(ParamId::HumanSpeed) * dice.bipolar()).exp2(),
            mass: (settings.get(ParamId::HumanMass) * dice.bipolar()).exp2(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_the_knobs_chance_does_nothing() {
        assert_eq!(Humanise::new(&ParamValues::default(), &mut Rng::default()), Humanise::default());
    }

    #[test]
    fn seeds_differ_and_repeat() {
        let mut settings = ParamValues::default();
        let knobs = [ParamId::HumanTime, ParamId::HumanPosition, ParamId::HumanSpeed, ParamId::HumanMass];
        knobs.iter().for_each(|&knob| settings.set(knob, knob.knob().max));
        let throw = |seed| Humanise::new(&settings, &mut Rng::seeded(seed));
        assert_eq!(throw(5), throw(5));
        assert!(throw(5) != throw(6) && throw(0) != throw(1));
        for seed in 0..200 {
            let Humanise { late, along, across, speed, mass } = throw(seed);
            assert!((0.0..0.05).contains(&late) && along.abs() <= 0.5 && across.abs() <= 0.5);
            assert!((0.5..=2.0).contains(&speed) && (0.5..=2.0).contains(&mass));
        }
    }
}
