//! A potential by quadratic forms: any plate or shell, from its coefficients.
//!
//! ```text
//! V = sum_k (b_k.q) h_k + h_k^2/2,   h_k = q.H_k q          b = 0 for flat bodies; it is proportional to the depth of the rest shape
//! dV/dq = sum_k h_k b_k + (b_k.q + h_k) 2 H_k q
//! ```

use crate::modal::potential::Potential;
use nalgebra::{DMatrix, DVector};

/// One coefficient: H_kij of i = j, or 2 H_kij of a pair i < j.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FormEntry {
    /// k.
    pub form: usize,
    /// i and j.
    pub modes: [usize; 2],
    /// Value [J^1/2/(m^2 kg)].
    pub value: f64,
}

/// Cost of a coefficient, in samples of one mode of the reference resonator: 0.17 us for 70.
const ENTRY: f32 = 2.5;

/// The quadratic forms of a body.
#[derive(Clone, Debug)]
pub struct QuadraticForms {
    entries: Vec<FormEntry>,
    /// b, form by form, `modes` numbers each; none of a flat body.
    slopes: Vec<f64>,
    /// Factor of b.
    depth: f64,
    modes: usize,
    /// h_k, then b_k.q + h_k.
    forms: Vec<f64>,
}

impl QuadraticForms {
    /// A flat body of `modes` modes; entries of further modes are ignored.
    pub fn flat(modes: usize, entries: impl IntoIterator<Item = FormEntry>) -> Self {
        Self::curved(modes, entries, Vec::new())
    }

    /// A curved body: `slopes` contains b_k of every form at a depth of 1, `modes` numbers [1/s] each.
    pub fn curved(modes: usize, entries: impl IntoIterator<Item = FormEntry>, slopes: Vec<f64>) -> Self {
        let entries: Vec<FormEntry> = entries.into_iter().filter(|e| e.modes.iter().all(|&mode| mode < modes)).collect();
        let of_entries = entries.iter().map(|e| e.form + 1).max().unwrap_or(0);
        let of_slopes = slopes.len() / modes.max(1);
        Self { entries, slopes, depth: 1.0, modes, forms: vec![0.0; of_entries.max(of_slopes)] }
    }
}

impl QuadraticForms {
    /// Its coefficients.
    pub fn entries(&self) -> &[FormEntry] {
        &self.entries
    }

    /// b at a depth of 1, form by form, as many numbers as modes each; none of a flat body.
    pub fn slopes(&self) -> &[f64] {
        &self.slopes
    }

    /// The same potential with these b for modes that are sums of the present ones: `turn` contains their shares, one mode a column.
    pub fn turned(&self, turn: &DMatrix<f64>, slopes: &[f64]) -> Self {
        let n = self.modes;
        let mut forms = vec![DMatrix::<f64>::zeros(n, n); self.forms.len()];
        for FormEntry { form, modes: [i, j], value } in &self.entries {
            forms[*form][(*i, *j)] += 0.5 * value;
            forms[*form][(*j, *i)] += 0.5 * value;
        }
        let mut entries = Vec::new();
        for (form, h) in forms.iter().enumerate() {
            let h = turn.transpose() * h * turn;
            for i in 0..n {
                entries.extend((i..n).map(|j| FormEntry {
                    form,
                    modes: [i, j],
                    value: if i == j { h[(i, i)] } else { 2.0 * h[(i, j)] },
                }));
            }
        }
        let slopes =
            slopes.chunks_exact(n.max(1)).flat_map(|b| (turn.transpose() * DVector::from_column_slice(b)).as_slice().to_vec());
        Self::curved(n, entries, slopes.collect())
    }
}

impl Potential for QuadraticForms {
    fn evaluate(&mut self, q: &[f64], gradient: &mut [f64]) -> f64 {
        let Self { entries, slopes, depth, modes, forms } = self;
        forms.fill(0.0);
        gradient.fill(0.0);
        if q.len() < *modes || gradient.len() < *modes {
            return 0.0;
        }
        for &FormEntry { form, modes: [i, j], value } in entries.iter() {
            forms[form] += value * q[i] * q[j];
        }
        let mut energy = 0.0;
        let mut rows = slopes.chunks_exact((*modes).max(1));
        for h in forms.iter_mut() {
            let Some(row) = rows.next() else {
                energy += 0.5 * *h * *h;
                continue;
            };
            let along = *depth * row.iter().zip(q).map(|(b, q)| b * q).sum::<f64>();
            energy += (along + 0.5 * *h) * *h;
            let bent = *depth * *h;
            gradient.iter_mut().zip(row).for_each(|(g, b)| *g += b * bent);
            *h += along;
        }
        for &FormEntry { form, modes: [i, j], value } in entries.iter() {
            let slope = forms[form] * value;
            gradient[i] += slope * q[j];
            gradient[j] += slope * q[i];
        }
        energy
    }

    fn is_curved(&self) -> bool {
        self.depth != 0.0 && self.slopes.iter().any(|b| *b != 0.0)
    }

    fn set_depth(&mut self, depth: f64) {
        self.depth = depth;
    }

    fn cost(&self) -> f32 {
        ENTRY * self.entries.len() as f32 + 2.0 * self.slopes.len() as f32
    }

    fn duplicate(&self) -> Box<dyn Potential> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The gradient is the slope of V in every direction, with b and without.
    #[test]
    fn the_gradient_is_the_slope_of_the_energy() {
        let entry = |form, i, j, value| FormEntry { form, modes: [i, j], value };
        let entries = [entry(0, 0, 0, 1.5), entry(0, 0, 2, -0.7), entry(1, 1, 2, 2.0), entry(1, 1, 1, 0.3)];
        let flat = QuadraticForms::flat(3, entries);
        let curved = QuadraticForms::curved(3, entries, vec![0.5, -1.0, 2.0, 0.1, 0.4, -0.3]);
        assert!(!flat.is_curved() && curved.is_curved());
        for mut forms in [flat, curved] {
            let q = [0.3, -0.8, 0.5];
            let (mut gradient, mut unused) = ([0.0; 3], [0.0; 3]);
            forms.evaluate(&q, &mut gradient);
            for i in 0..3 {
                let mut at = |by: f64| {
                    let mut moved = q;
                    moved[i] += by;
                    forms.evaluate(&moved, &mut unused)
                };
                let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
                assert!((slope - gradient[i]).abs() < 1e-8, "{i}: {slope} and {}", gradient[i]);
            }
        }
    }
}
