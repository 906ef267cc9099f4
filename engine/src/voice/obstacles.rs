//! Obstacles that rattle against a body: snare wires, a buzz bridge, a bolt on a string, rivets. Up to four side by side.
//!
//! They stay on a body while its voice is active. They are not hammers: no note launches them, no controller moves them, and they are not recorded.
//! A body that cannot reach them any more rings as if they were absent. All bodies share 64; later voices get fewer.

use crate::body::PreparedBody;
use crate::modulation::ControllerOffsets;
use crate::params::{DrumHead, ModTarget, ObstacleType, ParamId, ParamValues};
use std::f64::consts::TAU;
use urto_physics::bodies::BodyPosition;
use urto_physics::contact::ContactLaw;
use urto_physics::modal::Mode;

/// Maximum number of obstacles of one body.
const MAX_OBSTACLES: usize = 4;

/// Distance between neighbours along the body.
const SPACING: f64 = 0.06;

/// Parameters of the obstacles of one body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObstacleParams {
    kind: ObstacleType,
    count: usize,
    position: BodyPosition,
    head: DrumHead,
    mass: f64,
    /// Gap [m] to the body at rest.
    pub(super) gap: f64,
    /// Preload [N].
    pub(super) press: f64,
    /// Free motion of a loose obstacle.
    pub(super) mode: Mode,
    pub(super) law: ContactLaw,
}

impl ObstacleParams {
    /// Parameters of `settings`, modulated by `offsets`, with the contact law `law`.
    pub fn new(settings: &ParamValues, offsets: &ControllerOffsets, law: ContactLaw) -> Self {
        let get = |param| settings.get(param);
        let kind = settings.obstacle_type();
        let mass = get(ParamId::RattleMass);
        let omega = TAU * get(ParamId::RattleFrequency);
        let count = (get(ParamId::RattleCount) as usize).clamp(1, MAX_OBSTACLES);
        Self {
            kind,
            count: if kind == ObstacleType::Off { 0 } else { count },
            position: settings.rattle_position(),
            head: settings.rattle_head(),
            mass,
            gap: offsets.modulated_value(ParamId::RattleGap, ModTarget::RattleGap, settings),
            press: get(ParamId::RattlePress),
            mode: Mode { omega, sigma: omega * get(ParamId::RattleDamping) },
            law,
        }
    }

    /// Whether there are none.
    pub fn is_off(&self) -> bool {
        self.kind == ObstacleType::Off
    }

    /// Number of obstacles.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Whether its obstacles are where those of `other` are.
    pub(super) fn has_position_of(&self, other: &Self) -> bool {
        (self.position, self.head) == (other.position, other.head)
    }

    /// Position of obstacle `n` on `body`.
    pub(super) fn position(&self, n: usize, body: &PreparedBody) -> BodyPosition {
        let offset = n as f64 - 0.5 * (self.count as f64 - 1.0);
        let place = BodyPosition { along: (self.position.along + SPACING * offset).clamp(0.0, 1.0), ..self.position };
        body.on_head(place, self.head)
    }

    /// Mass [kg] of a loose obstacle; None if it is rigid.
    pub(super) fn mass(&self) -> Option<f64> {
        (self.kind == ObstacleType::Loose).then_some(self.mass)
    }

    /// Whether the obstacles with the parameters `last` can stay, so that only their values change.
    pub fn keeps_obstacles_of(&self, last: &Self) -> bool {
        (self.kind, self.count) == (last.kind, last.count)
    }
}

/// The obstacles of one voice.
#[derive(Clone, Copy, Debug, Default)]
pub struct Obstacles {
    numbers: [usize; MAX_OBSTACLES],
    count: usize,
    params: Option<ObstacleParams>,
    dormant: bool,
}

impl Obstacles {
    /// Their indices among the hammers.
    pub fn iter(&self) -> impl Iterator<Item = usize> + use<> {
        let Self { numbers, count, .. } = *self;
        numbers.into_iter().take(count)
    }

    /// Whether hammer number `i` is one of them.
    pub fn contain(&self, i: usize) -> bool {
        self.numbers[..self.count].contains(&i)
    }

    /// Number of obstacles.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Number of obstacles to step; none while the body cannot reach them.
    pub fn active_count(&self) -> usize {
        if self.dormant { 0 } else { self.count }
    }

    /// Adds hammer number `i`.
    pub fn add(&mut self, i: usize) {
        self.numbers[self.count] = i;
        self.count += 1;
    }

    /// Their parameters, while there are any.
    pub fn params(&self) -> Option<&ObstacleParams> {
        self.params.as_ref()
    }

    /// Records their parameters.
    pub fn set_params(&mut self, params: Option<ObstacleParams>) {
        self.params = params;
    }

    /// Whether the body cannot reach them.
    pub fn set_dormant(&mut self, dormant: bool) {
        self.dormant = dormant;
    }

    /// Steps them again. Returns whether they were dormant.
    pub fn wake(&mut self) -> bool {
        std::mem::take(&mut self.dormant)
    }
}
