//! Eigenvalues of the contact with its losses, all at once, and those without losses, from which they start.
//!
//! ```text
//! P(s) = [1 + kappa sum W_l^2/D_l] prod D_l = 0      kappa = k + c s,  D_l = s^2 + 2 sigma_l s + omega_l^2
//! delta s_j = 1/(P'/P - sum 1/(s_j - s_m))           Ehrlich 1967, Aberth 1973
//! ```
//!
//! Newton's method on each root alone finds one root twice and misses another; the sum keeps the roots apart. A root is kept as
//! s = origin + delta with a pole as origin, so that D_l and the distances between roots clustered about a pole lose no digits.
//!
//! The eigenvalues without losses (`secular`) are the starting points.

use nalgebra::Complex;

use crate::eigenbasis::coupled::Coordinate;
use crate::eigenbasis::secular::{Compliance, SecularJoint, SecularTerms, eigenvalue};

/// Maximum number of sweeps over conjugate pairs and real roots.
const MAX_SWEEPS: u32 = 24;
/// Maximum number of sweeps over all roots separately, where it is unknown which are real.
const MAX_SEPARATE_SWEEPS: u32 = 80;
/// Change relative to delta after which a root has converged; the error is its third power.
const ACCURACY: f64 = 1e-8;
/// Imaginary part relative to the root below which a root computed separately is real.
const REAL: f64 = 1e-9;

/// Accuracy of an undamped root relative to its distance from the nearest pole; the damped roots refine it.
const UNDAMPED_ACCURACY: f64 = 1e-3;

/// One eigenvalue.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root {
    pub origin: Complex<f64>,
    pub delta: Complex<f64>,
    /// The coordinate whose pole is near.
    pub owner: usize,
    pub real: bool,
    done: bool,
}

impl Root {
    pub fn value(&self) -> Complex<f64> {
        self.origin + self.delta
    }

    fn from(&self, point: Complex<f64>) -> Complex<f64> {
        (self.origin - point) + self.delta
    }

    fn apart(&self, other: &Root) -> Complex<f64> {
        (self.origin - other.origin) + (self.delta - other.delta)
    }

    fn apart_conjugate(&self, other: &Root) -> Complex<f64> {
        (self.origin - other.origin.conj()) + (self.delta - other.delta.conj())
    }

    /// D_l at this root.
    pub fn denominator(&self, c: &Coordinate) -> Complex<f64> {
        self.from(c.pole) * self.from(c.partner)
    }

    fn real(value: f64, owner: usize) -> Self {
        Self { origin: Complex::ZERO, delta: value.into(), owner, real: true, done: false }
    }
}

/// The spring k [N/m] > 0 and damper c [N s/m] >= 0 of the contact.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(super) struct Spring {
    pub k: f64,
    pub c: f64,
}

/// All roots; of conjugates the one above the real axis.
#[derive(Clone, Debug)]
pub(super) struct Roots {
    pub found: Vec<Root>,
    pub sweeps: u32,
}

impl Roots {
    pub fn new(capacity: usize) -> Self {
        Self { found: Vec::with_capacity(2 * capacity), sweeps: 0 }
    }

    /// Finds all roots; false if they were not found within the bounds.
    pub fn find(&mut self, coordinates: &[Coordinate], spring: Spring) -> bool {
        self.sweeps = 0;
        self.start(coordinates, spring);
        if self.iterate(coordinates, spring, true, MAX_SWEEPS) {
            return true;
        }
        self.start(coordinates, spring);
        self.part();
        self.iterate(coordinates, spring, false, MAX_SEPARATE_SWEEPS)
            && self.keep_upper(coordinates)
            && self.iterate(coordinates, spring, true, MAX_SWEEPS)
    }

    /// Slope of 1 + kappa sum W^2/D at root j: P'(s_j)/prod D_l(s_j) = prod (s_j - s_m)/prod D_l(s_j). Vectors normalised by it
    /// are orthogonal even where two roots are so close that rounding moves them.
    pub fn slope(&self, j: usize, coordinates: &[Coordinate]) -> Complex<f64> {
        let root = &self.found[j];
        let mut product = Complex::<f64>::ONE;
        let (mut factors, mut divided) = (0, 0);
        for (m, other) in self.found.iter().enumerate() {
            let own = m == j;
            product *= match (other.real, own) {
                (true, true) => Complex::ONE,
                (true, false) => root.apart(other),
                (false, true) => root.apart_conjugate(other),
                (false, false) => root.apart(other) * root.apart_conjugate(other),
            };
            factors += if other.real { 1 } else { 2 };
            // divided as soon as there are two more, so that the product stays near 1
            while 2 * (divided + 1) <= factors {
                product /= root.denominator(&coordinates[divided]);
                divided += 1;
            }
        }
        product
    }

    /// Undamped eigenvalues lambda, damped to first order: s^2 + (u'Cu/u'u) s + lambda = 0 with u_i = W_i/(omega_i^2 - lambda).
    fn start(&mut self, coordinates: &[Coordinate], Spring { k, c }: Spring) {
        self.found.clear();
        let spring = SecularJoint { strength: k, compliance: Compliance::Finite, accuracy: UNDAMPED_ACCURACY };
        for j in 0..coordinates.len() {
            let at = eigenvalue(coordinates, spring, j);
            let owner = &coordinates[at.origin];
            let (mut norm, mut beyond) = (0.0, 0.0);
            for i in coordinates {
                let gap = (i.omega - owner.omega) * (i.omega + owner.omega) - at.mu;
                let u2 = if gap == 0.0 { 0.0 } else { (i.weight / gap).powi(2) };
                norm += u2;
                beyond += (i.sigma - owner.sigma) * u2;
            }
            let more = if norm > 0.0 { (beyond + 0.5 * c / (k * k)) / norm } else { 0.0 };
            let sigma = (owner.sigma + more).max(0.0);
            // s^2 + 2 sigma s + lambda, as its distance from the owner's s^2 + 2 sigma_o s + omega_o^2
            let grown = (sigma - owner.sigma) * (sigma + owner.sigma) - at.mu;
            let discriminant = owner.sigma * owner.sigma - owner.omega * owner.omega;
            let (beside, root) = ((discriminant + grown).abs().sqrt(), discriminant.abs().sqrt());
            let start = |origin, delta, real| Root { origin, delta, owner: at.origin, real, done: false };
            match (discriminant + grown >= 0.0, discriminant >= 0.0) {
                (true, true) => {
                    let further = grown / (beside + root).max(f64::MIN_POSITIVE);
                    self.found.push(start(owner.pole, (owner.sigma - sigma + further).into(), true));
                    self.found.push(start(owner.partner, (owner.sigma - sigma - further).into(), true));
                }
                (true, false) => {
                    let lambda = owner.omega * owner.omega + at.mu;
                    self.found.push(start(Complex::ZERO, (-lambda / (sigma + beside)).into(), true));
                    self.found.push(start(Complex::ZERO, (-sigma - beside).into(), true));
                }
                (false, false) => {
                    let delta = Complex::new(owner.sigma - sigma, -grown / (beside + root));
                    self.found.push(start(owner.pole, delta, false));
                }
                (false, true) => self.found.push(start(owner.pole, Complex::new(-sigma, beside) - owner.pole, false)),
            }
        }
    }

    /// Starts every root separately and off the symmetry about the real axis, which would keep pairs from becoming two real
    /// roots.
    fn part(&mut self) {
        for j in 0..self.found.len() {
            let root = self.found[j];
            self.found[j] = Root { delta: root.delta * Complex::new(1.0, 0.1), real: false, ..root };
            if !root.real {
                let delta = root.delta.conj() * Complex::new(0.95, 0.05);
                self.found.push(Root { origin: root.origin.conj(), delta, ..root });
            }
        }
    }

    /// Sweeps until all roots have converged. `mirrored`: roots off the axis represent their conjugates too.
    fn iterate(&mut self, coordinates: &[Coordinate], spring: Spring, mirrored: bool, most: u32) -> bool {
        for root in &mut self.found {
            root.done = false;
        }
        for _ in 0..most {
            self.sweeps += 1;
            let mut moving = false;
            for j in 0..self.found.len() {
                if !self.found[j].done {
                    self.improve(j, coordinates, spring, mirrored);
                    moving |= !self.found[j].done;
                }
            }
            if !self.found.iter().all(|root| root.delta.re.is_finite() && root.delta.im.is_finite()) {
                return false;
            }
            if !moving {
                return true;
            }
        }
        false
    }

    fn improve(&mut self, j: usize, coordinates: &[Coordinate], spring: Spring, mirrored: bool) {
        let mut root = self.found[j];
        move_origin(&mut root, coordinates);
        let mut slope = logarithmic_slope(&root, coordinates, spring);
        for (m, other) in self.found.iter().enumerate() {
            let own = m == j;
            let (near, far) = (root.apart(other), root.apart_conjugate(other));
            slope -= match (mirrored && !other.real, own) {
                (true, true) => far.inv(),
                (true, false) => (near + far) * (near * far).inv(),
                (false, true) => Complex::ZERO,
                (false, false) => near.inv(),
            };
        }
        let mut step = slope.inv();
        if !(step.re.is_finite() && step.im.is_finite()) {
            // two equal roots are separated; an exact root stays
            step = if slope.re.is_infinite() || slope.re.is_nan() { Complex::ZERO } else { root.value() * 1e-3 };
        }
        if root.real {
            step.im = 0.0;
        }
        root.delta -= step;
        root.done = step.norm_sqr() <= (ACCURACY * ACCURACY) * root.delta.norm_sqr();
        self.found[j] = root;
    }

    /// Keeps the roots above and on the real axis. False if the others are not their conjugates.
    fn keep_upper(&mut self, coordinates: &[Coordinate]) -> bool {
        let mut kept = 0;
        let mut degree = 0;
        for j in 0..self.found.len() {
            let mut root = self.found[j];
            let s = root.value();
            if s.im.abs() <= REAL * s.norm() {
                root = Root::real(s.re, root.owner);
                degree += 1;
            } else if s.im > 0.0 {
                degree += 2;
            } else {
                continue;
            }
            self.found[kept] = root;
            kept += 1;
        }
        self.found.truncate(kept);
        degree == 2 * coordinates.len()
    }
}

/// Makes the nearest pole the origin if it is much nearer than the present one; for a real root a real pole only.
fn move_origin(root: &mut Root, coordinates: &[Coordinate]) {
    let mut nearest = 0.25 * root.delta.norm_sqr();
    let old = *root;
    for (l, c) in coordinates.iter().enumerate() {
        for pole in [c.pole, c.partner] {
            let delta = old.from(pole);
            if delta.norm_sqr() < nearest && (!root.real || pole.im == 0.0) {
                nearest = delta.norm_sqr();
                (root.origin, root.delta, root.owner) = (pole, delta, l);
            }
        }
    }
}

/// P'/P: with h = D_o (1 + kappa R_o) + kappa W_o^2 and R_o, the sum without the owner o, it is h'/h + sum D_l'/D_l without o.
fn logarithmic_slope(root: &Root, coordinates: &[Coordinate], Spring { k, c }: Spring) -> Complex<f64> {
    let kappa = k + c * root.value();
    let (mut sum, mut sum_slope, mut logarithm) = (Complex::ZERO, Complex::ZERO, Complex::<f64>::ZERO);
    let (mut own, mut own_slope, mut own_weight2) = (Complex::ZERO, Complex::ZERO, 0.0);
    for (l, coordinate) in coordinates.iter().enumerate() {
        let (to_pole, to_partner) = (root.from(coordinate.pole), root.from(coordinate.partner));
        let (d, d_slope) = (to_pole * to_partner, to_pole + to_partner);
        let weight2 = coordinate.weight * coordinate.weight;
        if l == root.owner {
            (own, own_slope, own_weight2) = (d, d_slope, weight2);
            continue;
        }
        let inverse = d.inv();
        let relative = d_slope * inverse;
        logarithm += relative;
        sum += inverse * weight2;
        sum_slope -= inverse * relative * weight2;
    }
    let rest = kappa * sum + 1.0;
    let h = own * rest + kappa * own_weight2;
    let h_slope = own_slope * rest + own * (sum * c + kappa * sum_slope) + c * own_weight2;
    h_slope / h + logarithm
}

impl SecularTerms for [Coordinate] {
    fn count(&self) -> usize {
        self.len()
    }

    fn gap(&self, i: usize, origin: usize) -> f64 {
        let (a, b) = (self[i].omega, self[origin].omega);
        (a - b) * (a + b)
    }

    fn square(&self, i: usize) -> f64 {
        self[i].weight * self[i].weight
    }
}
