//! `strike`: one fully measured strike, as a table or as JSON, with trace and plot.

use std::fmt::Write as _;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use urto_physics::lab::{Report, TracePoint};

use crate::arguments::case_file;
use crate::commands::strike_plot::Plot;
use crate::io::CliError;
use crate::io::PendingFile;
use crate::io::error::print;
use crate::io::output_file;

/// Simulates one strike and reports contacts, energy balance and solver.
#[derive(Args)]
pub struct Strike {
    /// The experiment, in SI units.
    #[arg(value_name = "CASE.toml")]
    case: PathBuf,
    /// Prints one JSON object with all digits, in SI units.
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
    /// Runs the experiment. Errors: an invalid case, or a file that cannot be written.
    pub fn run(&self) -> Result<(), CliError> {
        output_file::check_distinct(&[Some(&self.case)], &[self.trace.as_deref(), self.plot.as_deref()])?;
        let experiment = case_file::read(&self.case)?;
        let mut trace = self.trace.as_deref().map(Trace::create).transpose()?;
        let mut plot = self.plot.as_deref().map(|path| Ok((PendingFile::create(path)?, Plot::default()))).transpose()?;
        let report = experiment.run(&mut |point| {
            if let Some(trace) = &mut trace {
                trace.write(point);
            }
            if let Some((_, plot)) = &mut plot {
                plot.add(point);
            }
        });
        if let Some(((pending, file), plot)) = plot {
            let svg = plot.draw(&self.case.display().to_string());
            let svg = svg.map_err(|problem| CliError::about(pending.path(), problem, "leave out --plot"))?;
            pending.write_text(file, &svg)?;
        }
        if let Some(trace) = trace {
            trace.publish()?;
        }
        if self.json {
            let text = serde_json::to_string_pretty(&report);
            return print(&(text.map_err(|error| CliError::new(error, "leave out --json"))? + "\n"));
        }
        print(&table(&report))
    }
}

/// The state over time as CSV. A write error is kept until the file is published.
struct Trace {
    pending: PendingFile,
    file: BufWriter<std::fs::File>,
    written: std::io::Result<()>,
}

impl Trace {
    fn create(path: &Path) -> Result<Self, CliError> {
        let (pending, file) = PendingFile::create(path)?;
        let mut file = BufWriter::new(file);
        let written = writeln!(
            file,
            "time,compression,velocity,force,striker_position,striker_velocity,energy_striker,energy_body,energy_contact,energy_total"
        );
        Ok(Self { pending, file, written })
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

    fn publish(mut self) -> Result<(), CliError> {
        let written = std::mem::replace(&mut self.written, Ok(())).and_then(|()| self.file.flush());
        written.map_err(|error| CliError::unwritable(self.pending.path(), &error))?;
        self.pending.publish()
    }
}

/// The report as text, six digits a number.
fn table(report: &Report) -> String {
    contact_table(report) + &state_table(report)
}

/// One line for each contact, and one for the closed form.
fn contact_table(report: &Report) -> String {
    let Report { contacts, closed_form, .. } = report;
    let mut text = String::from(if contacts.is_empty() {
        "no contact\n"
    } else {
        "contact      start s   duration s      v_in m/s     v_out m/s       x_max m      F_peak N  E_striker J      E_body J\n"
    });
    let or_lasts = |value: Option<f64>| value.map_or("lasts".into(), figure);
    for (i, contact) in contacts.iter().enumerate() {
        let _ = writeln!(
            text,
            "{:>7} {:>12} {:>12} {:>13} {:>13} {:>13} {:>13} {:>12} {:>13}",
            i + 1,
            figure(contact.start),
            or_lasts(contact.duration),
            figure(contact.velocity_in),
            or_lasts(contact.velocity_out),
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
    text
}

/// The state at the end, the energy balance, and the solver's counts.
fn state_table(report: &Report) -> String {
    let Report { last, energy, solver, .. } = report;
    let rows = [
        ("time", last.time, "s"),
        ("striker position", last.striker_position, "m"),
        ("striker velocity", last.striker_velocity, "m/s"),
        ("striker energy", last.energy_striker, "J"),
        ("body energy", last.energy_body, "J"),
        ("total energy", last.energy_total, "J"),
        ("initial energy", energy.initial, "J"),
        ("largest energy", energy.largest, "J"),
        ("supplied", energy.supplied, "J"),
        ("lost in contact", energy.lost_in_contact, "J"),
        ("lost in modes", energy.lost_in_modes, "J"),
        ("largest gain in a step", energy.largest_unsupplied_increase, "J"),
        ("largest imbalance", energy.largest_balance_residual, "J"),
    ];
    let mut text = String::from("\nat the end\n");
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
        let exponent = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
        return format!("{value:.*}", (5 - exponent).clamp(0, 8) as usize);
    }
    format!("{value:.5e}")
}
