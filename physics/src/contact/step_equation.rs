//! The scalar equation of one substep of one contact, and its solution.
//!
//! ```text
//! u = uf - b F(u)      u = x1 - max(x0, 0); uf: its value without F; b: compliance of both bodies over dt
//! ```
//!
//! F does not fall when u grows and b > 0, so there is exactly one solution, between uf - b F(uf) and uf. The unknown u is the
//! change of compression in a contact and the compression itself at its onset: either may be small beside the other and beside
//! uf, and the digits that x1 = xf - b F would lose show in the energy balance.

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

/// Forces of the last substeps of a contact, all of one length.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ForceExtrapolator {
    last: [f64; 4],
    known: usize,
    /// A force off the cubic of those before took more than one evaluation: the law's own guess is better from then on.
    uneven: bool,
}

impl ForceExtrapolator {
    /// Adds a force.
    #[inline]
    pub fn note(&mut self, &Solution { force, iterations, .. }: &Solution) {
        let [a, b, c, _] = self.last;
        self.last = [force, a, b, c];
        self.uneven |= self.known == 4 && iterations > 1;
        self.known = 4.min(self.known + 1);
    }

    /// Next force [N] on the cubic through the last four; NaN while there are fewer, or after one off the cubic.
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
