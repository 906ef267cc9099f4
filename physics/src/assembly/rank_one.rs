//! Eigenvalues and eigenvectors of diag(d) + strength w w^T.
//!
//! Weights that are nearly 0 leave their value as it is; of equal values, all but one are turned out of the coupling. The vectors of the others come
//! from the weights for which the computed roots are exact (Gu and Eisenstat 1994), so that they are orthogonal to rounding.

use crate::assembly::secular::{Compliance, Root, Secular};
use nalgebra::DMatrix;

/// Relative size of a coupling, and relative distance of two values, that count as 0.
const NEGLIGIBLE: f64 = 1e-14;

/// Rising eigenvalues and the eigenvectors as columns; a pin has one less than there were values.
pub(super) struct Eigenpairs {
    pub values: Vec<f64>,
    pub vectors: DMatrix<f64>,
}

/// A rotation of two components by cosine and sine, which turns the coupling of the first into the second.
struct Turn {
    first: usize,
    second: usize,
    cosine: f64,
    sine: f64,
}

/// Eigenpairs of diag(`values`) + `strength` w w^T, in any order of the values; `strength` has no effect for a pin.
pub(super) fn rank_one(values: &[f64], weights: &[f64], strength: f64, compliance: Compliance) -> Eigenpairs {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let poles: Vec<f64> = order.iter().map(|i| values[*i]).collect();
    let mut coupling: Vec<f64> = order.iter().map(|i| weights[*i]).collect();
    let strength = if compliance == Compliance::Finite { strength } else { 1.0 };
    let (coupled, turns) = deflate(&poles, &mut coupling, strength, compliance);
    let kept_poles: Vec<f64> = coupled.iter().map(|i| poles[*i]).collect();
    let kept: Vec<f64> = coupled.iter().map(|i| coupling[*i]).collect();
    let squares: Vec<f64> = kept.iter().map(|z| z * z).collect();
    let roots = Secular { poles: &kept_poles, squares: &squares, strength, compliance }.roots();
    let sharpened = match compliance {
        Compliance::Finite => sharpen(&kept_poles, &kept, &roots, strength),
        Compliance::None => kept,
    };
    let apart: Vec<usize> = (0..poles.len()).filter(|i| !coupled.contains(i)).collect();
    let count = roots.len() + apart.len();
    let mut vectors = DMatrix::zeros(poles.len(), count);
    let mut found = Vec::with_capacity(count);
    for (n, root) in roots.iter().enumerate() {
        let mut square = 0.0;
        for ((place, pole), weight) in coupled.iter().zip(&kept_poles).zip(&sharpened) {
            let component = weight / ((pole - kept_poles[root.origin]) - root.offset);
            vectors[(*place, n)] = component;
            square += component * component;
        }
        vectors.column_mut(n).scale_mut(1.0 / square.sqrt());
        found.push(kept_poles[root.origin] + root.offset);
    }
    for (n, place) in apart.iter().enumerate() {
        vectors[(*place, roots.len() + n)] = 1.0;
        found.push(poles[*place]);
    }
    for turn in turns.iter().rev() {
        turn.undo(&mut vectors);
    }
    in_order(&order, found, &vectors)
}

/// The places that stay coupled, and the rotations that turned the coupling of equal values into one of them.
fn deflate(poles: &[f64], coupling: &mut [f64], strength: f64, compliance: Compliance) -> (Vec<usize>, Vec<Turn>) {
    let square: f64 = coupling.iter().map(|z| z * z).sum();
    let largest = poles.iter().fold(0.0_f64, |most, pole| most.max(pole.abs()));
    let scale = largest.max(if compliance == Compliance::Finite { strength * square } else { 0.0 });
    let is_negligible = |z: f64| match compliance {
        Compliance::Finite => strength * z.abs() * square.sqrt() < NEGLIGIBLE * scale,
        Compliance::None => z.abs() < NEGLIGIBLE * square.sqrt(),
    };
    let (mut coupled, mut turns): (Vec<usize>, Vec<Turn>) = (Vec::new(), Vec::new());
    for i in 0..poles.len() {
        if is_negligible(coupling[i]) {
            continue;
        }
        if let Some(last) = coupled.last().copied().filter(|last| poles[i] - poles[*last] < NEGLIGIBLE * scale) {
            let both = coupling[i].hypot(coupling[last]);
            turns.push(Turn { first: last, second: i, cosine: coupling[i] / both, sine: coupling[last] / both });
            (coupling[i], coupling[last]) = (both, 0.0);
            coupled.pop();
        }
        coupled.push(i);
    }
    (coupled, turns)
}

impl Turn {
    fn undo(&self, vectors: &mut DMatrix<f64>) {
        for n in 0..vectors.ncols() {
            let (first, second) = (vectors[(self.first, n)], vectors[(self.second, n)]);
            vectors[(self.first, n)] = self.cosine * first + self.sine * second;
            vectors[(self.second, n)] = self.cosine * second - self.sine * first;
        }
    }
}

/// The weights for which `roots` are exact: z_i^2 = product of (root_n - pole_i) over product of (pole_j - pole_i), j other than i, over the strength.
fn sharpen(poles: &[f64], weights: &[f64], roots: &[Root], strength: f64) -> Vec<f64> {
    let of_pole = |(i, weight): (usize, &f64)| {
        let above = |root: &Root| (poles[root.origin] - poles[i]) + root.offset;
        let others = poles.iter().zip(roots).enumerate().filter(|(j, _)| *j != i);
        let product = others.fold(above(&roots[i]), |product, (_, (pole, root))| product * (above(root) / (pole - poles[i])));
        (product / strength).max(0.0).sqrt().copysign(*weight)
    };
    weights.iter().enumerate().map(of_pole).collect()
}

/// Sorts the pairs by their values, and puts the components into the order of the caller.
fn in_order(order: &[usize], found: Vec<f64>, vectors: &DMatrix<f64>) -> Eigenpairs {
    let mut rising: Vec<usize> = (0..found.len()).collect();
    rising.sort_by(|a, b| found[*a].total_cmp(&found[*b]));
    let mut out = DMatrix::zeros(order.len(), found.len());
    for (n, from) in rising.iter().enumerate() {
        for (row, place) in order.iter().enumerate() {
            out[(*place, n)] = vectors[(row, *from)];
        }
    }
    Eigenpairs { values: rising.iter().map(|n| found[*n]).collect(), vectors: out }
}
