//! Weights of modes at the two pickups, with radiation and a resonator tube.
//!
//! ```text
//! weight of mode i = phi_i(pickup)/sqrt(M_i)        Surface
//!                    times x_i/sqrt(1 + x_i^2)      Monopole, its square Dipole; x_i = f_i/corner
//! far field of a round body                         Rayleigh's integral, see [`urto_physics::bodies`]
//! (-1)^i sqrt2/sqrt(M_i) times x_i/sqrt(1 + x_i^2)  Bridge: force at the end of a string over its impedance 2 f0 M, on a
//!                                                   soundboard, a source of volume
//! ```
//!
//! All of this is one weight per mode: it costs nothing while a body rings, and follows its frequencies.

use crate::body::key_body::{BodySize, KeyScaling};
use crate::body::prepared_body::{BodyScratch, PreparedBody};
use crate::params::{DrumHead, ParamId, Radiation};
use std::f64::consts::TAU;
use urto_physics::bodies::{BodyPosition, ResonatorTube};
use urto_physics::modal::Mode;
use urto_physics::radiation::compact;

/// Pickups and radiation of the body of one key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PickupModel {
    radiation: Radiation,
    /// Radiation cutoff fc [Hz].
    corner: f64,
    /// Factor of the lowest partial.
    resonator: f64,
    /// Bass mono frequency [Hz].
    mono_below: f64,
    /// Positions of the left and right pickup.
    places: [BodyPosition; 2],
    /// Heads of a drum that they read.
    heads: [DrumHead; 2],
    /// Strike position.
    strike: BodyPosition,
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

    /// Writes the weights [kg^-1/2] of `modes`, those of one key of `body` of `size`, into `pickups` of `scratch`.
    pub fn fill_weights(&self, body: &PreparedBody, size: BodySize, modes: &[Mode], scratch: &mut BodyScratch) {
        let count = modes.len();
        for side in 0..2 {
            let place = self.places[side];
            match self.radiation {
                Radiation::FarField => _ = body.far_weights(place, size, (modes, self.corner), scratch),
                Radiation::Bridge => _ = body.bridge_weights(size, count, scratch),
                _ => _ = body.pickup_weights(body.on_head(place, self.heads[side]), size, count, scratch),
            }
            scratch.pickups[side][..count].copy_from_slice(&scratch.weights[..count]);
        }
        let order = match self.radiation {
            Radiation::Monopole | Radiation::Bridge => 1,
            Radiation::Dipole => 2,
            Radiation::Surface | Radiation::FarField => 0,
        };
        let [left, right] = scratch.pickups.each_mut().map(|weights| &mut weights[..count]);
        if order > 0 {
            radiate(modes, self.corner, order, [left, right]);
        }
        if let (Some(l), Some(r)) = (left.get_mut(body.rigid()), right.get_mut(body.rigid()))
            && self.resonator != 1.0
        {
            (*l, *r) = (*l * self.resonator, *r * self.resonator);
        }
        if self.mono_below > 0.0 {
            body.hammer_weights(self.strike, size, count, scratch);
            apply_mono_bass(modes, self.mono_below, scratch);
        }
    }
}

/// Applies the radiation of a monopole (order 1) or dipole (order 2).
fn radiate(modes: &[Mode], corner: f64, order: i32, [left, right]: [&mut [f64]; 2]) {
    let scale = 1.0 / (TAU * corner);
    for ((mode, left), right) in modes.iter().zip(left).zip(right) {
        let part = compact(mode.omega * scale);
        let part = if order == 1 { part } else { part * part };
        (*left, *right) = (*left * part, *right * part);
    }
}

/// Keeps low modes from cancelling in mono, for a strike with the weights w_i in `scratch`.
///
/// The sum (l + r)/2 has at least half of the power (l^2 + r^2)/2 if the sum of w_i^2 l_i r_i is not negative. Below `corner` [Hz] the
/// weaker side of every mode takes the sign of the stronger; from there to twice that it fades to its original value, limited such that
/// no partial sum becomes negative. By Abel's summation the sum with a hammer's spectrum, which falls with frequency, is not negative
/// either.
fn apply_mono_bass(modes: &[Mode], corner: f64, scratch: &mut BodyScratch) {
    let scale = 1.0 / (TAU * corner);
    let [left, right] = &mut scratch.pickups;
    let mut agreed = 0.0;
    for (((mode, left), right), struck) in modes.iter().zip(left).zip(right).zip(&scratch.weights) {
        let power = struck * struck;
        let against = -power * *left * *right;
        if against > 0.0 {
            let apart = (mode.omega * scale - 1.0).min(agreed / against).clamp(0.0, 1.0);
            let weaker = if left.abs() < right.abs() { &mut *left } else { &mut *right };
            *weaker *= 2.0 * apart - 1.0;
        }
        agreed += power * *left * *right;
    }
}
