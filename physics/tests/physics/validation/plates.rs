//! Plates: a standard plate of acrylic glass, and the decay of a pane.

use super::comparison::{Comparison, Measured, Quantity, about};
use super::sources;
use urto_physics::bodies::{EdgeSupport, FieldLoss, Losses, Material, Plate, Sheet};

/// Acrylic glass at audio frequencies: density and Young's modulus as of handbooks.
const ACRYLIC: Material = Material {
    density: 1185.0,
    young: 5.0e9,
    poisson: 0.37,
    losses: Losses { constant: 0.0, structural: 0.05, viscous: 0.0 },
    thermoelastic: 0.0,
};
/// Frequency [Hz] above the coincidence of glass of 2 mm, at which its decay is taken.
const ABOVE_COINCIDENCE: f64 = 8e3;

pub fn comparisons() -> Vec<Comparison> {
    const INCH: f64 = 25.4e-3;
    let plate =
        Plate { rim: EdgeSupport::Free, length: 21.0 * INCH, width: 13.0 * INCH, thickness: 0.8 * INCH, material: ACRYLIC };
    let (shape, lowest) = plate.shape(60);
    let useful = (0..shape.len()).filter(|&i| lowest * shape.ratio(i) <= 2500.0).count();
    let pane = Sheet { material: Material::GLASS, thickness: 2e-3, area: 0.25 };
    let loss = FieldLoss::new(&pane, 2.0);
    assert!(ABOVE_COINCIDENCE > loss.coincidence());
    let of_plate = |name, measured: Measured, urto| Comparison {
        object: "acrylic plate, 533 x 330 x 20 mm",
        name,
        quantity: Quantity::Frequency,
        measured,
        urto,
        source: &sources::IES,
    };
    vec![
        of_plate("lowest mode, Hz", about(160.0, 8.0), lowest),
        of_plate("modes below 2500 Hz", about(25.0, 3.0), useful as f64),
        Comparison {
            object: "glass pane, 2 mm",
            name: "decay rate above coincidence, 1/s",
            quantity: Quantity::Decay,
            measured: about(150.0, 30.0),
            urto: loss.sigma(&Material::GLASS.losses, ABOVE_COINCIDENCE),
            source: &sources::LAMBOURG,
        },
    ]
}
