//! A list of modes and their state.
//!
//! Arrays are padded with zeros to a multiple of [`LANES`](crate::modal::LANES).

use crate::modal::mode::Mode;
use crate::modal::mode_array::{ModeArray, mode_array};
use crate::modal::simd::energy;

/// Modes with unit modal mass and their state; q and v are padded with zeros.
#[derive(Clone, Debug)]
pub struct Modes {
    pub(super) list: Vec<Mode>,
    pub(super) omega2: ModeArray,
    /// Modal displacement [m kg^1/2].
    pub q: ModeArray,
    /// Modal velocity [m kg^1/2/s].
    pub v: ModeArray,
}

impl Modes {
    pub(super) fn with_capacity(modes: usize) -> Self {
        let array = || mode_array(modes);
        Self { list: Vec::with_capacity(modes), omega2: array(), q: array(), v: array() }
    }

    /// Number of modes, without padding.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none: a rigid wall.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Length of the arrays.
    pub fn padded(&self) -> usize {
        self.q.len()
    }

    /// All modes.
    pub fn list(&self) -> &[Mode] {
        &self.list
    }

    /// omega^2 of every mode [1/s^2], without padding.
    pub fn omega2(&self) -> &[f64] {
        &self.omega2[..self.list.len()]
    }

    /// Mode i.
    pub fn mode(&self, i: usize) -> Mode {
        self.list[i]
    }

    /// Kinetic and elastic energy [J].
    pub fn energy(&self) -> f64 {
        energy(&self.omega2, &self.q, &self.v)
    }

    /// The same of the first `count` modes, a multiple of [`LANES`](crate::modal::LANES).
    pub fn energy_of_first(&self, count: usize) -> f64 {
        energy(&self.omega2[..count], &self.q[..count], &self.v[..count])
    }

    /// Multiplies displacements and velocities of the first `count` modes.
    pub fn scale_first(&mut self, count: usize, factor: f64) {
        self.q[..count].iter_mut().chain(&mut self.v[..count]).for_each(|x| *x *= factor);
    }

    /// How much farther [m] than now the oscillating modes can displace a contact: sum f |W| sqrt(q^2 + (v/omega)^2) - W q, f >= 1. No term is negative, and
    /// the sum ends where it is beyond `limit` [m]. `weights` [kg^-1/2], one a mode.
    pub fn overshoot(&self, weights: &[f64], f: f64, limit: f64) -> f64 {
        let mut sum = 0.0;
        for (i, (mode, weight)) in self.list.iter().zip(weights).enumerate().filter(|(_, (mode, _))| mode.omega > 0.0) {
            let (q, v) = (self.q[i], self.v[i] / mode.omega);
            sum += f * weight.abs() * (q * q + v * v).sqrt() - weight * q;
            if sum > limit {
                break;
            }
        }
        sum
    }

    /// Velocity [m/s] at a contact by the modes that move freely. `weights` [kg^-1/2], one a mode.
    pub fn drift(&self, weights: &[f64]) -> f64 {
        let free = self.list.iter().zip(weights).zip(self.v.iter()).filter(|((mode, _), _)| mode.omega == 0.0);
        free.map(|((_, weight), v)| weight * v).sum()
    }
}
