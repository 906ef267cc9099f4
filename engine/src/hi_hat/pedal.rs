//! The pedal of a hi-hat: where it holds the upper cymbal, and how much the cymbals rub.
//!
//! ```text
//! distance = gap (1 - 2 c)      c: pedal, 0 to 1; they touch at 1/2, below 0 the springs of clutch and stand press them together
//! tilt = 0.65 mm (1 - c)        how much nearer they are at the place where they touch first
//! resistance = friction^(1 - 0.3 p) c^4, p = max(0, 2 c - 1)    of each point where they rub, over that at which it takes the most from two plates:
//!                               pressed plates rub more, unless they take the most anyway
//! ```
//!
//! The lower cymbal is tilted, as players tilt it, and the pedal straightens the upper one. So nearly closed cymbals touch at one place only, rattle
//! there for seconds, and hardly rub.
//!
//! All of it passes three poles in a row, advanced once in a control block; the distance moves evenly within the block.

use crate::params::{ParamId, ParamValues};

/// Time constant of each pole [s].
const SMOOTHING_TIME: f64 = 4e-3;

/// How much nearer [m] open cymbals are at the place where they touch first.
const TILT: f64 = 6.5e-4;

/// Power of the friction by which plates that are pressed together rub more.
const PRESSED_FRICTION: f64 = 0.3;

/// Part of its unit within which a pole has arrived.
const SETTLED: f64 = 1e-7;

/// Where a pedal is, or is meant to be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PedalSetting {
    /// 0 open to 1 closed.
    pub position: f64,
    /// Distance of the open cymbals [m].
    pub gap: f64,
    /// Largest friction, 0 to 1.
    pub friction: f64,
}

impl PedalSetting {
    /// Where the parameters hold it.
    pub fn at_rest(settings: &ParamValues) -> Self {
        let get = |param| settings.get(param);
        Self { position: get(ParamId::HiHatPedal), gap: get(ParamId::HiHatGap), friction: get(ParamId::HiHatFriction) }
    }

    /// Distance of the cymbals [m]; negative: they are pressed together by as much.
    pub fn distance(&self) -> f64 {
        self.gap * (1.0 - 2.0 * self.position)
    }

    /// How much nearer [m] they are at the place where they touch first.
    pub fn tilt(&self) -> f64 {
        TILT * (1.0 - self.position)
    }

    /// Resistance of a point over the largest, 0 to 1.
    pub fn resistance(&self) -> f64 {
        let pressed = (2.0 * self.position - 1.0).max(0.0);
        self.friction.powf(1.0 - PRESSED_FRICTION * pressed) * self.position.powi(4)
    }

    fn values(&self) -> [f64; 3] {
        [self.position, self.gap, self.friction]
    }
}

/// A pedal that moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pedal {
    poles: [PedalSetting; 3],
}

impl Pedal {
    /// At rest.
    pub fn at(setting: PedalSetting) -> Self {
        Self { poles: [setting; 3] }
    }

    /// Where it is.
    pub fn now(&self) -> PedalSetting {
        self.poles[2]
    }

    /// Whether it has arrived at `target`.
    pub fn is_at(&self, target: &PedalSetting) -> bool {
        self.poles.iter().all(|pole| pole == target)
    }

    /// Moves towards `target` for a control block of `time` [s].
    pub fn advance(&mut self, target: PedalSetting, time: f64) {
        if self.is_at(&target) {
            return;
        }
        let step = -(-time / SMOOTHING_TIME).exp_m1();
        let mut input = target;
        for pole in &mut self.poles {
            let [position, gap, friction] = std::array::from_fn(|i| {
                let (now, to) = (pole.values()[i], input.values()[i]);
                now + step * (to - now)
            });
            *pole = PedalSetting { position, gap, friction };
            input = *pole;
        }
        let near = |pole: &PedalSetting| pole.values().iter().zip(target.values()).all(|(a, b)| (a - b).abs() < SETTLED);
        if self.poles.iter().all(near) {
            *self = Self::at(target);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A step of the pedal closes 3 mm as fast as a foot, at most at 0.27 of the way in a time constant.
    #[test]
    fn a_kick_closes_the_gap_as_fast_as_a_foot() {
        let open = PedalSetting { position: 0.0, gap: 3e-3, friction: 1.0 };
        let closed = PedalSetting { position: 1.0, ..open };
        let (mut pedal, time) = (Pedal::at(open), 16.0 / 48e3);
        let (mut before, mut fastest, mut at_touch, mut blocks) = (open.distance(), 0.0_f64, 0.0, 0);
        while !pedal.is_at(&closed) {
            pedal.advance(closed, time);
            let speed = (before - pedal.now().distance()) / time;
            fastest = fastest.max(speed);
            if before > 0.0 && pedal.now().distance() <= 0.0 {
                at_touch = speed;
            }
            before = pedal.now().distance();
            blocks += 1;
        }
        assert!((fastest - 0.27 * 6e-3 / SMOOTHING_TIME).abs() < 0.03, "{fastest} m/s");
        assert!((0.1..0.5).contains(&at_touch), "{at_touch} m/s");
        assert!(f64::from(blocks) * time < 0.15 && before == -3e-3);
        assert_eq!((open.resistance(), closed.resistance()), (0.0, 1.0));
    }
}
