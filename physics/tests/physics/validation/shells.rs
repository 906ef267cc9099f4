//! Singing bowls and a glass.

use super::comparison::{Comparison, Measured, Quantity, about};
use super::sources;
use std::f64::consts::TAU;
use urto_physics::bodies::{Bowl, Glass, Material};

/// A bowl of the table: diameter [m], mass [kg], its lowest and third frequency [Hz].
struct Tabled {
    object: &'static str,
    diameter: f64,
    mass: f64,
    frequencies: [f64; 2],
}

const BOWLS: [Tabled; 3] = [
    Tabled { object: "singing bowl, 180 mm, 934 g", diameter: 0.18, mass: 0.934, frequencies: [221.0, 1145.0] },
    Tabled { object: "singing bowl, 152 mm, 563 g", diameter: 0.152, mass: 0.563, frequencies: [314.0, 1519.0] },
    Tabled { object: "singing bowl, 140 mm, 557 g", diameter: 0.14, mass: 0.557, frequencies: [528.0, 2704.0] },
];

impl Tabled {
    /// Half a sphere of bronze with this diameter and mass.
    fn bowl(&self) -> Bowl {
        let (radius, material) = (0.5 * self.diameter, Material::BELL_BRONZE);
        Bowl { radius, thickness: self.mass / (TAU * radius * radius * material.density), material }
    }
}

pub fn comparisons() -> Vec<Comparison> {
    let frequency = |object, name, measured: Measured, urto, source| Comparison {
        object,
        name,
        quantity: Quantity::Frequency,
        measured,
        urto,
        source,
    };
    let of_bowl = |tabled: &Tabled| {
        let [lowest, third] = tabled.frequencies;
        let bowl = tabled.bowl();
        [
            frequency(tabled.object, "lowest mode, Hz", about(lowest, 0.08 * lowest), bowl.frequency(2), &sources::BOWER),
            frequency(
                tabled.object,
                "third over first mode",
                about(third / lowest, 0.03 * third / lowest),
                bowl.frequency(4) / bowl.frequency(2),
                &sources::BOWER,
            ),
        ]
    };
    // as high as wide; the thickness has no effect
    let glass = Glass { radius: 0.035, height: 0.07, thickness: 1e-3, material: Material::GLASS };
    let ratio = |diameters| glass.frequency(diameters) / glass.frequency(2);
    let mut all: Vec<Comparison> = BOWLS.iter().flat_map(of_bowl).collect();
    all.push(frequency("wine glass", "second over first mode", about(2.32, 0.12), ratio(3), &sources::BOWER));
    all.push(frequency("wine glass", "third over first mode", about(4.25, 0.2), ratio(4), &sources::BOWER));
    all
}
