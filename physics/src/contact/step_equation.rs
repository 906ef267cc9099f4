//! The scalar equation of one substep of one contact, and its solution.
//!
//! ```text
//! u = uf - b F(u)      u = x1 - max(x0, 0); uf: what it would be without F; b: compliance of both bodies over dt
//! ```
//!
//! F does not fall when u grows and b > 0, so there is exactly one solution, between uf - b F(uf) and uf. The unknown u is the
//! change of compression in a contact and the compression itself at its onset: either may be small beside the other and beside
//! uf, and the digits that x1 = xf - b F would lose show in the ledger.

use crate::contact::newton::{GenericStep, InContactStep, quick};

/// Most iterations of the scalar equation; resolved contacts need 3, random unresolved ones seldom more than 20.
pub const MOST_ITERATIONS: u32 = 32;

/// Step over gap at which Newton has converged: quadratic convergence then leaves 1e-16.
pub(crate) const CONVERGED_STEP: f64 = 1e-8;

/// Change of compression over a substep, and the force.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Solution {
    /// Compression at the end [m].
    pub x1: f64,
    /// Its change [m], with more digits than x1 - x0.
    pub d: f64,
    /// Force over the substep [N], >= 0.
    pub force: f64,
    /// Newton and bisection steps taken, <= [`MOST_ITERATIONS`].
    pub iterations: u32,
    /// Stopped at a cap: force and compression are passive, but not those of the law. How far the force goes [m]; what it does on that way
    /// and the contact does not hold is lost there.
    pub capped: Option<f64>,
    /// A bracket was wanted, or the contact begins or ends: looks at the force cost more, and there may be many.
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
    /// What the law remembers of the contact so far, see [`crate::contact::law::Law`].
    pub memory: f64,
    /// The force that is likely [N]; not a number where nothing is known. The solution does not depend on it, but how soon it is found.
    pub expected: f64,
}

/// Forces of the last substeps of a contact, all of one length.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ForceExtrapolator {
    last: [f64; 4],
    known: usize,
    /// A force that lay on no cubic with those before took more than one look at it: what comes next had better be asked of the law.
    uneven: bool,
}

impl ForceExtrapolator {
    /// One more.
    #[inline]
    pub fn note(&mut self, &Solution { force, iterations, .. }: &Solution) {
        let [a, b, c, _] = self.last;
        self.last = [force, a, b, c];
        self.uneven |= self.known == 4 && iterations > 1;
        self.known = 4.min(self.known + 1);
    }

    /// The force [N] that comes next if the last four lie on a cubic; not a number as long as there are fewer, or where they did not.
    #[inline]
    pub fn next(&self) -> f64 {
        let [a, b, c, d] = self.last;
        if self.known == 4 && !self.uneven { 4.0 * (a + c) - 6.0 * b - d } else { f64::NAN }
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

    /// [`Inside::guess`] of this law.
    fn inner_guess(&self, e: &Equation) -> f64
    where
        Self: Sized,
    {
        GenericStep { law: self, e }.guess()
    }

    /// The root of a substep that starts in the contact, without a bracket; None where one is wanted, or x0 <= 0.
    #[inline]
    fn quick(&self, e: &Equation) -> Option<Solution>
    where
        Self: Sized,
    {
        if e.x0 > 0.0 { quick(&GenericStep { law: self, e }, e) } else { None }
    }

    /// A guess for u at the onset, where the compression starts at or below 0 and the free flight ends above.
    fn onset_guess(&self, e: &Equation) -> f64;

    /// Energy [J] held at compression x [m]; see [`crate::contact::law::Law::stored`].
    fn stored(&self, x: f64, memory: f64, beta: f64) -> f64;

    /// What is remembered when the compression has come to x1 [m]; see [`crate::contact::law::Law::remembering`].
    #[inline(always)]
    fn remembering(&self, memory: f64, _x1: f64) -> f64 {
        memory
    }

    /// What the law does by itself; see [`crate::contact::law::Law::relaxing`].
    #[inline(always)]
    fn relaxing(&self, memory: f64, _x: f64, _dt: f64) -> (f64, f64) {
        (memory, 0.0)
    }

    /// The one root of u = uf - b F(u).
    fn solve(&self, e: &Equation) -> Solution
    where
        Self: Sized,
    {
        only_root(self, e)
    }

    /// The same in the midst of a contact; None where it may end.
    #[inline]
    fn solve_lasting(&self, e: &Equation) -> Option<Solution>
    where
        Self: Sized,
    {
        self.quick(e)
    }
}

/// [`Spring::solve`] of a force without jumps.
pub(crate) fn only_root(law: &impl SubstepForce, e: &Equation) -> Solution {
    law.quick(e).unwrap_or_else(|| root(law, e))
}

/// The one root of u = uf - b F(u), by Newton inside a bracket. At the cap the end of the bracket that loses energy is taken, so that the
/// step is passive whatever happens.
pub(crate) fn root(law: &impl SubstepForce, e: &Equation) -> Solution {
    let Some(mut bracket) = Bracket::around(law, e) else {
        return Solution { x1: e.x0 + e.df, d: e.df, ..Solution::default() };
    };
    let free = e.free();
    let mut u = first_guess(law, e, &bracket);
    let mut last_residual = f64::INFINITY;
    for iterations in 1..MOST_ITERATIONS {
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
                    // both ends are neighbouring numbers: take the force there
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
            // of the two expressions for the force the one that rounds less: the law's own cancels when a stiff contact lets go
            let force = if e.b * slope > 1.0 { (free - u) / e.b } else { force };
            return Solution { x1, d, force: force.max(0.0), iterations, capped: None, bracketed: true };
        }
    }
    capped(e, &bracket)
}

/// Where Newton starts: a linearised step from inside the contact; from outside one from the upper end, or the law's own guess.
fn first_guess(law: &impl SubstepForce, e: &Equation, bracket: &Bracket) -> f64 {
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
    Solution { x1, d, force, iterations: MOST_ITERATIONS, capped: Some(d), bracketed: true }
}

/// Interval of u that holds the root; `zero` is the u at which the compression is 0.
struct Bracket {
    low: f64,
    high: f64,
    zero: f64,
    /// Newton's step from the upper end, where the contact is soft and it leads near the root.
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
                    assert!(s.iterations < MOST_ITERATIONS && s.force >= 0.0);
                    assert!((s.d - df + b * s.force).abs() <= 4e-15 * df.abs().max(b * s.force), "{e:?} {s:?}");
                    let (before, after) = (law().corrected_potential(x0, e.beta), law().corrected_potential(s.x1, e.beta));
                    assert!(after <= before + s.force * s.d + 1e-15 * before.max(after), "{e:?} {s:?}");
                    assert!(law().loss(&e, &s) >= 0.0);
                }
            }
        }
    }

    /// The expected force leads to the root at once, also where the compression grows by more than itself.
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

    /// No equation that was tried needs the cap, so the bound is driven there: a bracket left at any width ends passively.
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
