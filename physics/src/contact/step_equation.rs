//! The scalar equation of one substep of one contact, its solution, and the substeps at the edges of a contact.
//!
//! ```text
//! u = uf - b F(u)      u = x1 - max(x0, 0); uf: its value without F; b: compliance of both bodies over dt
//! ```
//!
//! F does not fall when u grows and b > 0, so there is exactly one solution, between uf - b F(uf) and uf. The unknown u is the
//! change of compression in a contact and the compression itself at its onset: either may be small beside the other and beside uf,
//! and the digits that x1 = xf - b F would lose show in the energy balance.
//!
//! The substeps at the edges of a contact after Hunt and Crossley are its last, in which the compression ends, and its first:
//!
//! ```text
//! U = k x^(alpha+1)/(alpha+1), S = beta (k x^alpha)^2: stored energy before or after; r = mu/dt
//! last:  F = (U + S)/w - r (U + 2 S)     w = x0 - x1 >= x0     w^2 + [df + r b (U + 2 S)] w - b (U + S) = 0
//! first: F = (U + S)/d + r (U + 2 S)     d = x1 - x0 >= x1
//! ```
//!
//! The last is a quadratic equation. The first is convex in x1, and solved from the free displacement.

use crate::contact::hunt_crossley::{HuntCrossley, power};

/// Maximum number of evaluations of the force of a first substep.
const MAX_EVALUATIONS: u32 = 4;

/// Relative step at which a method of third order has converged to rounding.
const CONVERGED_CUBE: f64 = 2e-6;

/// Number of forces of a cubic.
const CUBIC: i8 = 4;

/// Substeps for which no force is extrapolated after one that differed too much.
const UNEVEN: i8 = 8;

/// Change of compression over a substep, and the force.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Solution {
    /// Compression at the end [m].
    pub x1: f64,
    /// Its change [m], with more digits than x1 - x0.
    pub d: f64,
    /// Force over the substep [N], >= 0.
    pub force: f64,
    /// Newton and bisection steps taken, at most `MAX_ITERATIONS` of `newton`.
    pub iterations: u32,
    /// Stopped at a cap: force and compression are passive, but not those of the law. The displacement [m] over which the force
    /// acts; its work beyond the stored energy is lost.
    pub capped: Option<f64>,
    /// A bracket was needed, or the contact begins or ends: evaluations of the force cost more, and there may be many.
    pub bracketed: bool,
}

/// Data of one substep's scalar equation.
#[derive(Clone, Copy, Debug)]
pub struct Equation {
    /// Compression at the start [m].
    pub x0: f64,
    /// Change of compression if no force acted [m].
    pub df: f64,
    /// Compliance over the substep [m/N], > 0.
    pub b: f64,
    /// Length of the substep [s].
    pub dt: f64,
    /// Coefficient of the correction [m/N]: b/6, or 0 for the plain 2nd-order scheme.
    pub beta: f64,
    /// Memory of the law, see [`crate::contact::ContactLaw`].
    pub memory: f64,
    /// Expected force [N]; NaN if unknown. It does not change the solution, only the number of iterations.
    pub expected: f64,
}

/// A jump of the velocity of a contact between two substeps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VelocityJump {
    /// Its displacement over a substep [m].
    pub way: f64,
    /// How much the force rises with the compression [N/m].
    pub stiffness: f64,
    /// How much the force rises with the change of compression over a substep [N/m].
    pub drag: f64,
    /// Part of a displacement by which the body recedes in a substep under the force that it causes.
    pub resistance: f64,
}

/// Forces of the last substeps of a contact, all of one length.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ForceExtrapolator {
    last: [f64; 4],
    /// Number of forces known, up to [`CUBIC`]. After a force off the cubic of those before that took more than one evaluation the law's own
    /// guess is better: it falls by [`UNEVEN`] below that.
    known: i8,
}

impl ForceExtrapolator {
    /// Adds a force.
    #[inline]
    pub fn note(&mut self, &Solution { force, iterations, .. }: &Solution) {
        let [a, b, c, _] = self.last;
        self.last = [force, a, b, c];
        self.known = if self.known < CUBIC {
            self.known + 1
        } else if iterations > 1 {
            CUBIC - UNEVEN
        } else {
            CUBIC
        };
    }

    /// The compression moves faster from now on, by the `jump` in a substep. Takes the last forces as if it had done so before, too: they then
    /// continue smoothly.
    pub fn bend(&mut self, VelocityJump { way, stiffness, drag, resistance }: VelocityJump) {
        for (n, force) in self.last.iter_mut().enumerate() {
            let ago = n as f64 + 0.5;
            let growth = resistance * ago;
            *force += way * (drag * (1.0 + growth) - ago * stiffness * (1.0 + 0.5 * growth));
        }
    }

    /// Next force [N] on the cubic through the last four; NaN while there are fewer, or shortly after one off the cubic.
    #[inline]
    pub fn next(&self) -> f64 {
        let [a, b, c, d] = self.last;
        if self.known == CUBIC { 4.0 * (a + c) - 6.0 * b - d } else { f64::NAN }
    }
}

impl Equation {
    /// Compression at the end and its change for an unknown u.
    pub(crate) fn place(&self, u: f64) -> (f64, f64) {
        if self.x0 > 0.0 { (self.x0 + u, u) } else { (u, u - self.x0) }
    }

    /// The unknown if no force acted.
    pub(crate) fn free(&self) -> f64 {
        if self.x0 > 0.0 { self.df } else { self.x0 + self.df }
    }
}

/// A law whose force over a substep does not fall when the compression at the end grows.
pub(crate) trait SubstepForce {
    /// The substep's force [N] as a function of u, and its derivative [N/m].
    fn substep_force(&self, e: &Equation, u: f64) -> (f64, f64);

    /// A guess for u at the onset, where the compression starts at or below 0 and the free flight ends above.
    fn onset_guess(&self, e: &Equation) -> f64;

    /// Energy [J] stored at compression x [m]; see [`crate::contact::ContactLaw::stored`].
    fn stored(&self, x: f64, memory: f64, beta: f64) -> f64;

    /// Memory after the compression has reached x1 [m].
    #[inline(always)]
    fn remembering(&self, memory: f64, _x1: f64) -> f64 {
        memory
    }

    /// Memory after a relaxation over dt [s], and the energy [J] >= 0 that this dissipates.
    #[inline(always)]
    fn relaxing(&self, memory: f64, _x: f64, _dt: f64) -> (f64, f64) {
        (memory, 0.0)
    }
}

/// The substep that ends a contact; None if the contact lasts, or without force. x0 > 0.
#[inline]
pub(crate) fn last(law: &HuntCrossley, e: &Equation) -> Option<Solution> {
    let (potential, correction) = law.energies(e.x0, e.beta);
    let (given, lost) = (potential + correction, law.damping() / e.dt * (potential + 2.0 * correction));
    let c = e.df + e.b * lost;
    let root = (c * c + 4.0 * e.b * given).sqrt();
    let way = if c > 0.0 { 2.0 * e.b * given / (c + root) } else { 0.5 * (root - c) };
    let elastic = given / way;
    // of two expressions for the force, the one with the smaller rounding error
    let force = if e.b * elastic > way { (e.df + way) / e.b } else { elastic - lost };
    let found = Solution { x1: e.x0 - way, d: -way, force, iterations: 1, capped: None, bracketed: true };
    (way >= e.x0 && force > 0.0).then_some(found)
}

/// The substep that begins one, by Newton's method with F''; None if that does not converge at once, or without contact. x0 <= 0.
#[inline]
pub(crate) fn first(law: &HuntCrossley, e: &Equation) -> Option<Solution> {
    let free = e.free();
    let (mut x1, mut last_residual) = (free, f64::INFINITY);
    for iterations in 1..=MAX_EVALUATIONS {
        if x1 <= 0.0 {
            return None;
        }
        let (force, slope, bend) = first_force(law, e, x1);
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
            return (force > 0.0).then_some(Solution { x1, d: x1 - e.x0, force, iterations, capped: None, bracketed: true });
        }
    }
    None
}

/// Force [N] of a first substep that ends at x1 [m] > 0, its derivative [N/m] and the second one [N/m^2].
#[inline(always)]
fn first_force(law: &HuntCrossley, e: &Equation, x1: f64) -> (f64, f64, f64) {
    let (alpha, rate) = (law.exponent(), law.damping() / e.dt);
    let (per_x, per_d) = (1.0 / x1, 1.0 / (x1 - e.x0));
    let force = law.stiffness() * power(x1, alpha);
    let (steep, twice) = (alpha * force * per_x, 2.0 * e.beta * force);
    // U and S, and their derivatives
    let u = [force * x1 / (alpha + 1.0), force, steep];
    let s = [0.5 * twice * force, twice * steep, twice * steep * per_x * (2.0 * alpha - 1.0)];
    let [stored, stored1, stored2]: [f64; 3] = std::array::from_fn(|n| u[n] + s[n]);
    let [lost, lost1, lost2]: [f64; 3] = std::array::from_fn(|n| rate * (u[n] + 2.0 * s[n]));
    let ratio = stored * per_d;
    let tilt = (stored1 - ratio) * per_d;
    (ratio + lost, tilt + lost1, (stored2 - 2.0 * tilt) * per_d + lost2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::newton::root;

    /// Equations with these x0 and free displacements.
    fn equations(places: &[(f64, f64)]) -> impl Iterator<Item = (HuntCrossley, Equation)> {
        let laws = [1.0, 1.5, 2.3, 4.0].into_iter().flat_map(|alpha| [0.0, 0.3, 5.0].map(|mu| HuntCrossley::new(1e8, alpha, mu)));
        laws.flat_map(move |law| {
            places.iter().map(move |&(x0, df)| {
                let e = Equation { x0, df, b: 1e-10, dt: 1e-5, beta: 1e-10 / 6.0, memory: 0.0, expected: f64::NAN };
                (law, e)
            })
        })
    }

    fn assert_as_in_a_bracket(law: &HuntCrossley, e: &Equation, found: Solution) {
        let Solution { x1, d, force, .. } = root(law, e);
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-12 * b.abs();
        assert!(near(found.d, d) && near(found.force, force), "{law:?} {e:?}: {found:?}, {x1} {d} {force}");
        assert!((found.d - e.df + e.b * found.force).abs() <= 4e-16 * e.df.abs(), "{law:?} {e:?}: {found:?}");
    }

    #[test]
    fn edges_are_where_a_bracket_finds_them() {
        for (law, e) in equations(&[(0.0, 1e-6), (0.0, 2e-5), (-1e-5, 1.5e-5), (-1e-7, 3e-5)]) {
            let found = first(&law, &e).unwrap_or_else(|| panic!("{law:?} {e:?}"));
            assert_as_in_a_bracket(&law, &e, found);
        }
        let mut ended = 0;
        for (law, e) in equations(&[(1e-6, -1e-5), (1e-5, -2e-5), (2e-5, -2.001e-5), (1e-9, -1e-8)]) {
            if let Some(found) = last(&law, &e) {
                assert_as_in_a_bracket(&law, &e, found);
                ended += 1;
            }
        }
        assert!(ended > 30, "{ended} of 48");
    }

    /// The force of the first substep is that of the law, and its derivatives are right.
    #[test]
    fn the_first_force_is_the_laws() {
        for (law, e) in equations(&[(0.0, 2e-5), (-1e-5, 3e-5)]) {
            let x1 = 1.7e-5;
            let at = |x1| first_force(&law, &e, x1);
            let ((force, slope, bend), (its, its_slope)) = (at(x1), law.substep_force(&e, x1));
            let rise = (at(x1 + 1e-9).1 - at(x1 - 1e-9).1) / 2e-9;
            assert!((force - its).abs() <= 1e-12 * its && (slope - its_slope).abs() <= 1e-11 * its_slope, "{law:?} {e:?}");
            assert!((bend - rise).abs() <= 1e-6 * bend.abs() + 1e-6 * slope / x1, "{law:?} {e:?}: {bend} {rise}");
        }
    }

    /// No solution where a contact lasts, or none begins.
    #[test]
    fn a_substep_without_an_edge_is_none() {
        for (law, e) in equations(&[(1e-5, 1e-6), (1e-5, -1e-6)]) {
            assert_eq!(last(&law, &e), None, "{law:?} {e:?}");
        }
        for (law, e) in equations(&[(-1e-5, 1e-6), (-1e-5, -1e-6), (0.0, 0.0)]) {
            assert_eq!(first(&law, &e), None, "{law:?} {e:?}");
        }
    }
}
