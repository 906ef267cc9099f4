//! The substeps at the edges of a contact after Hunt and Crossley: its last, in which the compression ends, and its first.
//!
//! ```text
//! U = k x^(alpha+1)/(alpha+1), S = beta (k x^alpha)^2: what is stored before or after; r = mu/dt
//! last:  F = (U + S)/w - r (U + 2 S)     w = x0 - x1 >= x0     w^2 + [df + r b (U + 2 S)] w - b (U + S) = 0
//! first: F = (U + S)/d + r (U + 2 S)     d = x1 - x0 >= x1
//! ```
//!
//! The last is a quadratic equation. The first is convex in x1, and looked for from the free way.

use super::equation::{Equation, Solution};
use super::hunt_crossley::HuntCrossley;
use super::power::power;

/// Most looks at the force of a first substep.
const MOST_LOOKS: u32 = 4;

/// Step over compression at which one that leaves its cube behind leaves nothing.
const CONVERGED_CUBE: f64 = 2e-6;

/// The substep that ends a contact; None where it lasts, or no force acts any more. x0 > 0.
pub(super) fn last(law: &HuntCrossley, e: &Equation) -> Option<Solution> {
    let force = law.stiffness() * power(e.x0, law.exponent());
    let (potential, correction) = (force * e.x0 / (law.exponent() + 1.0), e.beta * force * force);
    let (given, lost) = (potential + correction, law.damping() / e.dt * (potential + 2.0 * correction));
    let c = e.df + e.b * lost;
    let root = (c * c + 4.0 * e.b * given).sqrt();
    let way = if c > 0.0 { 2.0 * e.b * given / (c + root) } else { 0.5 * (root - c) };
    let elastic = given / way;
    // of the two expressions for the force the one that rounds less
    let force = if e.b * elastic > way { (e.df + way) / e.b } else { elastic - lost };
    let found = Solution { x1: e.x0 - way, d: -way, force, iterations: 1, capped: false, bracketed: true };
    (way >= e.x0 && force > 0.0).then_some(found)
}

/// The substep that begins one, by Newton's method with F''; None where that does not converge at once, or nothing touches. x0 <= 0.
pub(super) fn first(law: &HuntCrossley, e: &Equation) -> Option<Solution> {
    let free = e.free();
    let (k, alpha, rate) = (law.stiffness(), law.exponent(), law.damping() / e.dt);
    let (mut x1, mut last_residual) = (free, f64::INFINITY);
    for iterations in 1..=MOST_LOOKS {
        if x1 <= 0.0 {
            return None;
        }
        let (per_x, per_d) = (1.0 / x1, 1.0 / (x1 - e.x0));
        let force = k * power(x1, alpha);
        // U and S, and their derivatives
        let steep = alpha * force * per_x;
        let u = [force * x1 / (alpha + 1.0), force, steep];
        let twice = 2.0 * e.beta * force;
        let s = [0.5 * twice * force, twice * steep, twice * steep * per_x * (2.0 * alpha - 1.0)];
        let [p, p1, p2]: [f64; 3] = std::array::from_fn(|n| u[n] + s[n]);
        let [l, l1, l2]: [f64; 3] = std::array::from_fn(|n| rate * (u[n] + 2.0 * s[n]));
        let ratio = p * per_d;
        let tilt = (p1 - ratio) * per_d;
        let (force, slope, bend) = (ratio + l, tilt + l1, (p2 - 2.0 * tilt) * per_d + l2);
        let (residual, ease) = (x1 - free + e.b * force, 1.0 / (1.0 + e.b * slope));
        if residual.abs() > 0.25 * last_residual || e.b * slope > 1.0 {
            return None;
        }
        last_residual = residual.abs();
        let newton = -residual * ease;
        let step = newton * (1.0 - 0.5 * e.b * bend * newton * ease);
        x1 += step;
        if step.abs() <= CONVERGED_CUBE * x1 {
            let force = force + step * (slope + 0.5 * bend * step);
            return (force > 0.0).then_some(Solution { x1, d: x1 - e.x0, force, iterations, capped: false, bracketed: true });
        }
    }
    None
}
