//! Eigenvalues and eigenvectors of diag(d) + strength w w^T.
//!
//! Weights that are nearly 0 leave their value as it is; of equal values, all but one are turned out of the coupling. The others have vectors with the
//! components W_i/(d_i - lambda). They are orthogonal to rounding because the differences have all their digits.

use crate::eigenbasis::{Compliance, Eigenvalue, SecularJoint, SecularTerms, eigenvalue};
use nalgebra::DMatrix;

/// Relative size of a coupling, and relative distance of two values, that count as 0.
const NEGLIGIBLE: f64 = 1e-14;

/// Accuracy of a root, relative to its distance from the nearest pole: rounding.
const ACCURACY: f64 = 2.0 * f64::EPSILON;

/// Rising poles and weights of what is coupled.
struct Coupled {
    poles: Vec<f64>,
    weights: Vec<f64>,
}

impl SecularTerms for Coupled {
    fn count(&self) -> usize {
        self.poles.len()
    }

    fn gap(&self, i: usize, origin: usize) -> f64 {
        self.poles[i] - self.poles[origin]
    }

    fn square(&self, i: usize) -> f64 {
        self.weights[i] * self.weights[i]
    }
}

impl Coupled {
    /// All roots, rising: one above every pole, except above the last for a pin.
    fn roots(&self, strength: f64, compliance: Compliance) -> Vec<Eigenvalue> {
        let count = self.poles.len().saturating_sub(usize::from(compliance == Compliance::None));
        (0..count).map(|j| eigenvalue(self, SecularJoint { strength, compliance, accuracy: ACCURACY }, j)).collect()
    }

    /// d_i - lambda.
    fn below(&self, i: usize, root: &Eigenvalue) -> f64 {
        self.gap(i, root.origin) - root.mu
    }
}

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
    let pick = |all: &[f64]| coupled.iter().map(|i| all[*i]).collect();
    let terms = Coupled { poles: pick(&poles), weights: pick(&coupling) };
    let roots = terms.roots(strength, compliance);
    let apart: Vec<usize> = (0..poles.len()).filter(|i| !coupled.contains(i)).collect();
    let count = roots.len() + apart.len();
    let mut vectors = DMatrix::zeros(poles.len(), count);
    let mut found = Vec::with_capacity(count);
    for (n, root) in roots.iter().enumerate() {
        let mut square = 0.0;
        for (i, place) in coupled.iter().enumerate() {
            let component = terms.weights[i] / terms.below(i, root);
            vectors[(*place, n)] = component;
            square += component * component;
        }
        vectors.column_mut(n).scale_mut(1.0 / square.sqrt());
        found.push(terms.poles[root.origin] + root.mu);
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
