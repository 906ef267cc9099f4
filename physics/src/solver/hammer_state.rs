//! Parts of a hammer's state: contact, placement, weights, their fit to a span, one substep.

use crate::contact::{ContactLaw, Equation, ForceExtrapolator, Ready, Solution};
use crate::modal::{FirstModeStep, MAX_STEPS_PER_PASS, ModeArray, dot};

/// State of the contact of one hammer.
#[derive(Clone, Debug)]
pub(crate) struct ContactState {
    /// The law in force.
    pub law: ContactLaw,
    /// A law of another kind that waits for the end of the contact.
    pub next_law: Option<ContactLaw>,
    /// Memory of the law, see [`ContactLaw`].
    pub memory: f64,
    /// Compression [m]; negative is the gap.
    pub x: f64,
    /// Energy in the contact [J], as the energy balance counts it; while it touches.
    pub energy: f64,
    /// Whether it is in contact.
    pub touching: bool,
    /// Whether it has been in contact since it was added.
    pub touched: bool,
    /// Extrapolation of the force from the last substeps at this level.
    pub trend: ForceExtrapolator,
    /// Square of the speed [m^2/s^2] for which the level was found last, and that level.
    pub last_level: Option<(f64, u32)>,
}

/// Position of a hammer before its body.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Placement {
    /// Offset of the offset element, added to the geometry [m].
    pub offset: f64,
    /// The offset with which it was placed [m].
    pub placed: f64,
    /// An obstacle behind the body: apart, its offset returns to `placed` at once.
    pub stays: bool,
    /// Height of the profile under it [m].
    pub profile: f64,
    /// Velocity of the profile [m/s].
    pub rise: f64,
    /// Way of the profile over the predicted step [m].
    pub climb: f64,
}

/// Weights at the contact point [kg^-1/2]: + for the hammer's own modes, - for those of the body.
#[derive(Clone, Debug)]
pub(crate) struct ContactWeights {
    /// Of its own modes.
    pub own: ModeArray,
    /// Of the body's modes.
    pub body: ModeArray,
    /// Length of the arrays of the body's felt modes.
    pub felt: usize,
    /// Sum of the squared weights of its own and of the felt modes [1/kg].
    pub mobility: f64,
}

impl ContactWeights {
    /// Updates the sum of squares after a change of weights.
    pub fn update_mobility(&mut self) {
        let body = &self.body[..self.felt];
        self.mobility = dot(body, body) + dot(&self.own, &self.own);
    }
}

/// Which weights a prediction uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WeightKind {
    /// The weights as they are: the geometry.
    Plain,
    /// The weights fitted to the span, with the hold's correction.
    Fitted,
}

/// Weights and compliance fitted to one span.
#[derive(Clone, Debug)]
pub(crate) struct SpanFit {
    /// Weights of its own modes with the hold's correction.
    pub own: ModeArray,
    /// Weights of the body's modes with the hold's correction: of the felt modes for the span, of the held modes for a sample.
    pub body: ModeArray,
    /// Length of the span over the sample.
    pub held_share: f64,
    /// Step of the rigid part.
    pub first_mode: FirstModeStep,
    /// b of the [`Equation`] [m/N].
    pub compliance: f64,
    /// The body's part of b [m/N].
    pub body_compliance: f64,
    /// Coefficient of the 4th-order correction [m/N].
    pub beta: f64,
    /// Decrease of the compression per force in the substeps after its own [m/N]; for levels with several substeps in one pass.
    pub echo: [f64; MAX_STEPS_PER_PASS - 1],
}

/// One substep: its equation and solution.
#[derive(Clone, Debug)]
pub(crate) struct SubstepState {
    /// Its equation.
    pub equation: Equation,
    /// Its solution.
    pub solution: Solution,
    /// The body's part of the change of compression in the predicted substep without force [m].
    pub body_way: f64,
    /// The hammer's part of it, with that of the profile [m]; of [`Collision::predict`](crate::solver::Collision) only.
    pub own_way: f64,
    /// Terms of the next substep, prepared in advance.
    pub start: Ready,
}
