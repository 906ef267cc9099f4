//! Pickups of a body: positions, radiation and resonator tube.

use crate::body::key_body::KeyScaling;
use crate::params::{DrumHead, ParamId, Radiation};
use urto_physics::bodies::{BodyPosition, ResonatorTube};

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
    /// Positions of the left and right pickup.
    pub(super) places: [BodyPosition; 2],
    /// Heads of a drum that they read.
    pub(super) heads: [DrumHead; 2],
    /// Strike position.
    pub(super) strike: BodyPosition,
}

impl PickupModel {
    /// The model of a body scaled by `scaling`; `value` returns the current value of a parameter.
    pub fn new(scaling: KeyScaling, value: impl Fn(ParamId) -> f64) -> Self {
        let place = |along, across| BodyPosition { along: value(along), across: value(across) };
        Self {
            radiation: Radiation::from_value(value(ParamId::Radiation)),
            corner: value(ParamId::Corner) * scaling.corner,
            resonator: 10_f64.powf(value(ParamId::Resonator) / 20.0),
            mono_below: value(ParamId::MonoBelow),
            places: [
                place(ParamId::PickupLeft, ParamId::PickupLeftAcross),
                place(ParamId::PickupRight, ParamId::PickupRightAcross),
            ],
            heads: [ParamId::PickupLeftHead, ParamId::PickupRightHead].map(|head| DrumHead::from_value(value(head))),
            strike: place(ParamId::StrikePosition, ParamId::StrikeAcross),
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
