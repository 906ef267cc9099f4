//! Free and clamped rectangular plates after von Karman: static deflections as published, and coefficients.

use crate::support::page::Page;
use crate::support::square_plate::{KINDS, body, forms, stretch, weights};
use nalgebra::{DMatrix, DVector};
use std::f64::consts::TAU;
use urto_physics::bodies::{EdgeSupport, InPlaneEdges, Material, ModalShape, Plate, StretchDetail};
use urto_physics::modal::{FormEntry, Potential, QuadraticForms};

/// Steps of Newton's method for each pressure, from the deflection of the one before.
const STEPS: usize = 6;

const ALL: StretchDetail = StretchDetail { rigid: 0, modes: usize::MAX, stresses: usize::MAX };

/// A square plate of 0.3 m and 1 mm.
fn square(rim: EdgeSupport, poisson: f64) -> Plate {
    Plate { rim, length: 0.3, width: 0.3, thickness: 1e-3, material: Material { poisson, ..Material::STEEL } }
}

/// Means of the shapes over the plate by Simpson's rule.
fn means(shape: &ModalShape, modes: &[usize]) -> DVector<f64> {
    const PANELS: usize = 48;
    let simpson = |k: usize| if k == 0 || k == PANELS { 1.0 } else { 2.0 + 2.0 * (k % 2) as f64 } / (3 * PANELS) as f64;
    let mut means = DVector::zeros(modes.len());
    for i in 0..=PANELS {
        for j in 0..=PANELS {
            let phi = weights(shape, 1.0, [i, j].map(|k| k as f64 / PANELS as f64));
            means.iter_mut().zip(modes).for_each(|(mean, &mode)| *mean += simpson(i) * simpson(j) * phi[mode]);
        }
    }
    means
}

/// V of the modes `picked`, all others at rest, with all stress functions.
fn picked(plate: &Plate, shape: &ModalShape, picked: &[usize]) -> QuadraticForms {
    let place = |mode: usize| picked.iter().position(|&one| one == mode);
    let list = forms(plate, InPlaneEdges::Held, shape).list(ALL);
    let entry = |entry: &FormEntry| {
        let [i, j] = entry.modes;
        Some(FormEntry { modes: [place(i)?, place(j)?], ..*entry })
    };
    QuadraticForms::flat(picked.len(), list.entries().iter().filter_map(entry))
}

/// Deflections in the middle over h of a clamped square whose edges are held, under the pressures p with p a^4/(E h^4), nu 0.316.
fn deflections(pressures: &[f64]) -> Vec<f64> {
    let plate = square(EdgeSupport::Clamped, 0.316);
    let (shape, lowest) = plate.shape(100);
    // the pressure moves modes even in x and y only
    let even: Vec<usize> = (0..shape.len()).filter(|&i| shape.family(i).is_some_and(|(p, q)| p % 2 + q % 2 == 2)).collect();
    let count = even.len();
    let of_even = |all: Vec<f64>| DVector::from_iterator(count, even.iter().map(|&i| all[i]));
    let (middle, pressed) = (of_even(weights(&shape, plate.mass(), [0.5, 0.5])), means(&shape, &even) / plate.mass().sqrt());
    let squares = of_even((0..shape.len()).map(|i| (TAU * lowest * shape.ratio(i)).powi(2)).collect());
    let (mut potential, amount) = (picked(&plate, &shape, &even), stretch(&plate, lowest).amount());
    let mut slopes = vec![0.0; count];
    let mut restoring = |q: &DVector<f64>| {
        potential.evaluate(q.as_slice(), &mut slopes);
        squares.component_mul(q) + DVector::from_column_slice(&slopes) * amount
    };
    let step = 1e-5 * plate.thickness * plate.mass().sqrt();
    let mut q = DVector::zeros(count);
    let mut solve = |pressure: &f64| {
        let load =
            &pressed * (pressure * plate.material.young * (plate.thickness / plate.length).powi(4) * plate.length * plate.width);
        for _ in 0..STEPS {
            let now = restoring(&q);
            let mut stiffness = DMatrix::zeros(count, count);
            for k in 0..count {
                let mut moved = q.clone();
                moved[k] += step;
                stiffness.set_column(k, &((restoring(&moved) - &now) / step));
            }
            q -= stiffness.lu().solve(&(now - &load)).expect("it is stiff");
        }
        let rest = (restoring(&q) - &load).norm() / load.norm();
        assert!(rest < 1e-6, "{pressure}: {rest}");
        middle.dot(&q) / plate.thickness
    };
    pressures.iter().map(&mut solve).collect()
}

/// A clamped square under pressure, edges held, nu 0.316: the finite elements of Pica, Wood and Hinton (1980) within 0.4 %.
#[test]
fn a_clamped_square_under_pressure_deflects_as_published() {
    let known = [
        (17.79, 0.2368),
        (38.3, 0.4699),
        (63.4, 0.6915),
        (95.0, 0.9029),
        (134.9, 1.1063),
        (184.0, 1.3009),
        (245.0, 1.4928),
        (318.0, 1.6786),
        (402.0, 1.8555),
    ];
    let found = deflections(&known.map(|(pressure, _)| pressure));
    let mut rows = Vec::new();
    for ((pressure, known), found) in known.into_iter().zip(found) {
        println!("{pressure}: {found} {known} {:.2} %", 100.0 * (found / known - 1.0));
        assert!((found / known - 1.0).abs() < 4e-3, "{pressure}: {found} {known}");
        rows.push(vec![format!("{pressure}"), format!("{known:.4}"), format!("{found:.4}")]);
    }
    Page::of("stiffening").table("pressure", &["p a^4/(E h^4)", "Pica, Wood, Hinton", "Urto"], &rows);
}

/// beta of a'' + omega^2 (a + beta a^3/h^2) = 0 for the lowest mode of a square, a its largest deflection, nu 0.3: with all stress functions, and
/// with those of the engine. The first ones are within 1e-7 of an upper bound, as a test of the crate shows.
#[test]
fn the_lowest_modes_of_squares_have_these_coefficients() {
    let mut rows = Vec::new();
    for ((rim, edges), known) in KINDS.into_iter().zip([0.0, 0.157_305_7, 0.482_794_8]) {
        let plate = square(rim, 0.3);
        let (played, shape) = body(&plate, edges, 40);
        let (_, lowest) = plate.shape(1);
        let largest = weights(&shape, plate.mass(), if rim == EdgeSupport::Free { [0.0, 0.0] } else { [0.5, 0.5] })[0];
        let mut q = vec![0.0; 40];
        q[0] = 1.0;
        let beta = |potential: &mut dyn Potential| {
            let energy = potential.evaluate(&q, &mut [0.0; 40]) * stretch(&plate, lowest).amount();
            4.0 * energy * (plate.thickness / largest / (TAU * lowest)).powi(2)
        };
        let [all, some] = [beta(&mut forms(&plate, edges, &shape).list(ALL)), beta(&mut *played.potential.clone())];
        println!("{rim:?} {edges:?}: {all} {some}");
        assert!(known == 0.0 || (all / known - 1.0).abs() < 3e-6, "{rim:?} {edges:?}: {all} {known}");
        assert!(some < all * (1.0 + 1e-6) && some > 0.998 * all, "{all} {some}");
        let name = if edges == InPlaneEdges::Held { "held" } else { "free" };
        rows.push(vec![format!("{rim:?}").to_lowercase(), name.into(), format!("{all:.5}"), format!("{some:.5}")]);
    }
    Page::of("stiffening").table(
        "clamped",
        &["plate", "edges in the plane", "beta, all stress functions", "56, single precision"],
        &rows,
    );
}
