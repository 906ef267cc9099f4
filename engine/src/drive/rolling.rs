//! Rolling and scraping: the velocity with which a surface profile rises under the driven hammer.
//!
//! Changed parameters are smoothed over some milliseconds; changes of the surface affect its profile ahead. Off, it costs nothing.

use std::f64::consts::TAU;

use crate::modulation::{ControllerOffsets, Smoother, step_for_time};
use crate::params::{ModTarget, ParamId, ParamValues, RollingSurface};
use urto_physics::surface::{Rolling, RollingGeometry, Roughness, SurfaceProfile};

/// Time constant [s] of speed, radius and roughness.
const SMOOTHING_TIME: f64 = 8e-3;
/// Distance, as a part of the target, at which they are set to it.
const SETTLE_DISTANCE: f64 = 1e-6;

/// Surface and motion of rolling.
#[derive(Clone, Copy, Debug)]
pub struct RollingParams {
    /// The surface; None when rolling is off.
    surface: Option<Roughness>,
    /// Speed [m/s] >= 0.
    speed: f64,
    /// Radius [m] > 0.
    radius: f64,
    /// Root mean square height of the surface [m].
    roughness: f64,
    /// Part of the speed that varies with every turn, 0 to 1.
    wobble: f64,
    /// Seed of the surface.
    seed: u64,
}

impl RollingParams {
    /// Rolling is off.
    pub fn none() -> Self {
        Self { surface: None, speed: 0.0, radius: 1.0, roughness: 0.0, wobble: 0.0, seed: 0 }
    }

    /// Parameters of `settings`, modulated by `offsets`.
    pub fn of(settings: &ParamValues, offsets: &ControllerOffsets) -> Self {
        let get = |param| settings.get(param);
        let (grain, longest) = (get(ParamId::RollGrain), get(ParamId::RollLength));
        let surface = match settings.rolling_surface() {
            RollingSurface::Off => None,
            RollingSurface::Rough => {
                Some(Roughness::Rough { slope: get(ParamId::RollSlope), grain, longest: longest.max(2.0 * grain) })
            }
            RollingSurface::Ribs => Some(Roughness::Ribs(grain)),
            RollingSurface::Recorded => Some(Roughness::Recorded(longest)),
        };
        Self {
            surface,
            speed: offsets.modulated_value(ParamId::RollSpeed, ModTarget::RollSpeed, settings),
            radius: get(ParamId::RollRadius),
            roughness: get(ParamId::Roughness),
            wobble: get(ParamId::RollSway),
            seed: get(ParamId::RollSeed) as u64,
        }
    }

    /// Whether rolling is off.
    pub fn is_off(&self) -> bool {
        self.surface.is_none()
    }

    /// Whether something rolls at a speed above 0.
    pub fn is_moving(&self) -> bool {
        self.surface.is_some() && self.speed > 0.0
    }
}

/// Rolls along a surface, a sample at a time.
#[derive(Clone, Debug)]
pub struct RollingExciter {
    rolling: Rolling,
    seed: u64,
    surface: Option<Roughness>,
    speed: Smoother,
    radius: Smoother,
    roughness: Smoother,
    /// Angle turned [rad].
    turn: f64,
    /// Height of the profile [m].
    height: f64,
    rate: f64,
    step: f64,
}

impl RollingExciter {
    /// At rest on a flat surface, at `rate` [Hz]. `side` gives each of several exciters its own surface.
    pub fn new(side: u64, rate: f64) -> Self {
        let seed = side << 32;
        let [speed, radius, roughness] = [Smoother::at(0.0); 3];
        let (rolling, step) = (Rolling::new(seed), step_for_time(SMOOTHING_TIME, rate));
        Self { rolling, seed, surface: None, speed, radius, roughness, turn: 0.0, height: 0.0, rate, step }
    }

    /// Whether the surface is flat, so that there is nothing to compute.
    pub fn is_at_rest(&self) -> bool {
        self.surface.is_none()
    }

    /// Velocity [m/s] with which the profile rises over the next sample; `track` is the recorded profile of the patch.
    pub fn next(&mut self, params: &RollingParams, track: Option<&SurfaceProfile>) -> f64 {
        if !self.start(params) {
            return 0.0;
        }
        let Some(surface) = params.surface.or(self.surface) else { return 0.0 };
        let rough = if params.surface.is_some() { params.roughness } else { 0.0 };
        let radius = if params.surface.is_some() { params.radius } else { self.radius.value() };
        let smoothers = [(&mut self.speed, params.speed), (&mut self.radius, radius), (&mut self.roughness, rough)];
        for (smoother, target) in smoothers {
            smoother.target = target;
            smoother.advance(self.step, SETTLE_DISTANCE * target.max(1e-3 * SETTLE_DISTANCE));
        }
        let (radius, roughness) = (self.radius.value(), self.roughness.value());
        let distance = self.speed.value() * (1.0 + params.wobble * self.turn.sin()) / self.rate;
        self.turn = (self.turn + distance / radius) % TAU;
        let geometry = RollingGeometry { texture: surface, track, roughness, radius };
        let height = self.rolling.roll(&geometry, distance);
        let rise = (height - std::mem::replace(&mut self.height, height)) * self.rate;
        self.surface = Some(surface).filter(|_| params.surface.is_some() || roughness > 0.0);
        rise
    }

    /// Restarts after a rest. Returns false if there is nothing to roll over.
    fn start(&mut self, params: &RollingParams) -> bool {
        if self.is_at_rest() {
            if params.is_off() {
                return false;
            }
            (self.speed, self.radius, self.roughness) = (Smoother::at(0.0), Smoother::at(params.radius), Smoother::at(0.0));
        }
        let side = self.seed & !u64::from(u32::MAX);
        if self.seed != side | params.seed {
            self.seed = side | params.seed;
            self.rolling.seed(self.seed);
        }
        true
    }
}
