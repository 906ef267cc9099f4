//! The tuned tube under a bar: its modes with their losses, and how its air is joined with the bar.
//!
//! ```text
//! f_n = (2n + 1) f_0            odd quarter-wave modes of a tube closed at its lower end, f_0 = c/(4 (L + 0.61 a))
//! M   = rho S L_e/2             modal mass for the velocity of the air in the mouth, L_e = c/(4 f_0), S = pi a^2
//! s_w = c 1.2e-5 sqrt(om)/a     losses by viscosity and heat at the wall
//! s_r = c (om a/c)^2/(4 L_e)    radiation of the open mouth, resistance rho c S (om a/c)^2/4
//! u   = m om_0 w/sqrt(M)        rate [1/s] at which bar and tube exchange amplitude; m: air that both move, w: weight of the bar's mode
//! ```
//!
//! Wall losses and end correction: Fletcher and Rossing, "The Physics of Musical Instruments" (1998), equation 8.13 and section 8.3. Radiation of an
//! open end without a flange: Levine and Schwinger (1948), for om a/c well below 1. The air that bar and tube move together is a mass m, which near
//! om_0 acts as the spring k = m om_0^2 with the sign of the tube turned.

use crate::bodies::circular::Air;
use crate::modal::Mode;
use crate::radiation::SOUND;
use std::f64::consts::{PI, TAU};

/// Attenuation at a wall over the root of omega and the radius, [s^1/2].
const WALL: f64 = 1.2e-5;

/// End correction of an open end without a flange, over the radius.
const OPEN_END: f64 = 0.61;

/// A tube closed at its lower end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResonatorTube {
    /// Frequency of its lowest mode [Hz], > 0.
    pub frequency: f64,
    /// Inner radius [m], > 0.
    pub radius: f64,
}

impl ResonatorTube {
    /// Length with the end correction [m].
    pub fn effective_length(&self) -> f64 {
        SOUND / (4.0 * self.frequency)
    }

    /// Length of the tube itself [m]; 0 where the end correction alone is longer than a quarter of a wave.
    pub fn length(&self) -> f64 {
        (self.effective_length() - OPEN_END * self.radius).max(0.0)
    }

    /// Cross-section [m^2].
    pub fn area(&self) -> f64 {
        PI * self.radius * self.radius
    }

    /// Modal mass [kg] of every mode for the velocity of the air in the mouth.
    pub fn modal_mass(&self) -> f64 {
        0.5 * Air::ROOM.density * self.area() * self.effective_length()
    }

    /// Mode number n: 0 is the lowest.
    pub fn mode(&self, n: usize) -> Mode {
        let omega = TAU * self.frequency * (2 * n + 1) as f64;
        let wall = SOUND * WALL * omega.sqrt() / self.radius;
        let mouth = SOUND * (omega * self.radius / SOUND).powi(2) / (4.0 * self.effective_length());
        Mode { omega, sigma: wall + mouth }
    }

    /// Rate [1/s] at which its modes exchange amplitude with a mode of a bar of this weight [kg^-1/2] over the mouth, near `omega` [rad/s], where both
    /// move the mass `air` [kg].
    pub fn exchange_rate(&self, air: f64, omega: f64, weight: f64) -> f64 {
        air * omega * weight / self.modal_mass().sqrt()
    }

    /// Velocity p/(rho c) of [`crate::radiation`] over that of the air in the mouth, at `omega` [rad/s], for a body with this radiation cutoff [Hz]: both are
    /// heard at the same distance.
    pub fn radiated(&self, omega: f64, cutoff: f64) -> f64 {
        let size = SOUND / (TAU * cutoff);
        self.area() * omega / (4.0 * PI * size * SOUND)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tube of middle C: its length, its Q between that of the wall alone and of the mouth alone, and odd modes.
    #[test]
    fn a_tube_of_middle_c_is_a_foot_long() {
        let tube = ResonatorTube { frequency: 261.6, radius: 0.02 };
        assert!((tube.length() - 0.3158).abs() < 1e-4, "{}", tube.length());
        let [first, third] = [0, 1].map(|n| tube.mode(n));
        assert!((third.omega / first.omega - 3.0).abs() < 1e-12);
        let quality = first.omega / (2.0 * first.sigma);
        assert!((75.0..78.0).contains(&quality), "Q {quality}");
        assert!((tube.modal_mass() - 2.481e-4).abs() < 1e-7, "{}", tube.modal_mass());
    }

    /// The decay by radiation is the power of a small source of the same flow over twice the energy.
    #[test]
    fn the_mouth_loses_what_it_radiates() {
        let tube = ResonatorTube { frequency: 220.0, radius: 0.025 };
        let mode = tube.mode(0);
        let wall = SOUND * WALL * mode.omega.sqrt() / tube.radius;
        // p = rho omega S v/(4 pi r) through a sphere of radius r, for a velocity of the amplitude 1
        let power = Air::ROOM.density * (mode.omega * tube.area()).powi(2) / (8.0 * PI * SOUND);
        let energy = 0.5 * tube.modal_mass();
        assert!(((mode.sigma - wall) / (power / (2.0 * energy)) - 1.0).abs() < 1e-12);
    }
}
