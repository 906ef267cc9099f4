//! Humanise: seeded random variation of each strike. The same piece sounds the same each time.

use crate::params::{ParamId, ParamValues};
use urto_physics::random::SplitMix64;

/// The random numbers of one part. The factor spreads seeds that are small integers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rng(SplitMix64);

impl Rng {
    /// Starts from `seed`.
    pub fn seeded(seed: u64) -> Self {
        Self(SplitMix64::new(seed.wrapping_mul(0xd134_2543_de82_ef95)))
    }

    /// A uniform number in [0, 1).
    pub fn uniform(&mut self) -> f64 {
        self.0.uniform()
    }

    /// A uniform number in [-1, 1).
    pub fn bipolar(&mut self) -> f64 {
        2.0 * self.uniform() - 1.0
    }
}

/// The random variation of one strike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Humanise {
    /// Delay of the hammer at a body at rest [s], >= 0.
    pub late: f64,
    /// Offset of the strike position.
    pub along: f64,
    /// Offset of the strike position Y.
    pub across: f64,
    /// Factor of the strike speed, 1/2 to 2.
    pub speed: f64,
    /// Factor of the hammer mass, 1/2 to 2.
    pub mass: f64,
}

impl Default for Humanise {
    fn default() -> Self {
        Self { late: 0.0, along: 0.0, across: 0.0, speed: 1.0, mass: 1.0 }
    }
}

impl Humanise {
    /// Draws the variation within the ranges of `settings`. Always uses five random numbers, so that parameters do not affect later strikes.
    pub fn new(settings: &ParamValues, rng: &mut Rng) -> Self {
        let range = settings.get(ParamId::HumanPosition);
        Self {
            late: settings.get(ParamId::HumanTime) * rng.uniform(),
            along: range * rng.bipolar(),
            across: range * rng.bipolar(),
            speed: (settings.get(ParamId::HumanSpeed) * rng.bipolar()).exp2(),
            mass: (settings.get(ParamId::HumanMass) * rng.bipolar()).exp2(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_default_nothing_varies() {
        assert_eq!(Humanise::new(&ParamValues::default(), &mut Rng::default()), Humanise::default());
    }

    #[test]
    fn seeds_differ_and_repeat() {
        let mut settings = ParamValues::default();
        let ids = [ParamId::HumanTime, ParamId::HumanPosition, ParamId::HumanSpeed, ParamId::HumanMass];
        ids.iter().for_each(|&id| settings.set(id, id.spec().max));
        let drawn = |seed| Humanise::new(&settings, &mut Rng::seeded(seed));
        assert_eq!(drawn(5), drawn(5));
        assert!(drawn(5) != drawn(6) && drawn(0) != drawn(1));
        for seed in 0..200 {
            let Humanise { late, along, across, speed, mass } = drawn(seed);
            assert!((0.0..0.05).contains(&late) && along.abs() <= 0.5 && across.abs() <= 0.5);
            assert!((0.5..=2.0).contains(&speed) && (0.5..=2.0).contains(&mass));
        }
    }
}
