//! Newton's method for the equation of one substep: without a bracket inside a contact, where one evaluation of the force mostly
//! suffices, and in a bracket elsewhere.
//!
//! The guess follows from the last forces, or from the law at u = 0. Newton's step from there includes F''. Where the next term
//! is negligible in the work of the substep, the force at the root is its Taylor series about the evaluated place.

use crate::contact::step_equation::{Equation, Solution, SubstepForce};

/// Maximum number of iterations of the scalar equation; resolved contacts need 3, random unresolved ones seldom more than 20.
pub const MAX_ITERATIONS: u32 = 32;

/// Step over gap at which Newton has converged: quadratic convergence then leaves 1e-16.
pub(crate) const CONVERGED_STEP: f64 = 1e-8;

/// The solution of one substep under a force.
pub(crate) trait SubstepSolver: SubstepForce + Sized {
    /// [`InContactStep::guess`] of this force.
    fn inner_guess(&self, e: &Equation) -> f64 {
        GenericStep { law: self, e }.guess()
    }

    /// The root of a substep that starts in the contact, without a bracket; None where one is needed, or x0 <= 0.
    #[inline]
    fn quick(&self, e: &Equation) -> Option<Solution> {
        if e.x0 > 0.0 { quick(&GenericStep { law: self, e }, e) } else { None }
    }

    /// The one root of u = uf - b F(u).
    fn solve(&self, e: &Equation) -> Solution {
        only_root(self, e)
    }

    /// The same inside a contact; None where it may end. Always inlined: a call in every substep takes 6 % more instructions.
    #[inline(always)]
    fn solve_lasting(&self, e: &Equation) -> Option<Solution> {
        self.quick(e)
    }
}

/// A substep that starts in the contact, at x0 > 0: terms independent of its end.
pub(crate) trait InContactStep {
    /// The substep's force [N] as a function of u, and its derivative [N/m].
    fn force(&self, u: f64) -> (f64, f64);

    /// Guess for u. A separate function, so that it is computed only where needed.
    fn guess(&self) -> f64;

    /// Derivative [N/m] of the force at u = 0, if the force has no kinks; else NaN.
    fn slope(&self) -> f64 {
        f64::NAN
    }

    /// Evaluation for Newton's method at u. F'' is approximated by its mean from u = 0, a difference of first derivatives: for a
    /// power of the compression it differs from its mean by at most u/x of it.
    #[inline(always)]
    fn trial(&self, e: &Equation, u: f64) -> Trial {
        let (force, slope) = self.force(u);
        let (residual, ease) = (u - e.df + e.b * force, 1.0 / (1.0 + e.b * slope));
        let bend = (slope - self.slope()) / u;
        Trial { force, slope, bend, doubt: Some(u), residual, newton: -residual * ease, ease }
    }
}

/// An evaluation at one place, and Newton's step from it.
pub(crate) struct Trial {
    /// Force [N].
    pub force: f64,
    /// Its derivative [N/m].
    pub slope: f64,
    /// Its second derivative [N/m^2], if it has one.
    pub bend: f64,
    /// Distance [m] over which the second derivative has changed; None: that of the step.
    pub doubt: Option<f64>,
    /// u - uf + b F [m].
    pub residual: f64,
    /// Newton's step [m].
    pub newton: f64,
    /// 1/(1 + b F').
    pub ease: f64,
}

/// [`InContactStep`] of any force: the guess is Newton's step from an unchanged compression.
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

/// A step h of Newton's method has the error b F'' h^2/2 (1 + b F'). Including F'' removes most of it: for a power of the
/// compression F'' changes by at most h/x of it over the step. The remaining error may be 5e-15 of the displacement, and of the
/// part due to the force: this much of the work would be missing in the energy balance.
const LEFT_BY_STEP: f64 = 1e-14;

/// Maximum number of steps of Newton's method without a bracket.
const MAX_QUICK: u32 = 4;

/// Newton's method without a bracket inside a contact, while it converges and the contact lasts. It starts from the expected
/// force, which is extrapolated from the last ones; where none is known, or the contact would be over, from the law's own guess.
/// The root is unique, so that the limit is right. None: a bracket is needed. x0 > 0.
#[inline(always)]
pub(crate) fn quick(inside: &impl InContactStep, e: &Equation) -> Option<Solution> {
    quick_then(inside, e, |near| further_iterations(inside, e, near))
}

/// The same with `further` in place of [`further_iterations`].
#[inline(always)]
pub(crate) fn quick_then(
    inside: &impl InContactStep,
    e: &Equation,
    further: impl FnOnce(Iterate) -> Option<Solution>,
) -> Option<Solution> {
    let likely = e.df - e.b * e.expected;
    let u = if e.x0 + likely > 0.0 { likely } else { inside.guess() };
    if e.x0 + u <= 0.0 {
        return None;
    }
    match iterate(inside, e, Iterate { u, residual: f64::INFINITY }, 1)? {
        Progress::Root(solution) => Some(solution),
        Progress::Near(near) => further(near),
    }
}

/// An approximate solution.
#[derive(Clone, Copy)]
pub(crate) struct Iterate {
    /// The unknown [m].
    pub u: f64,
    /// Magnitude of the residual [m] before the step that led here.
    pub residual: f64,
}

/// Result of one step of Newton's method.
enum Progress {
    Root(Solution),
    Near(Iterate),
}

/// The further iterations of [`quick`].
#[inline(always)]
pub(crate) fn further_iterations(inside: &impl InContactStep, e: &Equation, mut near: Iterate) -> Option<Solution> {
    for iterations in 2..=MAX_QUICK {
        match iterate(inside, e, near, iterations)? {
            Progress::Root(solution) => return Some(solution),
            Progress::Near(nearer) => near = nearer,
        }
    }
    None
}

/// One step of Newton's method. None: a bracket is needed.
#[inline(always)]
fn iterate(inside: &impl InContactStep, e: &Equation, from: Iterate, iterations: u32) -> Option<Progress> {
    let Trial { force, slope, bend, doubt, residual, newton, ease } = inside.trial(e, from.u);
    if force <= 0.0 || residual.abs() > 0.25 * from.residual {
        return None;
    }
    let turn = newton * (e.b * bend * ease);
    let turns = turn.abs() < 1.0;
    let step = if turns { newton * (1.0 - 0.5 * turn) } else { newton };
    let u = from.u + step;
    let x1 = e.x0 + u;
    if x1 <= 0.0 {
        return None;
    }
    let small = least(u.abs(), x1);
    let left = (turn * newton * doubt.unwrap_or(newton)).abs();
    let resolved = e.b * slope <= 0.5;
    if resolved && left <= LEFT_BY_STEP * least(small, e.b * force) * least(e.x0, x1) || step.abs() <= CONVERGED_STEP * small {
        let bent = if turns { 0.5 * bend * step } else { 0.0 };
        let force = if e.b * slope > 1.0 { (e.df - u) / e.b } else { force + step * (slope + bent) };
        let solution = Solution { x1, d: u, force, iterations, capped: None, bracketed: false };
        return (force > 0.0).then_some(Progress::Root(solution));
    }
    Some(Progress::Near(Iterate { u, residual: residual.abs() }))
}

/// The smaller of two numbers, neither of which is NaN.
#[inline(always)]
fn least(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// [`SubstepSolver::solve`] of a force without jumps.
pub(crate) fn only_root(law: &impl SubstepSolver, e: &Equation) -> Solution {
    law.quick(e).unwrap_or_else(|| root(law, e))
}

/// The one root of u = uf - b F(u), by Newton inside a bracket. At the cap the end of the bracket that loses energy is taken, so
/// that the step is always passive.
pub(crate) fn root(law: &impl SubstepSolver, e: &Equation) -> Solution {
    let Some(mut bracket) = Bracket::around(law, e) else {
        return Solution { x1: e.x0 + e.df, d: e.df, ..Solution::default() };
    };
    let free = e.free();
    let mut u = first_guess(law, e, &bracket);
    let mut last_residual = f64::INFINITY;
    for iterations in 1..MAX_ITERATIONS {
        let (mut force, slope) = law.substep_force(e, u);
        let residual = u - free + e.b * force;
        let mut done = residual.abs() <= 4.5e-16 * u.abs().max(free.abs());
        if !done {
            bracket.tighten(u, residual);
            let newton = u - residual / (1.0 + e.b * slope);
            if newton < bracket.low || newton > bracket.high || residual.abs() > 0.5 * last_residual {
                u = bracket.bisect();
                last_residual = f64::INFINITY;
                if bracket.is_closed() {
                    // both ends are neighbouring numbers: use the force there
                    force = law.substep_force(e, u).0;
                    done = true;
                }
            } else {
                let step = newton - u;
                u = newton;
                last_residual = residual.abs();
                force += slope * step;
                let (x1, d) = e.place(u);
                done = step.abs() <= CONVERGED_STEP * d.abs().min(x1.abs());
            }
        }
        if done {
            let (x1, d) = e.place(u);
            // of two expressions for the force, the one with the smaller rounding error: the law's own cancels when a stiff
            // contact ends
            let force = if e.b * slope > 1.0 { (free - u) / e.b } else { force };
            return Solution { x1, d, force: force.max(0.0), iterations, capped: None, bracketed: true };
        }
    }
    capped(e, &bracket)
}

/// Where Newton starts: a linearised step from inside the contact; from outside one from the upper end, or the law's own guess.
fn first_guess(law: &impl SubstepSolver, e: &Equation, bracket: &Bracket) -> f64 {
    if e.x0 > 0.0 {
        let guess = law.inner_guess(e);
        if guess > bracket.low && guess < bracket.high {
            return guess;
        }
    } else if let Some(newton) = bracket.newton {
        return newton;
    } else if bracket.low >= 0.0 {
        return law.onset_guess(e).min(bracket.high);
    }
    0.5 * (bracket.low + bracket.high)
}

/// The end of the bracket that loses energy: the lower one when loading, the upper one when unloading, since the bracket
/// never straddles x1 = x0.
fn capped(e: &Equation, bracket: &Bracket) -> Solution {
    let (_, low) = e.place(bracket.low);
    let u = if low >= 0.0 { bracket.low } else { bracket.high };
    let (x1, d) = e.place(u);
    let force = (e.free() - u) / e.b;
    Solution { x1, d, force, iterations: MAX_ITERATIONS, capped: Some(d), bracketed: true }
}

/// Interval of u that holds the root; `zero` is the u at which the compression is 0.
struct Bracket {
    low: f64,
    high: f64,
    zero: f64,
    /// Newton's step from the upper end, for soft contacts, where it is near the root.
    newton: Option<f64>,
}

impl Bracket {
    /// [uf - b F(uf), uf], tightened where x = x0 and where x = 0; None when no force acts.
    fn around(law: &impl SubstepForce, e: &Equation) -> Option<Self> {
        let high = e.free();
        if e.x0 <= 0.0 && high <= 0.0 {
            return None;
        }
        let (largest, slope) = law.substep_force(e, high);
        if largest <= 0.0 {
            return None;
        }
        let zero = -e.x0.max(0.0);
        let newton = (e.b * slope < 1.0).then(|| high - e.b * largest / (1.0 + e.b * slope));
        let mut bracket = Self { low: high - e.b * largest, high, zero, newton };
        for u in [0.0, zero] {
            if bracket.low < u && u < bracket.high {
                let force = if e.x0 > 0.0 { law.substep_force(e, u).0 } else { 0.0 };
                bracket.tighten(u, u - high + e.b * force);
            }
        }
        Some(bracket)
    }

    fn tighten(&mut self, u: f64, residual: f64) {
        if residual < 0.0 {
            self.low = u;
        } else {
            self.high = u;
        }
    }

    /// Middle of the bracket: geometric in the compression where both ends have the same sign and differ widely, since the
    /// force is a power of it.
    fn bisect(&self) -> f64 {
        let (low, high) = (self.low - self.zero, self.high - self.zero);
        let middle = if low > 0.0 && high > 4.0 * low {
            (low * high).sqrt()
        } else if low == 0.0 && high > 0.0 {
            0.05 * high
        } else if high == 0.0 && low < 0.0 {
            0.05 * low
        } else if high < 0.0 && low < 4.0 * high {
            -(low * high).sqrt()
        } else {
            return 0.5 * (self.low + self.high);
        };
        (middle + self.zero).clamp(self.low, self.high)
    }

    fn is_closed(&self) -> bool {
        self.high - self.low <= 4e-16 * self.high.abs().max(self.low.abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::hunt_crossley::HuntCrossley;

    fn law() -> HuntCrossley {
        HuntCrossley::new(1e8, 1.5, 0.3)
    }

    #[test]
    fn the_solution_satisfies_its_equation_and_never_gains_energy() {
        for x0 in [-1e-4, -1e-9, 0.0, 1e-9, 1e-5, 1e-3] {
            for df in [-2e-3, -1e-5, -1e-8, 1e-8, 1e-5, 2e-3] {
                for b in [1e-12, 1e-9, 1e-6] {
                    let e = Equation { x0, df, b, dt: 1e-5, beta: b / 6.0, memory: 0.0, expected: f64::NAN };
                    let s = law().solve(&e);
                    assert!(s.iterations < MAX_ITERATIONS && s.force >= 0.0);
                    assert!((s.d - df + b * s.force).abs() <= 4e-15 * df.abs().max(b * s.force), "{e:?} {s:?}");
                    let (before, after) = (law().corrected_potential(x0, e.beta), law().corrected_potential(s.x1, e.beta));
                    assert!(after <= before + s.force * s.d + 1e-15 * before.max(after), "{e:?} {s:?}");
                    assert!(law().loss(&e, &s) >= 0.0);
                }
            }
        }
    }

    /// A correct expected force gives the root in one step, also where the compression more than doubles.
    #[test]
    fn an_expected_force_that_is_right_takes_one_step() {
        for (x0, df) in [(1e-6, 8e-6), (1e-5, 3e-6), (1e-5, -3e-6)] {
            let e = Equation { x0, df, b: 1e-9, dt: 1e-5, beta: 0.0, memory: 0.0, expected: f64::NAN };
            let root = law().solve(&e);
            let quick = law().quick(&Equation { expected: root.force, ..e }).expect("it converges");
            assert_eq!(quick.iterations, 1, "{quick:?}");
            assert!((quick.d - root.d).abs() <= 1e-12 * df.abs(), "{quick:?} {root:?}");
        }
    }

    /// No tested equation reaches the cap, so it is applied to brackets of any width: the result is passive.
    #[test]
    fn an_end_of_the_bracket_is_passive_loading_and_unloading() {
        for (x0, df) in [(1e-4, 1e-3), (1e-4, -3e-5), (0.0, 1e-3), (-1e-5, 1e-4)] {
            let e = Equation { x0, df, b: 1e-7, dt: 1e-5, beta: 0.0, memory: 0.0, expected: f64::NAN };
            let s = capped(&e, &Bracket::around(&law(), &e).unwrap());
            assert!(s.capped == Some(s.d) && s.force >= 0.0);
            let stored = law().potential(s.x1) - law().potential(x0);
            assert!(stored <= s.force * s.d * (1.0 + 1e-12) + 1e-18, "{e:?} {s:?} {stored}");
            assert!(law().loss(&e, &s) >= -1e-18);
        }
    }
}
