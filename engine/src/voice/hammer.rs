//! Hammers: a point mass, a stick or a clapper that bends, or the bristles of a brush.
//!
//! A stick and a clapper turn about their far end and strike with their tip, where the hammer mass is their effective mass while they do
//! not bend ([`Rod`]). A brush is a cluster of point masses that share the hammer mass, scattered at random in position, speed, mass and
//! time of arrival.

use std::f64::consts::TAU;

use crate::block::band_limit;
use crate::midi::Rng;
use crate::modulation::HammerParams;
use crate::params::HammerType;
use crate::voice::strum::{Strum, StrumStroke};
use urto_physics::bodies::{BodyPosition, Rod};
use urto_physics::contact::ContactLaw;
use urto_physics::modal::Mode;
use urto_physics::solver::Capacity;

/// Maximum number of hammers on one body.
pub const MAX_HAMMERS: usize = urto_physics::solver::MAX_HAMMERS;

/// Maximum number of modes of a hammer with the rigid one: those of a stick of 220 Hz reach up to 7.4 kHz.
pub const MAX_HAMMER_MODES: usize = 8;

/// Tables of step coefficients per body: a whole sample, one level of contacts, and an odd length, which all bodies share; other levels
/// are computed in place of the second.
const LEVELS: usize = 3;

/// Maximum number of modes of a body that are all computed in every substep.
const MAX_FELT: usize = 72;

/// Number of modes computed in every substep where a body has more than [`MAX_FELT`]; the others take one step a sample.
const FELT: usize = 40;

/// Which modes of a body have to be computed in every substep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeltModes {
    /// The lowest are enough where there are many.
    Few,
    /// As many as there is room for: they share a tension.
    Most,
}

/// How many of `modes` modes are computed in every substep of a contact.
pub fn felt_modes(modes: usize, which: FeltModes) -> usize {
    match which {
        FeltModes::Few if modes > MAX_FELT => FELT,
        FeltModes::Few => modes,
        FeltModes::Most => modes.min(MAX_FELT),
    }
}

/// Room that a body of up to `modes` modes and its hammers need.
pub fn capacity(modes: usize) -> Capacity {
    let felt = modes.min(MAX_FELT);
    Capacity { modes: felt, held: modes - felt, hammers: MAX_HAMMERS, hammer_modes: MAX_HAMMER_MODES, levels: LEVELS }
}

/// Number of hammers in a brush.
pub const BRISTLES: usize = 12;

/// A rod that strikes, and the damping ratio of its bending modes.
#[derive(Clone, Copy, Debug)]
struct RodMaterial {
    rod: Rod,
    damping: f64,
}

/// A drum stick: no head; damping ratio of hickory between finger and thumb, Q 30.
const STICK: RodMaterial = RodMaterial { rod: Rod { head: 0.0 }, damping: 1.0 / 60.0 };

/// A clapper: mass of its ball over that of its shaft; damping ratio of iron on a leather strap.
const CLAPPER: RodMaterial = RodMaterial { rod: Rod { head: 2.0 }, damping: 0.004 };

/// Distance from the strike position along and across, either way, at full scatter of a brush.
const POSITION_SCATTER: f64 = 0.1;
/// Relative deviation of the speed, either way, at full scatter.
const SPEED_SCATTER: f64 = 0.4;
/// Relative deviation of the mass, either way, at full scatter.
const MASS_SCATTER: f64 = 0.6;
/// Time [s] within which all bristles arrive at a body at rest, the first at once, at full scatter.
const ARRIVAL_TIME: f64 = 0.02;

/// Bending of a hammer.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bending {
    rod: Rod,
    /// Lowest frequency [Hz].
    lowest: f64,
    /// Damping ratio of all modes.
    damping: f64,
}

/// Initial conditions of one hammer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HammerLaunch {
    /// Speed towards the body, relative to that of the strike.
    pub(super) relative_speed: f64,
    /// Time [s] until it reaches a body at rest.
    pub(super) delay: f64,
    /// Share of the hammer mass.
    pub(super) share: f64,
    /// Distance from the strike position.
    pub(super) offset: BodyPosition,
    /// Spring [N/m] that returns all hammers of the strike.
    pub(super) spring: f64,
    /// Spring and damper of a driven hammer.
    mount: Mode,
    bending: Option<Bending>,
}

/// A hammer of a note.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoteHammer {
    /// Initial conditions.
    pub launch: HammerLaunch,
    /// Speed of the strike [m/s], 0 for a hammer that is not launched.
    pub strike_speed: f64,
    /// Number of the note, 0 for none.
    pub serial: u32,
}

/// State of one hammer on a body, except its motion.
#[derive(Clone, Copy, Debug)]
pub struct HammerState {
    /// Initial conditions.
    pub launch: HammerLaunch,
    /// Speed of its strike [m/s].
    pub strike_speed: f64,
    /// Number of its note, 0 for none.
    pub serial: u32,
    /// Strike position of its note.
    pub position: BodyPosition,
    /// Its mass [kg].
    pub mass: f64,
    /// Its contact law.
    pub law: ContactLaw,
    /// Frame at which it was launched.
    pub launched_at: u64,
    /// Frame at which it is removed.
    pub expires_at: u64,
    /// A return force acts on it.
    pub pressed: bool,
    /// It belongs to the drive and is never removed automatically.
    pub driven: bool,
}

impl Default for HammerState {
    fn default() -> Self {
        Self {
            launch: HammerLaunch::point(),
            strike_speed: 0.0,
            serial: 0,
            position: BodyPosition { along: 0.0, across: 0.0 },
            mass: 1.0,
            law: ContactLaw::hunt_crossley(1.0, 1.0, 0.0),
            launched_at: 0,
            expires_at: 0,
            pressed: false,
            driven: false,
        }
    }
}

/// Modes of a hammer with their weights at the contact [kg^-1/2]; the rigid part comes first.
#[derive(Clone, Copy, Debug)]
pub struct HammerModes {
    modes: [Mode; MAX_HAMMER_MODES],
    weights: [f64; MAX_HAMMER_MODES],
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
    /// A point mass.
    pub fn point() -> Self {
        let offset = BodyPosition { along: 0.0, across: 0.0 };
        Self { relative_speed: 1.0, delay: 0.0, share: 1.0, offset, spring: 0.0, mount: Mode::RIGID, bending: None }
    }

    /// A point mass on the spring and damper of `mount`.
    pub fn mounted(mount: Mode) -> Self {
        Self { mount, ..Self::point() }
    }

    /// The hammer of `params` in one piece: without the bristles of a brush.
    pub fn whole(params: &HammerParams) -> Self {
        match params.hammer_type {
            HammerType::Stick => Self::rod(STICK, params.bending),
            HammerType::Clapper => Self::rod(CLAPPER, params.bending),
            HammerType::PointMass | HammerType::Brush => Self::point(),
        }
    }

    /// The same hammer on a spring of `stiffness` [N/m].
    pub fn with_spring(&self, stiffness: f64) -> Self {
        Self { spring: stiffness, ..*self }
    }

    /// The same hammer, later by `time` [s].
    pub fn delayed(&self, time: f64) -> Self {
        Self { delay: self.delay + time, ..*self }
    }

    /// The same hammer at `factor` times its speed.
    pub fn with_speed_factor(&self, factor: f64) -> Self {
        Self { relative_speed: self.relative_speed * factor, ..*self }
    }

    /// Free motion of its rigid part of `mass` [kg].
    pub fn rigid_mode(&self, mass: f64) -> Mode {
        if self.spring > 0.0 { Mode { omega: (self.spring * self.share / mass).sqrt(), sigma: 0.0 } } else { self.mount }
    }

    /// Position of this hammer of a strike at `position`.
    pub fn position(&self, position: BodyPosition) -> BodyPosition {
        let BodyPosition { along, across } = self.offset;
        BodyPosition { along: position.along + along, across: position.across + across }
    }

    fn rod(RodMaterial { rod, damping }: RodMaterial, lowest: f64) -> Self {
        Self { bending: Some(Bending { rod, lowest, damping }), ..Self::point() }
    }

    /// Its modes up to the band limit at sample rate `rate` [Hz]; `mass` [kg] is that of its rigid part.
    pub fn modes(&self, mass: f64, rate: f64) -> HammerModes {
        let mut modes = HammerModes { modes: [Mode::RIGID; MAX_HAMMER_MODES], weights: [0.0; MAX_HAMMER_MODES], count: 0 };
        modes.push(self.rigid_mode(mass), mass);
        if let Some(Bending { rod, lowest, damping }) = self.bending {
            for n in 1..MAX_HAMMER_MODES {
                let frequency = lowest * rod.ratio(n);
                if frequency > band_limit(rate) {
                    break;
                }
                modes.push(Mode::heard_at(frequency, damping * TAU * frequency), mass * rod.tip_mass(n));
            }
        }
        modes
    }
}

/// The hammers of one strike.
#[derive(Clone, Copy, Debug)]
pub struct StrikeHammers {
    hammers: [HammerLaunch; BRISTLES],
    count: usize,
}

impl StrikeHammers {
    /// The hammers of `params`.
    pub fn new(params: &HammerParams, rng: &mut Rng) -> Self {
        match params.hammer_type {
            HammerType::Brush => Self::brush(params.scatter, rng),
            _ => Self { hammers: [HammerLaunch::whole(params); BRISTLES], count: 1 },
        }
    }

    /// The hammer of `params` without the bristles of a brush.
    pub fn whole(params: &HammerParams) -> Self {
        Self { hammers: [HammerLaunch::whole(params); BRISTLES], count: 1 }
    }

    /// The same for each stroke of `strum` around `position`, 0 to 1 along the body.
    pub fn strum(params: &HammerParams, strum: &Strum, position: f64) -> Self {
        let mut strokes = Self { count: 0, ..Self::whole(params) };
        for (StrumStroke { delay, along }, hammer) in strum.strokes(position).zip(&mut strokes.hammers) {
            (hammer.delay, hammer.offset.along) = (delay, along);
            strokes.count += 1;
        }
        strokes
    }

    /// A brush with bristles scattered by `scatter`, 0 to 1; their masses add up to one hammer.
    fn brush(scatter: f64, rng: &mut Rng) -> Self {
        let mut hammers = [HammerLaunch::point(); BRISTLES];
        let mut all = 0.0;
        for (i, hammer) in hammers.iter_mut().enumerate() {
            let mut deviation = |most: f64| scatter * most * rng.bipolar();
            hammer.offset = BodyPosition { along: deviation(POSITION_SCATTER), across: deviation(POSITION_SCATTER) };
            hammer.relative_speed = 1.0 + deviation(SPEED_SCATTER);
            hammer.share = 1.0 + deviation(MASS_SCATTER);
            let late = scatter * ARRIVAL_TIME * rng.uniform();
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

    /// A third of a stick's mass turns, a quarter bends in every mode; its lowest four modes are in the ratios of tan b = tanh b.
    #[test]
    fn stick_has_the_modes_of_a_pinned_beam() {
        let stick = HammerLaunch::rod(STICK, 221.0);
        let modes = stick.modes(0.02, 48e3);
        assert_eq!((modes.modes().len(), modes.modes()[0]), (MAX_HAMMER_MODES, Mode::RIGID));
        assert!((modes.weights()[0].powi(-2) - 0.02).abs() < 1e-15);
        assert!(modes.weights()[1..].iter().all(|w| (w.powi(-2) - 0.06 / 4.0).abs() < 1e-15));
        for (mode, hertz) in modes.modes()[1..].iter().zip([221.0, 716.0, 1494.0, 2555.0]) {
            assert!((mode.heard_frequency() - hertz).abs() < 1.0, "{}", mode.heard_frequency());
        }
        assert_eq!(stick.modes(0.02, 4e3).modes().len(), 4, "modes above the band limit are left out");
        assert_eq!(HammerLaunch::point().modes(0.02, 48e3).modes(), [Mode::RIGID]);
    }

    /// The head of a clapper hardly moves when its shaft bends.
    #[test]
    fn clapper_is_stiffer_at_its_head_than_a_stick() {
        let [stick, clapper] = [STICK, CLAPPER].map(|rod| HammerLaunch::rod(rod, 221.0).modes(2.0, 48e3));
        let compliance = |hammer: &HammerModes| {
            let bends = hammer.modes().iter().zip(hammer.weights()).skip(1);
            bends.map(|(mode, weight)| (weight / mode.omega).powi(2)).sum::<f64>()
        };
        assert!(clapper.modes().len() > 4 && compliance(&clapper) < 0.9 * compliance(&stick));
        assert_eq!(clapper.weights()[0], stick.weights()[0]);
    }

    #[test]
    fn brush_shares_one_mass_and_its_first_bristle_arrives_at_once() {
        let mut rng = Rng::default();
        for scatter in [0.0, 0.3, 1.0] {
            for _ in 0..100 {
                let brush = StrikeHammers::brush(scatter, &mut rng);
                let hammers = brush.hammers();
                assert!((hammers.iter().map(|h| h.share).sum::<f64>() - 1.0).abs() < 1e-14 && hammers[0].delay == 0.0);
                for hammer in hammers {
                    assert!(hammer.share > 0.0 && hammer.delay <= scatter * ARRIVAL_TIME);
                    assert!((hammer.relative_speed - 1.0).abs() <= scatter * SPEED_SCATTER);
                    assert!(hammer.offset.along.abs().max(hammer.offset.across.abs()) <= scatter * POSITION_SCATTER);
                }
                let centre = BodyPosition { along: 0.0, across: 0.0 };
                assert_eq!(hammers.iter().all(|h| (h.relative_speed, h.delay, h.offset) == (1.0, 0.0, centre)), scatter == 0.0);
            }
        }
    }
}
