//! Bars and tubes with free ends, and tines.

use super::comparison::{Comparison, Measured, Quantity, about};
use super::sources::{self, Source};
use urto_physics::bodies::{Material, ModalShape, Section, TunedBar};

/// A frequency or a ratio of frequencies.
fn frequency(object: &'static str, name: &'static str, measured: Measured, urto: f64, source: &'static Source) -> Comparison {
    Comparison { object, name, quantity: Quantity::Frequency, measured, urto, source }
}

/// Frequency of the lowest twist of a tuned bar over that of its lowest bending.
fn lowest_twist(bar: &TunedBar) -> f64 {
    let shape = ModalShape::tuned_bar(bar, 20);
    let twists = (0..shape.len()).filter(|&i| shape.family(i).is_some_and(|(_, across)| across == 1));
    twists.map(|i| shape.ratio(i)).fold(f64::INFINITY, f64::min)
}

pub fn comparisons() -> Vec<Comparison> {
    let thin = Section::tube(6e-3, 1e-3, Material::ALUMINIUM);
    let rosewood = Section::rectangle(38.1e-3, 22.35e-3, Material::ROSEWOOD);
    let steel = Section::rectangle(30e-3, 8.5e-3, Material::STEEL);
    let glockenspiel = ModalShape::stiff_bar(&steel, 0.206, 4);
    let uniform = ModalShape::bar(5);
    let wide = Section::tube(82.55e-3, 2.54e-3, Material::ALUMINIUM);
    vec![
        frequency("aluminium tube, 251 mm", "lowest mode, Hz", about(514.0, 15.0), thin.free(0.251), &sources::TUBES),
        frequency("aluminium tube, 242 mm", "lowest mode, Hz", about(551.0, 16.0), thin.free(0.242), &sources::TUBES),
        frequency(
            "rosewood bar, 239 mm",
            "lowest mode, Hz",
            about(1867.0, 20.0),
            rosewood.stiff(0.2393, 1).expect("below the limit of the theory"),
            &sources::ROSEWOOD,
        ),
        frequency("uniform aluminium bar", "third over first mode", about(5.423, 0.03), uniform.ratio(2), &sources::BOWER),
        frequency("uniform aluminium bar", "fifth over first mode", about(13.448, 0.07), uniform.ratio(4), &sources::BOWER),
        frequency(
            "glockenspiel bar, C6",
            "third over first mode",
            about(5.15, 0.05),
            glockenspiel.ratio(2),
            &sources::GLOCKENSPIEL,
        ),
        frequency(
            "glockenspiel bar, C6",
            "fourth over first mode",
            about(8.43, 0.08),
            glockenspiel.ratio(3),
            &sources::GLOCKENSPIEL,
        ),
        frequency(
            "marimba bar, C3",
            "lowest twist over pitch",
            about(238.6 / 130.8, 0.05),
            lowest_twist(&TunedBar::MARIMBA),
            &sources::LAFAVRE,
        ),
        frequency("marimba bar", "third over first mode", about(9.538, 0.3), TunedBar::MARIMBA.partials().1, &sources::BOWER),
        frequency(
            "two vibraphone bars",
            "third over first mode",
            Measured::Between(9.469, 10.668),
            TunedBar::VIBRAPHONE.partials().1,
            &sources::BOWER,
        ),
        frequency(
            "kalimba tine",
            "second over first mode",
            Measured::Between(6.55, 6.6),
            ModalShape::tongue(0.0, 2).ratio(1),
            &sources::KALIMBA,
        ),
        Comparison {
            object: "aluminium tube, 1.37 m",
            name: "audible for, s",
            quantity: Quantity::Decay,
            measured: Measured::AtLeast(60.0),
            urto: Material::ALUMINIUM.losses.t60(wide.free(1.3716)),
            source: &sources::CHIMES,
        },
    ]
}
