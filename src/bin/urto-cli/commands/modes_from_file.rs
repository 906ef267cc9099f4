//! `modes from-file` and `modes from-wav`: the modes in a file, or the partials of a recorded strike, as a table and as a patch.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use crate::arguments::{NumberOption, name_after};
use crate::commands::mode_table::{ModeTable, nearest_key, signed};
use crate::io::audio_file::wave;
use crate::io::error::{is_standard_input, print, read_text};
use crate::io::output_file::{check_distinct, check_json, print_beside, write_text};
use crate::io::{CliError, Progress};
use urto_engine::import::{Form, from_recording, from_text, recorded_strike};
use urto_engine::patch::to_toml;
use urto_engine::tuning::{KeyFrequencies, key_name};
use urto_physics::analysis::{Estimate, Found, Options, Why, estimate};

/// Makes a patch from the modes in a TOML, JSON or CSV file.
#[derive(Args)]
pub struct FromFile {
    /// File of modes: .toml, .json, .csv or .tsv; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Writes the patch, for `render --preset`; `-` is standard output.
    #[arg(long, value_name = "PATCH.toml")]
    out: Option<PathBuf>,
    /// Prints the modes as one JSON object with all digits.
    #[arg(long)]
    json: bool,
}

impl FromFile {
    /// Prints the modes of the home key and writes the patch. Errors: a file that is missing, invalid or cannot be written.
    pub fn run(&self) -> Result<(), CliError> {
        check_distinct(&[Some(&self.file)], &[self.out.as_deref()])?;
        check_json(self.json, &[self.out.as_deref()])?;
        let extension = self.file.extension().unwrap_or_default().to_string_lossy();
        let (text, form) = match Form::of_extension(&extension) {
            Some(form) => (read_text(&self.file)?, form),
            None if is_standard_input(&self.file) => {
                let text = read_text(&self.file)?;
                let form = form_of(&text);
                (text, form)
            }
            None => {
                let remedy = "give a name that ends in .toml, .json, .csv or .tsv";
                return Err(CliError::about(&self.file, "unknown type of file", remedy));
            }
        };
        let mut patch = from_text(&text, form).map_err(|fault| CliError::at(&self.file, &fault))?;
        name_after(&mut patch, &self.file);
        if let Some(out) = &self.out {
            write_text(out, &to_toml(&patch))?;
        }
        ModeTable::at_home(&patch).print(self.json, self.out.as_deref())
    }
}

/// The format of a text without a file name: JSON begins with `{` or with a list of objects, TOML with a section or `key =`.
fn form_of(text: &str) -> Form {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (first, begin) = (lines.next().unwrap_or_default(), text.trim_start());
    let is_list = |list: &str| list.trim_start().is_empty() || list.trim_start().starts_with(['{', ']']);
    match begin.strip_prefix('[') {
        _ if begin.starts_with('{') => Form::Json,
        Some(list) if is_list(list) => Form::Json,
        _ if first.starts_with('[') || first.contains('=') => Form::Toml,
        _ => Form::Csv,
    }
}

/// The argument of `--modes`.
const MODES: NumberOption = NumberOption { noun: "number of partials", unit: "", range: 1.0..=256.0, whole: true, example: "12" };

/// Parses `--modes`.
fn modes(text: &str) -> Result<u16, String> {
    MODES.read(text).map(|modes| modes as u16)
}

/// Estimates the partials of a recorded strike.
#[derive(Args)]
pub struct FromWav {
    /// Recording of one strike that rings out: WAV of 1 kHz to 768 kHz, at most one hour, in stereo with levels for each side; `-` is standard input.
    #[arg(value_name = "FILE.wav")]
    file: PathBuf,
    /// Maximum number of partials; the strongest are kept.
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = modes, allow_hyphen_values = true)]
    modes: u16,
    /// Writes a patch of them, for `render --preset`; `-` is standard output.
    #[arg(long, value_name = "PATCH.toml")]
    out: Option<PathBuf>,
    /// Prints one JSON object with all digits.
    #[arg(long)]
    json: bool,
}

/// The result of the estimation.
#[derive(Serialize)]
struct Report {
    rate: u32,
    /// Onset [s].
    onset: f64,
    /// Start of the free decay and of the fitted part [s].
    start: f64,
    /// End of the fitted part [s].
    end: f64,
    /// Energy of the residual relative to the signal [dB].
    residual_db: f64,
    octaves: Vec<Band>,
    partials: Vec<Row>,
    left_out: Vec<Row>,
}

#[derive(Serialize)]
struct Band {
    lowest: f64,
    highest: f64,
    signal_db: f64,
    residual_db: f64,
}

#[derive(Serialize)]
struct Row {
    hertz: f64,
    /// The nearest key.
    key: u8,
    /// Distance from it [cents].
    cents: f64,
    decay_rate: f64,
    t60: f64,
    /// Amplitude at the start relative to the strongest partial [dB].
    level_db: f64,
    amplitude: f64,
    phase: f64,
    over_noise_db: f64,
    /// Standard deviation of the frequency [cents].
    deviation_cents: f64,
    /// Standard deviation of T60 [%].
    deviation_t60: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<&'static str>,
}

impl FromWav {
    /// Prints the partials and writes the patch. Errors: no WAV file, a silent or too short one, no partial.
    pub fn run(&self) -> Result<(), CliError> {
        check_distinct(&[Some(&self.file)], &[self.out.as_deref()])?;
        check_json(self.json, &[self.out.as_deref()])?;
        let wave = wave(&self.file)?;
        let (rate, recording) = (wave.rate, recorded_strike(&wave));
        let options = Options { most: usize::from(self.modes), ..Options::default() };
        let progress = Progress::of_unknown_length("estimating the partials");
        let estimated = estimate(&recording.mono(), recording.rate, &options);
        drop(progress);
        let Some(estimate) = estimated else {
            let remedy = "give a recording of one strike that rings out, for example 2 s long";
            return Err(CliError::about(&self.file, "the recording is silent or too short", remedy));
        };
        if let Some(out) = &self.out {
            let Some(mut patch) = from_recording(&estimate, &recording) else {
                return Err(CliError::about(&self.file, "no partial was found", "give a recording of one strike that rings out"));
            };
            name_after(&mut patch, &self.file);
            write_text(out, &to_toml(&patch))?;
        }
        let report = Report::of(&estimate, rate);
        if self.json {
            let text = serde_json::to_string_pretty(&report).map_err(|error| CliError::new(error, "leave out --json"))?;
            return print(&(text + "\n"));
        }
        print_beside(&report.text(), &[self.out.as_deref()])
    }
}

impl Report {
    fn of(estimate: &Estimate, rate: u32) -> Self {
        let tuning = KeyFrequencies::default();
        let strongest = estimate.found.iter().map(|found| found.partial.amplitude).fold(f64::MIN_POSITIVE, f64::max);
        let row = |found: &Found, why: Option<Why>| {
            let partial = found.partial;
            let (key, cents) = nearest_key(&tuning, partial.hertz);
            Row {
                hertz: partial.hertz,
                key,
                cents,
                decay_rate: partial.decay,
                t60: 1000_f64.ln() / partial.decay,
                level_db: 20.0 * (partial.amplitude / strongest).log10(),
                amplitude: partial.amplitude,
                phase: partial.phase,
                over_noise_db: found.over_noise_db,
                deviation_cents: found.cents,
                deviation_t60: 100.0 * found.decay,
                left_out: why.map(reason),
            }
        };
        let octave = |octave: &urto_physics::analysis::Octave| Band {
            lowest: octave.range.0,
            highest: octave.range.1,
            signal_db: octave.signal_db,
            residual_db: octave.residual_db,
        };
        Self {
            rate,
            onset: estimate.onset,
            start: estimate.start,
            end: estimate.end,
            residual_db: estimate.residual_db,
            octaves: estimate.octaves.iter().map(octave).collect(),
            partials: estimate.found.iter().map(|found| row(found, None)).collect(),
            left_out: estimate.left_out.iter().map(|(found, why)| row(found, Some(*why))).collect(),
        }
    }

    fn text(&self) -> String {
        let Self { rate, onset, start, end, residual_db, .. } = self;
        let mut text = format!("onset at {onset:.3} s, fitted from {start:.3} to {end:.3} s at {rate} Hz\n\n");
        text += "   n         Hz   nearest key     T60 s  level dB  over noise dB   +- cents   +- T60 %\n";
        for (i, row) in self.partials.iter().enumerate() {
            let _ = writeln!(text, "{:>4} {}", i + 1, row.text());
        }
        for why in [Why::Weaker, Why::Unsure, Why::Short, Why::Steady, Why::Range].map(reason) {
            let rows: Vec<_> = self.left_out.iter().filter(|row| row.left_out == Some(why)).collect();
            if rows.is_empty() {
                continue;
            }
            let _ = writeln!(text, "\nleft out, {why}: {}", rows.len());
            rows.iter().for_each(|row| text += &format!("     {}\n", row.text()));
        }
        let _ = writeln!(text, "\nresidual: {residual_db:.1} dB of the signal's energy; by octaves");
        for band in &self.octaves {
            let Band { lowest, highest, signal_db, residual_db } = band;
            let _ =
                writeln!(text, "{lowest:>8.0} to {highest:>6.0} Hz: signal {signal_db:>6.1} dB, residual {residual_db:>6.1} dB");
        }
        text
    }
}

impl Row {
    fn text(&self) -> String {
        let nearest = format!("{} {}", key_name(self.key), signed(self.cents));
        format!(
            "{:>10.3} {nearest:>13} {:>9.3} {:>9.1} {:>14.1} {:>10.3} {:>10.2}",
            self.hertz, self.t60, self.level_db, self.over_noise_db, self.deviation_cents, self.deviation_t60
        )
    }
}

fn reason(why: Why) -> &'static str {
    match why {
        Why::Range => "below 20 Hz or above 20 kHz",
        Why::Short => "ends within 10 ms",
        Why::Steady => "does not decay",
        Why::Unsure => "cannot be distinguished from the noise",
        Why::Weaker => "weaker than the --modes strongest",
    }
}
