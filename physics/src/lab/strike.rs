//! One strike with its exact readout and energy balance.

use crate::contact::ContactLaw;
use crate::contact::RigidImpact;
use crate::lab::experiment::{ClosedForm, EnergyReport, Experiment, Final, LabMode, Report, SolverReport, TracePoint};
use crate::lab::readout::Readout;
use crate::lab::scheme_run::{RunRecord, run_scheme};
use crate::lab::schemes::{Corrections, Method, System};
use crate::modal::Mode;
use crate::solver::HammerSpec;
use crate::solver::Resolution;
use crate::solver::{Capacity, Collision, DEEPEST_LEVEL};
use std::f64::consts::TAU;

/// Longest run [s] when no duration is given.
const LONGEST_WAIT: f64 = 1.0;

/// A mode as the laboratory is told of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabMode {
    /// omega/2 pi [Hz], below .48 of the sample rate; 0: moves freely.
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

/// One strike to be made.
#[derive(Clone, Debug, PartialEq)]
pub struct Experiment {
    /// Sample rate [Hz].
    pub sample_rate: f64,
    /// How long [s]; None: until the first contact has ended, at most 1 s.
    pub duration: Option<f64>,
    /// P of the level choice of EDG-D.
    pub substeps_per_contact: f64,
    /// Contact law.
    pub law: ContactLaw,
    /// How it is stepped.
    pub method: Method,
    /// Corrections of a method other than EDG-D.
    pub corrections: Corrections,
    /// What strikes.
    pub striker: LabStriker,
    /// What is struck; no modes: a rigid wall.
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
    /// Everything [J].
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
    /// Everything [J], physical: with U in the contact.
    pub energy_total: f64,
}

/// The ledger's sums. The losses are exact where the method knows them, else the trapezoidal sums of the law's and the modes'
/// dissipation at the samples; the balance then shows what the method itself invents or destroys.
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

/// What it cost.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SolverReport {
    /// Substeps in contact.
    pub substeps: u64,
    /// Most of them in one sample.
    pub most_substeps_in_a_sample: u32,
    /// Most iterations of a scalar solve.
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
    /// The ledger.
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

impl Experiment {
    /// Runs the strike. `trace` sees the initial state, with EDG-D every substep in contact, and the end of every sample.
    pub fn run(&self, trace: &mut impl FnMut(&TracePoint)) -> Report {
        match self.method.scheme(&System::of(self)) {
            None => self.run_edg(trace),
            Some(mut scheme) => self.outcome(run_scheme(self, &mut *scheme, self.samples(), trace)),
        }
    }

    /// Maximum number of samples of the run.
    fn samples(&self) -> u64 {
        (self.duration.unwrap_or(LONGEST_WAIT) * self.sample_rate - 1e-9).ceil().max(0.0) as u64
    }

    fn run_edg(&self, trace: &mut impl FnMut(&TracePoint)) -> Report {
        let mut collision = self.set_up();
        let initial = collision.energy();
        collision.enable_energy_balance();
        let mut readout = Readout::default();
        let mut solver = SolverReport::default();
        trace(&point(0.0, &collision, 0.0));
        let mut time = 0.0;
        for n in 0..self.samples() {
            time = n as f64 / self.sample_rate;
            let effort = collision.step(crate::solver::MAX_SUBSTEPS, &mut |c, s| {
                readout.note(time, c, s);
                trace(&point(time + s.start + s.dt, c, s.force));
            });
            solver.substeps += u64::from(effort.substeps);
            solver.most_substeps_in_a_sample = solver.most_substeps_in_a_sample.max(effort.substeps);
            solver.most_iterations = solver.most_iterations.max(effort.most_iterations);
            time = (n + 1) as f64 / self.sample_rate;
            if effort.substeps == 0 {
                trace(&point(time, &collision, 0.0));
            }
            if self.duration.is_none() && readout.contacts.last().is_some_and(|c| c.end.is_some()) {
                break;
            }
        }
        readout.note_present(&collision, 0);
        let balance = collision.energy_balance().copied().unwrap_or_default();
        self.outcome(RunRecord { contacts: readout.contacts, balance, solver, initial, last: point(time, &collision, 0.0) })
    }

    /// Body and striker at t = 0.
    fn set_up(&self) -> Collision {
        let capacity = Capacity {
            modes: self.body.len(),
            hammers: 1,
            hammer_modes: 1 + self.striker.modes.len(),
            levels: DEEPEST_LEVEL as usize + 2,
        };
        let mut collision = Collision::new(self.sample_rate, capacity);
        collision.set_resolution(Resolution {
            substeps_per_contact: self.substeps_per_contact,
            coarsest_level: Resolution::default().coarsest_level,
        });
        collision.set_body(self.body.iter().map(LabMode::mode));
        let weights: Vec<f64> = self.body.iter().map(LabMode::weight).collect();
        let own_modes = self.striker.modes.iter();
        let modes: Vec<Mode> = std::iter::once(Mode::RIGID).chain(own_modes.clone().map(LabMode::mode)).collect();
        let rigid = 1.0 / self.striker.mass.sqrt();
        let own: Vec<f64> = std::iter::once(rigid).chain(own_modes.map(LabMode::weight)).collect();
        let hit = HammerSpec { law: self.law, modes: &modes, own: &own, velocity: self.striker.velocity, weights: &weights };
        if let Some(i) = collision.add_hammer(hit) {
            collision.set_hammer_gap(i, -self.striker.position);
            collision.set_push(i, self.striker.gravity * self.striker.mass);
        }
        collision
    }

    fn outcome(&self, RunRecord { contacts, balance, solver, initial, last }: RunRecord) -> Report {
        Report {
            contacts,
            last: Final {
                time: last.time,
                striker_position: self.striker.position + last.striker_position,
                striker_velocity: last.striker_velocity,
                energy_striker: last.energy_striker,
                energy_body: last.energy_body,
                energy_total: last.energy_total(),
            },
            energy: EnergyReport {
                initial,
                largest: balance.largest,
                lost_in_contact: balance.lost_in_contact,
                lost_in_modes: balance.lost_in_modes,
                supplied: balance.supplied,
                largest_unsupplied_increase: balance.largest_unsupplied_increase,
                largest_balance_residual: balance.largest_balance_residual,
            },
            solver,
            closed_form: self.closed_form(),
        }
    }

    /// Problem and remedy if the requested corrections are not possible; None if they are.
    pub fn corrections_fault(&self) -> Option<(&'static str, &'static str)> {
        if self.corrections == Corrections::None {
            return None;
        }
        if self.method == Method::Edg {
            return Some(("the scheme \"edg\" is not corrected", "leave corrections out, or choose another scheme"));
        }
        if !matches!(self.law, ContactLaw::HuntCrossley(_)) {
            return Some(("there are closed forms for law = \"hunt-crossley\" only", "leave corrections out"));
        }
        let rigid = self.body.is_empty() && self.striker.modes.is_empty();
        const REMEDY: &str = "leave corrections out, or the modes";
        (!rigid).then_some(("there are closed forms for a point mass on a rigid wall only", REMEDY))
    }

    /// For a point mass on a rigid wall without gravity only.
    fn closed_form(&self) -> Option<ClosedForm> {
        let striker = &self.striker;
        let applies = self.body.is_empty() && striker.modes.is_empty() && striker.gravity == 0.0 && striker.velocity > 0.0;
        if !applies {
            return None;
        }
        match self.law {
            ContactLaw::HuntCrossley(law) => {
                let impact = RigidImpact {
                    mass: striker.mass,
                    stiffness: law.stiffness(),
                    exponent: law.exponent(),
                    damping: law.damping(),
                    velocity: striker.velocity,
                };
                Some(ClosedForm {
                    max_compression: impact.max_compression(),
                    velocity_out: impact.velocity_out(),
                    duration: impact.duration(),
                })
            }
            ContactLaw::Restitution(law) => {
                let (max_compression, velocity_out, duration) = law.rigid_impact(striker.mass, striker.velocity);
                Some(ClosedForm { max_compression, velocity_out, duration })
            }
            ContactLaw::Linear(_) | ContactLaw::Felt(_) => None,
        }
    }
}

fn point(time: f64, collision: &Collision, force: f64) -> TracePoint {
    let striker = collision.hammer(0);
    TracePoint {
        time,
        compression: striker.compression(),
        velocity: striker.closing(collision.body()),
        force,
        striker_position: striker.position(),
        striker_velocity: striker.velocity(),
        energy_striker: striker.energy(),
        energy_body: collision.body().energy(),
        energy_contact: striker.contact_energy(),
    }
}
