//! What a sample may cost, and what is given up where it would cost more.
//!
//! Work is counted in samples of one resonator of the yardstick (`benches/cost/yardstick.rs`), about a nanosecond of a 3.7 GHz core. What
//! is counted follows from numbers of modes, hammers, substeps and iterations, never from a clock: the same notes give the same sound on
//! every processor. Where little is allowed substeps get longer, and sweeps over several contacts end before they have settled; a step is
//! as passive then as any.

use crate::contact::Solution;
use crate::solver::limits::{DEEPEST_LEVEL, MAX_SUBSTEPS};

/// Substeps below which a sample is stepped evenly: a short contact that has as many is over before they are spent.
const FEW: u32 = 32;

/// Prediction and pull of one mode of the body, and the same for each hammer.
const MODE: f32 = 1.2;
const FELT_MODE: f32 = 0.7;
/// What a hammer costs beside that in a substep, and what a substep does.
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
/// A scalar equation among several that is solved without a bracket, and an iteration of that.
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
/// What makes the forces of a hammer passive that have not settled.
const FORCE_LIMIT: f32 = 200.0;

/// The work that a sample may take, and what it has taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CostBudget {
    allowance: f32,
    spent: f32,
    /// Work of a substep in the last sample.
    last_substep_cost: f32,
    /// Finest level of this sample.
    finest: u32,
    /// Whether less was done in this sample than would have been.
    short: bool,
}

impl Default for CostBudget {
    fn default() -> Self {
        Self { allowance: f32::INFINITY, spent: 0.0, last_substep_cost: 0.0, finest: DEEPEST_LEVEL, short: false }
    }
}

impl CostBudget {
    /// Whether all that is allowed is spent: something has to be given up.
    pub fn is_spent(&mut self) -> bool {
        self.short |= self.spent >= self.allowance;
        self.spent >= self.allowance
    }

    /// The level nearest to `level` that may be taken.
    pub fn level(&mut self, level: u32) -> u32 {
        self.short |= level > self.finest;
        level.min(self.finest)
    }

    /// The finest that may be taken.
    pub fn finest(&self) -> u32 {
        self.finest
    }

    /// Counts a scalar equation among several.
    pub fn charge_scalar(&mut self, solution: &Solution) {
        let (once, each) = if solution.bracketed { (SCALAR, ITERATION) } else { (QUICK, LOOK) };
        self.spent += once + each * solution.iterations as f32;
    }

    /// Counts so many looks at a force more.
    pub fn charge_evaluations(&mut self, looks: u32) {
        self.spent += ITERATION * looks as f32;
    }

    /// Counts a step of Newton's method on so many resolved contacts.
    pub fn charge_coupled_step(&mut self, contacts: usize) {
        let n = contacts as f32;
        self.spent += n * (COUPLED_CONTACT + ELIMINATION * n * n);
    }

    /// Counts what makes the forces of so many hammers passive.
    pub fn charge_force_limit(&mut self, hammers: usize) {
        self.spent += FORCE_LIMIT * hammers as f32;
    }

    /// Counts one on all.
    pub fn charge_newton(&mut self) {
        self.spent += NEWTON;
    }

    /// Counts a prediction of everything.
    pub fn charge_prediction(&mut self, size: ProblemSize) {
        self.spent += 0.5 * size.substep_cost();
    }

    /// Counts what follows the forces of a substep.
    pub fn charge_commit(&mut self, size: ProblemSize) {
        self.spent += 0.5 * size.substep_cost();
    }

    /// Counts so many substeps in one pass over the modes.
    pub fn charge_pass(&mut self, substeps: u32, padded_modes: usize) {
        self.spent += substeps as f32 * (PASSED + PASSED_MODE * padded_modes as f32);
    }

    /// Counts the fit of all hammers to a table, which has to be `filled` perhaps.
    pub fn charge_fit(&mut self, size: ProblemSize, filled: bool) {
        let ProblemSize { modes, hammers } = size;
        self.spent += modes * (if filled { FILL } else { 0.0 } + hammers * (FIT + COUPLE * hammers));
    }

    /// Counts the table of an odd length.
    pub fn charge_table(&mut self, padded_modes: usize) {
        self.spent += FILL * padded_modes as f32;
    }

    /// Cost that every sample from now on may take.
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

    /// Whether less was done in this sample than would have been.
    pub fn is_short(&self) -> bool {
        self.short
    }

    /// Begins a sample.
    #[inline]
    pub fn begin(&mut self) {
        (self.spent, self.finest, self.short) = (0.0, DEEPEST_LEVEL, false);
    }

    /// How many of at most `budget` substeps the limit allows. Where that are few they are of one length.
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

    /// Ends a sample of so many substeps.
    pub fn end(&mut self, substeps: u32) {
        self.last_substep_cost = if substeps > 0 { self.spent / substeps as f32 } else { 0.0 };
    }

    /// About the least cost of a sample in contact: one substep in which every equation is solved once.
    pub fn least_cost(&self, size: ProblemSize) -> f32 {
        let ProblemSize { modes, hammers } = size;
        if hammers > 1.0 {
            let few = size.substep_cost() + hammers * (SCALAR + 6.0 * ITERATION + FORCE_LIMIT);
            // what was short of work took about the least
            if self.short { self.spent.clamp(few, 2.0 * few) } else { few }
        } else {
            PASSED + PASSED_MODE * modes
        }
    }
}

/// What the cost of a substep follows from.
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
