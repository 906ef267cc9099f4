//! What is heard of each mode: weights that may be on their way to others.

use multiversion::multiversion;

use super::ring::GRID;

/// What a pickup hears of each mode: weights that may be on their way to others over one grid cell.
pub struct Pickup {
    /// Weights at the start of the grid cell, padded with zeros.
    pub now: Vec<f32>,
    /// Weights at its end; the same while it does not move.
    pub goal: Vec<f32>,
    moving: bool,
}

impl Pickup {
    /// Room for `padded` modes; the only allocation.
    pub fn new(padded: usize) -> Self {
        Self { now: Vec::with_capacity(padded), goal: Vec::with_capacity(padded), moving: false }
    }

    /// Hears `weights` from now on; zero up to the length `padded`.
    pub fn set(&mut self, weights: &[f64], padded: usize) {
        for array in [&mut self.now, &mut self.goal] {
            array.clear();
            array.extend(weights.iter().take(padded).map(|&weight| weight as f32));
            array.resize(padded, 0.0);
        }
        self.moving = false;
    }

    /// Moves to `weights`, 0 for the modes beyond them, over the grid cell that begins now.
    pub fn head_for(&mut self, weights: &[f64]) {
        let weights = weights.iter().map(|&weight| weight as f32).chain(std::iter::repeat(0.0));
        for (goal, weight) in self.goal.iter_mut().zip(weights) {
            *goal = weight;
        }
        self.moving = true;
    }

    /// A grid cell has ended.
    pub fn arrive(&mut self) {
        if self.moving {
            self.now.copy_from_slice(&self.goal);
            self.moving = false;
        }
    }

    /// Whether its weights change in this grid cell.
    pub fn is_moving(&self) -> bool {
        self.moving
    }

    /// Part of the way to the goal at the end of frame `offset` of the grid cell.
    pub fn along(&self, offset: usize) -> f64 {
        if self.moving { (offset + 1) as f64 * (1.0 / GRID as f64) } else { 0.0 }
    }

    /// Weight of mode `i` at the start of the cell.
    pub fn weight(&self, i: usize) -> f64 {
        f64::from(self.now[i])
    }

    /// What it hears of the velocities `v` at the end of frame `offset` of the grid cell.
    pub fn listen(&self, v: &[f64], offset: usize) -> f64 {
        let now = heard(&self.now, v);
        if self.moving { now + self.along(offset) * (heard(&self.goal, v) - now) } else { now }
    }
}

/// Lanes of a sum.
const LANES: usize = 8;

/// Sum of the weighted velocities; both padded to a multiple of 8.
#[multiversion(targets("x86_64+avx"))]
fn heard(weights: &[f32], v: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    for (weights, v) in weights.as_chunks::<LANES>().0.iter().zip(v.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            lanes[lane] += f64::from(weights[lane]) * v[lane];
        }
    }
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}
