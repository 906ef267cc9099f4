//! A point of hammer or body looked at while they touch: O(N) a sample, where giving back the whole state costs O(N^2).

use crate::eigenbasis::ContactBasis;
use crate::eigenbasis::phasors::Turns;
use crate::eigenbasis::uncoupled::Four;
use nalgebra::Complex;

/// Most probes that are read in one pass.
pub const MOST_PROBES: usize = 4;

/// Reads sum y_i q_i and its velocity from a contact basis.
#[derive(Clone, Debug)]
pub struct Probe {
    /// sum_g y_g u_gj for each root, doubled for conjugates; the same times s_j.
    place: Turns,
    pub(super) speed: Turns,
    /// y of each part that the contact does not feel.
    pub(super) apart: Vec<Four>,
    /// y of each coordinate.
    coordinates: Vec<f64>,
    shape: Vec<Complex<f64>>,
}

impl Probe {
    /// Room for `capacity` modes. The only allocation.
    pub fn new(capacity: usize) -> Self {
        Self {
            place: Turns::new(2 * capacity),
            speed: Turns::new(2 * capacity),
            apart: Vec::with_capacity(capacity),
            coordinates: Vec::with_capacity(capacity),
            shape: Vec::with_capacity(2 * capacity),
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
        self.place.take(self.shape.iter().copied());
        self.speed.take(self.shape.iter().zip(&basis.roots.found).map(|(shape, root)| shape * root.value()));
        basis.apart.gather(y, &mut self.apart);
    }

    /// Displacement and velocity at the present state of `basis`; the velocity of a shape in kg^-1/2 is in m/s.
    pub fn read(&self, basis: &ContactBasis) -> (f64, f64) {
        let mut x: f64 = self.coordinates.iter().zip(&basis.rest).map(|(y, rest)| y * rest).sum();
        x += basis.amplitudes.sum(&self.place);
        let mut velocity = basis.amplitudes.sum(&self.speed);
        for (k, y) in self.apart.iter().flatten().take(basis.apart.modes.len()).enumerate() {
            let (beside, speed) = basis.apart.state(k);
            x += y * beside;
            velocity += y * speed;
        }
        (x, velocity)
    }
}
