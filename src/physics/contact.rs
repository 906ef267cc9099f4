//! The laws of contact, and what the solver asks of any of them.
//!
//! | law | force for x > 0 | remembers |
//! |---|---|---|
//! | Hunt-Crossley | k x^alpha (1 + mu x') | nothing |
//! | linear | k x + c x', never below 0 | nothing |
//!
//! Over a substep every law gives a force that does not fall when the compression at the end grows, and that takes from the
//! modes at least what the contact stores: force times way = change of the stored energy + loss, loss >= 0. This is all that
//! the solver needs to be passive and to have one solution.

use super::equation::{Equation, Solution, Spring};
pub use super::hunt_crossley::HuntCrossley;
pub use super::linear::Linear;

/// The law of one contact. Where a law remembers something of its contact, the caller keeps that number, `memory`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    /// A power law with a loss that grows with it.
    HuntCrossley(HuntCrossley),
    /// A linear spring beside a linear damper.
    Linear(Linear),
}

/// What is to be done with whichever law it is.
macro_rules! of_any {
    ($law:expr, $inner:ident => $value:expr) => {
        match $law {
            Law::HuntCrossley($inner) => $value,
            Law::Linear($inner) => $value,
        }
    };
}

impl From<HuntCrossley> for Law {
    fn from(law: HuntCrossley) -> Self {
        Law::HuntCrossley(law)
    }
}

impl From<Linear> for Law {
    fn from(law: Linear) -> Self {
        Law::Linear(law)
    }
}

impl Law {
    /// Names of all laws, as [`Law::name`] gives them.
    pub const NAMES: &[&str] = &["hunt-crossley", "linear"];

    /// [`HuntCrossley::new`] as a law.
    pub fn hunt_crossley(stiffness: f64, exponent: f64, damping: f64) -> Self {
        HuntCrossley::new(stiffness, exponent, damping).into()
    }

    /// [`Linear::new`] as a law.
    pub fn linear(stiffness: f64, damping: f64) -> Self {
        Linear::new(stiffness, damping).into()
    }

    /// Its name, one of [`Law::NAMES`].
    pub fn name(&self) -> &'static str {
        match self {
            Law::HuntCrossley(_) => Self::NAMES[0],
            Law::Linear(_) => Self::NAMES[1],
        }
    }

    /// Whether both are the same law with perhaps other numbers.
    pub fn is_kind_of(&self, other: &Law) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// Force [N] at compression x [m] and compression velocity v [m/s].
    pub fn force(&self, x: f64, v: f64, _memory: f64) -> f64 {
        of_any!(self, law => law.force(x, v))
    }

    /// Derivatives of the force by compression [N/m] and by compression velocity [N s/m].
    pub fn slopes(&self, x: f64, v: f64) -> (f64, f64) {
        of_any!(self, law => law.slopes(x, v))
    }

    /// Energy [J] that the contact holds at compression x [m]; `beta` [m/N] is the coefficient of the 4th-order correction, 0 for
    /// the physical energy.
    pub fn stored(&self, x: f64, _memory: f64, beta: f64) -> f64 {
        of_any!(self, law => law.corrected_potential(x, beta))
    }

    /// The compression [m] at which the contact holds `energy` [J], never more.
    pub fn compression_storing(&self, energy: f64, _memory: f64, beta: f64) -> f64 {
        of_any!(self, law => law.compression_storing(energy, beta))
    }

    /// Contact time [s] of an undamped hit at closing speed v [m/s] with `mobility` = sum W^2 [1/kg].
    pub fn contact_time(&self, mobility: f64, v: f64) -> f64 {
        of_any!(self, law => law.contact_time(mobility, v))
    }

    /// Substeps that a hit at closing speed v [m/s] needs over those of an undamped one.
    pub fn crowding(&self, v: f64) -> f64 {
        match self {
            Law::HuntCrossley(law) => law.crowding(v),
            Law::Linear(_) => 1.0,
        }
    }

    /// Coefficient beta [m/N] of the correction for a compliance b [m/N].
    pub(super) fn correction(&self, b: f64) -> f64 {
        match self {
            Law::HuntCrossley(_) | Law::Linear(_) => b / 6.0,
        }
    }

    /// Compression and memory of a contact that stood at `place` under the law `last` of the same kind and its beta, such that the
    /// energy is kept.
    pub(super) fn taking_over(&self, last: &Law, last_beta: f64, place: (f64, f64), beta: f64) -> (f64, f64) {
        let (x, memory) = place;
        let stored = last.stored(x, memory, last_beta);
        if stored > 0.0 { (self.compression_storing(stored, memory, beta), memory) } else { place }
    }

    /// What is remembered after a substep to the compression x1 [m].
    pub(super) fn remembering(&self, memory: f64, _x1: f64) -> f64 {
        memory
    }

    /// Compression and force at the end of a substep.
    pub fn solve(&self, e: &Equation) -> Solution {
        of_any!(self, law => law.solve(e))
    }

    /// The substep's force [N] as a function of u, and its derivative [N/m].
    pub(super) fn substep_force(&self, e: &Equation, u: f64) -> (f64, f64) {
        of_any!(self, law => law.substep_force(e, u))
    }

    /// Energy [J] that the contact loses in a substep, >= 0; not as a difference of energies unless the solution is capped.
    pub fn loss(&self, e: &Equation, solution: &Solution) -> f64 {
        of_any!(self, law => law.loss(e, solution))
    }
}
