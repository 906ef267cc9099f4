//! One strike with its exact readout and energy balance.

use crate::contact::{ContactLaw, RigidImpact};
use crate::lab::experiment::{ClosedForm, EnergyReport, Experiment, Final, LabMode, Report, SolverReport, TracePoint};
use crate::lab::readout::Readout;
use crate::lab::scheme_run::{RunRecord, run_scheme};
use crate::lab::schemes::{Corrections, Method, System};
use crate::modal::Mode;
use crate::solver::{Capacity, Collision, DEEPEST_LEVEL, HammerSpec, Resolution};

/// Longest run [s] when no duration is given.
const LONGEST_WAIT: f64 = 1.0;

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
            held: 0,
            hammers: 1,
            hammer_modes: 1 + self.striker.modes.len(),
            levels: DEEPEST_LEVEL as usize + 2,
        };
        let mut collision = Collision::new(self.sample_rate, capacity);
        collision.set_resolution(Resolution { substeps_per_contact: self.substeps_per_contact, ..Resolution::default() });
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
