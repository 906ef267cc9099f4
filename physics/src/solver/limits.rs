//! Limits of the solver, capacity of its memory, resolution of contacts, and plain data about a step.
//!
//! The data about a step are its cost, one substep of one hammer, and the state before it.

use crate::modal::MAX_CONTACTS;

/// Deepest level: the shortest substep is h/2^24.
pub const DEEPEST_LEVEL: u32 = 24;
/// A sample in ticks.
pub(crate) const SAMPLE: u32 = 1 << DEEPEST_LEVEL;
/// Maximum number of hammers on one body.
pub const MAX_HAMMERS: usize = MAX_CONTACTS;
/// Maximum number of substeps of a sample; then one step closes it.
pub const MAX_SUBSTEPS: u32 = 256;

/// Maximum number of free substeps before an onset, and from the end of a contact to the end of the sample. A longer flight is
/// one step, which needs a table of its length.
pub(crate) const MAX_WALKED_SUBSTEPS: u32 = 8;

/// b F/x, the displacement by the force over the compression, up to which a contact counts as resolved: alpha b F/x is (omega
/// dt)^2/2 of its oscillation.
pub(crate) const MAX_RESOLVED_SHARE: f64 = 0.1;

/// Sizes for which the memory of a collision is allocated.
#[derive(Clone, Copy, Debug)]
pub struct Capacity {
    /// Modes of the body that every substep computes.
    pub modes: usize,
    /// Further modes of the body, which take one step a sample.
    pub held: usize,
    /// Hammers at once, at most [`MAX_HAMMERS`].
    pub hammers: usize,
    /// Modes of a hammer, 1 for point masses.
    pub hammer_modes: usize,
    /// Tables of step coefficients, at least [`LEAST_LEVELS`](crate::modal::LEAST_LEVELS).
    pub levels: usize,
}

/// How finely contacts are resolved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resolution {
    /// P: substeps in an undamped contact, 4 to 64.
    pub substeps_per_contact: f64,
    /// jmin: at least 2^jmin substeps a sample.
    pub coarsest_level: u32,
    /// Levels by which a contact that outlasts its closed-form time gets coarser, one after the other: a stick stays on a drum head for many times the
    /// contact time of its tip. Its tip then has P/2 or P/4 substeps.
    pub outlasted_levels: u32,
}

impl Default for Resolution {
    fn default() -> Self {
        Self { substeps_per_contact: 16.0, coarsest_level: 2, outlasted_levels: 0 }
    }
}

/// Cost of a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepCost {
    /// Substeps in contact.
    pub substeps: u32,
    /// Maximum number of iterations of a scalar solve.
    pub most_iterations: u32,
    /// Maximum number of sweeps over several contacts.
    pub most_sweeps: u32,
    /// Steps of Newton's method on several contacts together.
    pub newton_steps: u32,
}

/// One substep of one hammer in contact, as an observer sees it.
#[derive(Clone, Copy, Debug, Default)]
pub struct SubstepReport {
    /// Number of the hammer.
    pub hammer: usize,
    /// Start after the start of the sample [s].
    pub start: f64,
    /// Length [s].
    pub dt: f64,
    /// Compression before and after [m].
    pub x0: f64,
    /// Compression after [m].
    pub x1: f64,
    /// Velocity of compression after [m/s].
    pub v1: f64,
    /// Force over the substep [N].
    pub force: f64,
    /// Energy lost in the contact [J].
    pub loss: f64,
    /// The contact began in this substep.
    pub began: bool,
    /// The contact ended in this substep.
    pub ended: bool,
}

/// State before a substep.
#[derive(Clone, Copy, Debug)]
pub struct StateBefore {
    /// Velocity of compression [m/s].
    pub closing: f64,
    /// Energy of the hammer [J].
    pub hammer: f64,
    /// Energy of the body [J].
    pub body: f64,
}
