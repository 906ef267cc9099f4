//! What rolls or scrapes: speed, radius and surface as the velocity with which the profile rises under the driven hammer.
//!
//! Knobs that move do so within some milliseconds; what they change of the surface counts for what is still ahead. Off, it costs nothing.

use std::f64::consts::TAU;

use crate::modulation::ModOffsets;
use crate::modulation::{Smoother, step_for_time};
use crate::params::{ModTarget, ParamId, ParamValues, RollingSurface};
use urto_physics::surface::{Rolling, RollingGeometry};
use urto_physics::surface::{Roughness, SurfaceProfile};

/// Time constant [s] with which speed, radius and roughness move.
const EASE: f64 = 8e-3;
/// Part of the goal's distance at which they have arrived.
const ARRIVED: f64 = 1e-6;

/// What is to be rolled over, and how.
#[derive(Clone, Copy, Debug)]
pub struct RollingParams {
    /// The surface; None: nothing rolls.
    pub relief: Option<Roughness>,
    /// Speed [m/s] >= 0.
    pub speed: f64,
    /// Radius [m] > 0.
    pub radius: f64,
    /// Root mean square of the surface's height [m].
    pub roughness: f64,
    /// Part of the speed that comes and goes with every turn, 0 to 1.
    pub unevenness: f64,
    /// Which surface.
    pub seed: u64,
}

impl RollingParams {
    /// Nothing rolls.
    pub fn none() -> Self {
        Self { relief: None, speed: 0.0, radius: 1.0, roughness: 0.0, unevenness: 0.0, seed: 0 }
    }

    /// What `settings` say and hands move by `sway`.
    pub fn of(settings: &ParamValues, sway: &ModOffsets) -> Self {
        let get = |knob| settings.get(knob);
        let (grain, longest) = (get(ParamId::RollGrain), get(ParamId::RollLength));
        let relief = match settings.rolling_surface() {
            RollingSurface::Off => None,
            RollingSurface::Rough => {
                Some(Roughness::Rough { slope: get(ParamId::RollSlope), grain, longest: longest.max(2.0 * grain) })
            }
            RollingSurface::Ribs => Some(Roughness::Ribs(grain)),
            RollingSurface::Recorded => Some(Roughness::Recorded(longest)),
        };
        Self {
            relief,
            speed: sway.modulated_value(ParamId::RollSpeed, ModTarget::RollSpeed, settings),
            radius: get(ParamId::RollRadius),
            roughness: get(ParamId::Roughness),
            unevenness: get(ParamId::RollSway),
            seed: get(ParamId::RollSeed) as u64,
        }
    }

    /// Whether anything rolls.
    pub fn moves(&self) -> bool {
        self.relief.is_some() && self.speed > 0.0
    }
}

/// Something that rolls along a surface, a sample at a time.
#[derive(Clone, Debug)]
pub struct RollingExciter {
    rolling: Rolling,
    seed: u64,
    relief: Option<Roughness>,
    speed: Smoother,
    radius: Smoother,
    roughness: Smoother,
    /// How far it has turned [rad].
    turn: f64,
    /// How high it is lifted [m].
    height: f64,
    rate: f64,
    step: f64,
}

impl RollingExciter {
    /// At rest on flat ground, at `rate` [Hz]. Which of several it is, `side`, gives it a surface of its own.
    pub fn new(side: u64, rate: f64) -> Self {
        let seed = side << 32;
        let [speed, radius, roughness] = [Smoother::at(0.0); 3];
        let (rolling, step) = (Rolling::new(seed), step_for_time(EASE, rate));
        Self { rolling, seed, relief: None, speed, radius, roughness, turn: 0.0, height: 0.0, rate, step }
    }

    /// Whether it lies on flat ground, so that nothing has to be done.
    pub fn rests(&self) -> bool {
        self.relief.is_none()
    }

    /// Velocity [m/s] with which the profile rises over the next sample; `track` is what the patch has recorded.
    pub fn next(&mut self, roll: &RollingParams, track: Option<&SurfaceProfile>) -> f64 {
        if !self.takes_up(roll) {
            return 0.0;
        }
        let Some(relief) = roll.relief.or(self.relief) else { return 0.0 };
        let rough = if roll.relief.is_some() { roll.roughness } else { 0.0 };
        let radius = if roll.relief.is_some() { roll.radius } else { self.radius.value() };
        for (ease, goal) in [(&mut self.speed, roll.speed), (&mut self.radius, radius), (&mut self.roughness, rough)] {
            ease.target = goal;
            ease.advance(self.step, ARRIVED * goal.max(1e-3 * ARRIVED));
        }
        let (radius, roughness) = (self.radius.value(), self.roughness.value());
        let way = self.speed.value() * (1.0 + roll.unevenness * self.turn.sin()) / self.rate;
        self.turn = (self.turn + way / radius) % TAU;
        let ground = RollingGeometry { texture: relief, track, roughness, radius };
        let height = self.rolling.roll(&ground, way);
        let rise = (height - std::mem::replace(&mut self.height, height)) * self.rate;
        self.relief = Some(relief).filter(|_| roll.relief.is_some() || roughness > 0.0);
        rise
    }

    /// Begins anew when it has rested. False if there is nothing to roll over.
    fn takes_up(&mut self, roll: &RollingParams) -> bool {
        if self.rests() {
            if roll.relief.is_none() {
                return false;
            }
            (self.speed, self.radius, self.roughness) = (Smoother::at(0.0), Smoother::at(roll.radius), Smoother::at(0.0));
        }
        let side = self.seed & !u64::from(u32::MAX);
        if self.seed != side | roll.seed {
            self.seed = side | roll.seed;
            self.rolling.seed(self.seed);
        }
        true
    }
}
