//! What is thrown: a point mass, a stick or a clapper that bends, or the bristles of a brush.
//!
//! A stick and a clapper turn about their far end and strike with their tip, where the mass of the hammer is that which they have as
//! long as they do not bend ([`Rod`]). A brush is a cluster of point masses that share the mass of the hammer, scattered by chance
//! with a seed in place, speed, mass, and time of arrival.

use std::f64::consts::TAU;

use crate::block::band_limit;
use crate::midi::Rng;
use crate::params::{HammerType, ParamId, ParamValues};
use urto_physics::bodies::Rod;
use urto_physics::modal::Mode;

/// Most modes of a hammer, the rigid one among them: those of a stick of 220 Hz reach up to 7.4 kHz.
pub const MOST_OWN: usize = 8;

/// Hammers in a brush.
pub const BRISTLES: usize = 12;

/// A drum stick has no head. Damping ratio of hickory between finger and thumb: Q 30.
const STICK: (Rod, f64) = (Rod { head: 0.0 }, 1.0 / 60.0);

/// The ball of a clapper over its shaft; damping ratio of iron on a leather strap.
const CLAPPER: (Rod, f64) = (Rod { head: 2.0 }, 0.004);

/// Full scatter of a brush: distance from the place of the strike along and across, deviation of speed and of mass over their means;
/// all evenly to either side.
const PLACE: f64 = 0.1;
const SPEED: f64 = 0.4;
const MASS: f64 = 0.6;

/// Full scatter of a brush: time [s] within which all arrive at a body at rest, the first at once.
const TIME: f64 = 0.02;

/// How a hammer bends.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bending {
    rod: Rod,
    /// Lowest frequency [Hz].
    lowest: f64,
    /// Damping ratio of all modes.
    damping: f64,
}

/// One hammer on its way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HammerLaunch {
    /// Speed towards the body [m/s].
    pub speed: f64,
    /// Time [s] in which it comes to a body at rest.
    pub delay: f64,
    /// Share of the mass that the knob gives.
    pub share: f64,
    /// Distance from the place of the strike, along and across.
    pub offset: (f64, f64),
    /// Spring [N/m] by which the hand draws the whole stroke back.
    pub spring: f64,
    /// What else holds it.
    tether: Mode,
    bending: Option<Bending>,
}

/// Modes of a hammer with their weights at the contact [kg^-1/2]; the rigid part comes first.
#[derive(Clone, Copy, Debug)]
pub struct HammerModes {
    modes: [Mode; MOST_OWN],
    weights: [f64; MOST_OWN],
    count: usize,
}

impl HammerModes {
    /// The modes.
    pub fn modes(&self) -> &[Mode] {
        &self.modes[..self.count]
    }

    /// Their weights at the contact [kg^-1/2].
    pub fn weights(&self) -> &[f64] {
        &self.weights[..self.count]
    }

    fn push(&mut self, mode: Mode, mass: f64) {
        self.modes[self.count] = mode;
        self.weights[self.count] = 1.0 / mass.sqrt();
        self.count += 1;
    }
}

impl HammerLaunch {
    /// A point mass at `speed` [m/s].
    pub fn point(speed: f64) -> Self {
        Self { speed, delay: 0.0, share: 1.0, offset: (0.0, 0.0), spring: 0.0, tether: Mode::RIGID, bending: None }
    }

    /// A point mass at rest that `tether` holds.
    pub fn held_by(tether: Mode) -> Self {
        Self { tether, ..Self::point(0.0) }
    }

    /// What `settings` say, laid on the body.
    pub fn resting(settings: &ParamValues) -> Self {
        let bending = settings.get(ParamId::Bending);
        match settings.striker() {
            HammerType::Stick => Self::rod(0.0, STICK, bending),
            HammerType::Clapper => Self::rod(0.0, CLAPPER, bending),
            HammerType::PointMass | HammerType::Brush => Self::point(0.0),
        }
    }

    /// The same hammer on a spring of `stiffness` [N/m].
    pub fn with_spring(&self, stiffness: f64) -> Self {
        Self { spring: stiffness, ..*self }
    }

    /// How its rigid part of `mass` [kg] moves by itself.
    pub fn swing(&self, mass: f64) -> Mode {
        if self.spring > 0.0 { Mode { omega: (self.spring * self.share / mass).sqrt(), sigma: 0.0 } } else { self.tether }
    }

    /// The same hammer, later by `time` [s].
    pub fn delayed(&self, time: f64) -> Self {
        Self { delay: self.delay + time, ..*self }
    }

    fn rod(speed: f64, (rod, damping): (Rod, f64), lowest: f64) -> Self {
        Self { bending: Some(Bending { rod, lowest, damping }), ..Self::point(speed) }
    }

    /// Its modes at a sample rate [Hz], those beyond the band limit left out; `mass` [kg] is that of its rigid part.
    pub fn own_modes(&self, mass: f64, rate: f64) -> HammerModes {
        let mut own = HammerModes { modes: [Mode::RIGID; MOST_OWN], weights: [0.0; MOST_OWN], count: 0 };
        own.push(self.swing(mass), mass);
        if let Some(Bending { rod, lowest, damping }) = self.bending {
            for n in 1..MOST_OWN {
                let frequency = lowest * rod.ratio(n);
                if frequency > band_limit(rate) {
                    break;
                }
                own.push(Mode::heard_at(frequency, damping * TAU * frequency), mass * rod.tip_mass(n));
            }
        }
        own
    }
}

/// The hammers of one stroke.
#[derive(Clone, Copy, Debug)]
pub struct StrikeHammers {
    hammers: [HammerLaunch; BRISTLES],
    count: usize,
}

impl StrikeHammers {
    /// A stroke of what `settings` say at `speed` [m/s].
    pub fn new(settings: &ParamValues, speed: f64, dice: &mut Rng) -> Self {
        let bending = settings.get(ParamId::Bending);
        match settings.striker() {
            HammerType::PointMass => Self::single(HammerLaunch::point(speed)),
            HammerType::Stick => Self::single(HammerLaunch::rod(speed, STICK, bending)),
            HammerType::Clapper => Self::single(HammerLaunch::rod(speed, CLAPPER, bending)),
            HammerType::Brush => Self::brush(speed, settings.get(ParamId::Scatter), dice),
        }
    }

    fn single(hammer: HammerLaunch) -> Self {
        Self { hammers: [hammer; BRISTLES], count: 1 }
    }

    /// A brush whose bristles are scattered by `scatter`, 0 to 1; their masses make one hammer.
    fn brush(speed: f64, scatter: f64, dice: &mut Rng) -> Self {
        let mut hammers = [HammerLaunch::point(speed); BRISTLES];
        let mut all = 0.0;
        for (i, hammer) in hammers.iter_mut().enumerate() {
            let mut either = |most: f64| scatter * most * dice.bipolar();
            hammer.offset = (either(PLACE), either(PLACE));
            hammer.speed = speed * (1.0 + either(SPEED));
            hammer.share = 1.0 + either(MASS);
            let late = scatter * TIME * dice.uniform();
            hammer.delay = if i == 0 { 0.0 } else { late };
            all += hammer.share;
        }
        hammers.iter_mut().for_each(|hammer| hammer.share /= all);
        Self { hammers, count: BRISTLES }
    }

    /// The hammers.
    pub fn hammers(&self) -> &[HammerLaunch] {
        &self.hammers[..self.count]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A third of a stick's mass turns, a quarter bends in every mode; its lowest four are in the ratios of tan b = tanh b.
    #[test]
    fn a_stick_has_the_modes_of_a_pinned_beam() {
        let stick = HammerLaunch::rod(1.0, STICK, 221.0);
        let own = stick.own_modes(0.02, 48e3);
        assert_eq!((own.modes().len(), own.modes()[0]), (MOST_OWN, Mode::RIGID));
        assert!((own.weights()[0].powi(-2) - 0.02).abs() < 1e-15);
        assert!(own.weights()[1..].iter().all(|w| (w.powi(-2) - 0.06 / 4.0).abs() < 1e-15));
        for (mode, hertz) in own.modes()[1..].iter().zip([221.0, 716.0, 1494.0, 2555.0]) {
            assert!((mode.heard_frequency() - hertz).abs() < 1.0, "{}", mode.heard_frequency());
        }
        assert_eq!(stick.own_modes(0.02, 4e3).modes().len(), 4, "what the band has no room for is left out");
        assert_eq!(HammerLaunch::point(1.0).own_modes(0.02, 48e3).modes(), [Mode::RIGID]);
    }

    /// The head of a clapper hardly moves when its shaft bends.
    #[test]
    fn a_clapper_is_stiffer_at_its_head_than_a_stick() {
        let [stick, clapper] = [STICK, CLAPPER].map(|rod| HammerLaunch::rod(1.0, rod, 221.0).own_modes(2.0, 48e3));
        let yields = |own: &HammerModes| {
            let bends = own.modes().iter().zip(own.weights()).skip(1);
            bends.map(|(mode, weight)| (weight / mode.omega).powi(2)).sum::<f64>()
        };
        assert!(clapper.modes().len() > 4 && yields(&clapper) < 0.9 * yields(&stick));
        assert_eq!(clapper.weights()[0], stick.weights()[0]);
    }

    #[test]
    fn a_brush_shares_one_mass_and_begins_at_once() {
        let mut dice = Rng::default();
        for scatter in [0.0, 0.3, 1.0] {
            for _ in 0..100 {
                let brush = StrikeHammers::brush(2.0, scatter, &mut dice);
                let hammers = brush.hammers();
                assert!((hammers.iter().map(|h| h.share).sum::<f64>() - 1.0).abs() < 1e-14 && hammers[0].delay == 0.0);
                for hammer in hammers {
                    assert!(hammer.share > 0.0 && hammer.delay <= scatter * TIME);
                    assert!((hammer.speed / 2.0 - 1.0).abs() <= scatter * SPEED);
                    assert!(hammer.offset.0.abs().max(hammer.offset.1.abs()) <= scatter * PLACE);
                }
                assert_eq!(hammers.iter().all(|h| (h.speed, h.delay, h.offset) == (2.0, 0.0, (0.0, 0.0))), scatter == 0.0);
            }
        }
    }
}
