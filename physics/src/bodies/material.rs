//! Materials of bodies, and the losses of their modes.

use std::f64::consts::PI;
use std::ops::Add;

/// A homogeneous isotropic elastic material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Density rho [kg/m^3].
    pub density: f64,
    /// Young's modulus E [Pa]; for wood, along the grain.
    pub young: f64,
    /// Poisson's ratio nu.
    pub poisson: f64,
    /// Losses inside the material alone.
    pub losses: Losses,
    /// K [m^2/s] of the decay rate K/h^2 by heat flow in a metal plate of thickness h; 0 where other losses dominate.
    pub thermoelastic: f64,
}

impl Material {
    /// Steel: eta 0.2 to 0.3e-3 (Cremer and Heckl, "Structure-Borne Sound", as for aluminium and brass).
    pub const STEEL: Self = Self::new(7800.0, 210e9, 0.31, 2.5e-4).heated(0.70e-6);
    /// Aluminium.
    pub const ALUMINIUM: Self = Self::new(2700.0, 72e9, 0.34, 1e-4).heated(4.1e-6);
    /// Brass.
    pub const BRASS: Self = Self::new(8500.0, 95e9, 0.33, 5e-4);
    /// Bell bronze, about 20 % tin.
    pub const BELL_BRONZE: Self = Self::new(8700.0, 105e9, 0.34, 3e-4);
    /// Window and drinking glass: eta 1 to 2e-3.
    pub const GLASS: Self = Self::new(2500.0, 70e9, 0.22, 1.5e-3);
    /// Rosewood (Honduras), bars of marimba and xylophone: eta 0.0036 to 0.0054.
    pub const ROSEWOOD: Self = Self::new(1082.0, 23.9e9, 0.3, 4.5e-3);
    /// Padouk, bars of xylophone: viscous (Chaigne and Doutaut 1997, without the 6.2 per second of cords and air).
    pub const PADOUK: Self = Self::new(750.0, 12e9, 0.3, 0.0).viscous(1.8e-6);
    /// Spruce, sound boards: Q of 80 along the grain (Chaigne and Lambourg 2001).
    pub const SPRUCE: Self = Self::new(440.0, 12e9, 0.37, 1.25e-2);
    /// Maple, shells and bridges; loss factor along the grain in order of magnitude.
    pub const MAPLE: Self = Self::new(650.0, 12e9, 0.35, 1e-2);
    /// Nylon.
    pub const NYLON: Self = Self::new(1150.0, 3e9, 0.4, 3.5e-2);
    /// Polyester film of drum heads.
    pub const POLYESTER: Self = Self::new(1390.0, 4e9, 0.38, 2e-2);
    /// Calfskin; modulus in order of magnitude, Poisson's ratio assumed.
    pub const CALFSKIN: Self = Self::new(1000.0, 1e9, 0.3, 5e-2);
    /// Marble.
    pub const MARBLE: Self = Self::new(2700.0, 55e9, 0.25, 1e-3);

    /// The named materials.
    pub const NAMED: [(&str, Self); 13] = [
        ("rosewood", Self::ROSEWOOD),
        ("padouk", Self::PADOUK),
        ("maple", Self::MAPLE),
        ("spruce", Self::SPRUCE),
        ("steel", Self::STEEL),
        ("aluminium", Self::ALUMINIUM),
        ("brass", Self::BRASS),
        ("bell bronze", Self::BELL_BRONZE),
        ("glass", Self::GLASS),
        ("marble", Self::MARBLE),
        ("calfskin", Self::CALFSKIN),
        ("polyester", Self::POLYESTER),
        ("nylon", Self::NYLON),
    ];

    const fn new(density: f64, young: f64, poisson: f64, structural: f64) -> Self {
        Self { density, young, poisson, losses: Losses { constant: 0.0, structural, viscous: 0.0 }, thermoelastic: 0.0 }
    }

    const fn viscous(self, viscous: f64) -> Self {
        Self { losses: Losses { viscous, ..self.losses }, ..self }
    }

    const fn heated(self, thermoelastic: f64) -> Self {
        Self { thermoelastic, ..self }
    }

    /// Shear modulus G = E/(2 (1 + nu)) [Pa].
    pub fn shear(&self) -> f64 {
        self.young / (2.0 * (1.0 + self.poisson))
    }

    /// Speed of longitudinal waves in a thin bar, sqrt(E/rho) [m/s].
    pub fn bar_speed(&self) -> f64 {
        (self.young / self.density).sqrt()
    }

    /// Speed of longitudinal waves in a plate, sqrt(E/(rho (1 - nu^2))) [m/s].
    pub fn plate_speed(&self) -> f64 {
        (self.young / (self.density * (1.0 - self.poisson * self.poisson))).sqrt()
    }

    /// Losses of a plate of `thickness` [m]: those of the material and K/h^2.
    pub fn plate_losses(&self, thickness: f64) -> Losses {
        Losses { constant: self.losses.constant + self.thermoelastic / (thickness * thickness), ..self.losses }
    }
}

/// Losses of the modes of a body: sigma(f) = a + pi eta f + c f^2 [1/s].
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Losses {
    /// a [1/s]: the same for all modes (air, suspension).
    pub constant: f64,
    /// Loss factor eta: the same loss in every cycle.
    pub structural: f64,
    /// c [s]: grows with the square of frequency (internal friction, radiation).
    pub viscous: f64,
}

impl Add for Losses {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            constant: self.constant + other.constant,
            structural: self.structural + other.structural,
            viscous: self.viscous + other.viscous,
        }
    }
}

impl Losses {
    /// Rosewood bars of a marimba: eta 0.0045.
    pub const MARIMBA: Self = Self { constant: 0.3, structural: 4.5e-3, viscous: 0.0 };
    /// Padouk bars on cords (Chaigne and Doutaut 1997).
    pub const XYLOPHONE: Self = Self { constant: 6.2, structural: 0.0, viscous: 1.8e-6 };
    /// Aluminium bars on cords.
    pub const VIBRAPHONE: Self = Self { constant: 0.3, structural: 1e-4, viscous: 1e-7 };
    /// Steel bars on felt.
    pub const GLOCKENSPIEL: Self = Self { constant: 0.4, structural: 1.3e-4, viscous: 1e-8 };
    /// Steel tongues on a wooden bridge.
    pub const KALIMBA: Self = Self { constant: 0.9, structural: 5.4e-4, viscous: 1.1e-6 };
    /// A church bell of 300 kg.
    pub const CHURCH_BELL: Self = Self { constant: 0.05, structural: 0.0, viscous: 1.35e-6 };
    /// Piano strings, with the losses at the bridge.
    pub const PIANO_STRING: Self = Self { constant: 1.1, structural: 0.0, viscous: 2.47e-7 };

    /// Decay rate sigma [1/s] of a mode at `frequency` [Hz].
    #[inline]
    pub fn sigma(&self, frequency: f64) -> f64 {
        self.constant + frequency * (PI * self.structural + self.viscous * frequency)
    }

    /// Time [s] in which a mode at `frequency` [Hz] falls by 60 dB: ln 1000/sigma.
    pub fn t60(&self, frequency: f64) -> f64 {
        1000_f64.ln() / self.sigma(frequency)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_add_up() {
        let losses = Losses { constant: 0.3, structural: 0.0045, viscous: 1e-6 };
        assert!((losses.sigma(1000.0) - (0.3 + PI * 4.5 + 1.0)).abs() < 1e-12);
    }

    /// T60 at 65.4, 261.6 and 1046.5 Hz.
    #[test]
    fn instruments_ring_as_long_as_they_do() {
        let known = [
            (Losses::MARIMBA, [5.6, 1.7, 0.46]),
            (Losses::XYLOPHONE, [1.1, 1.1, 0.84]),
            (Losses::VIBRAPHONE, [21.0, 18.0, 9.4]),
            (Losses::GLOCKENSPIEL, [16.0, 14.0, 8.3]),
            (Losses::KALIMBA, [6.8, 4.9, 1.8]),
            (Losses::CHURCH_BELL, [124.0, 48.0, 4.5]),
            (Losses::PIANO_STRING, [6.3, 6.2, 5.0]),
        ];
        for (losses, times) in known {
            for (f, t60) in [65.4, 261.6, 1046.5].into_iter().zip(times) {
                assert!((losses.t60(f) / t60 - 1.0).abs() < 0.045, "{losses:?} at {f}: {} instead of {t60}", losses.t60(f));
            }
        }
    }

    /// Bars of a material with the losses by cords, air and tubes: T60 at 65.4, 130.8, ... 2093 Hz.
    #[test]
    fn bars_of_a_material_ring_as_long_as_they_do() {
        let held = |constant: f64, viscous: f64| Losses { constant, structural: 0.0, viscous };
        let known = [
            (Material::ROSEWOOD.losses + held(0.3, 0.0), [5.6, 3.2, 1.7, 0.9, 0.46, 0.23]),
            (Material::PADOUK.losses + held(6.2, 0.0), [1.1, 1.1, 1.1, 1.0, 0.84, 0.49]),
            (Material::ALUMINIUM.losses + held(0.3, 1e-7), [21.0, 20.0, 18.0, 14.0, 9.4, 5.0]),
        ];
        for (losses, times) in known {
            for (octave, t60) in times.into_iter().enumerate() {
                let f = 65.406 * f64::from(1 << octave);
                assert!((losses.t60(f) / t60 - 1.0).abs() < 0.045, "{losses:?} at {f}: {} instead of {t60}", losses.t60(f));
            }
        }
    }

    /// Chaigne and Lambourg 2001: an aluminium plate of 1 mm loses 4.1 per second to heat, one of 8 mm 0.06.
    #[test]
    fn heat_flows_faster_through_thin_plates() {
        let thin = Material::ALUMINIUM.plate_losses(1e-3);
        let thick = Material::ALUMINIUM.plate_losses(8e-3);
        assert!((thin.constant - 4.1).abs() < 1e-9 && (thick.constant - 0.064).abs() < 1e-3);
        assert_eq!(thin.structural, thick.structural);
    }

    #[test]
    fn materials_are_physical() {
        for (name, m) in Material::NAMED {
            assert!((1000.0..6500.0).contains(&m.bar_speed()) && m.plate_speed() > m.bar_speed(), "{name}: {}", m.bar_speed());
            assert!(m.shear() > m.young / 3.0 && m.shear() < m.young / 2.0, "{name}");
        }
    }
}
