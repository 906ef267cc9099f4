//! Cost budget of one sample, and the accuracy given up once it is spent.
//!
//! The unit is one sample of the reference resonator (`benches/cost`), about a nanosecond on a 3.7 GHz core. Costs follow from
//! numbers of modes, hammers, substeps and iterations, never from a clock: the same notes give the same sound on every processor.
//! Under a small limit substeps get longer, and sweeps over several contacts end before they have converged; every step is still
//! passive.

use crate::contact::Solution;
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
/// A step of Newton's method on resolved contacts: of each, and of its elimination.
const COUPLED_CONTACT: f32 = 30.0;
const ELIMINATION: f32 = 0.15;
/// A step of Newton's method on all contacts together.
const NEWTON: f32 = 6000.0;
/// Making the unconverged force of one hammer passive.
const FORCE_LIMIT: f32 = 200.0;

/// Limit and present cost of a sample.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CostBudget {
    allowance: f32,
    spent: f32,
    /// Cost of a substep in the last sample.
    last_substep_cost: f32,
    /// Finest level of this sample.
    finest: u32,
    /// Whether the limit has reduced the accuracy of this sample.
    short: bool,
}

impl Default for CostBudget {
    fn default() -> Self {
        Self { allowance: f32::INFINITY, spent: 0.0, last_substep_cost: 0.0, finest: DEEPEST_LEVEL, short: false }
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
    pub fn charge_scalar(&mut self, solution: &Solution) {
        let (once, each) = if solution.bracketed { (SCALAR, ITERATION) } else { (QUICK, LOOK) };
        self.spent += once + each * solution.iterations as f32;
    }

    /// Counts `looks` further evaluations of a force.
    pub fn charge_evaluations(&mut self, looks: u32) {
        self.spent += ITERATION * looks as f32;
    }

    /// Counts a step of Newton's method on `contacts` resolved contacts.
    pub fn charge_coupled_step(&mut self, contacts: usize) {
        let n = contacts as f32;
        self.spent += n * (COUPLED_CONTACT + ELIMINATION * n * n);
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

    /// Counts substeps made in one pass over the modes.
    pub fn charge_pass(&mut self, substeps: u32, padded_modes: usize) {
        self.spent += substeps as f32 * (PASSED + PASSED_MODE * padded_modes as f32);
    }

    /// Counts the fit of all hammers to a table; `filled`: the table is new.
    pub fn charge_fit(&mut self, size: ProblemSize, filled: bool) {
        let ProblemSize { modes, hammers } = size;
        self.spent += modes * (if filled { FILL } else { 0.0 } + hammers * (FIT + COUPLE * hammers));
    }

    /// Counts the table of an odd length.
    pub fn charge_table(&mut self, padded_modes: usize) {
        self.spent += FILL * padded_modes as f32;
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
        (self.spent, self.finest, self.short) = (0.0, DEEPEST_LEVEL, false);
    }

    /// How many of at most `budget` substeps the limit allows. If they are few, they have equal length.
    pub fn affordable_substeps(&mut self, budget: u32, size: ProblemSize) -> u32 {
        let CostBudget { allowance, last_substep_cost, .. } = *self;
        let each = last_substep_cost.max(size.substep_cost());
        // saturates
        let affordable = ((allowance / each) as u32).clamp(1, MAX_SUBSTEPS).min(budget);
        if affordable < FEW {
            self.finest = affordable.ilog2();
        }
        affordable
    }

    /// Ends a sample of `substeps` substeps.
    pub fn end(&mut self, substeps: u32) {
        self.last_substep_cost = if substeps > 0 { self.spent / substeps as f32 } else { 0.0 };
    }

    /// About the least cost of a sample in contact: one substep in which every equation is solved once.
    pub fn least_cost(&self, size: ProblemSize) -> f32 {
        let ProblemSize { modes, hammers } = size;
        if hammers > 1.0 {
            let few = size.substep_cost() + hammers * (SCALAR + 6.0 * ITERATION + FORCE_LIMIT);
            // a sample cut short has cost about the least
            if self.short { self.spent.clamp(few, 2.0 * few) } else { few }
        } else {
            PASSED + PASSED_MODE * modes
        }
    }
}

/// Size of the problem, from which the cost of a substep follows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProblemSize {
    /// Modes of the body, padded.
    pub modes: f32,
    /// Hammers that take part.
    pub hammers: f32,
}

impl ProblemSize {
    /// Cost of a substep without that of the equations.
    fn substep_cost(self) -> f32 {
        let Self { modes, hammers } = self;
        SUBSTEP + hammers * HAMMER + modes * (MODE + FELT_MODE * hammers)
    }
}
