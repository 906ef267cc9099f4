//! `strike`: one fully measured strike, as a table or as JSON, with trace and plot.
//!
//! The plot shows force over time, and compression against its velocity.

use std::fmt::Write as _;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use plotters::coord::Shift;
use plotters::prelude::*;

use crate::arguments::case_file;
use crate::io::error::print;
use crate::io::output_file::{check_distinct, check_json, print_beside};
use crate::io::{CliError, PendingFile, Progress};
use urto_engine::formats::PROGRAM;
use urto_physics::lab::{Report, TracePoint};

/// Maximum number of points of a plot; above it every second point is removed.
const MAX_POINTS: usize = 8192;
/// Number of states between two updates of the progress bar.
const POINTS_BETWEEN_UPDATES: u32 = 4096;
/// Size of the plot [px].
const SIZE: (u32, u32) = (1200, 520);
/// Units of the drawing per pixel: the backend rounds coordinates to integers.
const SCALE: u32 = 8;
/// The font that measures the labels; a viewer shows them in its own sans-serif font.
const FONT: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/fonts/IBMPlexSans_400Regular.ttf"));
const FORCE: RGBColor = RGBColor(0xb0, 0x3a, 0x2e);
const PHASE: RGBColor = RGBColor(0x1f, 0x4e, 0x79);
const INK: RGBColor = RGBColor(0x33, 0x33, 0x33);
const GRID: RGBColor = RGBColor(0xe4, 0xe4, 0xe4);
const ZERO: RGBColor = RGBColor(0x99, 0x99, 0x99);

/// Simulates one strike and reports contacts, energy balance and solver.
#[derive(Args)]
pub struct Strike {
    /// The experiment, in SI units; `-` is standard input.
    #[arg(value_name = "CASE.toml")]
    case: PathBuf,
    /// Prints one JSON object with all digits, in SI units.
    #[arg(long)]
    json: bool,
    /// Writes the state after every substep in contact and every sample; `-` is standard output.
    #[arg(long, value_name = "FILE.csv")]
    trace: Option<PathBuf>,
    /// Draws force over time and the phase portrait; `-` is standard output.
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

impl Strike {
    /// Runs the experiment. Errors: an invalid case, or a file that cannot be written.
    pub fn run(&self) -> Result<(), CliError> {
        let outputs = [self.trace.as_deref(), self.plot.as_deref()];
        check_distinct(&[Some(&self.case)], &outputs)?;
        check_json(self.json, &outputs)?;
        let experiment = case_file::read(&self.case)?;
        let mut trace = self.trace.as_deref().map(Trace::create).transpose()?;
        let mut plot = self.plot.as_deref().map(|path| Ok((PendingFile::create(path)?, Plot::default()))).transpose()?;
        let frames = experiment.duration.map(|duration| (duration * experiment.sample_rate) as u64);
        let (progress, mut points) = (Progress::new(frames, experiment.sample_rate), 0_u32);
        let report = experiment.run(&mut |point| {
            points = points.wrapping_add(1);
            if points.is_multiple_of(POINTS_BETWEEN_UPDATES) {
                progress.update((point.time * experiment.sample_rate) as u64);
            }
            if let Some(trace) = &mut trace {
                trace.write(point);
            }
            if let Some((_, plot)) = &mut plot {
                plot.add(point);
            }
        });
        drop(progress);
        if let Some(((pending, file), plot)) = plot {
            let svg = plot.draw(&self.case.display().to_string());
            let svg = svg.map_err(|problem| CliError::about(pending.path(), problem, "leave out --plot"))?;
            pending.write_text(file, &format!("{svg}<!-- {PROGRAM} -->\n"))?;
        }
        if let Some(trace) = trace {
            trace.publish()?;
        }
        if self.json {
            let text = serde_json::to_string_pretty(&report);
            return print(&(text.map_err(|error| CliError::new(error, "leave out --json"))? + "\n"));
        }
        print_beside(&table(&report), &outputs)
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
        written.map_err(|error| CliError::unwritable(self.pending.path(), error))?;
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

/// One state in contact. The force is the mean over a step, so its time is the middle of the step.
#[derive(Clone, Copy)]
struct Point {
    /// Middle of the step [s].
    time: f64,
    force: f64,
    compression: f64,
    velocity: f64,
    /// Whether a new curve begins here.
    is_first: bool,
}

/// Collects the points of a plot.
pub struct Plot {
    points: Vec<Point>,
    stride: usize,
    count: usize,
    previous: TracePoint,
    is_in_contact: bool,
}

impl Default for Plot {
    fn default() -> Self {
        Self { points: Vec::new(), stride: 1, count: 0, previous: TracePoint::default(), is_in_contact: false }
    }
}

impl Plot {
    /// Adds the next state.
    pub fn add(&mut self, state: &TracePoint) {
        let before = std::mem::replace(&mut self.previous, *state);
        let is_in_contact = state.compression > 0.0;
        match (self.is_in_contact, is_in_contact) {
            (false, true) => {
                self.count = 0;
                self.push(Point { is_first: true, ..at_zero(&before, state) });
                self.push(in_contact(&before, state));
            }
            (true, true) => {
                self.count += 1;
                if self.count.is_multiple_of(self.stride) {
                    self.push(in_contact(&before, state));
                }
            }
            (true, false) => self.push(at_zero(&before, state)),
            (false, false) => {}
        }
        self.is_in_contact = is_in_contact;
    }

    fn push(&mut self, point: Point) {
        self.points.push(point);
        if self.points.len() >= MAX_POINTS {
            let mut i = 0;
            self.points.retain(|point| {
                i += 1;
                point.is_first || i % 2 == 0
            });
            self.stride *= 2;
        }
    }

    /// The plot as SVG. Errors: a damaged font, or an error of the drawing library.
    pub fn draw(&self, title: &str) -> Result<String, String> {
        plotters::style::register_font("sans-serif", FontStyle::Normal, FONT)
            .map_err(|_| "the plot cannot be drawn (the built-in font is damaged)".to_string())?;
        let mut svg = String::new();
        {
            let root = SVGBackend::with_string(&mut svg, (SCALE * SIZE.0, SCALE * SIZE.1)).into_drawing_area();
            self.panels(&root, title).map_err(|error| format!("the plot cannot be drawn ({error})"))?;
            root.present().map_err(|error| format!("the plot cannot be drawn ({error})"))?;
        }
        // the viewBox keeps the scaled size
        Ok(svg.replacen(&size_text(SCALE), &size_text(1), 1))
    }

    fn panels(&self, root: &DrawingArea<SVGBackend, Shift>, title: &str) -> Result<(), Box<dyn std::error::Error + '_>> {
        root.fill(&WHITE)?;
        let root = root.margin(8 * SCALE, 0, 0, 0).titled(title, font(18)).map_err(|e| e.to_string())?;
        let (left, right) = root.split_horizontally(SCALE * SIZE.0 / 2);
        let forces = self.curves(|point| (point.time, point.force));
        panel(&left, &forces, ("time", "s"), ("contact force", "N"), &FORCE)?;
        let phases = self.curves(|point| (point.compression, point.velocity));
        panel(&right, &phases, ("compression", "m"), ("compression velocity", "m/s"), &PHASE)
    }

    /// One curve for each contact.
    fn curves(&self, coordinates: impl Fn(&Point) -> (f64, f64)) -> Vec<Vec<(f64, f64)>> {
        let mut curves: Vec<Vec<(f64, f64)>> = Vec::new();
        for point in &self.points {
            match curves.last_mut() {
                Some(curve) if !point.is_first => curve.push(coordinates(point)),
                _ => curves.push(vec![coordinates(point)]),
            }
        }
        curves
    }
}

/// The state at the end of a step in contact.
fn in_contact(before: &TracePoint, state: &TracePoint) -> Point {
    let TracePoint { time, compression, velocity, force, .. } = *state;
    Point { time: 0.5 * (before.time + time), force, compression, velocity, is_first: false }
}

/// The point of zero compression between two states.
fn at_zero(before: &TracePoint, state: &TracePoint) -> Point {
    let fraction = before.compression / (before.compression - state.compression);
    let fraction = if fraction.is_finite() { fraction.clamp(0.0, 1.0) } else { 0.0 };
    let between = |a: f64, b: f64| a + fraction * (b - a);
    let time = between(before.time, state.time);
    Point { time, force: 0.0, compression: 0.0, velocity: between(before.velocity, state.velocity), is_first: false }
}

fn size_text(scale: u32) -> String {
    format!("width=\"{}\" height=\"{}\"", scale * SIZE.0, scale * SIZE.1)
}

fn font(size: u32) -> TextStyle<'static> {
    ("sans-serif", size * SCALE).into_font().color(&INK)
}

/// At most six decimals, without trailing zeros.
fn label(value: f64) -> String {
    let text = format!("{value:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

fn panel(
    area: &DrawingArea<SVGBackend, Shift>,
    curves: &[Vec<(f64, f64)>],
    (x_name, x_unit): (&str, &str),
    (y_name, y_unit): (&str, &str),
    colour: &RGBColor,
) -> Result<(), Box<dyn std::error::Error>> {
    let (x_prefix, x_scale) = prefix(curves.iter().flatten().map(|p| p.0));
    let (y_prefix, y_scale) = prefix(curves.iter().flatten().map(|p| p.1));
    let scaled: Vec<Vec<_>> =
        curves.iter().map(|curve| curve.iter().map(|&(x, y)| (x * x_scale, y * y_scale)).collect()).collect();
    let x_range = range(scaled.iter().flatten().map(|p: &(f64, f64)| p.0));
    let y_range = range(scaled.iter().flatten().map(|p: &(f64, f64)| p.1));
    let failed = |error: DrawingAreaErrorKind<_>| format!("{error}");
    let mut chart = ChartBuilder::on(area)
        .margin(16 * SCALE)
        .x_label_area_size(44 * SCALE)
        .y_label_area_size(64 * SCALE)
        .build_cartesian_2d(x_range.clone(), y_range)
        .map_err(failed)?;
    chart
        .configure_mesh()
        .x_desc(format!("{x_name} ({x_prefix}{x_unit})"))
        .y_desc(format!("{y_name} ({y_prefix}{y_unit})"))
        .label_style(font(13))
        .axis_desc_style(font(15))
        .axis_style(INK.stroke_width(SCALE))
        .bold_line_style(GRID.stroke_width(SCALE))
        .light_line_style(TRANSPARENT)
        .x_labels(6)
        .y_labels(6)
        .x_label_formatter(&|x| label(*x))
        .y_label_formatter(&|y| label(*y))
        .set_all_tick_mark_size(5 * SCALE)
        .draw()
        .map_err(failed)?;
    let zero = [(x_range.start, 0.0), (x_range.end, 0.0)];
    chart.draw_series(LineSeries::new(zero, ZERO.stroke_width(SCALE))).map_err(failed)?;
    for curve in scaled {
        chart.draw_series(LineSeries::new(curve, colour.stroke_width(2 * SCALE))).map_err(failed)?;
    }
    Ok(())
}

/// SI prefix and its factor for the largest |value|.
fn prefix(values: impl Iterator<Item = f64>) -> (&'static str, f64) {
    let largest = values.fold(0.0, |largest: f64, value| largest.max(value.abs()));
    match largest {
        l if !(1e-9..1e6).contains(&l) => ("", 1.0),
        l if l >= 1e3 => ("k", 1e-3),
        l if l >= 0.1 => ("", 1.0),
        l if l >= 1e-4 => ("m", 1e3),
        l if l >= 1e-7 => ("µ", 1e6),
        _ => ("n", 1e9),
    }
}

/// The range of all values with a margin of 4 %; never empty.
fn range(values: impl Iterator<Item = f64> + Clone) -> std::ops::Range<f64> {
    let lowest = values.clone().fold(f64::INFINITY, f64::min);
    let highest = values.fold(f64::NEG_INFINITY, f64::max);
    if !(lowest.is_finite() && highest.is_finite()) {
        return 0.0..1.0;
    }
    let margin = if highest > lowest { 0.04 * (highest - lowest) } else { 1.0 };
    lowest - margin..highest + margin
}
