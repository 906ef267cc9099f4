//! An experiment of the laboratory and its report; plain data.

use crate::contact::ContactLaw;
use crate::lab::readout::Contact;
use crate::lab::schemes::{Corrections, Method};
use crate::modal::Mode;
use std::f64::consts::TAU;

/// A mode of an experiment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabMode {
    /// omega/2 pi [Hz], below 0.48 of the sample rate; 0: moves freely.
    pub frequency: f64,
    /// Decay rate sigma [1/s], >= 0.
    pub decay: f64,
    /// Modal mass [kg] at shape 1, > 0.
    pub mass: f64,
    /// Shape at the contact point, signed.
    pub shape: f64,
}

/// The striker.
#[derive(Clone, Debug, PartialEq)]
pub struct LabStriker {
    /// Mass [kg] > 0; with modes the modal mass of the rigid part at the contact point.
    pub mass: f64,
    /// Velocity [m/s], positive towards the body.
    pub velocity: f64,
    /// Compression at t = 0 [m], <= 0: negative is apart.
    pub position: f64,
    /// Acceleration towards the body [m/s^2] on the rigid part.
    pub gravity: f64,
    /// Modes of its own.
    pub modes: Vec<LabMode>,
}

/// One strike: the striker, the body, the contact law and the numerical method.
#[derive(Clone, Debug, PartialEq)]
pub struct Experiment {
    /// Sample rate [Hz].
    pub sample_rate: f64,
    /// Duration [s]; None: until the first contact has ended, at most 1 s.
    pub duration: Option<f64>,
    /// P of the level choice of EDG-D.
    pub substeps_per_contact: f64,
    /// Contact law.
    pub law: ContactLaw,
    /// The method.
    pub method: Method,
    /// Corrections of a method other than EDG-D.
    pub corrections: Corrections,
    /// The striker.
    pub striker: LabStriker,
    /// The body; no modes: a rigid wall.
    pub body: Vec<LabMode>,
}

/// State at an instant, for traces and plots.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TracePoint {
    /// Time [s].
    pub time: f64,
    /// Compression [m], negative is the gap.
    pub compression: f64,
    /// Its velocity [m/s].
    pub velocity: f64,
    /// Force over the step that ends here [N].
    pub force: f64,
    /// Position of the striker's contact point [m].
    pub striker_position: f64,
    /// Its velocity [m/s].
    pub striker_velocity: f64,
    /// Energy of the striker [J].
    pub energy_striker: f64,
    /// Energy of the body [J].
    pub energy_body: f64,
    /// Energy U in the contact [J].
    pub energy_contact: f64,
}

impl TracePoint {
    /// Total energy [J].
    pub fn energy_total(&self) -> f64 {
        self.energy_striker + self.energy_body + self.energy_contact
    }
}

/// State at the end.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Final {
    /// Time [s].
    pub time: f64,
    /// Position of the striker's contact point [m], 0 where the contact began to close.
    pub striker_position: f64,
    /// Its velocity [m/s].
    pub striker_velocity: f64,
    /// Energy of the striker [J].
    pub energy_striker: f64,
    /// Energy of the body [J].
    pub energy_body: f64,
    /// Total physical energy [J], with U in the contact.
    pub energy_total: f64,
}

/// Sums of the energy balance. The losses are exact where the method knows them, else the trapezoidal sums of the law's and the
/// modes' dissipation at the samples; the residual then shows the energy error of the method itself.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct EnergyReport {
    /// At the beginning [J].
    pub initial: f64,
    /// Largest [J].
    pub largest: f64,
    /// Lost in contacts [J].
    pub lost_in_contact: f64,
    /// Lost in modes [J].
    pub lost_in_modes: f64,
    /// Supplied by gravity [J].
    pub supplied: f64,
    /// Largest gain of a step beyond what was supplied [J].
    pub largest_unsupplied_increase: f64,
    /// Largest imbalance of a step [J].
    pub largest_balance_residual: f64,
}

/// Cost of the run.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SolverReport {
    /// Substeps in contact.
    pub substeps: u64,
    /// Maximum number of substeps in one sample.
    pub most_substeps_in_a_sample: u32,
    /// Maximum number of iterations of a scalar solve.
    pub most_iterations: u32,
    /// Samples whose iteration did not converge; left out when there are none.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_none"))]
    pub unconverged: u64,
    /// When the state ceased to be finite [s], which ends the run.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub diverged_at: Option<f64>,
}

#[cfg(feature = "serde")]
fn is_none(count: &u64) -> bool {
    *count == 0
}

/// Closed forms for a point mass on a rigid wall.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ClosedForm {
    /// Deepest compression [m], [PAR] (4).
    pub max_compression: f64,
    /// Velocity after [m/s], exact by Lambert W.
    pub velocity_out: f64,
    /// Contact time [s], [PAR] (9).
    pub duration: f64,
}

/// The outcome of a strike.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Report {
    /// Every contact in turn.
    pub contacts: Vec<Contact>,
    /// The state at the end.
    #[cfg_attr(feature = "serde", serde(rename = "final"))]
    pub last: Final,
    /// The energy balance.
    pub energy: EnergyReport,
    /// The cost.
    pub solver: SolverReport,
    /// Closed forms, where there are any.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub closed_form: Option<ClosedForm>,
}

impl LabMode {
    /// Its frequency and decay.
    pub(crate) fn mode(&self) -> Mode {
        Mode { omega: TAU * self.frequency, sigma: self.decay }
    }

    /// Shape over root of modal mass [kg^-1/2].
    pub(crate) fn weight(&self) -> f64 {
        self.shape / self.mass.sqrt()
    }
}
