//! Eigenvalues of modes that are joined along a row of weights, without losses: the roots of the secular equation.
//!
//! ```text
//! F(lambda) = one + k sum W_i^2/(d_i - lambda) = 0        one root between any two neighbouring d_i, one above the last
//! ```
//!
//! d_i are the poles: omega_i^2, or 1/omega_i^2 where a mass joins the modes. one is 1, or 0 for a rigid joint, which has no root above the
//! last pole. F rises between its poles from -inf to inf. Each step replaces the poles on either side by one each that agrees in value and
//! slope ("middle way", R.-C. Li 1993) and is kept inside the bracket; lambda is kept as its distance mu from the nearer pole, so that
//! differences between eigenvalues and poles have all their digits.

/// Maximum number of steps for one root.
const MAX_STEPS: u32 = 40;

/// The terms of the equation, in order of rising poles.
pub(crate) trait SecularTerms {
    /// Number of poles.
    fn count(&self) -> usize;
    /// d_i - d_origin, without cancellation where that is possible.
    fn gap(&self, i: usize, origin: usize) -> f64;
    /// W_i^2, > 0.
    fn square(&self, i: usize) -> f64;
}

/// Whether the joint has a compliance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compliance {
    /// A spring or a mass.
    Finite,
    /// A rigid pin: what it joins moves together.
    None,
}

/// The joint along the row, and how exactly its roots are wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SecularJoint {
    /// k.
    pub strength: f64,
    pub compliance: Compliance,
    /// Of a root, relative to its distance from the nearest pole.
    pub accuracy: f64,
}

/// An eigenvalue lambda = d_origin + mu.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eigenvalue {
    /// Number of the pole of reference.
    pub origin: usize,
    /// Distance from there, signed.
    pub mu: f64,
}

/// The two sides of F - one and their slopes at mu: poles up to j, poles above j.
fn sides(terms: &(impl SecularTerms + ?Sized), k: f64, j: usize, origin: usize, mu: f64) -> [f64; 4] {
    let mut sums = [0.0; 4];
    for i in 0..terms.count() {
        let inverse = 1.0 / (terms.gap(i, origin) - mu);
        let term = k * terms.square(i) * inverse;
        let side = if i <= j { 0 } else { 2 };
        sums[side] += term;
        sums[side + 1] += term * inverse;
    }
    sums
}

/// The root above pole j and below the next. Equal poles: the root lies on them.
pub(crate) fn eigenvalue(terms: &(impl SecularTerms + ?Sized), joint: SecularJoint, j: usize) -> Eigenvalue {
    let (k, one) = (joint.strength, if joint.compliance == Compliance::Finite { 1.0 } else { 0.0 });
    let last = j + 1 == terms.count();
    let width = if last { k * (0..=j).map(|i| terms.square(i)).sum::<f64>() } else { terms.gap(j + 1, j) };
    if width <= 0.0 {
        return Eigenvalue { origin: j, mu: 0.0 };
    }
    let middle = sides(terms, k, j, j, 0.5 * width);
    let below = one + middle[0] + middle[2] >= 0.0;
    let (origin, mut low, mut high) = match (below, last) {
        (true, _) => (j, 0.0, 0.5 * width),
        (false, true) => (j, 0.5 * width, width),
        (false, false) => (j + 1, -0.5 * width, 0.0),
    };
    let mut mu = 0.5 * (low + high);
    for _ in 0..MAX_STEPS {
        let [psi, psi_slope, phi, phi_slope] = sides(terms, k, j, origin, mu);
        let value = one + psi + phi;
        *(if value < 0.0 { &mut low } else { &mut high }) = mu;
        let to_left = terms.gap(j, origin) - mu;
        let step = if last {
            let constant = one + psi - psi_slope * to_left;
            to_left + psi_slope * to_left * to_left / constant
        } else {
            let to_right = terms.gap(j + 1, origin) - mu;
            let (left, right) = (psi_slope * to_left * to_left, phi_slope * to_right * to_right);
            let constant = value - psi_slope * to_left - phi_slope * to_right;
            let a = constant * (to_left + to_right) + left + right;
            let b = value * to_left * to_right;
            let root = (a * a - 4.0 * b * constant).max(0.0).sqrt();
            if a <= 0.0 { (a - root) / (2.0 * constant) } else { 2.0 * b / (a + root) }
        };
        // a pole alone has its root at the end of the bracket, which also ends at a root that has been found
        let inside = mu + step > low && (mu + step < high || last && mu + step == high);
        if !inside && step.abs() <= joint.accuracy * mu.abs() {
            break;
        }
        let next = if inside { mu + step } else { bisect(low, high) };
        let moved = (next - mu).abs();
        mu = next;
        if moved <= joint.accuracy * mu.abs() {
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

#[cfg(test)]
mod tests {
    use super::*;

    const POLES: [f64; 2] = [100.0, 250.0];
    const SQUARES: [f64; 2] = [0.5, 1.0 / 3.0];

    struct Two;

    impl SecularTerms for Two {
        fn count(&self) -> usize {
            2
        }

        fn gap(&self, i: usize, origin: usize) -> f64 {
            POLES[i] - POLES[origin]
        }

        fn square(&self, i: usize) -> f64 {
            SQUARES[i]
        }
    }

    fn roots(strength: f64, compliance: Compliance) -> Vec<f64> {
        let joint = SecularJoint { strength, compliance, accuracy: 2.0 * f64::EPSILON };
        let count = if compliance == Compliance::Finite { 2 } else { 1 };
        (0..count).map(|j| eigenvalue(&Two, joint, j)).map(|root| POLES[root.origin] + root.mu).collect()
    }

    /// Two poles: the roots of a quadratic equation; under a pin, of a linear one.
    #[test]
    fn two_poles_have_the_roots_of_a_quadratic() {
        for strength in [1e-3, 1.0, 500.0, 1e9] {
            let [a, b] = [0, 1].map(|i| POLES[i] + strength * SQUARES[i]);
            let spread = (0.25 * (a - b).powi(2) + strength * strength * SQUARES[0] * SQUARES[1]).sqrt();
            let largest = 0.5 * (a + b) + spread;
            // the product of both roots, which does not cancel
            let least = (POLES[0] * POLES[1] + strength * (SQUARES[0] * POLES[1] + SQUARES[1] * POLES[0])) / largest;
            for (found, expected) in roots(strength, Compliance::Finite).into_iter().zip([least, largest]) {
                assert!((found / expected - 1.0).abs() < 4e-16, "{strength}: {found} {expected}");
            }
        }
        let expected = (SQUARES[0] * POLES[1] + SQUARES[1] * POLES[0]) / (SQUARES[0] + SQUARES[1]);
        let found = roots(1.0, Compliance::None);
        assert!((found[0] - expected).abs() < 1e-13, "{found:?}");
    }
}
