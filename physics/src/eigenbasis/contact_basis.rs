//! A hammer and a body in contact through a linear spring with damper: their common eigenvectors, computed at run time.
//!
//! ```text
//! q_i'' + 2 sigma_i q_i' + omega_i^2 q_i = a_i - W_i f,   f = k (x - e) + c x',   x = sum W_i q_i
//! u_ij = W_i/(s_j^2 + 2 sigma_i s_j + omega_i^2) nu_j,    nu_j such that u'(2 s + 2 S) u + c (W'u)^2 = 1
//! q(t) = q_rest + sum_j u_j a_j exp(s_j t),               a_j = u_j'[(s_j + 2 S + c W W')(q - q_rest) + v]
//! ```
//!
//! A sample costs one complex product a root, O(N), and one more for each sum that is read ([`Probe`]); building the basis and
//! changing into and out of it cost O(N^2). Exact for any step ([Rath] section 2, who computes the basis beforehand with dense
//! matrices and therefore keeps the contact point fixed).
//!
//! Nothing is allocated after construction, iterations are bounded. Where two eigenvectors fall together (a critically damped
//! contact) there is no basis: the damper is then changed by 1e-8, see [`ContactBasis::damping`].

use crate::eigenbasis::coupled::{Apart, Coupling, MAX_PROBES, Probe};
use crate::eigenbasis::damped_roots::{Root, Roots, Spring};
use crate::eigenbasis::phasors::Turns;
use crate::modal::Mode;
use nalgebra::Complex;

/// Norm of an eigenvector relative to the sum of its parts below which it cannot be separated from its neighbour.
const DOUBLE: f64 = 1e-5;
/// The same, below which the norm is taken from the distances of the roots.
const NEAR: f64 = 0.1;
/// Change of the damper that separates a double root.
const NUDGE: f64 = 1e-8;
/// Maximum number of attempts at a basis, each with a further changed damper.
const TRIALS: u32 = 3;
/// Residual of sum s (W'u)^2 = W'W above which a root is missing.
const INCOMPLETE: f64 = 1e-5;

/// The contact phase of one hammer and one body.
#[derive(Clone, Debug)]
pub struct ContactBasis {
    spring: Spring,
    coupling: Coupling,
    roots: Roots,
    /// Eigenvectors u_gj, coordinate g fastest.
    vectors: Vec<Complex<f64>>,
    /// W'u_j, doubled for roots that represent a conjugate pair.
    weights: Vec<Complex<f64>>,
    /// The same as vectors, and the same times s_j: weights of an amplitude in x and x'.
    place: Turns,
    speed: Turns,
    amplitudes: Turns,
    /// exp(s_j h).
    strides: Turns,
    h: f64,
    /// Rest of each coordinate under push and spring, push, displacement, velocity.
    rest: Vec<f64>,
    push: Vec<f64>,
    p: Vec<f64>,
    u: Vec<f64>,
    /// The parts of modes that are uncoupled from the contact.
    apart: Apart,
    /// x at rest, and the compression of the spring in it [m].
    x_rest: f64,
    pressed: f64,
    modes: Vec<Mode>,
}

/// State of a contact after a step, and the outputs of the probes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Moment {
    /// x - e [m].
    pub compression: f64,
    /// Its velocity [m/s].
    pub closing: f64,
    /// Velocities read by the probes; 0 without a probe.
    pub heard: [f64; MAX_PROBES],
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
            place: Turns::new(2 * capacity),
            speed: Turns::new(2 * capacity),
            amplitudes: Turns::new(2 * capacity),
            strides: Turns::new(2 * capacity),
            h: 0.0,
            rest: reals(),
            push: reals(),
            p: reals(),
            u: reals(),
            apart: Apart::new(capacity),
            x_rest: 0.0,
            pressed: 0.0,
            modes: Vec::with_capacity(capacity),
        }
    }

    /// Builds the basis for steps of h [s]: `modes` of hammer and body with their `weights` W [kg^-1/2] (at least one nonzero), a
    /// spring k [N/m] > 0 and a damper c [N s/m] >= 0. False if it was not found within the bounds or does not fit; then no other
    /// method may be called.
    pub fn build(&mut self, modes: &[Mode], weights: &[f64], k: f64, c: f64, h: f64) -> bool {
        let fits = modes.len() == weights.len() && modes.len() <= self.modes.capacity();
        let spring = k > 0.0 && c >= 0.0;
        if !fits || !spring {
            return false;
        }
        self.h = h;
        self.modes.clear();
        self.modes.extend_from_slice(modes);
        self.coupling.set(modes, weights);
        if self.coupling.coordinates.is_empty() {
            return false;
        }
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

    /// Sets eigenvectors and their weights in the contact. False if one cannot be separated from its neighbour.
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
                size += part.norm_sqr().sqrt();
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

    /// Whether every root is found once: sum s (W'u)^2 over all roots is W'W.
    fn is_complete(&self) -> bool {
        let (mobility, mut sum) = (self.mobility(), 0.0);
        for (root, w) in self.roots.found.iter().zip(&self.weights) {
            sum += (root.value() * w * w).re * if root.real { 1.0 } else { 0.5 };
        }
        (sum - mobility).abs() <= INCOMPLETE * mobility
    }

    fn prepare(&mut self) {
        let found = &self.roots.found;
        self.strides.take(found.iter().map(|root| (root.value() * self.h).exp()));
        self.place.take(self.weights.iter().copied());
        self.speed.take(self.weights.iter().zip(found).map(|(w, root)| w * root.value()));
        self.amplitudes.take(found.iter().map(|_| Complex::ZERO));
        for values in [&mut self.rest, &mut self.push, &mut self.p, &mut self.u] {
            values.clear();
            values.resize(self.coupling.coordinates.len(), 0.0);
        }
        self.apart.set(&self.modes, &self.coupling, self.h);
    }

    /// Sets a state: displacements q and velocities v, outside forces `push` a (all by unit modal mass), and the relaxed length
    /// e [m] of the spring, which is the x at which it exerts no force.
    pub fn load(&mut self, q: &[f64], v: &[f64], push: &[f64], relaxed: f64) {
        self.coupling.gather(push, &mut self.push);
        self.find_rest(relaxed);
        self.coupling.gather(q, &mut self.p);
        self.coupling.gather(v, &mut self.u);
        self.apart.load([q, v, push], [&self.p, &self.u, &self.push], &self.coupling);
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
            self.amplitudes.set(j, sum + self.weights[j] * (self.spring.c * x / both));
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
        (self.x_rest, self.pressed) = (relaxed + force / k, force / k);
        if free {
            self.rest[0] = (self.x_rest - (pushed - mobility * force)) / coordinates[0].weight;
        }
    }

    /// Elastic energy [J] of the static equilibrium under the outside forces `push`, with the relaxed length e [m] of the spring: the state is
    /// kept as the difference from it.
    pub fn rest_energy(&mut self, push: &[f64], relaxed: f64) -> f64 {
        self.coupling.gather(push, &mut self.push);
        self.find_rest(relaxed);
        let bent = self.coupling.coordinates.iter().zip(&self.rest).map(|(c, rest)| (c.omega * rest).powi(2));
        0.5 * (bent.sum::<f64>() + self.spring.k * self.pressed * self.pressed)
    }

    /// One step of h, exact.
    pub fn step(&mut self) {
        self.amplitudes.step(&self.strides);
        self.apart.step();
    }

    /// The same, and the state after it. `taps`: none, two or four probes aimed at this basis.
    pub fn step_to(&mut self, taps: &[&Probe]) -> Moment {
        let Self { amplitudes, strides, place, speed, apart, .. } = self;
        let mut heard = [0.0; MAX_PROBES];
        let [x, closing] = match taps {
            [a, b] => {
                let [x, closing, velocity_a, velocity_b] = amplitudes.step_for_four(strides, [place, speed, &a.speed, &b.speed]);
                let beside = apart.step_for_two([&a.apart, &b.apart]);
                heard[..2].copy_from_slice(&[velocity_a + beside[0], velocity_b + beside[1]]);
                [x, closing]
            }
            [a, b, c, d] => {
                let weights = [place, speed, &a.speed, &b.speed, &c.speed, &d.speed];
                let [x, closing, of @ ..] = amplitudes.step_for_six(strides, weights);
                let beside: [f64; 4] = apart.step_for_four([&a.apart, &b.apart, &c.apart, &d.apart]);
                heard = std::array::from_fn(|k| of[k] + beside[k]);
                [x, closing]
            }
            _ => {
                apart.step();
                amplitudes.step_for_two(strides, [place, speed])
            }
        };
        Moment { compression: self.pressed + x, closing, heard }
    }

    /// A step of any length dt [s], exact; slower than [`ContactBasis::step`].
    pub fn advance(&mut self, dt: f64) {
        for (j, root) in self.roots.found.iter().enumerate() {
            self.amplitudes.set(j, self.amplitudes.get(j) * (root.value() * dt).exp());
        }
        self.apart.advance(&self.modes, dt);
    }

    /// Flushes denormal numbers to zero; to be called from time to time, since they are slow.
    pub fn drop_dead(&mut self) {
        self.amplitudes.drop_dead();
        self.apart.drop_dead();
    }

    /// Returns the state.
    pub fn store(&mut self, q: &mut [f64], v: &mut [f64]) {
        let n = self.coupling.coordinates.len();
        self.p.copy_from_slice(&self.rest);
        self.u.fill(0.0);
        for (j, root) in self.roots.found.iter().enumerate() {
            let (a, b) = self.swing(j, root);
            for (g, u) in self.vectors[j * n..(j + 1) * n].iter().enumerate() {
                self.p[g] += u.re * a.re - u.im * a.im;
                self.u[g] += u.re * b.re - u.im * b.im;
            }
        }
        for (i, g) in self.coupling.of_mode.iter().enumerate() {
            let share = self.coupling.share[i];
            (q[i], v[i]) = g.map_or((0.0, 0.0), |g| (share * self.p[g], share * self.u[g]));
        }
        for (k, &i) in self.apart.modes.iter().enumerate() {
            let (beside, speed) = self.apart.state(k);
            (q[i], v[i]) = (q[i] + beside, v[i] + speed);
        }
    }

    /// Displacement and velocity of mode i, O(N).
    pub fn state(&self, i: usize) -> (f64, f64) {
        let (mut q, mut v) = (0.0, 0.0);
        if let Some(g) = self.coupling.of_mode[i] {
            let (n, share) = (self.coupling.coordinates.len(), self.coupling.share[i]);
            (q, v) = (self.rest[g], 0.0);
            for (j, root) in self.roots.found.iter().enumerate() {
                let ((a, b), u) = (self.swing(j, root), self.vectors[j * n + g]);
                q += u.re * a.re - u.im * a.im;
                v += u.re * b.re - u.im * b.im;
            }
            (q, v) = (share * q, share * v);
        }
        if let Ok(k) = self.apart.modes.binary_search(&i) {
            let (beside, speed) = self.apart.state(k);
            (q, v) = (q + beside, v + speed);
        }
        (q, v)
    }

    /// Amplitudes of eigenvector j in displacements and in velocities, its conjugate included.
    fn swing(&self, j: usize, root: &Root) -> (Complex<f64>, Complex<f64>) {
        let a = self.amplitudes.get(j) * if root.real { 1.0 } else { 2.0 };
        (a, a * root.value())
    }

    /// x = sum W q [m] and its velocity [m/s].
    pub fn motion(&self) -> (f64, f64) {
        (self.x_rest + self.amplitudes.sum(&self.place), self.amplitudes.sum(&self.speed))
    }

    /// x and x' after dt [s] of undisturbed motion.
    pub fn motion_after(&self, dt: f64) -> (f64, f64) {
        let (mut x, mut v) = (self.x_rest, 0.0);
        for (j, (root, w)) in self.roots.found.iter().zip(&self.weights).enumerate() {
            let s = root.value();
            let part = w * (self.amplitudes.get(j) * (s * dt).exp());
            x += part.re;
            v += part.re * s.re - part.im * s.im;
        }
        (x, v)
    }

    /// Points `probe` at sum y_i q_i; to be repeated after each build. `y` has one entry a mode, and there are no more modes than there
    /// is room for.
    pub fn aim_probe(&self, probe: &mut Probe, y: &[f64]) {
        let n = self.coupling.coordinates.len();
        probe.coordinates.clear();
        probe.coordinates.resize(n, 0.0);
        self.coupling.gather(y, &mut probe.coordinates);
        probe.shape.clear();
        for (vector, root) in self.vectors.chunks_exact(n).zip(&self.roots.found) {
            let sum: Complex<f64> = vector.iter().zip(&probe.coordinates).map(|(u, y)| u * y).sum();
            probe.shape.push(sum * if root.real { 1.0 } else { 2.0 });
        }
        probe.place.take(probe.shape.iter().copied());
        probe.speed.take(probe.shape.iter().zip(&self.roots.found).map(|(shape, root)| shape * root.value()));
        self.apart.gather(y, &mut probe.apart);
    }

    /// Displacement and velocity that `probe` reads at the present state; the velocity of a shape in kg^-1/2 is in m/s.
    pub fn read_probe(&self, probe: &Probe) -> (f64, f64) {
        let mut x: f64 = probe.coordinates.iter().zip(&self.rest).map(|(y, rest)| y * rest).sum();
        x += self.amplitudes.sum(&probe.place);
        let mut velocity = self.amplitudes.sum(&probe.speed);
        for (k, y) in probe.apart.iter().flatten().take(self.apart.modes.len()).enumerate() {
            let (beside, speed) = self.apart.state(k);
            x += y * beside;
            velocity += y * speed;
        }
        (x, velocity)
    }

    /// Stiffness of the spring [N/m].
    pub fn stiffness(&self) -> f64 {
        self.spring.k
    }

    /// The damper [N s/m]; changed by 1e-8 where two eigenvectors would coincide.
    pub fn damping(&self) -> f64 {
        self.spring.c
    }

    /// Eigenvalues s_j [1/s]; of conjugates the one above the real axis.
    pub fn eigenvalues(&self) -> impl Iterator<Item = Complex<f64>> + '_ {
        self.roots.found.iter().map(Root::value)
    }

    /// Sweeps of the simultaneous iteration that the last build took.
    pub fn sweeps(&self) -> u32 {
        self.roots.sweeps
    }
}
