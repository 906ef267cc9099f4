//! How a body is heard: two pickups on it, what reaches the air of their velocities, and what a tube adds.
//!
//! ```text
//! weight of mode i = phi_i(pickup)/sqrt(M_i)        Surface
//!                    times x_i/sqrt(1 + x_i^2)      Monopole, its square Dipole; x_i = f_i/corner
//! far field of a round body                         Rayleigh's integral, see [`urto_physics::bodies`]
//! (-1)^i sqrt2/sqrt(M_i) times x_i/sqrt(1 + x_i^2)  Bridge: force at the end of a string over its impedance 2 f0 M, on a
//!                                                   soundboard, a source of volume
//! ```
//!
//! All of it is a weight of a mode: it costs nothing while a body rings, and follows wherever its frequencies go.

use crate::body::prepared_body::{BodyScratch, KeyScaling, PreparedBody};
use crate::params::{ParamId, Radiation};
use std::f64::consts::TAU;
use urto_physics::bodies::BodyPosition;
use urto_physics::modal::Mode;
use urto_physics::radiation::compact;

/// How one key's body is heard.
#[derive(Clone, Copy, Debug)]
pub struct PickupModel {
    radiation: Radiation,
    /// Corner fc [Hz].
    corner: f64,
    /// Factor of the lowest partial.
    resonator: f64,
    /// Frequency [Hz] below which signs agree.
    mono_below: f64,
    /// Left and right.
    places: [BodyPosition; 2],
    /// Where the body is struck.
    strike: BodyPosition,
}

impl PickupModel {
    /// With the values that `knob` gives.
    pub fn new(build: KeyScaling, knob: impl Fn(ParamId) -> f64) -> Self {
        let place = |along, across| BodyPosition { along: knob(along), across: knob(across) };
        Self {
            radiation: Radiation::from_value(knob(ParamId::Radiation)),
            corner: knob(ParamId::Corner) * build.corner,
            resonator: 10_f64.powf(knob(ParamId::Resonator) / 20.0),
            mono_below: knob(ParamId::MonoBelow),
            places: [
                place(ParamId::PickupLeft, ParamId::PickupLeftAcross),
                place(ParamId::PickupRight, ParamId::PickupRightAcross),
            ],
            strike: place(ParamId::StrikePosition, ParamId::StrikeAcross),
        }
    }

    /// How much more work it is to tune the body, since weights change with it, than tuning alone; 0 if they do not.
    pub fn cost(&self) -> usize {
        let weights = match self.radiation {
            Radiation::Monopole | Radiation::Dipole | Radiation::Bridge => 1,
            Radiation::FarField => 2,
            Radiation::Surface => usize::from(self.mono_below > 0.0),
        };
        weights + usize::from(self.mono_below > 0.0)
    }

    /// Weights [kg^-1/2] of `modes`, those of a key of `body`, left and right into the ears of `scratch`. `size`: mass of the body [kg]
    /// and how far it has turned into its other.
    pub fn fill_weights(&self, body: &PreparedBody, size: (f64, f64), modes: &[Mode], scratch: &mut BodyScratch) {
        let count = modes.len();
        for side in 0..2 {
            let place = self.places[side];
            match self.radiation {
                Radiation::FarField => _ = body.far_weights(place, size, (modes, self.corner), scratch),
                Radiation::Bridge => _ = body.bridge_weights(size, count, scratch),
                _ => _ = body.pickup_weights(place, size, count, scratch),
            }
            scratch.ears[side][..count].copy_from_slice(&scratch.weights[..count]);
        }
        let order = match self.radiation {
            Radiation::Monopole | Radiation::Bridge => 1,
            Radiation::Dipole => 2,
            Radiation::Surface | Radiation::FarField => 0,
        };
        let [left, right] = scratch.ears.each_mut().map(|ear| &mut ear[..count]);
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

/// Weights of a compact source of order 1 or 2.
fn radiate(modes: &[Mode], corner: f64, order: i32, [left, right]: [&mut [f64]; 2]) {
    let scale = 1.0 / (TAU * corner);
    for ((mode, left), right) in modes.iter().zip(left).zip(right) {
        let part = compact(mode.omega * scale);
        let part = if order == 1 { part } else { part * part };
        (*left, *right) = (*left * part, *right * part);
    }
}

/// What is left of both sides in mono, for a blow with the weights w_i that stand in `scratch`.
///
/// The sum (l + r)/2 has at least half of the power (l^2 + r^2)/2 where the sum of w_i^2 l_i r_i is not negative. Below `corner` [Hz] the
/// weaker side of every mode takes the sign of the stronger; from there to twice that it fades over to its own, as far as the modes
/// below have agreed by more than it takes away. So the sum over the modes up to any one is never negative, and by Abel neither is
/// the one that counts, in which a hammer gives less to higher modes.
fn apply_mono_bass(modes: &[Mode], corner: f64, scratch: &mut BodyScratch) {
    let scale = 1.0 / (TAU * corner);
    let [left, right] = &mut scratch.ears;
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
