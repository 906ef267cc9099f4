//! Coordinates coupled to the contact: modes of equal frequency and decay act as one.
//!
//! Modes with the same omega and sigma and weights W_1 .. W_m move the contact point by W p alone, where W = |(W_1 .. W_m)| and p
//! = sum W_i q_i/W; the components orthogonal to p are uncoupled and move freely. So does a mode without weight.

use crate::modal::Mode;
use nalgebra::Complex;

/// Relative weight below which a mode counts as uncoupled.
const WEIGHTLESS: f64 = 1e-13;
/// Relative distance of frequencies and decays that count as equal.
const SAME: f64 = 1e-14;

/// One coordinate p'' + 2 sigma p' + omega^2 p = -W f.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Coordinate {
    pub omega: f64,
    pub sigma: f64,
    /// W > 0 [kg^-1/2].
    pub weight: f64,
    /// Number of modes in it.
    pub members: usize,
    /// The root of s^2 + 2 sigma s + omega^2 above or on the real axis; of two real ones the slower.
    pub pole: Complex<f64>,
    /// The other root.
    pub partner: Complex<f64>,
}

impl Coordinate {
    fn new(mode: Mode, weight: f64) -> Self {
        let (omega, sigma) = (mode.omega, if mode.omega == 0.0 { 0.0 } else { mode.sigma });
        let discriminant = (omega - sigma) * (omega + sigma);
        let (pole, partner) = if discriminant > 0.0 {
            let damped = discriminant.sqrt();
            (Complex::new(-sigma, damped), Complex::new(-sigma, -damped))
        } else {
            let fast = sigma + (-discriminant).sqrt();
            let slow = if fast > 0.0 { omega * omega / fast } else { 0.0 };
            (Complex::new(-slow, 0.0), Complex::new(-fast, 0.0))
        };
        Self { omega, sigma, weight: weight.abs(), members: 1, pole, partner }
    }

    fn is_same_as(&self, mode: Mode) -> bool {
        let sigma = if mode.omega == 0.0 { 0.0 } else { mode.sigma };
        (self.omega - mode.omega).abs() <= SAME * self.omega && (self.sigma - sigma).abs() <= SAME * (self.sigma + self.omega)
    }
}

/// Assignment of modes to coordinates, in order of rising omega.
#[derive(Clone, Debug)]
pub(super) struct Coupling {
    pub coordinates: Vec<Coordinate>,
    /// Coordinate of each mode; None: it has no weight.
    pub of_mode: Vec<Option<usize>>,
    /// W_i/W of each mode; 0 without weight.
    pub share: Vec<f64>,
    order: Vec<usize>,
}

impl Coupling {
    pub fn new(capacity: usize) -> Self {
        Self {
            coordinates: Vec::with_capacity(capacity),
            of_mode: Vec::with_capacity(capacity),
            share: Vec::with_capacity(capacity),
            order: Vec::with_capacity(capacity),
        }
    }

    pub fn set(&mut self, modes: &[Mode], weights: &[f64]) {
        let largest = weights.iter().fold(0.0f64, |largest, w| largest.max(w.abs()));
        self.coordinates.clear();
        self.of_mode.clear();
        self.of_mode.resize(modes.len(), None);
        self.share.clear();
        self.share.resize(modes.len(), 0.0);
        self.order.clear();
        self.order.extend((0..modes.len()).filter(|&i| weights[i].abs() > WEIGHTLESS * largest));
        let key = |i: usize| (modes[i].omega, modes[i].sigma);
        self.order.sort_unstable_by(|&i, &j| {
            let (a, b) = (key(i), key(j));
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)).then(i.cmp(&j))
        });
        for &i in &self.order {
            match self.coordinates.last_mut() {
                Some(last) if last.is_same_as(modes[i]) => {
                    last.weight = last.weight.hypot(weights[i]);
                    last.members += 1;
                }
                _ => self.coordinates.push(Coordinate::new(modes[i], weights[i])),
            }
            self.of_mode[i] = Some(self.coordinates.len() - 1);
        }
        for &i in &self.order {
            if let Some(g) = self.of_mode[i] {
                self.share[i] = weights[i] / self.coordinates[g].weight;
            }
        }
    }

    /// Whether mode i has an uncoupled part.
    pub fn has_rest(&self, i: usize) -> bool {
        self.of_mode[i].is_none_or(|g| self.coordinates[g].members > 1)
    }

    /// out_g = sum over the members of share x value.
    pub fn gather(&self, values: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for (i, value) in values.iter().enumerate() {
            if let Some(g) = self.of_mode[i] {
                out[g] += self.share[i] * value;
            }
        }
    }
}
