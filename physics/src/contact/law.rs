//! Contact laws, and their interface to the solver.
//!
//! | law | force for x > 0 | remembers |
//! |---|---|---|
//! | Hunt-Crossley | k x^alpha (1 + mu x') | nothing |
//! | linear | k x + c x', not below 0 | nothing |
//! | restitution | k x^alpha where x is deeper than ever in this contact, else R k x^alpha | the deepest x [m] |
//! | felt | k (x^p - epsilon y), y' = (x^p - y)/tau, not below 0 | y [m^p] |
//!
//! Over a substep every law gives a force that does not fall when the compression at the end grows, and that takes from the modes
//! at least what the contact stores: force times displacement = change of the stored energy + loss, loss >= 0. This suffices for
//! passivity and for a unique solution. A change of a law's memory never increases the stored energy.

use crate::contact::felt::Felt;
use crate::contact::hunt_crossley::HuntCrossley;
use crate::contact::linear::Linear;
use crate::contact::newton::SubstepSolver;
use crate::contact::restitution::Restitution;
use crate::contact::step_equation::{Equation, Solution, SubstepForce};

/// The law of one contact. The caller keeps the memory of laws that have one, `memory`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ContactLaw {
    /// A power law with a loss that grows with it.
    HuntCrossley(HuntCrossley),
    /// A linear spring in parallel with a linear damper.
    Linear(Linear),
    /// A power law that returns a share of the energy.
    Restitution(Restitution),
    /// Stulov's felt.
    Felt(Felt),
}

macro_rules! conversion {
    ($($law:ident)+) => {$(
        impl From<$law> for ContactLaw {
            fn from(law: $law) -> Self {
                ContactLaw::$law(law)
            }
        }
    )+};
}

conversion!(HuntCrossley Linear Restitution Felt);

/// The same expression for every law.
macro_rules! of_any {
    ($law:expr, $inner:ident => $value:expr) => {
        match $law {
            ContactLaw::HuntCrossley($inner) => $value,
            ContactLaw::Linear($inner) => $value,
            ContactLaw::Restitution($inner) => $value,
            ContactLaw::Felt($inner) => $value,
        }
    };
}

pub(crate) use of_any;

/// Where a contact is at the beginning of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactState {
    /// Compression [m]; negative is the gap.
    pub x: f64,
    /// Memory of the law.
    pub memory: f64,
    /// Coefficient of the 4th-order correction [m/N].
    pub beta: f64,
}

impl ContactLaw {
    /// Names of all laws, see [`ContactLaw::name`].
    pub const NAMES: &[&str] = &["hunt-crossley", "linear", "restitution", "felt"];

    /// [`HuntCrossley::new`] as a law.
    pub fn hunt_crossley(stiffness: f64, exponent: f64, damping: f64) -> Self {
        HuntCrossley::new(stiffness, exponent, damping).into()
    }

    /// [`Linear::new`] as a law.
    pub fn linear(stiffness: f64, damping: f64) -> Self {
        Linear::new(stiffness, damping).into()
    }

    /// [`Restitution::new`] as a law.
    pub fn restitution(stiffness: f64, exponent: f64, share: f64) -> Self {
        Restitution::new(stiffness, exponent, share).into()
    }

    /// [`Felt::new`] as a law.
    pub fn felt(stiffness: f64, exponent: f64, epsilon: f64, tau: f64) -> Self {
        Felt::new(stiffness, exponent, epsilon, tau).into()
    }

    /// Its name, one of [`ContactLaw::NAMES`].
    pub fn name(&self) -> &'static str {
        Self::NAMES[match self {
            ContactLaw::HuntCrossley(_) => 0,
            ContactLaw::Linear(_) => 1,
            ContactLaw::Restitution(_) => 2,
            ContactLaw::Felt(_) => 3,
        }]
    }

    /// Whether both are of the same kind, whatever their parameters.
    #[doc(hidden)]
    pub fn is_kind_of(&self, other: &ContactLaw) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// Force [N] at compression x [m] and compression velocity v [m/s].
    pub fn force(&self, x: f64, v: f64, memory: f64) -> f64 {
        match self {
            ContactLaw::HuntCrossley(law) => law.force(x, v),
            ContactLaw::Linear(law) => law.force(x, v),
            ContactLaw::Restitution(law) => law.force(x, v, memory),
            ContactLaw::Felt(law) => law.force(x, memory),
        }
    }

    /// Derivatives of the force by compression [N/m] and by compression velocity [N s/m].
    #[doc(hidden)]
    pub fn slopes(&self, x: f64, v: f64, memory: f64) -> (f64, f64) {
        match self {
            ContactLaw::HuntCrossley(law) => law.slopes(x, v),
            ContactLaw::Linear(law) => law.slopes(x, v),
            ContactLaw::Restitution(law) => (law.slope(x, v, memory), 0.0),
            ContactLaw::Felt(law) => (law.slope(x, memory), 0.0),
        }
    }

    /// About how much the force of a substep of dt [s] rises with the compression and with its change [N/m]; for guesses only.
    pub(crate) fn steepness(&self, dt: f64, &Solution { x1, d, force, .. }: &Solution) -> (f64, f64) {
        let (exponent, damping) = match self {
            ContactLaw::HuntCrossley(law) => (law.exponent(), law.damping()),
            ContactLaw::Linear(law) => {
                let (stiffness, damping) = law.slopes(x1, d / dt);
                return (stiffness, damping / dt);
            }
            ContactLaw::Restitution(law) => (law.exponent(), 0.0),
            ContactLaw::Felt(law) => (law.exponent(), 0.0),
        };
        let rate = damping / dt;
        (exponent * force / (x1 - 0.5 * d), rate * force / (1.0 + rate * d))
    }

    /// Energy [J] that the contact stores at compression x [m]; `beta` [m/N] is the coefficient of the 4th-order correction, 0
    /// for the physical energy.
    #[doc(hidden)]
    #[inline]
    pub fn stored(&self, x: f64, memory: f64, beta: f64) -> f64 {
        of_any!(self, law => SubstepForce::stored(law, x, memory, beta))
    }

    /// The compression [m] at which the contact stores `energy` [J], never more.
    #[doc(hidden)]
    pub fn compression_storing(&self, energy: f64, memory: f64, beta: f64) -> f64 {
        match self {
            ContactLaw::HuntCrossley(law) => law.compression_storing(energy, beta),
            ContactLaw::Linear(law) => law.compression_storing(energy, beta),
            ContactLaw::Restitution(law) => law.compression_storing(energy, beta),
            ContactLaw::Felt(law) => law.compression_storing(energy, memory),
        }
    }

    /// A contact whose `solution` has not the force of the law: the compression x [m] follows the `way` [m] under that force, and is limited where the
    /// contact would store more than `before` [J] and the work done. `beta`: as of [`ContactLaw::stored`].
    pub(crate) fn limited(&self, solution: Solution, start: ContactState, way: f64, before: f64) -> Solution {
        let ContactState { x, memory, beta } = start;
        let given = before + solution.force * way;
        let (mut x1, mut d) = (x + way, way);
        if self.stored(x1, memory, beta) > given {
            x1 = self.compression_storing(given, memory, beta);
            d = x1 - x;
        }
        Solution { x1, d, capped: Some(way), ..solution }
    }

    /// Energy [J] that it keeps at this memory, whatever the compression.
    pub(crate) fn kept(&self, memory: f64) -> f64 {
        if let ContactLaw::Felt(law) = self { law.at_rest(memory) } else { 0.0 }
    }

    /// Contact time [s] of an undamped hit at closing speed v [m/s] with `mobility` = sum W^2 [1/kg].
    pub fn contact_time(&self, mobility: f64, v: f64) -> f64 {
        of_any!(self, law => law.contact_time(mobility, v))
    }

    /// Substeps that a hit at closing speed v [m/s] needs over those of an undamped one.
    #[doc(hidden)]
    pub fn substep_factor(&self, v: f64) -> f64 {
        if let ContactLaw::HuntCrossley(law) = self { law.substep_factor(v) } else { 1.0 }
    }

    /// Longest substep [s] that follows the relaxation of the law.
    #[doc(hidden)]
    pub fn longest_step(&self) -> f64 {
        if let ContactLaw::Felt(law) = self { law.longest_step() } else { f64::INFINITY }
    }

    /// Coefficient beta [m/N] of the correction for a compliance b [m/N]; 0 for laws whose memory would have to include it.
    pub(crate) fn correction(&self, b: f64) -> f64 {
        if let ContactLaw::Felt(_) = self { 0.0 } else { b / 6.0 }
    }

    /// Compression [m] and memory of a contact that was at `place` under the law `last` of the same kind and its beta, such that
    /// no energy is gained and, where possible, none lost.
    pub(crate) fn taking_over(&self, last: &ContactLaw, last_beta: f64, place: (f64, f64), beta: f64) -> (f64, f64) {
        match (self, last) {
            (ContactLaw::Restitution(law), ContactLaw::Restitution(last)) => law.taking_over(last, last_beta, place, beta),
            (ContactLaw::Felt(law), ContactLaw::Felt(last)) => law.taking_over(last, place),
            _ => {
                let stored = last.stored(place.0, place.1, last_beta);
                if stored > 0.0 { (self.compression_storing(stored, place.1, beta), place.1) } else { place }
            }
        }
    }

    /// Memory after the compression has reached x1 [m]; changes no energy.
    #[inline]
    pub(crate) fn remembering(&self, memory: f64, x1: f64) -> f64 {
        of_any!(self, law => SubstepForce::remembering(law, memory, x1))
    }

    /// Memory after dt [s] at compression x [m], and the energy [J] >= 0 that this dissipates.
    #[inline]
    pub(crate) fn relaxing(&self, memory: f64, x: f64, dt: f64) -> (f64, f64) {
        of_any!(self, law => SubstepForce::relaxing(law, memory, x, dt))
    }

    /// Compression and force at the end of a substep.
    #[doc(hidden)]
    #[inline]
    pub fn solve(&self, e: &Equation) -> Solution {
        of_any!(self, law => law.solve(e))
    }

    /// The substep's force [N] as a function of u, and its derivative [N/m].
    pub(crate) fn substep_force(&self, e: &Equation, u: f64) -> (f64, f64) {
        of_any!(self, law => law.substep_force(e, u))
    }

    /// Energy [J] that the contact loses in a substep, >= 0, without the loss by relaxation; a difference of energies only where
    /// the solution is capped.
    #[doc(hidden)]
    pub fn loss(&self, e: &Equation, solution: &Solution) -> f64 {
        of_any!(self, law => law.loss(e, solution))
    }
}
