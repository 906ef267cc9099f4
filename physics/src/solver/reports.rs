//! Plain data about a step: its cost, one substep of one hammer, the state before it.

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
