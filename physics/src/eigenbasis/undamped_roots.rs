//! Eigenvalues of the contact without losses: starting points for the roots of the damped contact.
//!
//! ```text
//! F(lambda) = 1 + k sum W_i^2/(omega_i^2 - lambda) = 0        one root between any two neighbouring omega_i^2, one above the last
//! ```
//!
//! F rises between its poles from -inf to inf. Each step replaces the poles on either side by one each that agrees in value and slope
//! ("middle way", R.-C. Li 1993) and is kept inside the bracket; lambda is kept as its distance mu from the nearer pole.

use crate::eigenbasis::coupled::Coordinate;

/// Maximum number of steps for one root.
const MAX_STEPS: u32 = 40;
/// Accuracy relative to the distance from the nearest pole; the damped roots refine it.
const ACCURACY: f64 = 1e-3;

/// An undamped eigenvalue lambda = omega_o^2 + mu.
#[derive(Clone, Copy, Debug)]
pub(super) struct Eigenvalue {
    /// Number of the pole of reference.
    pub origin: usize,
    /// Distance from there [1/s^2], signed.
    pub mu: f64,
}

/// omega_i^2 - omega_o^2 without cancellation.
fn gap(coordinates: &[Coordinate], i: usize, origin: usize) -> f64 {
    let (a, b) = (coordinates[i].omega, coordinates[origin].omega);
    (a - b) * (a + b)
}

/// The two sides of F - 1 and their slopes at mu: poles up to j, poles above j.
fn sides(coordinates: &[Coordinate], k: f64, j: usize, origin: usize, mu: f64) -> [f64; 4] {
    let mut sums = [0.0; 4];
    for (i, c) in coordinates.iter().enumerate() {
        let inverse = 1.0 / (gap(coordinates, i, origin) - mu);
        let term = k * c.weight * c.weight * inverse;
        let side = if i <= j { 0 } else { 2 };
        sums[side] += term;
        sums[side + 1] += term * inverse;
    }
    sums
}

/// The root above pole j and below the next. `coordinates` in order of rising omega; equal omegas: the root lies on them.
pub(super) fn eigenvalue(coordinates: &[Coordinate], k: f64, j: usize) -> Eigenvalue {
    let last = j + 1 == coordinates.len();
    let width = if last { k * coordinates.iter().map(|c| c.weight * c.weight).sum::<f64>() } else { gap(coordinates, j + 1, j) };
    if width <= 0.0 {
        return Eigenvalue { origin: j, mu: 0.0 };
    }
    let middle = sides(coordinates, k, j, j, 0.5 * width);
    let below = 1.0 + middle[0] + middle[2] >= 0.0;
    let (origin, mut low, mut high) = match (below, last) {
        (true, _) => (j, 0.0, 0.5 * width),
        (false, true) => (j, 0.5 * width, width),
        (false, false) => (j + 1, -0.5 * width, 0.0),
    };
    let mut mu = 0.5 * (low + high);
    for _ in 0..MAX_STEPS {
        let [psi, psi_slope, phi, phi_slope] = sides(coordinates, k, j, origin, mu);
        let value = 1.0 + psi + phi;
        *(if value < 0.0 { &mut low } else { &mut high }) = mu;
        let to_left = gap(coordinates, j, origin) - mu;
        let step = if last {
            let constant = 1.0 + psi - psi_slope * to_left;
            to_left + psi_slope * to_left * to_left / constant
        } else {
            let to_right = gap(coordinates, j + 1, origin) - mu;
            let (left, right) = (psi_slope * to_left * to_left, phi_slope * to_right * to_right);
            let constant = value - psi_slope * to_left - phi_slope * to_right;
            let a = constant * (to_left + to_right) + left + right;
            let b = value * to_left * to_right;
            let root = (a * a - 4.0 * b * constant).max(0.0).sqrt();
            if a <= 0.0 { (a - root) / (2.0 * constant) } else { 2.0 * b / (a + root) }
        };
        let inside = mu + step > low && mu + step < high;
        let next = if inside { mu + step } else { bisect(low, high) };
        let moved = (next - mu).abs();
        mu = next;
        if moved <= ACCURACY * mu.abs() {
            break;
        }
    }
    Eigenvalue { origin, mu }
}

/// Middle of both ends, logarithmic where they have the same sign and are far apart.
fn bisect(low: f64, high: f64) -> f64 {
    let (near, far) = (low.abs().min(high.abs()), low.abs().max(high.abs()));
    match () {
        () if near > 0.0 && far > 4.0 * near => (near * far).sqrt().copysign(low + high),
        () if near == 0.0 => 0.25 * (low + high),
        () => 0.5 * (low + high),
    }
}
