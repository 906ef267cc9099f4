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

use crate::body::body_scratch::BodyScratch;
use crate::body::key_body::BodySize;
use crate::body::pickup_model::{PickupModel, PickupPlace};
use crate::body::prepared_body::PreparedBody;
use crate::params::Radiation;
use std::f64::consts::TAU;
use urto_physics::modal::Mode;
use urto_physics::radiation::compact;

impl PickupModel {
    /// Writes the weights [kg^-1/2] of `modes`, those of one key of `body` of `size`, into `pickups` of `scratch`.
    pub fn fill_weights(&self, body: &PreparedBody, size: BodySize, modes: &[Mode], scratch: &mut BodyScratch) {
        let count = modes.len();
        for side in 0..2 {
            let PickupPlace { place, head } = self.pickups[side];
            match self.radiation {
                Radiation::FarField => _ = body.far_weights(place, size, (modes, self.corner), scratch),
                Radiation::Bridge => _ = body.bridge_weights(size, count, scratch),
                _ => _ = body.pickup_weights(body.on_head(place, head), size, count, scratch),
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
        let product = struck * struck * *left * *right;
        // without branches, which signs at random would mislead, and without a division from one mode to the next
        let against = (-product).max(0.0);
        let kept = ((mode.omega * scale - 1.0).clamp(0.0, 1.0) * against).min(agreed).max(0.0);
        let factor = if against > 0.0 { 2.0 * (kept / against) - 1.0 } else { 1.0 };
        let is_weaker = left.abs() < right.abs();
        *left *= if is_weaker { factor } else { 1.0 };
        *right *= if is_weaker { 1.0 } else { factor };
        agreed += product.abs() - 2.0 * kept;
    }
}
