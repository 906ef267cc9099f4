//! Cost budget of one sample, and the accuracy given up once it is spent.
//!
//! The unit is one sample of the reference resonator (`benches/cost`), about a nanosecond on a 3.7 GHz core. Costs follow from
//! numbers of modes, hammers, substeps and iterations, never from a clock: the same notes give the same sound on every processor.
//! Under a small limit substeps get longer, and sweeps over several contacts end before they have converged; every step is still
//! passive.

use crate::contact::{ContactLaw, HERTZ, Solution, has_roots};
use crate::solver::limits::{DEEPEST_LEVEL, MAX_SUBSTEPS};

/// Number of substeps below which all substeps of a sample have equal length; a short contact with more of them ends before they
/// are spent.
const FEW: u32 = 32;

/// Prediction of one mode of the body and the force on it, and the same for each hammer.
const MODE: f32 = 1.2;
const FELT_MODE: f32 = 0.7;
/// Further cost of a hammer in a substep, and of a substep.
const HAMMER: f32 = 45.0;
const SUBSTEP: f32 = 60.0;
/// A substep among several in one pass, and of each mode of the body.
const PASSED: f32 = 75.0;
const PASSED_MODE: f32 = 0.6;
/// A substep that has a pass of its own.
const SINGLE: f32 = 50.0;
/// The same of each mode of the hammer but the first.
const OWN_MODE: f32 = 4.0;
/// An evaluation of the tension, of each mode of the body, and the same for each hammer.
const TENSION: f32 = 30.0;
const TENSION_MODE: f32 = 0.8;
const TENSION_HAMMER_MODE: f32 = 0.4;
/// Evaluations of the tension in a substep.
const FEW_TENSIONS: f32 = 2.0;
/// A mode in the rotations and the relaxation of a potential, and in a substep under its held force.
const POTENTIAL_MODE: f32 = 1.5;
const HELD_FORCE_MODE: f32 = 1.2;
/// A held mode: its step, and its way and force at each hammer, of up to [`TOGETHER`] hammers in one pass and of each in a pass of its own.
const HELD_MODE: f32 = 0.7;
const HELD_HAMMER: f32 = 0.12;
const HELD_APART: f32 = 0.45;
const TOGETHER: f32 = 6.0;
/// One mode of a table of steps.
const FILL: f32 = 10.0;
/// One mode of a hammer's weights fitted to a table, and of the coupling of two.
const FIT: f32 = 1.5;
const COUPLE: f32 = 0.12;
/// A scalar equation of one of several contacts, solved without a bracket, and an iteration of it.
const QUICK: f32 = 45.0;
const LOOK: f32 = 15.0;
/// The same in a bracket.
const SCALAR: f32 = 100.0;
const ITERATION: f32 = 50.0;
/// Iterations of an equation in a bracket that is solved once.
const FEW_ITERATIONS: f32 = 6.0;
/// A step of Newton's method on resolved contacts: of each, and of its elimination.
const COUPLED_CONTACT: f32 = 30.0;
const ELIMINATION: f32 = 0.15;
/// A step of Newton's method on all contacts together.
const NEWTON: f32 = 6000.0;
/// Making the unconverged force of one hammer passive.
const FORCE_LIMIT: f32 = 200.0;

/// Cost of a contact law beyond that of Hertz's, which the other constants include.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct LawCost {
    /// Of a scalar equation solved without a bracket.
    quick: f32,
    /// Of the same in a bracket, which begins after the attempt without one.
    bracketed: f32,
    /// Of an iteration of either.
    iteration: f32,
    /// Of the compression that keeps the energy of the contact when the length of the substeps changes.
    refit: f32,
}

impl LawCost {
    /// Exponents whose powers are products and square roots.
    const ROOTS: Self = Self { quick: 10.0, bracketed: 150.0, iteration: 10.0, refit: 300.0 };
    /// All other exponents.
    const POWERS: Self = Self { quick: 50.0, bracketed: 450.0, iteration: 40.0, refit: 400.0 };
    /// A law with a memory, in addition to [`MORE_POWERS`](Self::MORE_POWERS) times that of its exponent: it evaluates two springs.
    const MEMORY: Self = Self { quick: 5.0, bracketed: 150.0, iteration: 30.0, refit: 600.0 };

    const MORE_POWERS: f32 = 1.5;

    /// Cost of `law`.
    #[inline]
    pub fn of(law: &ContactLaw) -> Self {
        match law {
            ContactLaw::HuntCrossley(law) => Self::of_exponent(law.exponent()),
            ContactLaw::Linear(_) => Self::ROOTS,
            ContactLaw::Restitution(law) => Self::with_memory(law.exponent()),
            ContactLaw::Felt(law) => Self::with_memory(law.exponent()),
        }
    }

    fn with_memory(exponent: f64) -> Self {
        let (power, memory) = (Self::of_exponent(exponent), Self::MEMORY);
        Self {
            quick: Self::MORE_POWERS * power.quick + memory.quick,
            bracketed: Self::MORE_POWERS * power.bracketed + memory.bracketed,
            iteration: Self::MORE_POWERS * power.iteration + memory.iteration,
            refit: Self::MORE_POWERS * power.refit + memory.refit,
        }
    }

    #[inline]
    fn of_exponent(exponent: f64) -> Self {
        if exponent == HERTZ {
            Self::default()
        } else if has_roots(exponent) {
            Self::ROOTS
        } else {
            Self::POWERS
        }
    }
}

/// Scalar equations of one contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SolvedEquations {
    /// Their number.
    pub count: u32,
    /// Those of them that needed a bracket.
    pub bracketed: u32,
    /// Iterations of all of them.
    pub iterations: u32,
}

impl SolvedEquations {
    /// The equation of `solution`.
    #[inline]
    pub fn of(solution: &Solution) -> Self {
        Self { count: 1, bracketed: u32::from(solution.bracketed), iterations: solution.iterations }
    }
}

/// Limit and present cost of a sample.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CostBudget {
    allowance: f32,
    spent: f32,
    /// Part of `spent` that does not depend on the number of substeps: held modes, the potential, new tables.
    fixed: f32,
    /// The same of the last sample, and the cost of a substep in it.
    last_fixed: f32,
    last_substep_cost: f32,
    /// Finest level of this sample.
    finest: u32,
    /// Whether the limit has reduced the accuracy of this sample.
    short: bool,
}

impl Default for CostBudget {
    fn default() -> Self {
        Self {
            allowance: f32::INFINITY,
            spent: 0.0,
            fixed: 0.0,
            last_fixed: 0.0,
            last_substep_cost: 0.0,
            finest: DEEPEST_LEVEL,
            short: false,
        }
    }
}

impl CostBudget {
    /// Whether the budget is spent, so that accuracy has to be given up.
    pub fn is_spent(&mut self) -> bool {
        self.short |= self.spent >= self.allowance;
        self.spent >= self.allowance
    }

    /// The level nearest to `level` that the budget allows.
    pub fn level(&mut self, level: u32) -> u32 {
        self.short |= level > self.finest;
        level.min(self.finest)
    }

    /// The finest level that the budget allows.
    pub fn finest(&self) -> u32 {
        self.finest
    }

    /// Counts a scalar equation of one of several contacts.
    #[inline]
    pub fn charge_scalar(&mut self, law: &ContactLaw, solution: &Solution) {
        let (once, each) = if solution.bracketed { (SCALAR, ITERATION) } else { (QUICK, LOOK) };
        let LawCost { quick, bracketed, iteration, .. } = LawCost::of(law);
        let more = if solution.bracketed { bracketed } else { quick };
        self.spent += once + more + (each + iteration) * solution.iterations as f32;
    }

    /// Counts what the equations of a single contact cost beyond those of Hertz's law, which substeps include.
    #[inline]
    pub fn charge_law(&mut self, law: &ContactLaw, solved: SolvedEquations) {
        if matches!(law, ContactLaw::HuntCrossley(law) if law.exponent() == HERTZ) {
            return;
        }
        let LawCost { quick, bracketed, iteration, .. } = LawCost::of(law);
        let SolvedEquations { count, bracketed: in_bracket, iterations } = solved;
        self.spent += quick * (count - in_bracket) as f32 + bracketed * in_bracket as f32 + iteration * iterations as f32;
    }

    /// Counts `looks` further evaluations of a force.
    pub fn charge_evaluations(&mut self, law: &ContactLaw, looks: u32) {
        self.spent += (ITERATION + LawCost::of(law).iteration) * looks as f32;
    }

    /// Counts a step of Newton's method on resolved contacts with these laws.
    pub fn charge_coupled_step<'a>(&mut self, laws: impl Iterator<Item = &'a ContactLaw>) {
        let (mut n, mut forces) = (0.0, 0.0);
        for law in laws {
            n += 1.0;
            forces += LawCost::of(law).iteration;
        }
        self.spent += forces + n * (COUPLED_CONTACT + ELIMINATION * n * n);
    }

    /// Counts the change of a contact's compression to another length of substeps.
    pub fn charge_refit(&mut self, law: &ContactLaw) {
        self.spent += LawCost::of(law).refit;
    }

    /// Counts making the unconverged forces of `hammers` hammers passive.
    pub fn charge_force_limit(&mut self, hammers: usize) {
        self.spent += FORCE_LIMIT * hammers as f32;
    }

    /// Counts a step of Newton's method on all contacts.
    pub fn charge_newton(&mut self) {
        self.spent += NEWTON;
    }

    /// Counts a prediction of everything.
    pub fn charge_prediction(&mut self, size: ProblemSize) {
        self.spent += 0.5 * size.substep_cost();
    }

    /// Counts the operations after the forces of a substep.
    pub fn charge_commit(&mut self, size: ProblemSize) {
        self.spent += 0.5 * size.substep_cost();
    }

    /// Counts the substeps of a single contact in which `solved` were solved, made in one pass over the modes.
    #[inline]
    pub fn charge_pass(&mut self, size: PassSize, law: &ContactLaw, solved: SolvedEquations) {
        let PassSize { modes, own_modes } = size;
        let each = PASSED + PASSED_MODE * modes as f32 + OWN_MODE * (own_modes.max(1) - 1) as f32;
        self.spent += if solved.count == 1 { SINGLE } else { 0.0 } + solved.count as f32 * each;
        self.charge_law(law, solved);
    }

    /// Counts the fit of all hammers to a table; `filled`: the table is new.
    pub fn charge_fit(&mut self, size: ProblemSize, filled: bool) {
        let ProblemSize { modes, hammers, .. } = size;
        self.charge_once(modes * (if filled { FILL } else { 0.0 } + hammers * (FIT + COUPLE * hammers)));
    }

    /// Counts the step of `modes` held modes, and their way at `hammers` hammers.
    pub fn charge_held(&mut self, modes: usize, hammers: usize) {
        self.charge_once(held_cost(modes as f32, hammers as f32));
    }

    /// Counts an evaluation of the tension, without the equations of its contacts.
    pub fn charge_tension(&mut self, size: ProblemSize) {
        self.spent += size.tension_cost();
    }

    /// About the cost of the tension in a substep.
    pub fn least_tension_cost(size: ProblemSize) -> f32 {
        FEW_TENSIONS * size.tension_cost()
    }

    /// Counts an evaluation of a potential that costs `evaluation`.
    pub fn charge_potential(&mut self, evaluation: f32, size: ProblemSize) {
        self.charge_once(evaluation + POTENTIAL_MODE * size.modes);
    }

    /// Counts a cost that does not depend on the number of substeps.
    fn charge_once(&mut self, cost: f32) {
        self.spent += cost;
        self.fixed += cost;
    }

    /// Counts the force of a potential in a substep.
    pub fn charge_held_force(&mut self, size: ProblemSize) {
        self.spent += HELD_FORCE_MODE * size.modes;
    }

    /// About the cost of a potential in a sample in contact.
    pub fn least_potential_cost(evaluation: f32, size: ProblemSize) -> f32 {
        2.0 * (evaluation + POTENTIAL_MODE * size.modes) + HELD_FORCE_MODE * size.modes
    }

    /// Counts the table of an odd length.
    pub fn charge_table(&mut self, padded_modes: usize) {
        self.charge_once(FILL * padded_modes as f32);
    }

    /// Limits the cost of every sample from now on.
    pub fn set_limit(&mut self, cost: f32) {
        self.allowance = cost;
    }

    /// Whether there is a limit.
    pub fn is_limited(&self) -> bool {
        self.allowance.is_finite()
    }

    /// Cost of the sample so far.
    pub fn spent(&self) -> f32 {
        self.spent
    }

    /// Whether the limit has reduced the accuracy of this sample.
    pub fn is_short(&self) -> bool {
        self.short
    }

    /// Begins a sample.
    #[inline]
    pub fn begin(&mut self) {
        (self.spent, self.fixed, self.finest, self.short) = (0.0, 0.0, DEEPEST_LEVEL, false);
    }

    /// How many of at most `budget` substeps the limit allows. If they are few, they have equal length.
    pub fn affordable_substeps(&mut self, budget: u32, size: ProblemSize) -> u32 {
        let CostBudget { allowance, last_fixed, last_substep_cost, .. } = *self;
        let each = last_substep_cost.max(size.substep_cost());
        // saturates
        let affordable = (((allowance - last_fixed) / each) as u32).clamp(1, MAX_SUBSTEPS).min(budget);
        if affordable < FEW {
            self.finest = affordable.ilog2();
        }
        affordable
    }

    /// Forgets the cost of the last samples, before a new body.
    pub fn forget(&mut self) {
        *self = Self { allowance: self.allowance, ..Self::default() };
    }

    /// Ends a sample of `substeps` substeps.
    pub fn end(&mut self, substeps: u32) {
        let in_contact = substeps > 0;
        self.last_substep_cost = if in_contact { (self.spent - self.fixed) / substeps as f32 } else { 0.0 };
        self.last_fixed = if in_contact { self.fixed } else { 0.0 };
    }

    /// About the least cost of a sample in contact: one substep in which every equation is solved once. `laws`: those of all hammers.
    #[inline]
    pub fn least_cost<'a>(&self, size: ProblemSize, laws: impl Iterator<Item = &'a ContactLaw>) -> f32 {
        let ProblemSize { modes, held, hammers } = size;
        let held = held_cost(held, hammers);
        let laws = laws.map(LawCost::of);
        if hammers > 1.0 {
            let more: f32 = laws.map(|law| law.bracketed + FEW_ITERATIONS * law.iteration).sum();
            let few = size.substep_cost() + hammers * (SCALAR + FEW_ITERATIONS * ITERATION + FORCE_LIMIT) + more + held;
            // a sample cut short has cost about the least
            if self.short { self.spent.clamp(few, 2.0 * few) } else { few }
        } else {
            held + PASSED + PASSED_MODE * modes + laws.map(|law| law.quick + law.iteration).sum::<f32>()
        }
    }
}

/// Cost of a held mode in a sample under `hammers` hammers.
pub(crate) fn held_mode_cost(hammers: f32) -> f32 {
    held_cost(1.0, hammers)
}

/// Cost of a sample of held modes under `hammers` hammers.
fn held_cost(modes: f32, hammers: f32) -> f32 {
    modes * (HELD_MODE + HELD_HAMMER * hammers.min(TOGETHER) + HELD_APART * (hammers - TOGETHER).max(0.0))
}

/// Modes over which substeps of a single contact pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PassSize {
    /// Felt modes of the body, padded.
    pub modes: usize,
    /// Modes of the hammer, at least 1.
    pub own_modes: usize,
}

/// Size of the problem, from which the cost of a substep follows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProblemSize {
    /// Felt modes of the body, padded.
    pub modes: f32,
    /// Held modes of the body, padded.
    pub held: f32,
    /// Hammers that take part.
    pub hammers: f32,
}

impl ProblemSize {
    /// Cost of an evaluation of the tension.
    fn tension_cost(self) -> f32 {
        TENSION + self.modes * (TENSION_MODE + TENSION_HAMMER_MODE * self.hammers)
    }

    /// Cost of a substep without that of the equations.
    fn substep_cost(self) -> f32 {
        let Self { modes, hammers, .. } = self;
        SUBSTEP + hammers * HAMMER + modes * (MODE + FELT_MODE * hammers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Held modes and a potential cost the same however many substeps there are: after an onset in the last substep of a sample, the next one may take as
    /// many as it can pay.
    #[test]
    fn costs_of_a_sample_are_not_those_of_a_substep() {
        let size = ProblemSize { modes: 48.0, held: 1500.0, hammers: 1.0 };
        let mut budget = CostBudget::default();
        budget.set_limit(20_000.0);
        budget.begin();
        budget.charge_held(1500, 1);
        budget.charge_potential(3000.0, size);
        let fixed = budget.spent();
        budget.charge_commit(size);
        budget.end(1);
        budget.begin();
        let each = size.substep_cost();
        assert_eq!(budget.affordable_substeps(MAX_SUBSTEPS, size), ((20_000.0 - fixed) / each) as u32);
        assert!(fixed > 4000.0 && each < 300.0, "{fixed} {each}");
    }
}
