//! Knobs that move smoothly: three one-pole low-passes in a row on the grid of 16 frames, in the knob's own travel, landing exactly.
//!
//! Three poles, so that a jump of the knob begins and ends without a corner: the spectrum beside the partials falls with the
//! fourth power of the distance. The travel makes equal steps of what the ear hears: octaves, decibels, ratios of decay.

use crate::params::{ParamId, ParamSpec, ParamValues};

/// Time constant of each pole [s].
const TIME: f64 = 6e-3;

/// Low-passes in a row.
const POLES: usize = 3;

/// Distance over the whole travel at which a knob has arrived; from 1 to there takes 20 time constants.
const ARRIVED: f64 = 1e-6;

/// The knobs that glide.
pub const SMOOTHED_PARAMS: [ParamId; 19] = [
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
];

/// Choices that take effect on the grid.
const CHOSEN: [ParamId; 2] = [ParamId::Radiation, ParamId::Material];

/// What moved in a tick.
#[derive(Clone, Copy, Debug, Default)]
pub struct SmoothedChanges {
    /// Mass of the body, a pickup's place, or how the body is heard.
    pub places: bool,
    /// Pitch or losses.
    pub pitch: bool,
    /// How far bodies turn into others: their pitch, losses and shapes, of those that do.
    pub morph: bool,
}

/// A frequency that glides, in octaves, and lands exactly.
#[derive(Clone, Copy, Debug, Default)]
pub struct PitchGlide {
    target: f64,
    value: f64,
    octaves: [f64; POLES],
    moving: bool,
}

impl PitchGlide {
    /// Stands at `hertz` [Hz].
    pub fn at(hertz: f64) -> Self {
        Self { target: hertz, value: hertz, octaves: [0.0; POLES], moving: false }
    }

    /// Heads for `hertz` [Hz] from wherever it is.
    pub fn set_target(&mut self, hertz: f64) {
        if hertz != self.target {
            let shift = (self.target / hertz).log2();
            self.octaves.iter_mut().for_each(|octaves| *octaves += shift);
            (self.target, self.moving) = (hertz, true);
        }
    }

    /// Moves on by one tick of [`ParamSmoothers`]; whether it moved.
    pub fn tick(&mut self, step: f64) -> bool {
        if !self.moving {
            return false;
        }
        let mut ahead = 0.0;
        for octaves in &mut self.octaves {
            *octaves += step * (ahead - *octaves);
            ahead = *octaves;
        }
        self.value = self.target * ahead.exp2();
        if self.octaves.iter().all(|octaves| octaves.abs() < ARRIVED) {
            *self = Self::at(self.target);
        }
        true
    }

    /// Where it is [Hz].
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Where it goes [Hz].
    pub fn target(&self) -> f64 {
        self.target
    }
}

/// One knob on its way.
#[derive(Clone, Copy, Default)]
pub struct ParamSmoother {
    target: f64,
    value: f64,
    goal: f64,
    poles: [f64; POLES],
    moving: bool,
}

/// All knobs that glide.
pub struct ParamSmoothers {
    step: f64,
    glides: [ParamSmoother; SMOOTHED_PARAMS.len()],
    choices: [f64; CHOSEN.len()],
}

impl ParamSmoothers {
    /// All at the values of `settings`; `tick` [s] is the time between two ticks.
    pub fn new(settings: &ParamValues, tick: f64) -> Self {
        let mut glides = Self { step: -(-tick / TIME).exp_m1(), glides: Default::default(), choices: Default::default() };
        glides.jump(settings);
        glides
    }

    /// All at the values of `settings`, now.
    pub fn jump(&mut self, settings: &ParamValues) {
        for (glide, knob) in self.glides.iter_mut().zip(SMOOTHED_PARAMS) {
            *glide = ParamSmoother::at(knob.knob(), settings.get(knob));
        }
        self.choices = CHOSEN.map(|knob| settings.get(knob));
    }

    /// Moves on by one tick towards `settings`.
    pub fn tick(&mut self, settings: &ParamValues) -> SmoothedChanges {
        let [radiation, material] = CHOSEN.map(|knob| settings.get(knob));
        let mut moved =
            SmoothedChanges { places: radiation != self.choices[0], pitch: material != self.choices[1], morph: false };
        self.choices = [radiation, material];
        for (glide, knob) in self.glides.iter_mut().zip(SMOOTHED_PARAMS) {
            if glide.tick(knob.knob(), settings.get(knob), self.step) {
                match knob {
                    ParamId::BodyMass
                    | ParamId::PickupLeft
                    | ParamId::PickupLeftAcross
                    | ParamId::PickupRight
                    | ParamId::PickupRightAcross
                    | ParamId::Corner
                    | ParamId::Resonator
                    | ParamId::MonoBelow => moved.places = true,
                    ParamId::Morph => moved.morph = true,
                    ParamId::Level | ParamId::Click => {}
                    _ => moved.pitch = true,
                }
            }
        }
        moved
    }

    /// Share of its way that a pole goes in one tick.
    pub fn step(&self) -> f64 {
        self.step
    }

    /// Where the knob is now. Knobs that do not glide: NaN.
    pub fn get(&self, knob: ParamId) -> f64 {
        SMOOTHED_PARAMS.iter().position(|&k| k == knob).map_or(f64::NAN, |i| self.glides[i].value)
    }
}

impl ParamSmoother {
    /// Stands at `value`, in the knob's unit.
    pub fn at(knob: &ParamSpec, value: f64) -> Self {
        let travel = knob.to_normalized(value);
        Self { target: value, value, goal: travel, poles: [travel; POLES], moving: false }
    }

    /// Where it is, in the knob's unit.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Moves on by one tick towards `target`, in the knob's unit; whether it moved.
    pub fn tick(&mut self, knob: &ParamSpec, target: f64, step: f64) -> bool {
        if target != self.target {
            self.target = target;
            self.goal = knob.to_normalized(target);
            self.moving = true;
        }
        if !self.moving {
            return false;
        }
        let mut ahead = self.goal;
        for pole in &mut self.poles {
            *pole += step * (ahead - *pole);
            ahead = *pole;
        }
        self.value = knob.from_normalized(ahead);
        if self.poles.iter().all(|pole| (self.goal - pole).abs() < ARRIVED) {
            *self = Self::at(knob, target);
        }
        true
    }
}
