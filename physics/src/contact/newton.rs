//! A substep that starts in the contact, where its equation is mostly solved at one look at the force.
//!
//! The guess comes of the last forces, or of the law at u = 0. Newton's step from there is bent by F'', and where the next term is nothing
//! to the work of the substep, the force at the root is Taylor's from the place that was looked at.

use crate::contact::step_equation::{CONVERGED_STEP, Equation, Solution, SubstepForce};

/// A substep that starts in the contact, at x0 > 0: what does not depend on where it ends.
pub(crate) trait InContactStep {
    /// The substep's force [N] as a function of u, and its derivative [N/m].
    fn force(&self, u: f64) -> (f64, f64);

    /// Where u may lie if nothing else is known. Better a function of its own, lest it be worked out where it is not wanted.
    fn guess(&self) -> f64;

    /// Derivative [N/m] of the force at u = 0, where it has no kinks on the way; else not a number.
    fn slope(&self) -> f64 {
        f64::NAN
    }

    /// What Newton's method needs to know at u. F'' as its mean since u = 0, which the derivatives tell: F'' is that of a power of the
    /// compression, and differs from its mean by at most u/x of it.
    #[inline(always)]
    fn trial(&self, e: &Equation, u: f64) -> Trial {
        let (force, slope) = self.force(u);
        let (residual, ease) = (u - e.df + e.b * force, 1.0 / (1.0 + e.b * slope));
        let bend = (slope - self.slope()) / u;
        Trial { force, slope, bend, doubt: Some(u), residual, newton: -residual * ease, ease }
    }
}

/// A place that is tried, and what Newton's method makes of it.
pub(crate) struct Trial {
    /// Force [N].
    pub force: f64,
    /// Its derivative [N/m].
    pub slope: f64,
    /// Its second derivative [N/m^2], if it has one.
    pub bend: f64,
    /// How far away [m] the second derivative is nearly that; as far as the step leads if nothing is said.
    pub doubt: Option<f64>,
    /// u - uf + b F [m].
    pub residual: f64,
    /// Newton's step [m].
    pub newton: f64,
    /// 1/(1 + b F').
    pub ease: f64,
}

/// [`Inside`] of any law: looks for the root from Newton's step from where the compression stays.
pub(crate) struct GenericStep<'a, L> {
    pub law: &'a L,
    pub e: &'a Equation,
}

impl<L: SubstepForce> InContactStep for GenericStep<'_, L> {
    fn force(&self, u: f64) -> (f64, f64) {
        self.law.substep_force(self.e, u)
    }

    fn guess(&self) -> f64 {
        let (force, slope) = self.force(0.0);
        (self.e.df - self.e.b * force) / (1.0 + self.e.b * slope)
    }
}

/// A step h of Newton's method leaves b F'' h^2/2 (1 + b F'). With F'' most of it is taken as well: that is of a power of the compression,
/// and changes by at most h/x of it on the way. What is left may be 5e-15 of what moved, and of what the force took from it: that much
/// of the work done would be missing in the books.
const LEFT_BY_STEP: f64 = 1e-14;

/// Most steps of Newton's method without a bracket.
const MOST_QUICK: u32 = 4;

/// In the midst of a contact: Newton's method without a bracket, as long as it keeps converging and the contact lasts. It begins where the
/// expected force leads, which follows from the last ones; where none is known, or the contact would be over there, at the law's own
/// guess. The root is the only one, so that where it converges is right. None: a bracket is wanted. x0 > 0.
#[inline(always)]
pub(crate) fn quick(inside: &impl InContactStep, e: &Equation) -> Option<Solution> {
    let likely = e.df - e.b * e.expected;
    let mut u = if e.x0 + likely > 0.0 { likely } else { inside.guess() };
    if e.x0 + u <= 0.0 {
        return None;
    }
    let mut last_residual = f64::INFINITY;
    for iterations in 1..=MOST_QUICK {
        let Trial { force, slope, bend, doubt, residual, newton, ease } = inside.trial(e, u);
        if force <= 0.0 || residual.abs() > 0.25 * last_residual {
            return None;
        }
        let turn = newton * (e.b * bend * ease);
        let turns = turn.abs() < 1.0;
        let step = if turns { newton * (1.0 - 0.5 * turn) } else { newton };
        u += step;
        last_residual = residual.abs();
        let x1 = e.x0 + u;
        if x1 <= 0.0 {
            return None;
        }
        let small = least(u.abs(), x1);
        let left = (turn * newton * doubt.unwrap_or(newton)).abs();
        let resolved = e.b * slope <= 0.5;
        if resolved && left <= LEFT_BY_STEP * least(small, e.b * force) * least(e.x0, x1) || step.abs() <= CONVERGED_STEP * small
        {
            let bent = if turns { 0.5 * bend * step } else { 0.0 };
            let force = if e.b * slope > 1.0 { (e.df - u) / e.b } else { force + step * (slope + bent) };
            return (force > 0.0).then_some(Solution { x1, d: u, force, iterations, capped: None, bracketed: false });
        }
    }
    None
}

/// The smaller of two numbers, neither of which is missing.
#[inline(always)]
fn least(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}
