//! A point of hammer or body looked at while they touch: O(N) a sample, where giving back the whole state costs O(N^2).

use super::ContactBasis;
use nalgebra::Complex;

/// Reads sum y_i q_i and its velocity from a contact basis.
#[derive(Clone, Debug, Default)]
pub struct Probe {
    /// sum_g y_g u_gj for each root, doubled for conjugates.
    shape: Vec<Complex<f64>>,
    /// y of each part that the contact does not feel.
    apart: Vec<f64>,
    /// y of each coordinate.
    coordinates: Vec<f64>,
}

impl Probe {
    /// Room for `capacity` modes. The only allocation.
    pub fn new(capacity: usize) -> Self {
        Self {
            shape: Vec::with_capacity(2 * capacity),
            apart: Vec::with_capacity(capacity),
            coordinates: Vec::with_capacity(capacity),
        }
    }

    /// Looks at sum y_i q_i; anew after each build. `y` has one entry a mode, and there are no more modes than there is room for.
    pub fn aim(&mut self, basis: &ContactBasis, y: &[f64]) {
        let n = basis.coupling.coordinates.len();
        self.coordinates.clear();
        self.coordinates.resize(n, 0.0);
        basis.coupling.gather(y, &mut self.coordinates);
        self.shape.clear();
        for (vector, root) in basis.vectors.chunks_exact(n).zip(&basis.roots.found) {
            let sum: Complex<f64> = vector.iter().zip(&self.coordinates).map(|(u, y)| u * y).sum();
            self.shape.push(sum * if root.real { 1.0 } else { 2.0 });
        }
        self.apart.clear();
        self.apart.extend(basis.apart.iter().map(|apart| y[apart.mode]));
    }

    /// Displacement and velocity at the present state of `basis`; the velocity of a shape in kg^-1/2 is in m/s.
    pub fn read(&self, basis: &ContactBasis) -> (f64, f64) {
        let mut x: f64 = self.coordinates.iter().zip(&basis.rest).map(|(y, rest)| y * rest).sum();
        let mut velocity = 0.0;
        for ((shape, amplitude), root) in self.shape.iter().zip(&basis.amplitudes).zip(&basis.roots.found) {
            let (part, s) = (shape * amplitude, root.value());
            x += part.re;
            velocity += part.re * s.re - part.im * s.im;
        }
        for (y, apart) in self.apart.iter().zip(&basis.apart) {
            x += y * apart.q;
            velocity += y * apart.v;
        }
        (x, velocity)
    }
}
