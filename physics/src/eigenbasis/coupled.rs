//! Modes coupled to the contact and uncoupled from it, and probes of their motion.
//!
//! Modes of equal frequency and decay act on the contact as one. Modes with the same omega and sigma and weights W_1 .. W_m move
//! the contact point by W p alone, where W = |(W_1 .. W_m)| and p = sum W_i q_i/W; the components orthogonal to p are uncoupled and
//! move freely. So does a mode without weight.

use nalgebra::Complex;

use crate::eigenbasis::phasors::{SIDE, Turns, drop_dead};
use crate::modal::{Mode, Response, tree};

/// Relative weight below which a mode counts as uncoupled.
const WEIGHTLESS: f64 = 1e-13;
/// Relative distance of frequencies and decays that count as equal.
const SAME: f64 = 1e-14;

/// Maximum number of probes that are read in one pass.
pub const MAX_PROBES: usize = 4;

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

pub(super) type Four = [f64; SIDE];

/// Modes, or parts of modes, uncoupled from the contact: they move freely, four to a vector, padded with zeros.
///
/// ```text
/// q <- a11 q + a12 v + bq a      v <- a21 q + a22 v + bv a      a: the outside force on it
/// ```
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

/// Reads sum y_i q_i and its velocity from a contact basis (`ContactBasis::aim_probe`, `ContactBasis::read_probe`): displacement
/// and velocity of a point of hammer or body in contact, O(N) a sample, where the whole state costs O(N^2).
#[derive(Clone, Debug)]
pub struct Probe {
    /// sum_g y_g u_gj for each root, doubled for conjugates; the same times s_j.
    pub(super) place: Turns,
    pub(super) speed: Turns,
    /// y of each uncoupled part.
    pub(super) apart: Vec<Four>,
    /// y of each coordinate.
    pub(super) coordinates: Vec<f64>,
    pub(super) shape: Vec<Complex<f64>>,
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
}
