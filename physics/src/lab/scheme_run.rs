//! The sample loop of the laboratory's schemes, read as [PAR] reads it: from samples, without interpolation.
//!
//! A contact starts at the last sample with x <= 0 before one with x > 0; it ends at the first later sample with x <= 0, and
//! v_out is the velocity there; the deepest compression is the largest sample. With a start at x = 0 and v_in at n = 0, this
//! definition reproduces the paper's table 1.

use crate::lab::experiment::{Experiment, SolverReport, TracePoint};
use crate::lab::readout::Contact;
use crate::lab::schemes::{Cost, Limits, Losses, Scheme, State, System};
use crate::modal::Mode;
use crate::solver::{EnergyBalance, EnergyEntry};

impl System {
    /// The system of an experiment.
    pub fn of(experiment: &Experiment) -> Self {
        let striker = &experiment.striker;
        let rigid = 1.0 / striker.mass.sqrt();
        let own = striker.modes.iter().map(|mode| (mode.mode(), mode.weight()));
        let body = experiment.body.iter().map(|mode| (mode.mode(), -mode.weight()));
        let (modes, weights): (Vec<Mode>, Vec<f64>) = std::iter::once((Mode::RIGID, rigid)).chain(own).chain(body).unzip();
        let mut push = vec![0.0; modes.len()];
        push[0] = striker.gravity / rigid;
        Self {
            h: 1.0 / experiment.sample_rate,
            modes,
            weights,
            push,
            gap: -striker.position,
            striker_modes: 1 + striker.modes.len(),
            law: experiment.law,
        }
    }

    /// The trace point of a state at `time` [s].
    pub fn point(&self, time: f64, state: &State) -> TracePoint {
        let own = 0..self.striker_modes;
        let (q, v) = (&state.q[own.clone()], &state.v[own]);
        TracePoint {
            time,
            compression: self.compression(state),
            velocity: self.closing(state),
            force: state.force,
            striker_position: self.along(q),
            striker_velocity: self.along(v),
            energy_striker: self.energy_striker(state),
            energy_body: self.energy_body(state),
            energy_contact: self.energy_contact(state),
        }
    }
}

/// Record of a run.
pub(crate) struct RunRecord {
    pub contacts: Vec<Contact>,
    pub balance: EnergyBalance,
    pub solver: SolverReport,
    pub initial: f64,
    pub last: TracePoint,
}

/// Runs `scheme` for at most `samples` samples; without a duration until the first contact has ended. Ends early where the state
/// is no longer finite.
pub(crate) fn run_scheme(
    experiment: &Experiment,
    scheme: &mut dyn Scheme,
    samples: u64,
    trace: &mut impl FnMut(&TracePoint),
) -> RunRecord {
    let system = System::of(experiment);
    let mut state = system.initial_state(experiment.striker.velocity);
    let mut before = state.clone();
    let last = system.point(0.0, &state);
    trace(&last);
    let (balance, solver) = (EnergyBalance::default(), SolverReport::default());
    let mut record = RunRecord { contacts: Vec::new(), initial: last.energy_total(), balance, solver, last };
    let mut limits: Option<Limits> = None;
    for n in 0..samples {
        before.clone_from(&state);
        let cost = scheme.step(&system, &mut state);
        let at = |state: &State| system.point((n + 1) as f64 / experiment.sample_rate, state);
        let mut now = at(&state);
        let touched = record.last.compression > 0.0;
        if !touched && now.compression > 0.0 {
            limits = experiment.corrections.limits(&system, record.last.velocity);
        }
        if let Some(limits) = &limits
            && (touched || now.compression > 0.0)
        {
            if now.compression > 0.0 {
                limits.clip(&system, &mut state)
            } else {
                limits.release(&system, &mut state)
            }
            now = at(&state);
        }
        if !now.energy_total().is_finite() {
            record.solver.diverged_at = Some(now.time);
            break;
        }
        record.record_energy(&system, (&before, &state), &now, &cost);
        record.read(&now);
        trace(&now);
        record.last = now;
        if experiment.duration.is_none() && record.contacts.last().is_some_and(|contact| contact.end.is_some()) {
            break;
        }
    }
    record
}

impl RunRecord {
    fn record_energy(&mut self, system: &System, (from, to): (&State, &State), now: &TracePoint, cost: &Cost) {
        let supplied: f64 = (0..system.push.len()).map(|i| system.push[i] * (to.q[i] - from.q[i])).sum();
        let lost = cost.losses.unwrap_or_else(|| {
            let (first, last) = (dissipation(system, from), dissipation(system, to));
            let mean = |a: f64, b: f64| 0.5 * system.h * (a + b);
            Losses { contact: mean(first.contact, last.contact), modes: mean(first.modes, last.modes) }
        });
        self.balance.record_step(&EnergyEntry {
            before: self.last.energy_total(),
            after: now.energy_total(),
            supplied,
            lost_in_contact: lost.contact + cost.cut,
            lost_in_modes: lost.modes,
            magnitude: now.energy_total(),
        });
        if self.last.compression > 0.0 || now.compression > 0.0 {
            let pieces = cost.pieces.max(1);
            self.solver.substeps += u64::from(pieces);
            self.solver.most_substeps_in_a_sample = self.solver.most_substeps_in_a_sample.max(pieces);
        }
        self.solver.most_iterations = self.solver.most_iterations.max(cost.iterations);
        self.solver.unconverged += u64::from(cost.unconverged);
    }

    fn read(&mut self, now: &TracePoint) {
        let before = &self.last;
        if before.compression <= 0.0 && now.compression > 0.0 {
            self.contacts.push(Contact { start: before.time, velocity_in: before.striker_velocity, ..Contact::default() });
        }
        let Some(contact) = self.contacts.last_mut().filter(|contact| contact.end.is_none()) else { return };
        contact.max_compression = contact.max_compression.max(now.compression);
        contact.peak_force = contact.peak_force.max(now.force);
        contact.energy_body = now.energy_body;
        contact.energy_striker = now.energy_striker;
        if now.compression <= 0.0 {
            contact.end = Some(now.time);
            contact.duration = Some(now.time - contact.start);
            contact.velocity_out = Some(now.striker_velocity);
        }
    }
}

/// Power [W] that law and modes take at this instant: [f(x, x') - f(x, 0)] x', the rate of Lambda in [PAR] (12), and 2 sigma v^2.
fn dissipation(system: &System, state: &State) -> Losses {
    let (x, v) = (system.compression(state), system.closing(state));
    let damped = |(&Mode { omega, sigma }, v): (&Mode, &f64)| if omega > 0.0 { 2.0 * sigma * v * v } else { 0.0 };
    Losses {
        contact: (system.force(x, v) - system.force(x, 0.0)) * v,
        modes: system.modes.iter().zip(&state.v).map(damped).sum(),
    }
}
