//! Balls on blocks: Hertz's contact.

use super::comparison::{Comparison, Measured, Quantity, about};
use super::sources;
use std::f64::consts::PI;
use urto_physics::bodies::Material;
use urto_physics::contact::ContactLaw;
use urto_physics::lab::{Contact, Corrections, Experiment, LabStriker, Method};

/// A ball of `diameter` [m] on a block, both of `material`, at `speed` [m/s].
fn bounce(material: &Material, diameter: f64, speed: f64) -> Contact {
    let radius = 0.5 * diameter;
    let modulus = 0.5 * material.young / (1.0 - material.poisson * material.poisson);
    let experiment = Experiment {
        sample_rate: 192e3,
        duration: None,
        substeps_per_contact: 64.0,
        law: ContactLaw::hunt_crossley(4.0 / 3.0 * modulus * radius.sqrt(), 1.5, 0.0),
        method: Method::Edg,
        corrections: Corrections::None,
        striker: LabStriker {
            mass: 4.0 / 3.0 * PI * radius.powi(3) * material.density,
            velocity: speed,
            position: 0.0,
            gravity: 0.0,
            modes: vec![],
        },
        body: vec![],
    };
    experiment.run(&mut |_| ()).contacts[0].clone()
}

pub fn comparisons() -> Vec<Comparison> {
    let small = bounce(&Material::STEEL, 1.58e-3, 1.0);
    let slow = bounce(&Material::STEEL, 8e-3, 0.5);
    let restitution = -slow.velocity_out.expect("it has ended") / slow.velocity_in;
    let row =
        |object, name, quantity, measured: Measured, urto, source| Comparison { object, name, quantity, measured, urto, source };
    vec![
        row(
            "steel ball, 1.58 mm, on a steel block",
            "contact time, µs",
            Quantity::Contact,
            about(5.0, 1.0),
            1e6 * small.duration.expect("it has ended"),
            &sources::MCLASKEY,
        ),
        row(
            "hard bead, 8 mm, on a steel block",
            "restitution",
            Quantity::Restitution,
            about(0.97, 0.01),
            restitution,
            &sources::FALCON,
        ),
    ]
}
