//! `strike`: one strike in the laboratory, as a table or as JSON, with trace and plot.

use std::fmt::Write as _;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use urto_physics::lab::{Report, TracePoint};

use crate::arguments::case_file;
use crate::commands::strike_plot::Plot;
use crate::io::Complaint;
use crate::io::Draft;
use crate::io::error::print;
use crate::io::output_file;

/// Makes one strike in the laboratory.
#[derive(Args)]
pub struct Strike {
    /// The experiment, in SI units.
    #[arg(value_name = "CASE.toml")]
    case: PathBuf,
    /// One JSON object with every digit, in SI units.
    #[arg(long)]
    json: bool,
    /// Writes the state after every substep in contact and every sample.
    #[arg(long, value_name = "FILE.csv")]
    trace: Option<PathBuf>,
    /// Draws force over time and the phase portrait.
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

impl Strike {
    /// Makes the strike. Errors: anything wrong with the case or the places to write to.
    pub fn run(&self) -> Result<(), Complaint> {
        output_file::spare(&[Some(&self.case)], &[self.trace.as_deref(), self.plot.as_deref()])?;
        let experiment = case_file::read(&self.case)?;
        let mut trace = self.trace.as_deref().map(Trace::create).transpose()?;
        let mut plot = self.plot.as_deref().map(|place| Ok((Draft::create(place)?, Plot::default()))).transpose()?;
        let report = experiment.run(&mut |point| {
            if let Some(trace) = &mut trace {
                trace.write(point);
            }
            if let Some((_, plot)) = &mut plot {
                plot.add(point);
            }
        });
        if let Some(((draft, file), plot)) = plot {
            let svg = plot.draw(&self.case.display().to_string());
            let svg = svg.map_err(|problem| Complaint::about(draft.place(), problem, "leave out --plot"))?;
            draft.fill(file, &svg)?;
        }
        if let Some(trace) = trace {
            trace.publish()?;
        }
        if self.json {
            let text = serde_json::to_string_pretty(&report);
            return print(&(text.map_err(|error| Complaint::new(error, "leave out --json"))? + "\n"));
        }
        print(&table(&report))
    }
}

/// The state over time as CSV. An error while the experiment runs is kept until it is published.
struct Trace {
    draft: Draft,
    file: BufWriter<std::fs::File>,
    written: std::io::Result<()>,
}

impl Trace {
    fn create(place: &Path) -> Result<Self, Complaint> {
        let (draft, file) = Draft::create(place)?;
        let mut file = BufWriter::new(file);
        let written = writeln!(
            file,
            "time,compression,velocity,force,striker_position,striker_velocity,energy_striker,energy_body,energy_contact,energy_total"
        );
        Ok(Self { draft, file, written })
    }

    fn write(&mut self, point: &TracePoint) {
        if self.written.is_ok() {
            let TracePoint { time, compression, velocity, force, striker_position, striker_velocity, .. } = point;
            let TracePoint { energy_striker, energy_body, energy_contact, .. } = point;
            self.written = writeln!(
                self.file,
                "{time},{compression},{velocity},{force},{striker_position},{striker_velocity},\
                 {energy_striker},{energy_body},{energy_contact},{}",
                point.energy_total()
            );
        }
    }

    fn publish(mut self) -> Result<(), Complaint> {
        let written = std::mem::replace(&mut self.written, Ok(())).and_then(|()| self.file.flush());
        written.map_err(|error| Complaint::unwritable(self.draft.place(), &error))?;
        self.draft.publish()
    }
}

/// For people: six digits, one contact a line.
fn table(report: &Report) -> String {
    let mut text = String::new();
    let Report { contacts, last, energy, solver, closed_form } = report;
    if contacts.is_empty() {
        text += "no contact\n";
    } else {
        text += "contact      start s   duration s      v_in m/s     v_out m/s       x_max m      F_peak N  E_striker J      E_body J\n";
    }
    let open = |value: Option<f64>| value.map_or("lasts".into(), figure);
    for (i, contact) in contacts.iter().enumerate() {
        let _ = writeln!(
            text,
            "{:>7} {:>12} {:>12} {:>13} {:>13} {:>13} {:>13} {:>12} {:>13}",
            i + 1,
            figure(contact.start),
            open(contact.duration),
            figure(contact.velocity_in),
            open(contact.velocity_out),
            figure(contact.max_compression),
            figure(contact.peak_force),
            figure(contact.energy_striker),
            figure(contact.energy_body),
        );
    }
    if let Some(exact) = closed_form {
        let _ = writeln!(
            text,
            "  exact {:>12} {:>12} {:>13} {:>13} {:>13}",
            "",
            figure(exact.duration),
            "",
            figure(exact.velocity_out),
            figure(exact.max_compression),
        );
    }
    let rows = [
        ("time", last.time, "s"),
        ("striker position", last.striker_position, "m"),
        ("striker velocity", last.striker_velocity, "m/s"),
        ("energy of the striker", last.energy_striker, "J"),
        ("energy of the body", last.energy_body, "J"),
        ("energy in all", last.energy_total, "J"),
        ("energy at first", energy.initial, "J"),
        ("largest energy", energy.largest, "J"),
        ("supplied", energy.supplied, "J"),
        ("lost in contact", energy.lost_in_contact, "J"),
        ("lost in modes", energy.lost_in_modes, "J"),
        ("largest gain of a step", energy.largest_unsupplied_increase, "J"),
        ("largest imbalance", energy.largest_balance_residual, "J"),
    ];
    text += "\nat the end\n";
    for (name, value, unit) in rows {
        let _ = writeln!(text, "  {name:<24}{:>13} {unit}", figure(value));
    }
    let _ = writeln!(
        text,
        "  {} substeps, at most {} in a sample; at most {} iterations",
        solver.substeps, solver.most_substeps_in_a_sample, solver.most_iterations
    );
    text
}

fn figure(value: f64) -> String {
    if value == 0.0 || (1e-3..1e5).contains(&value.abs()) {
        let whole = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
        return format!("{value:.*}", (5 - whole).clamp(0, 8) as usize);
    }
    format!("{value:.5e}")
}
