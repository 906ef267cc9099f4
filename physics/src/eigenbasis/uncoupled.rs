//! Modes, or parts of modes, uncoupled from the contact: they move freely, four to a vector.
//!
//! ```text
//! q <- a11 q + a12 v + bq a      v <- a21 q + a22 v + bv a      a: the outside force on it
//! ```

use crate::eigenbasis::coupled::Coupling;
use crate::eigenbasis::phasors::{SIDE, drop_dead};
use crate::modal::tree;
use crate::modal::{Mode, Response};

pub(super) type Four = [f64; SIDE];

/// The parts, padded with zeros.
#[derive(Clone, Debug)]
pub(super) struct Apart {
    /// Numbers of their modes.
    pub modes: Vec<usize>,
    /// Coefficients of a step of h.
    responses: Vec<Response>,
    /// Outside force on each.
    push: Vec<f64>,
    /// a11, a12, a21, a22, bq a, bv a.
    columns: Vec<[Four; 6]>,
    /// q and v.
    state: Vec<[Four; 2]>,
}

impl Apart {
    /// Room for `capacity` parts; the only allocation.
    pub fn new(capacity: usize) -> Self {
        let fours = capacity.div_ceil(SIDE);
        Self {
            modes: Vec::with_capacity(capacity),
            responses: Vec::with_capacity(capacity),
            push: Vec::with_capacity(capacity),
            columns: Vec::with_capacity(fours),
            state: Vec::with_capacity(fours),
        }
    }

    /// Sets the parts of `modes` outside `coupling`, at rest, for steps of h [s].
    pub fn set(&mut self, modes: &[Mode], coupling: &Coupling, h: f64) {
        self.modes.clear();
        self.modes.extend((0..modes.len()).filter(|&i| coupling.has_rest(i)));
        self.responses.clear();
        self.responses.extend(self.modes.iter().map(|&i| Response::new(modes[i], h)));
        self.push.clear();
        self.push.resize(self.modes.len(), 0.0);
        let fours = self.modes.len().div_ceil(SIDE);
        self.state.clear();
        self.state.resize(fours, Default::default());
        self.columns.clear();
        self.columns.resize(fours, Default::default());
    }

    /// Sets the state to `q`, `v` and the outside forces `push` of all modes minus `shared`, the coordinates' part in each of
    /// them.
    pub fn load(&mut self, [q, v, push]: [&[f64]; 3], shared: [&[f64]; 3], coupling: &Coupling) {
        for (k, &i) in self.modes.iter().enumerate() {
            let left = |of: &[f64], shared: &[f64]| of[i] - coupling.of_mode[i].map_or(0.0, |g| coupling.share[i] * shared[g]);
            let [q, v] = [left(q, shared[0]), left(v, shared[1])];
            self.push[k] = left(push, shared[2]);
            let (r, a) = (self.responses[k], self.push[k]);
            let columns = [r.a11, r.a12, r.a21, r.a22, r.bq * a, r.bv * a];
            let (four, lane) = (k / SIDE, k % SIDE);
            self.columns[four].iter_mut().zip(columns).for_each(|(column, value)| column[lane] = value);
            self.state[four].iter_mut().zip([q, v]).for_each(|(part, value)| part[lane] = value);
        }
    }

    /// Displacement and velocity of part k.
    pub fn state(&self, k: usize) -> (f64, f64) {
        let [q, v] = &self.state[k / SIDE];
        (q[k % SIDE], v[k % SIDE])
    }

    /// Flushes denormal numbers to zero.
    pub fn drop_dead(&mut self) {
        drop_dead(&mut self.state);
    }

    /// One step of h.
    pub fn step(&mut self) {
        go_alone(&self.columns, &mut self.state);
    }

    /// The same, then sum y v with both weights.
    pub fn step_for_two(&mut self, weights: [&[Four]; 2]) -> [f64; 2] {
        go_for_two(&self.columns, &mut self.state, weights)
    }

    /// The same with four.
    pub fn step_for_four(&mut self, weights: [&[Four]; 4]) -> [f64; 4] {
        go_for_four(&self.columns, &mut self.state, weights)
    }

    /// A step of any length dt [s] of parts of `modes`.
    pub fn advance(&mut self, modes: &[Mode], dt: f64) {
        for (k, (&i, a)) in self.modes.iter().zip(&self.push).enumerate() {
            let r = Response::new(modes[i], dt);
            let [q, v] = &mut self.state[k / SIDE];
            let (q, v) = (&mut q[k % SIDE], &mut v[k % SIDE]);
            (*q, *v) = (r.a11 * *q + r.a12 * *v + r.bq * a, r.a21 * *q + r.a22 * *v + r.bv * a);
        }
    }

    /// Selects the weights of the parts from `y`, one a mode.
    pub fn gather(&self, y: &[f64], to: &mut Vec<Four>) {
        to.clear();
        to.resize(self.state.len(), Four::default());
        for (k, &i) in self.modes.iter().enumerate() {
            to[k / SIDE][k % SIDE] = y[i];
        }
    }
}

#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn go_alone(columns: &[[Four; 6]], state: &mut [[Four; 2]]) {
    go(columns, state, []);
}

#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn go_for_two(columns: &[[Four; 6]], state: &mut [[Four; 2]], weights: [&[Four]; 2]) -> [f64; 2] {
    go(columns, state, weights)
}

#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
fn go_for_four(columns: &[[Four; 6]], state: &mut [[Four; 2]], weights: [&[Four]; 4]) -> [f64; 4] {
    go(columns, state, weights)
}

#[inline(always)]
fn go<const SUMS: usize>(columns: &[[Four; 6]], state: &mut [[Four; 2]], weights: [&[Four]; SUMS]) -> [f64; SUMS] {
    let n = state.len();
    let columns = &columns[..n];
    let weights = weights.map(|y| &y[..n]);
    let mut sums = [Four::default(); SUMS];
    for i in 0..n {
        let ([a11, a12, a21, a22, bq, bv], [q, v]) = (columns[i], state[i]);
        let (mut place, mut speed) = (Four::default(), Four::default());
        for lane in 0..SIDE {
            place[lane] = a11[lane] * q[lane] + a12[lane] * v[lane] + bq[lane];
            speed[lane] = a21[lane] * q[lane] + a22[lane] * v[lane] + bv[lane];
        }
        state[i] = [place, speed];
        for (sum, y) in sums.iter_mut().zip(weights) {
            for lane in 0..SIDE {
                sum[lane] += y[i][lane] * speed[lane];
            }
        }
    }
    sums.map(|sum| tree(&sum))
}
