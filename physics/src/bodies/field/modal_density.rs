//! Number of modes of a body below a frequency, by Weyl's law, and their wave number.
//!
//! ```text
//! plate, shell   N = (S/2) sqrt(rho h/D) sqrt(max(f^2 - fR^2, 0)) + e (P/4 pi) k(f)       fR: ring frequency, P: perimeter
//!                k = ((om^2 - omR^2) rho h/D)^(1/4)                e = -1 supported, -1.73 clamped, +1.71 free (nu 0.3)
//! membrane       N = pi S f^2/c^2 - P f/(2 c)                                              k = 2 pi f/c
//! cylinder       N of the plate times (f/fR)^(2/3) below fR
//! box of air     N = 4 pi V f^3/(3 c^3)                                                    k = 2 pi f/c
//! ```
//!
//! The term of a supported edge is that of membranes (Courant and Hilbert, "Methods of Mathematical Physics"); those of clamped
//! and free ones are fitted to exact discs, the free one with its three rigid modes. The exponent of the cylinder is that of the literature on shells and is not checked.

use std::f64::consts::{PI, TAU};

use crate::bodies::material::Material;
use crate::bodies::position::EdgeSupport;

/// A sheet of one material, flat or curved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sheet {
    /// Its material.
    pub material: Material,
    /// Thickness h [m], > 0.
    pub thickness: f64,
    /// Area S [m^2], > 0.
    pub area: f64,
}

impl Sheet {
    /// The sheet of `mass` [kg].
    pub fn of_mass(material: Material, thickness: f64, mass: f64) -> Self {
        Self { material, thickness, area: mass / (material.density * thickness) }
    }

    /// Mass per area rho h [kg/m^2].
    pub fn surface_mass(&self) -> f64 {
        self.material.density * self.thickness
    }

    /// Mass [kg].
    pub fn mass(&self) -> f64 {
        self.surface_mass() * self.area
    }

    /// Bending stiffness D = E h^3/(12 (1 - nu^2)) [N m].
    pub fn stiffness(&self) -> f64 {
        let speed = self.material.plate_speed();
        self.surface_mass() * speed * speed * self.thickness * self.thickness / 12.0
    }

    /// sqrt(rho h/D) [s/m^2]: square of the wave number over omega.
    pub fn slowness(&self) -> f64 {
        (self.surface_mass() / self.stiffness()).sqrt()
    }

    /// Modes per hertz, (S/2) sqrt(rho h/D) [1/Hz].
    pub fn per_hertz(&self) -> f64 {
        0.5 * self.area * self.slowness()
    }

    /// Mobility at a place far from the edge of an endless sheet, 1/(8 sqrt(D rho h)) [s/kg].
    pub fn mobility(&self) -> f64 {
        1.0 / (8.0 * (self.stiffness() * self.surface_mass()).sqrt())
    }

    /// Frequency fR [Hz] above which a sheet with the radius of curvature `radius` [m] vibrates like a flat one.
    pub fn ring_frequency(&self, radius: f64) -> f64 {
        self.material.bar_speed() / (TAU * radius)
    }
}

/// Number of modes below a frequency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ModalDensity {
    /// A plate or a shallow shell.
    Plate {
        /// The sheet.
        sheet: Sheet,
        /// Ring frequency fR [Hz], 0 if it is flat.
        ring: f64,
        /// Perimeter P [m]; 0 leaves out the term of the edge.
        perimeter: f64,
        /// Support of the edge.
        edge: EdgeSupport,
    },
    /// A membrane, fixed at its edge.
    Membrane {
        /// Speed c of waves [m/s].
        speed: f64,
        /// Area S [m^2].
        area: f64,
        /// Perimeter P [m].
        perimeter: f64,
    },
    /// A cylindrical shell.
    Cylinder {
        /// The sheet.
        sheet: Sheet,
        /// Ring frequency fR [Hz].
        ring: f64,
    },
    /// Air in a box.
    Air {
        /// Speed c of sound [m/s].
        speed: f64,
        /// Volume V [m^3].
        volume: f64,
    },
}

impl ModalDensity {
    /// A membrane of radius 1 m whose mode number `modes` (counted from 1) has the frequency `highest` [Hz]: the speed of its
    /// waves is that at which Weyl's law counts as many.
    pub fn membrane_with(modes: usize, highest: f64) -> Self {
        // N = (k^2 - 2 k)/4 for the radius 1
        let wave_number = 1.0 + (1.0 + 4.0 * modes as f64).sqrt();
        Self::Membrane { speed: TAU * highest / wave_number, area: PI, perimeter: TAU }
    }

    /// Number N of modes below `frequency` [Hz], >= 0.
    pub fn count(&self, frequency: f64) -> f64 {
        let flat = |sheet: &Sheet, ring: f64| sheet.per_hertz() * above(frequency, ring);
        let count = match self {
            Self::Plate { sheet, ring, perimeter, edge } => {
                let term = match edge {
                    EdgeSupport::Free => 1.71,
                    EdgeSupport::Supported => -1.0,
                    EdgeSupport::Clamped => -1.73,
                };
                flat(sheet, *ring) + term * perimeter / (4.0 * PI) * self.wave_number(frequency)
            }
            Self::Membrane { speed, area, perimeter } => {
                let waves = frequency / speed;
                (PI * area * waves - 0.5 * perimeter) * waves
            }
            Self::Cylinder { sheet, ring } => flat(sheet, 0.0) * (frequency / ring).min(1.0).powf(2.0 / 3.0),
            Self::Air { speed, volume } => 4.0 / 3.0 * PI * volume * (frequency / speed).powi(3),
        };
        count.max(0.0)
    }

    /// Wave number k [1/m] at `frequency` [Hz].
    pub fn wave_number(&self, frequency: f64) -> f64 {
        match self {
            Self::Plate { sheet, ring, .. } => (TAU * above(frequency, *ring) * sheet.slowness()).sqrt(),
            Self::Cylinder { sheet, .. } => (TAU * frequency * sheet.slowness()).sqrt(),
            Self::Membrane { speed, .. } | Self::Air { speed, .. } => TAU * frequency / speed,
        }
    }
}

/// sqrt(f^2 - fR^2), 0 below fR [Hz].
fn above(frequency: f64, ring: f64) -> f64 {
    ((frequency - ring) * (frequency + ring)).max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::circular::Disc;
    use crate::bodies::modal_shape::ModalShape;

    const RECTANGLE: (f64, f64) = (0.5, 0.4);

    fn steel() -> Sheet {
        Sheet { material: Material::STEEL, thickness: 2e-3, area: RECTANGLE.0 * RECTANGLE.1 }
    }

    /// Frequencies of the supported rectangle: (pi/2) sqrt(D/(rho h)) ((p/a)^2 + (q/b)^2).
    fn supported(highest: f64) -> usize {
        let (a, b) = RECTANGLE;
        let frequency = |p: f64, q: f64| 0.5 * PI / steel().slowness() * ((p / a).powi(2) + (q / b).powi(2));
        (1..100)
            .flat_map(|p| (1..100).map(move |q| (f64::from(p), f64::from(q))))
            .filter(|&(p, q)| frequency(p, q) < highest)
            .count()
    }

    /// Test 5 of the design: 26, 145 and 606 modes within 3 %.
    #[test]
    fn weyls_law_counts_the_modes_of_a_rectangle() {
        let plate = ModalDensity::Plate {
            sheet: steel(),
            ring: 0.0,
            perimeter: 2.0 * (RECTANGLE.0 + RECTANGLE.1),
            edge: EdgeSupport::Supported,
        };
        for (highest, known) in [(1e3, 26), (5e3, 145), (20e3, 606)] {
            let (exact, counted) = (supported(highest), plate.count(highest));
            assert_eq!(exact, known);
            assert!((counted / exact as f64 - 1.0).abs() < 0.03, "{highest} Hz: {counted} instead of {exact}");
        }
    }

    /// The terms of the edge, averaged over a stretch of modes of exact discs and heads.
    #[test]
    fn weyls_law_counts_the_modes_of_discs_and_heads() {
        let mean = |density: ModalDensity, shape: &ModalShape, lowest: f64| {
            let rigid = if shape.suspended() { 3.0 } else { 0.0 };
            let off = |i: usize| density.count(lowest * shape.ratio(i)) - (i as f64 + 0.5 + rigid);
            [100..350, 350..600].map(|modes| modes.map(off).sum::<f64>() / 250.0)
        };
        for rim in [EdgeSupport::Supported, EdgeSupport::Clamped, EdgeSupport::Free] {
            let disc = Disc { rim, radius: 0.2, thickness: 1e-3, material: Material { poisson: 0.3, ..Material::STEEL } };
            let sheet = Sheet { material: disc.material, thickness: disc.thickness, area: PI * 0.04 };
            assert!(
                (sheet.stiffness() / disc.stiffness() - 1.0).abs() < 1e-12 && (sheet.mass() / disc.mass() - 1.0).abs() < 1e-12
            );
            let density = ModalDensity::Plate { sheet, ring: 0.0, perimeter: TAU * disc.radius, edge: rim };
            let off = mean(density, &disc.shape(600, 0.0), disc.lowest());
            assert!(off.iter().all(|off| off.abs() < 0.36), "{rim:?}: {off:?}");
        }
        let head = ModalShape::head(600, 0.0);
        let off = mean(ModalDensity::Membrane { speed: TAU / 2.404_825_557_695_773, area: PI, perimeter: TAU }, &head, 1.0);
        assert!(off.iter().all(|off| off.abs() < 0.36), "{off:?}");
    }

    #[test]
    fn a_membrane_continues_at_its_last_mode() {
        for (modes, highest) in [(40, 1200.0), (1, 150.0), (700, 4e3)] {
            let count = ModalDensity::membrane_with(modes, highest).count(highest);
            assert!((count - modes as f64).abs() < 1e-9, "{count}");
        }
    }

    /// A crash cymbal, 18 in, 0.9 mm of bronze: 1709 modes to 20 kHz; curvature removes only those below the ring frequency.
    #[test]
    fn a_crash_cymbal_has_its_modes() {
        let crash = Sheet::of_mass(Material::BELL_BRONZE, 0.9e-3, 1.2856);
        assert!((crash.area / (PI * 0.2286 * 0.2286) - 1.0).abs() < 2e-3);
        let flat = ModalDensity::Plate { sheet: crash, ring: 0.0, perimeter: 0.0, edge: EdgeSupport::Free };
        let dome = ModalDensity::Plate { sheet: crash, ring: 350.0, perimeter: 0.0, edge: EdgeSupport::Free };
        assert!((flat.count(20e3) - 1709.0).abs() < 3.0 && (crash.mobility() / 1.7e-2 - 1.0).abs() < 0.03);
        assert!(dome.count(340.0) == 0.0 && dome.wave_number(340.0) == 0.0);
        assert!((dome.count(20e3) / flat.count(20e3) - 1.0).abs() < 2e-4);
    }

    #[test]
    fn cylinder_and_air() {
        let sheet = Sheet { material: Material::STEEL, thickness: 1e-3, area: 0.156 };
        let ring = sheet.ring_frequency(0.178);
        assert!((ring / 4640.0 - 1.0).abs() < 0.01, "{ring}");
        let shell = ModalDensity::Cylinder { sheet, ring };
        assert!((shell.count(20e3) / 994.0 - 1.0).abs() < 0.05, "{}", shell.count(20e3));
        assert!((shell.count(ring / 8.0) / (0.25 * sheet.per_hertz() * ring / 8.0) - 1.0).abs() < 1e-12);
        let room = ModalDensity::Air { speed: 343.2, volume: 0.03 };
        assert!((room.count(1e3) - 3.108).abs() < 0.01 && (room.wave_number(1e3) - 18.307).abs() < 1e-2);
    }
}
