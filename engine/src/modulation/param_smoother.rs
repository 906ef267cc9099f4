//! Smoothed parameters, and the low-pass filters that smooth them.
//!
//! A parameter passes three poles on its normalised value, advanced once a control block. Equal steps of the normalised value sound
//! equal: octaves, decibels, ratios of decay.
//!
//! A pole is y' = (target - y)/time, advanced once per frame or control block, and is set to its target when it is close.

use crate::modulation::tube_flap::TubeFlap;
use crate::params::{ParamId, ParamSpec, ParamValues};
use std::ops::{AddAssign, Mul, Sub};

/// Time constant of each pole [s].
const SMOOTHING_TIME: f64 = 6e-3;

/// The smoothed parameters.
pub const SMOOTHED_PARAMS: [ParamId; 24] = [
    ParamId::Morph,
    ParamId::BodyMass,
    ParamId::PickupLeft,
    ParamId::PickupLeftAcross,
    ParamId::PickupRight,
    ParamId::PickupRightAcross,
    ParamId::Tune,
    ParamId::Inharmonicity,
    ParamId::Decay,
    ParamId::Loss,
    ParamId::Viscosity,
    ParamId::ResonatorLoss,
    ParamId::MonopoleLoss,
    ParamId::DipoleLoss,
    ParamId::Corner,
    ParamId::Resonator,
    ParamId::MonoBelow,
    ParamId::Click,
    ParamId::Level,
    ParamId::Nonlinearity,
    ParamId::TubeCoupling,
    ParamId::TubeDetune,
    ParamId::TubeFlapRate,
    ParamId::TubeFlapDepth,
];

/// The place of every parameter in [`SMOOTHED_PARAMS`]; [`NOT_SMOOTHED`] for others.
const PLACES: [u8; ParamId::ALL.len()] = {
    let (mut places, mut i) = ([NOT_SMOOTHED; ParamId::ALL.len()], 0);
    while i < SMOOTHED_PARAMS.len() {
        places[SMOOTHED_PARAMS[i] as usize] = i as u8;
        i += 1;
    }
    places
};
const NOT_SMOOTHED: u8 = u8::MAX;

/// Choices that take effect at the beginning of a control block.
const BLOCK_CHOICES: [ParamId; 2] = [ParamId::Radiation, ParamId::Material];

/// What changed in one control block.
#[derive(Clone, Copy, Debug, Default)]
pub struct SmoothedChanges {
    /// The mass of the body: all weights of its modes.
    pub weights: bool,
    /// A pickup position or the radiation: the weights of the pickups.
    pub pickups: bool,
    /// Pitch or losses.
    pub pitch: bool,
    /// The morph amount: pitch, losses and shapes of bodies that morph.
    pub morph: bool,
    /// The nonlinearity or the material: the tension of bodies.
    pub tension: bool,
}

impl SmoothedChanges {
    /// Adds the change of a smoothed parameter.
    pub fn add(&mut self, param: ParamId) {
        match param {
            ParamId::BodyMass => self.weights = true,
            ParamId::PickupLeft
            | ParamId::PickupLeftAcross
            | ParamId::PickupRight
            | ParamId::PickupRightAcross
            | ParamId::Corner
            | ParamId::Resonator
            | ParamId::MonoBelow => self.pickups = true,
            ParamId::Morph => self.morph = true,
            ParamId::Nonlinearity => self.tension = true,
            ParamId::Level
            | ParamId::Click
            | ParamId::TubeCoupling
            | ParamId::TubeDetune
            | ParamId::TubeFlapRate
            | ParamId::TubeFlapDepth => {}
            _ => self.pitch = true,
        }
    }

    /// These and those of `other`.
    pub fn with(&self, other: &Self) -> Self {
        Self {
            weights: self.weights || other.weights,
            pickups: self.pickups || other.pickups,
            pitch: self.pitch || other.pitch,
            morph: self.morph || other.morph,
            tension: self.tension || other.tension,
        }
    }

    /// Whether anything changed.
    pub fn any(&self) -> bool {
        self.weights || self.pickups || self.pitch || self.morph || self.tension
    }
}

/// One smoothed parameter.
#[derive(Clone, Copy, Default)]
pub struct ParamSmoother {
    target: f64,
    value: f64,
    normalized_target: f64,
    normalized: ThreePoleSmoother,
    moving: bool,
}

/// All smoothed parameters.
pub struct ParamSmoothers {
    step: f64,
    smoothers: [ParamSmoother; SMOOTHED_PARAMS.len()],
    /// One of them moves.
    is_moving: bool,
    choices: [f64; BLOCK_CHOICES.len()],
    /// Duration of a control block [s].
    tick: f64,
    flap: TubeFlap,
}

impl ParamSmoothers {
    /// Settled at the values of `settings`; `tick` [s] is the duration of a control block.
    pub fn new(settings: &ParamValues, tick: f64) -> Self {
        let step = -(-tick / SMOOTHING_TIME).exp_m1();
        let mut smoothers = Self {
            step,
            smoothers: Default::default(),
            is_moving: false,
            choices: Default::default(),
            tick,
            flap: TubeFlap::OPEN,
        };
        smoothers.snap(settings);
        smoothers
    }

    /// Jumps to the values of `settings`; the flap of the tubes is open.
    pub fn snap(&mut self, settings: &ParamValues) {
        for (smoother, id) in self.smoothers.iter_mut().zip(SMOOTHED_PARAMS) {
            *smoother = ParamSmoother::at(id.spec(), settings.get(id));
        }
        self.is_moving = false;
        self.choices = BLOCK_CHOICES.map(|id| settings.get(id));
        self.flap = TubeFlap::OPEN;
    }

    /// The same but for the output level, which a room that still sounds needs smooth; for voices that are silent.
    pub fn snap_voices(&mut self, settings: &ParamValues) {
        let level = SMOOTHED_PARAMS.iter().position(|&id| id == ParamId::Level).map(|i| (i, self.smoothers[i]));
        self.snap(settings);
        if let Some((i, smoother)) = level {
            (self.smoothers[i], self.is_moving) = (smoother, smoother.moving);
        }
    }

    /// Advances by one control block towards `settings`.
    pub fn tick(&mut self, settings: &ParamValues) -> SmoothedChanges {
        let [radiation, material] = BLOCK_CHOICES.map(|id| settings.get(id));
        let mut changes = SmoothedChanges {
            weights: false,
            pickups: radiation != self.choices[0],
            pitch: material != self.choices[1],
            morph: false,
            tension: material != self.choices[1],
        };
        self.choices = [radiation, material];
        let is_changed = || self.smoothers.iter().zip(SMOOTHED_PARAMS).any(|(smoother, id)| settings.get(id) != smoother.target);
        if self.is_moving || is_changed() {
            self.advance(settings, &mut changes);
        }
        self.flap.advance(self.get(ParamId::TubeFlapRate), self.tick);
        changes
    }

    /// Advances all smoothers by one control block, and adds those that move to `changes`.
    fn advance(&mut self, settings: &ParamValues, changes: &mut SmoothedChanges) {
        self.is_moving = false;
        for (smoother, id) in self.smoothers.iter_mut().zip(SMOOTHED_PARAMS) {
            let target = settings.get(id);
            if !smoother.rests_at(target) && smoother.tick(id.spec(), target, self.step) {
                self.is_moving = true;
                changes.add(id);
            }
        }
    }

    /// The flap of the tubes.
    pub fn flap(&self) -> TubeFlap {
        self.flap
    }

    /// Share of the remaining distance that a pole covers in one control block.
    pub fn step(&self) -> f64 {
        self.step
    }

    /// Current value of a parameter; NaN for parameters that are not smoothed.
    pub fn get(&self, id: ParamId) -> f64 {
        self.smoothers.get(usize::from(PLACES[id as usize])).map_or(f64::NAN, |smoother| smoother.value)
    }
}

impl ParamSmoother {
    /// Settled at `value`, in the unit of the parameter.
    pub fn at(param: &ParamSpec, value: f64) -> Self {
        let normalized = param.to_normalized(value);
        let poles = ThreePoleSmoother::at(normalized);
        Self { target: value, value, normalized_target: normalized, normalized: poles, moving: false }
    }

    /// Current value, in the unit of the parameter.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Whether it stays at `target`, in the unit of the parameter.
    fn rests_at(&self, target: f64) -> bool {
        !self.moving && target == self.target
    }

    /// Advances by one control block towards `target`, in the unit of the parameter; returns whether it moved.
    pub fn tick(&mut self, param: &ParamSpec, target: f64, step: f64) -> bool {
        if target != self.target {
            self.target = target;
            self.normalized_target = param.to_normalized(target);
            self.moving = true;
        }
        if !self.moving {
            return false;
        }
        self.value = param.from_normalized(self.normalized.advance(self.normalized_target, step));
        if self.normalized.is_settled(self.normalized_target) {
            *self = Self::at(param, target);
        }
        true
    }
}

/// A one-pole smoother.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Smoother {
    /// The value it approaches.
    pub target: f64,
    value: f64,
}

impl Smoother {
    /// Settled at `value`.
    pub fn at(value: f64) -> Self {
        Self { target: value, value }
    }

    /// Current value.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Moves by the share `step` of the remaining distance; within `settle_distance` it is set to the target. Returns whether it moved.
    pub fn advance(&mut self, step: f64, settle_distance: f64) -> bool {
        if self.value == self.target {
            return false;
        }
        self.value += step * (self.target - self.value);
        if (self.target - self.value).abs() <= settle_distance {
            self.value = self.target;
        }
        true
    }
}

/// Three one-pole smoothers in a row, with a common target and step.
///
/// Three poles, so that a jump of the target begins and ends without a corner: the spectrum around a partial falls with the fourth power
/// of the distance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ThreePoleSmoother<F = f64>([F; 3]);

impl<F: Copy + AddAssign + Sub<Output = F> + Mul<Output = F>> ThreePoleSmoother<F> {
    /// Settled at `value`.
    pub fn at(value: F) -> Self {
        Self([value; 3])
    }

    /// Current value.
    pub fn value(&self) -> F {
        self.0[2]
    }

    /// Adds `difference` to the value without smoothing.
    pub fn shift(&mut self, difference: F) {
        self.0.iter_mut().for_each(|pole| *pole += difference);
    }

    /// Moves every pole by the share `step` of the distance to the one before it; returns the value.
    pub fn advance(&mut self, target: F, step: F) -> F {
        let mut input = target;
        for pole in &mut self.0 {
            *pole += step * (input - *pole);
            input = *pole;
        }
        input
    }
}

impl ThreePoleSmoother<f32> {
    /// Whether all poles are within `distance` of `target`.
    pub fn is_within(&self, distance: f32, target: f32) -> bool {
        self.0.iter().all(|pole| (target - pole).abs() < distance)
    }
}

impl ThreePoleSmoother {
    /// Distance from the target at which a pole has settled; it is reached from a distance of 1 after 20 time constants.
    const SETTLE_DISTANCE: f64 = 1e-6;

    /// Whether all poles are close to `target`.
    pub fn is_settled(&self, target: f64) -> bool {
        self.0.iter().all(|pole| (target - pole).abs() < Self::SETTLE_DISTANCE)
    }
}

/// Share of the remaining distance covered in one step with the time constant `time` [s] at `rate` [Hz] steps.
pub fn step_for_time(time: f64, rate: f64) -> f64 {
    -(-1.0 / (time * rate)).exp_m1()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_1_over_e_remains_after_the_time_constant_and_then_it_lands() {
        let (time, rate) = (0.01, 1000.0);
        let mut smoother = Smoother { target: 3.0, ..Smoother::at(1.0) };
        let step = step_for_time(time, rate);
        for _ in 0..10 {
            assert!(smoother.advance(step, 1e-6));
        }
        assert!((smoother.value() - (3.0 - 2.0 * (-1.0f64).exp())).abs() < 1e-12, "{}", smoother.value());
        while smoother.advance(step, 1e-6) {}
        assert_eq!(smoother, Smoother::at(3.0));
    }
}
