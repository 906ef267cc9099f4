//! Decay rates of the modes of a field, and their level in the air, from one radiation efficiency.
//!
//! ```text
//! sigma = a + b f + c f^2 + s        s = 412/(rho h) e(f)        412 kg/(m^2 s): density of air times speed of sound
//! heard = sqrt(e)                    e = 1 above the coincidence fc, (f/fc)^n below
//! fc    = (c^2/2 pi) sqrt(rho h/D)   coincidence: bending waves are as fast as sound
//! ```
//!
//! The exponent n, 1 to 2, is a design value: the efficiency below coincidence depends on edges and baffles.

use std::f64::consts::TAU;

use crate::bodies::field::modal_density::Sheet;
use crate::bodies::material::Losses;
use crate::radiation::SOUND;

/// Density of air times speed of sound [kg/(m^2 s)].
const AIR: f64 = 412.0;

/// Radiation and losses of a sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldLoss {
    /// Coincidence frequency fc [Hz].
    coincidence: f64,
    /// Decay rate [1/s] at full efficiency.
    radiated: f64,
    /// n.
    exponent: f64,
}

impl FieldLoss {
    /// Of `sheet`, with the efficiency (f/fc)^`exponent` below coincidence.
    pub fn new(sheet: &Sheet, exponent: f64) -> Self {
        Self { coincidence: SOUND * SOUND / TAU * sheet.slowness(), radiated: AIR / sheet.surface_mass(), exponent }
    }

    /// The same with the part `part` (0 to 1) of the decay rate, as next to other bodies or without a baffle.
    pub fn weakened(self, part: f64) -> Self {
        Self { radiated: part * self.radiated, ..self }
    }

    /// Coincidence frequency fc [Hz].
    pub fn coincidence(&self) -> f64 {
        self.coincidence
    }

    /// Radiation efficiency e at `frequency` [Hz], 0 to 1.
    pub fn efficiency(&self, frequency: f64) -> f64 {
        (frequency / self.coincidence).clamp(0.0, 1.0).powf(self.exponent)
    }

    /// Decay rate [1/s] by radiation at `frequency` [Hz].
    pub fn radiated(&self, frequency: f64) -> f64 {
        self.radiated * self.efficiency(frequency)
    }

    /// Factor sqrt(e) of a velocity in the air at `frequency` [Hz].
    pub fn heard(&self, frequency: f64) -> f64 {
        self.efficiency(frequency).sqrt()
    }

    /// Decay rate [1/s] by the material's `losses` and radiation at `frequency` [Hz].
    pub fn sigma(&self, losses: &Losses, frequency: f64) -> f64 {
        losses.sigma(frequency) + self.radiated(frequency)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::material::Material;

    /// Coincidence: thin cymbals 16 to 22 kHz, a tam-tam of 3 mm 5.9 kHz.
    #[test]
    fn thin_cymbals_radiate_badly() {
        let of = |thickness| FieldLoss::new(&Sheet { material: Material::BELL_BRONZE, thickness, area: 0.16 }, 2.0);
        assert!((16e3..22e3).contains(&of(0.9e-3).coincidence()), "{}", of(0.9e-3).coincidence());
        assert!((of(3e-3).coincidence() / 5.9e3 - 1.0).abs() < 0.1, "{}", of(3e-3).coincidence());
    }

    #[test]
    fn level_and_loss_come_from_one_efficiency() {
        let sheet = Sheet { material: Material::BELL_BRONZE, thickness: 3e-3, area: 0.5 };
        let (radiation, losses) = (FieldLoss::new(&sheet, 2.0), Losses { constant: 0.2, structural: 1e-4, viscous: 1e-9 });
        let full = 412.0 / (8700.0 * 3e-3);
        for f in [100.0, 1e3, 5e3, 2e4] {
            let by_radiation = radiation.sigma(&losses, f) - losses.sigma(f);
            assert!((by_radiation / full - radiation.heard(f).powi(2)).abs() < 1e-12, "{f}");
        }
        assert!(radiation.heard(20e3) == 1.0 && radiation.efficiency(0.0) == 0.0);
        let octave = radiation.efficiency(1e3) / radiation.efficiency(500.0);
        assert!((octave - 4.0).abs() < 1e-12);
    }
}
