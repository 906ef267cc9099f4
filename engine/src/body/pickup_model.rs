//! Pickups of a body: positions, radiation and resonator tube.

use crate::body::key_body::KeyScaling;
use crate::params::{DrumHead, ParamId, Radiation};
use urto_physics::bodies::{BodyPosition, ResonatorTube};

/// Position of a pickup, and the head of a drum that it reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PickupPlace {
    /// Position on the body.
    pub place: BodyPosition,
    /// Head; only drums with two heads, and courses of strings, have two.
    pub head: DrumHead,
}

impl PickupPlace {
    /// Those of the left and the right pickup; `value` returns the value of a parameter.
    pub fn both(value: impl Fn(ParamId) -> f64) -> [Self; 2] {
        let at = |along, across, head| Self {
            place: BodyPosition { along: value(along), across: value(across) },
            head: DrumHead::from_value(value(head)),
        };
        [
            at(ParamId::PickupLeft, ParamId::PickupLeftAcross, ParamId::PickupLeftHead),
            at(ParamId::PickupRight, ParamId::PickupRightAcross, ParamId::PickupRightHead),
        ]
    }
}

/// Pickups and radiation of the body of one key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PickupModel {
    pub(super) radiation: Radiation,
    /// Radiation cutoff fc [Hz].
    pub(super) corner: f64,
    /// Factor of the lowest partial.
    pub(super) resonator: f64,
    /// Bass mono frequency [Hz].
    pub(super) mono_below: f64,
    /// The left and the right pickup.
    pub(super) pickups: [PickupPlace; 2],
    /// Strike position.
    pub(super) strike: BodyPosition,
}

impl PickupModel {
    /// The model of a body scaled by `scaling`; `value` returns the current value of a parameter.
    pub fn new(scaling: KeyScaling, value: impl Fn(ParamId) -> f64) -> Self {
        Self {
            radiation: Radiation::from_value(value(ParamId::Radiation)),
            corner: value(ParamId::Corner) * scaling.corner,
            resonator: 10_f64.powf(value(ParamId::Resonator) / 20.0),
            mono_below: value(ParamId::MonoBelow),
            strike: BodyPosition { along: value(ParamId::StrikePosition), across: value(ParamId::StrikeAcross) },
            pickups: PickupPlace::both(value),
        }
    }

    /// Relative cost of updating the weights when the body is retuned; 0 if they do not depend on frequency.
    pub fn cost(&self) -> usize {
        let weights = match self.radiation {
            Radiation::Monopole | Radiation::Dipole | Radiation::Bridge => 1,
            Radiation::FarField => 2,
            Radiation::Surface => usize::from(self.mono_below > 0.0),
        };
        weights + usize::from(self.mono_below > 0.0)
    }

    /// Weight [kg^-1/2] of a mode of `tube` at `omega` [rad/s] for both pickups: the velocity of the air in its mouth for pickups on the surface, otherwise that
    /// air as a source of volume.
    pub fn tube_weight(&self, tube: &ResonatorTube, omega: f64) -> f64 {
        let heard = if self.radiation == Radiation::Surface { 1.0 } else { tube.radiated(omega, self.corner) };
        heard / tube.modal_mass().sqrt()
    }
}
