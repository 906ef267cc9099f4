//! A hammer and a body in contact through a linear spring with damper: their common eigenvectors, found while they play.
//!
//! ```text
//! q_i'' + 2 sigma_i q_i' + omega_i^2 q_i = a_i - W_i f,   f = k (x - e) + c x',   x = sum W_i q_i
//! u_ij = W_i/(s_j^2 + 2 sigma_i s_j + omega_i^2) nu_j,    nu_j such that u'(2 s + 2 S) u + c (W'u)^2 = 1
//! q(t) = q_rest + sum_j u_j a_j exp(s_j t),               a_j = u_j'[(s_j + 2 S + c W W')(q - q_rest) + v]
//! ```
//!
//! A sample costs one complex product a root, O(N); building the basis and changing into and out of it cost O(N^2). Exact for any step
//! ([Rath] section 2, who computes the basis beforehand with dense matrices and therefore keeps the contact point fixed).
//!
//! Nothing is allocated after construction, iterations are bounded. Where two eigenvectors fall together (a critically damped
//! contact) there is no basis: the damper is then moved by 1e-8, which [`ContactBasis::damping`] tells.

mod coupled;
pub mod probe;
mod roots;
mod secular;

use super::modes::{Mode, Response};
use coupled::Coupling;
use nalgebra::Complex;
use roots::{Roots, Spring};

/// Norm of an eigenvector relative to the sum of its parts below which it is not told from its neighbour.
const DOUBLE: f64 = 1e-5;
/// The same, below which the norm is taken from the distances of the roots.
const NEAR: f64 = 0.1;
/// Change of the damper that parts a double root.
const NUDGE: f64 = 1e-8;
/// Most searches for a basis, each with a damper moved further.
const TRIALS: u32 = 3;
/// Imbalance in sum s (W'u)^2 = W'W at which a root must be missing.
const INCOMPLETE: f64 = 1e-5;

/// The contact phase of one hammer and one body.
#[derive(Clone, Debug)]
pub struct ContactBasis {
    spring: Spring,
    coupling: Coupling,
    roots: Roots,
    /// Eigenvectors u_gj, coordinate g fastest.
    vectors: Vec<Complex<f64>>,
    /// W'u_j, doubled for roots that stand for their conjugates.
    weights: Vec<Complex<f64>>,
    amplitudes: Vec<Complex<f64>>,
    /// exp(s_j h).
    strides: Vec<Complex<f64>>,
    h: f64,
    /// Rest of each coordinate under push and spring, push, displacement, velocity.
    rest: Vec<f64>,
    push: Vec<f64>,
    p: Vec<f64>,
    u: Vec<f64>,
    /// The parts of modes that the contact does not feel.
    apart: Vec<Apart>,
    x_rest: f64,
    modes: Vec<Mode>,
}

/// A mode, or its part, that goes on as if free.
#[derive(Clone, Copy, Debug)]
struct Apart {
    mode: usize,
    response: Response,
    push: f64,
    q: f64,
    v: f64,
}

impl Apart {
    fn advance(&mut self, r: &Response) {
        let q = r.a11 * self.q + r.a12 * self.v + r.bq * self.push;
        self.v = r.a21 * self.q + r.a22 * self.v + r.bv * self.push;
        self.q = q;
    }
}

impl ContactBasis {
    /// Room for `capacity` modes of hammer and body together. The only allocation, 16 capacity^2 to 32 capacity^2 bytes.
    pub fn new(capacity: usize) -> Self {
        let complex = |n| Vec::with_capacity(n);
        let reals = || Vec::with_capacity(capacity);
        Self {
            spring: Spring::default(),
            coupling: Coupling::new(capacity),
            roots: Roots::new(capacity),
            vectors: complex(2 * capacity * capacity),
            weights: complex(2 * capacity),
            amplitudes: complex(2 * capacity),
            strides: complex(2 * capacity),
            h: 0.0,
            rest: reals(),
            push: reals(),
            p: reals(),
            u: reals(),
            apart: Vec::with_capacity(capacity),
            x_rest: 0.0,
            modes: Vec::with_capacity(capacity),
        }
    }

    /// Builds the basis for steps of h [s]: `modes` of hammer and body with their `weights` W [kg^-1/2] (at least one not 0), a spring
    /// k [N/m] > 0 and a damper c [N s/m] >= 0. False if it was not found within the bounds or does not fit: then nothing else may be called.
    pub fn build(&mut self, modes: &[Mode], weights: &[f64], k: f64, c: f64, h: f64) -> bool {
        let fits = modes.len() == weights.len() && modes.len() <= self.modes.capacity();
        let spring = k > 0.0 && c >= 0.0;
        if !fits || !spring || weights.iter().all(|w| *w == 0.0) {
            return false;
        }
        self.h = h;
        self.modes.clear();
        self.modes.extend_from_slice(modes);
        self.coupling.set(modes, weights);
        self.spring = Spring { k, c };
        let found = (0..TRIALS).any(|trial| {
            if trial > 0 {
                self.spring.c += NUDGE * (c + (k / self.mobility()).sqrt());
            }
            self.roots.find(&self.coupling.coordinates, self.spring) && self.set_vectors() && self.is_complete()
        });
        if found {
            self.prepare();
        }
        found
    }

    /// Eigenvectors and their share in the contact. False if one is not told from its neighbour.
    fn set_vectors(&mut self) -> bool {
        let Spring { k, c } = self.spring;
        self.vectors.clear();
        self.weights.clear();
        for (j, root) in self.roots.found.iter().enumerate() {
            let s = root.value();
            let first = self.vectors.len();
            let (mut norm, mut size, mut contact) = (Complex::<f64>::ZERO, 0.0, Complex::<f64>::ZERO);
            for coordinate in &self.coupling.coordinates {
                let u = coordinate.weight / root.denominator(coordinate);
                let part = u * u * 2.0 * (s + coordinate.sigma);
                norm += part;
                size += part.norm();
                contact += u * coordinate.weight;
                self.vectors.push(u);
            }
            let kappa = k + c * s;
            if kappa.norm() > 0.1 * k {
                contact = -kappa.inv();
            }
            let lost = c * contact * contact;
            norm += lost;
            size += lost.norm();
            if norm.norm() < NEAR * size {
                norm = contact * self.roots.slope(j, &self.coupling.coordinates);
            }
            if norm.norm() < DOUBLE * size {
                return false;
            }
            let nu = norm.sqrt().inv();
            for u in &mut self.vectors[first..] {
                *u *= nu;
            }
            let both = if root.real { 1.0 } else { 2.0 };
            self.weights.push(contact * nu * both);
        }
        true
    }

    /// W'W [1/kg].
    fn mobility(&self) -> f64 {
        self.coupling.coordinates.iter().map(|c| c.weight * c.weight).sum()
    }

    /// No root twice, none forgotten: sum s (W'u)^2 over all roots is W'W.
    fn is_complete(&self) -> bool {
        let (mobility, mut sum) = (self.mobility(), 0.0);
        for (root, w) in self.roots.found.iter().zip(&self.weights) {
            sum += (root.value() * w * w).re * if root.real { 1.0 } else { 0.5 };
        }
        (sum - mobility).abs() <= INCOMPLETE * mobility
    }

    fn prepare(&mut self) {
        let (n, m) = (self.coupling.coordinates.len(), self.roots.found.len());
        self.strides.clear();
        self.strides.extend(self.roots.found.iter().map(|root| (root.value() * self.h).exp()));
        self.amplitudes.clear();
        self.amplitudes.resize(m, Complex::ZERO);
        for values in [&mut self.rest, &mut self.push, &mut self.p, &mut self.u] {
            values.clear();
            values.resize(n, 0.0);
        }
        self.apart.clear();
        for (i, &mode) in self.modes.iter().enumerate().filter(|(i, _)| self.coupling.has_rest(*i)) {
            self.apart.push(Apart { mode: i, response: Response::new(mode, self.h), push: 0.0, q: 0.0, v: 0.0 });
        }
    }

    /// Takes over a state: displacements q and velocities v, outside forces `push` a (all by unit modal mass), and the relaxed length
    /// e [m] of the spring, which is the x at which it exerts no force.
    pub fn load(&mut self, q: &[f64], v: &[f64], push: &[f64], relaxed: f64) {
        self.coupling.gather(push, &mut self.push);
        for apart in &mut self.apart {
            apart.push = push[apart.mode]
                - self.coupling.of_mode[apart.mode].map_or(0.0, |g| self.coupling.share[apart.mode] * self.push[g]);
        }
        self.find_rest(relaxed);
        self.coupling.gather(q, &mut self.p);
        self.coupling.gather(v, &mut self.u);
        for apart in &mut self.apart {
            let (share, g) = (self.coupling.share[apart.mode], self.coupling.of_mode[apart.mode]);
            apart.q = q[apart.mode] - g.map_or(0.0, |g| share * self.p[g]);
            apart.v = v[apart.mode] - g.map_or(0.0, |g| share * self.u[g]);
        }
        let coordinates = &self.coupling.coordinates;
        for (p, rest) in self.p.iter_mut().zip(&self.rest) {
            *p -= rest;
        }
        let x: f64 = coordinates.iter().zip(&self.p).map(|(c, p)| c.weight * p).sum();
        let n = coordinates.len();
        for (j, root) in self.roots.found.iter().enumerate() {
            let s = root.value();
            let mut sum = Complex::<f64>::ZERO;
            for (g, u) in self.vectors[j * n..(j + 1) * n].iter().enumerate() {
                let momentum = Complex::new((s.re + 2.0 * coordinates[g].sigma) * self.p[g] + self.u[g], s.im * self.p[g]);
                sum += u * momentum;
            }
            let both = if root.real { 1.0 } else { 2.0 };
            self.amplitudes[j] = sum + self.weights[j] * (self.spring.c * x / both);
        }
    }

    /// Static equilibrium of the coordinates: omega^2 p = a - W k (x - e), x = W'p.
    fn find_rest(&mut self, relaxed: f64) {
        let (k, coordinates) = (self.spring.k, &self.coupling.coordinates);
        // only the first coordinate, if any, can move freely: it alone then carries the spring
        let free = coordinates[0].omega == 0.0;
        let held = &coordinates[usize::from(free)..];
        let pushes = &self.push[usize::from(free)..];
        let (mut pushed, mut mobility) = (0.0, 0.0);
        for (c, a) in held.iter().zip(pushes) {
            pushed += c.weight * a / (c.omega * c.omega);
            mobility += (c.weight / c.omega).powi(2);
        }
        let force = if free { self.push[0] / coordinates[0].weight } else { k * (pushed - relaxed) / (1.0 + k * mobility) };
        for (g, c) in coordinates.iter().enumerate() {
            self.rest[g] = if c.omega > 0.0 { (self.push[g] - c.weight * force) / (c.omega * c.omega) } else { 0.0 };
        }
        self.x_rest = relaxed + force / k;
        if free {
            self.rest[0] = (self.x_rest - (pushed - mobility * force)) / coordinates[0].weight;
        }
    }

    /// One step of h, exact.
    pub fn step(&mut self) {
        for (amplitude, stride) in self.amplitudes.iter_mut().zip(&self.strides) {
            *amplitude *= stride;
        }
        for apart in &mut self.apart {
            let response = apart.response;
            apart.advance(&response);
        }
    }

    /// A step of any length dt [s], exact; dearer than [`ContactBasis::step`].
    pub fn advance(&mut self, dt: f64) {
        for (amplitude, root) in self.amplitudes.iter_mut().zip(&self.roots.found) {
            *amplitude *= (root.value() * dt).exp();
        }
        for apart in &mut self.apart {
            apart.advance(&Response::new(self.modes[apart.mode], dt));
        }
    }

    /// Gives the state back.
    pub fn store(&mut self, q: &mut [f64], v: &mut [f64]) {
        let n = self.coupling.coordinates.len();
        self.p.copy_from_slice(&self.rest);
        self.u.fill(0.0);
        for (j, root) in self.roots.found.iter().enumerate() {
            let a = self.amplitudes[j] * if root.real { 1.0 } else { 2.0 };
            let b = a * root.value();
            for (g, u) in self.vectors[j * n..(j + 1) * n].iter().enumerate() {
                self.p[g] += u.re * a.re - u.im * a.im;
                self.u[g] += u.re * b.re - u.im * b.im;
            }
        }
        for (i, g) in self.coupling.of_mode.iter().enumerate() {
            let share = self.coupling.share[i];
            (q[i], v[i]) = g.map_or((0.0, 0.0), |g| (share * self.p[g], share * self.u[g]));
        }
        for apart in &self.apart {
            q[apart.mode] += apart.q;
            v[apart.mode] += apart.v;
        }
    }

    /// x = sum W q [m] and its velocity [m/s].
    pub fn motion(&self) -> (f64, f64) {
        self.sum(|j| self.amplitudes[j])
    }

    /// x and x' after dt [s] if nothing else happens.
    pub fn motion_after(&self, dt: f64) -> (f64, f64) {
        self.sum(|j| self.amplitudes[j] * (self.roots.found[j].value() * dt).exp())
    }

    fn sum(&self, amplitude: impl Fn(usize) -> Complex<f64>) -> (f64, f64) {
        let (mut x, mut v) = (0.0, 0.0);
        for (j, (root, w)) in self.roots.found.iter().zip(&self.weights).enumerate() {
            let part = w * amplitude(j);
            let s = root.value();
            x += part.re;
            v += part.re * s.re - part.im * s.im;
        }
        (self.x_rest + x, v)
    }

    /// Stiffness of the spring [N/m].
    pub fn stiffness(&self) -> f64 {
        self.spring.k
    }

    /// The damper [N s/m]; by 1e-8 more than asked for where two eigenvectors would have fallen together.
    pub fn damping(&self) -> f64 {
        self.spring.c
    }

    /// Eigenvalues s_j [1/s]; of conjugates the one above the real axis.
    pub fn eigenvalues(&self) -> impl Iterator<Item = Complex<f64>> + '_ {
        self.roots.found.iter().map(roots::Root::value)
    }

    /// Sweeps of the simultaneous iteration that the last build took.
    pub fn sweeps(&self) -> u32 {
        self.roots.sweeps
    }
}
