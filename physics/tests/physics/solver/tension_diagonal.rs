//! What the tension leaves out on bodies whose modes share some of their slopes: products of different modes in the stretch.
//!
//! The modes of a clamped bar, and those of a kettledrum without diameters, have e = q.G q/2 with a matrix G. The solver takes its
//! diagonal. Both are integrated here by Runge and Kutta's method.

use std::f64::consts::{PI, TAU};
use urto_physics::bodies::ModalShape;

/// Number of modes.
const MODES: usize = 5;

type Matrix = [[f64; MODES]; MODES];
type State = [[f64; MODES]; 2];

/// Means of the products of the slopes of the modes `chosen`, by differences over panels weighted by `measure(xi)`.
fn slope_products(shape: &ModalShape, chosen: &[usize], measure: impl Fn(f64) -> f64) -> Matrix {
    const PANELS: usize = 4000;
    let at = |panel: usize| {
        let mut out = vec![0.0; shape.len()];
        shape.weights_at(panel as f64 / PANELS as f64, 1.0, &mut out);
        out
    };
    let mut products = [[0.0; MODES]; MODES];
    let mut left = at(0);
    for panel in 1..=PANELS {
        let right = at(panel);
        let slope = |i: usize| (right[chosen[i]] - left[chosen[i]]) * PANELS as f64;
        let weight = measure((panel as f64 - 0.5) / PANELS as f64) / PANELS as f64;
        for (i, row) in products.iter_mut().enumerate() {
            row.iter_mut().enumerate().for_each(|(j, product)| *product += weight * slope(i) * slope(j));
        }
        left = right;
    }
    products
}

/// v' = -omega^2 q - e G q, e = q.G q/2.
fn derive(omega: &[f64; MODES], g: &Matrix, [q, v]: &State) -> State {
    let stretched: [f64; MODES] = std::array::from_fn(|i| (0..MODES).map(|j| g[i][j] * q[j]).sum());
    let e: f64 = (0..MODES).map(|i| 0.5 * q[i] * stretched[i]).sum();
    [*v, std::array::from_fn(|i| -omega[i] * omega[i] * q[i] - e * stretched[i])]
}

/// Mean angular frequency of the first mode over 60 periods, all modes struck with the speeds `v`, omega_1 = 1.
fn pitch(omega: &[f64; MODES], g: &Matrix, v: [f64; MODES]) -> f64 {
    let dt = TAU / 400.0 * omega[0] / omega[MODES - 1];
    let mut state: State = [[0.0; MODES], v];
    let add =
        |a: &State, b: &State, part: f64| -> State { std::array::from_fn(|k| std::array::from_fn(|i| a[k][i] + part * b[k][i])) };
    // the phase of the first mode alone: zeros of its displacement
    let (mut zeros, mut first, mut last, mut before) = (0, 0.0, 0.0, 0.0);
    for step in 0..(60.0 * TAU / dt) as usize {
        let a = derive(omega, g, &state);
        let b = derive(omega, g, &add(&state, &a, 0.5 * dt));
        let c = derive(omega, g, &add(&state, &b, 0.5 * dt));
        let d = derive(omega, g, &add(&state, &c, dt));
        for (rate, part) in [(a, 1.0), (b, 2.0), (c, 2.0), (d, 1.0)] {
            state = add(&state, &rate, part * dt / 6.0);
        }
        let now = state[0][0];
        if before * now < 0.0 {
            last = dt * (step as f64 + before / (before - now));
            first = if zeros == 0 { last } else { first };
            zeros += 1;
        }
        before = now;
    }
    PI * f64::from(zeros - 1) / (last - first)
}

/// Pitch over that at rest [cents] with the whole matrix, and by its diagonal. `rise`: growth of the stiffness of the first mode at the
/// largest deflection, if it moved alone.
fn glides(omega: &[f64; MODES], g: &Matrix, weights: &[f64; MODES], rise: f64) -> [f64; 2] {
    // a short stroke gives every mode the speed of its weight
    let speed = (4.0 * rise).sqrt() / g[0][0];
    let scale = speed * omega[0] / weights[0].abs() * omega[0];
    let v = weights.map(|weight| scale / omega[0] * weight);
    let diagonal: Matrix = std::array::from_fn(|i| std::array::from_fn(|j| if i == j { g[i][j] } else { 0.0 }));
    [g, &diagonal].map(|g| 1200.0 * (pitch(omega, g, v) / omega[0]).log2())
}

fn unit(ratios: [f64; MODES]) -> [f64; MODES] {
    ratios.map(|ratio| ratio / ratios[0])
}

/// A clamped bar struck in the middle, up to a rise of half its stiffness.
#[test]
fn the_diagonal_is_enough_for_the_pitch_of_a_clamped_bar() {
    let shape = ModalShape::clamped(2 * MODES);
    let chosen: [usize; MODES] = std::array::from_fn(|i| 2 * i);
    let g = slope_products(&shape, &chosen, |_| 1.0);
    let mut weights = vec![0.0; shape.len()];
    shape.weights_at(0.5, 1.0, &mut weights);
    let omega = unit(chosen.map(|i| shape.ratio(i)));
    for rise in [0.05, 0.2, 0.5] {
        let [whole, diagonal] = glides(&omega, &g, &chosen.map(|i| weights[i]), rise);
        println!("rise {rise}: {whole:.2} cents, by the diagonal {diagonal:.2}");
        assert!(whole > 10.0 && (diagonal / whole - 1.0).abs() < 0.06, "{whole} {diagonal}");
    }
}

/// The modes without diameters of a kettledrum struck at a quarter of its radius from the rim.
#[test]
fn the_diagonal_is_enough_for_the_pitch_of_a_kettledrum() {
    let shape = ModalShape::timpani(160, 0.0);
    let round: Vec<usize> = (0..shape.len()).filter(|&i| shape.family(i).is_some_and(|(m, _)| m == 0)).take(MODES).collect();
    let chosen: [usize; MODES] = std::array::from_fn(|i| round[i]);
    let mut weights = vec![0.0; shape.len()];
    shape.weights_at(0.75, 1.0, &mut weights);
    let slopes = slope_products(&shape, &chosen, |r| 2.0 * r);
    // weights at mass 1 are the mobilities: the products are those of unit modal masses already
    let omega = unit(chosen.map(|i| shape.ratio(i)));
    for rise in [0.002, 0.02] {
        let [whole, diagonal] = glides(&omega, &slopes, &chosen.map(|i| weights[i]), rise);
        println!("rise {rise}: {whole:.2} cents, by the diagonal {diagonal:.2}");
        assert!(whole > 1.0 && (diagonal / whole - 1.0).abs() < 0.06, "{whole} {diagonal}");
    }
}
