//! Potential of free and clamped rectangular plates in motion: a reference integrator, energy balance.

use crate::support::square_plate::{KINDS, body, stretch, weights};
use crate::support::strike_reference::Strike;
use crate::support::struck_body::{RATE, at, begin, empty, trajectory_errors};
use urto_physics::bodies::{EdgeSupport, InPlaneEdges, Material, Plate};
use urto_physics::solver::MAX_SUBSTEPS;

fn sheet(rim: EdgeSupport) -> Plate {
    Plate { rim, length: 0.3, width: 0.24, thickness: 0.8e-3, material: Material::STEEL }
}

/// E h/(S M^2) of the material is that of pitch, mass and thickness.
#[test]
fn the_amount_is_that_of_the_material() {
    for rim in [EdgeSupport::Free, EdgeSupport::Supported, EdgeSupport::Clamped] {
        let plate = sheet(rim);
        let (_, lowest) = plate.shape(60);
        let known = plate.material.young * plate.thickness / (plate.length * plate.width * plate.mass().powi(2));
        let found = stretch(&plate, lowest).amount();
        assert!((found / known - 1.0).abs() < 1e-6, "{rim:?}: {found} {known}");
    }
}

/// Trajectories of struck sheets against a reference integrator: at most half more than when this was written.
#[test]
fn strikes_follow_the_reference_integrator() {
    let strike = Strike { mass: 0.05, velocity: 4.0, stiffness: 1e6, exponent: 1.8, damping: 0.4, gap: 1e-6 };
    let known = [[6.4e-6, 9.8e-5, 2.9e-4], [2.8e-6, 2.2e-5, 7.9e-5], [8.3e-6, 4.3e-5, 2.3e-4]];
    for ((rim, edges), known) in KINDS.into_iter().zip(known) {
        let plate = sheet(rim);
        let (body, shape) = body(&plate, edges, 16);
        let places = [[0.41, 0.43], [0.37, 0.29]].map(|place| weights(&shape, plate.mass(), place));
        let errors = trajectory_errors(&body, strike, [&places[0], &places[1]], 3, &[0.004, 0.01, 0.02]);
        println!("{rim:?} {edges:?}: {errors:?}, known {known:?}");
        assert!(errors.iter().zip(known).all(|(error, known)| *error <= 1.5 * known), "{errors:?}");
    }
}

/// Plates that are struck twice, by up to several thicknesses, keep their energy balance.
#[test]
fn struck_plates_balance_their_energy() {
    for (rim, edges) in KINDS {
        let plate = sheet(rim);
        let (body, shape) = body(&plate, edges, 40);
        let places = [[0.5, 0.5], [0.3, 0.2]].map(|place| weights(&shape, plate.mass(), place));
        let mut collision = empty(RATE, 40, 2);
        body.set(&mut collision, 1.0);
        collision.enable_energy_balance();
        let (mut most, mut stored) = (0.0_f64, 0.0_f64);
        for weights in &places {
            begin(
                &mut collision,
                Strike { mass: 0.1, velocity: 5.0, stiffness: 1e6, exponent: 1.8, damping: 0.5, gap: 1e-6 },
                weights,
            );
            for _ in 0..2_400 {
                collision.step(MAX_SUBSTEPS, &mut |_, _| ());
                stored = stored.max(collision.potential_energy());
                most = most.max(at(&collision, &places[0]).abs() / plate.thickness);
            }
        }
        let balance = collision.energy_balance().expect("it is enabled");
        let [residual, growth] =
            [balance.largest_balance_residual, balance.largest_unsupplied_increase].map(|e| e / balance.largest);
        println!(
            "{rim:?} {edges:?}: w/h {most:.2}, V {:.3} of the energy; residual {residual:e}, growth {growth:e}",
            stored / balance.largest
        );
        assert!(residual <= 1e-12 && growth <= 1e-14, "{residual:e} {growth:e}");
        assert!(most > if edges == InPlaneEdges::Held { 1.0 } else { 1.5 } && stored > 0.05 * balance.largest, "{most} {stored}");
    }
}
