//! `tune`: the frequencies of all keys in a scale and key map, and the list of built-in scales.

use std::ffi::OsString;
use std::fmt::Write;
use std::path::Path;

use clap::{Args, Subcommand};
use serde::Serialize;
use urto_engine::formats::TextError;
use urto_engine::params::ParamId;
use urto_engine::patch::Patch;
use urto_engine::tuning::{KEYS, KeyFrequencies, ReferencePitch, SCALES, Scale, TuningSet, TuningSource};

use crate::arguments::{TuningOptions, load_patch};
use crate::io::CliError;
use crate::io::error::print;

/// Shows the key frequencies of a scale and a key map, or lists the built-in scales.
#[derive(Subcommand)]
pub enum Tune {
    /// Shows the frequency of every key.
    Check(Check),
    /// Lists the built-in scales.
    List,
}

/// Shows the frequency of every key.
#[derive(Args)]
pub struct Check {
    /// Scala scale (.scl) or key map (.kbm), a preset (.toml), or the name of a built-in scale.
    #[arg(value_name = "FILE|NAME")]
    file: OsString,
    #[command(flatten)]
    options: TuningOptions,
    /// Prints one JSON object with all digits.
    #[arg(long)]
    json: bool,
}

impl Tune {
    /// Prints the table or the list. Errors: a file that cannot be read, or a fault in it.
    pub fn run(&self) -> Result<(), CliError> {
        match self {
            Tune::Check(check) => check.run(),
            Tune::List => {
                let line = |(name, text): &(&str, &'static str)| {
                    let scale = Scale::read(text).map_err(|fault| CliError::new(fault, "please report this as a bug"))?;
                    Ok(format!("{name:<14} {}\n", scale.description()))
                };
                print(&SCALES.iter().map(line).collect::<Result<String, CliError>>()?)
            }
        }
    }
}

/// The frequencies of all keys.
#[derive(Serialize)]
struct Table {
    description: String,
    notes: u16,
    reference_key: u8,
    reference: f64,
    keys: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    key: u8,
    /// Frequency [Hz]; `None` for a key without a pitch.
    hertz: Option<f64>,
    /// Distance from the reference key [cents].
    cents: Option<f64>,
    /// Distance from 12-tone equal temperament with key 69 at 440 Hz [cents].
    from_equal: Option<f64>,
}

impl Check {
    fn run(&self) -> Result<(), CliError> {
        let table = Table::of(&self.patch()?)?;
        if self.json {
            let text = serde_json::to_string_pretty(&table).map_err(|error| CliError::new(error, "leave out --json"))?;
            return print(&(text + "\n"));
        }
        print(&table.text())
    }

    fn patch(&self) -> Result<Patch, CliError> {
        let file = Path::new(&self.file);
        let has_extension = |other: &str| file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(other));
        let given_twice = |option: &str| {
            CliError::new(format_args!("{}: {option} names a second scale or key map", file.display()), "give only one")
        };
        let mut options = self.options.clone();
        if has_extension("toml") {
            let mut patch = load_patch(&self.file)?;
            options.apply(&mut patch)?;
            return Ok(patch);
        }
        if has_extension("kbm") {
            if options.keymap.replace(file.into()).is_some() {
                return Err(given_twice("--keymap"));
            }
        } else if options.scale.replace(self.file.clone()).is_some() {
            return Err(given_twice("--scale"));
        }
        let mut patch = Patch::default();
        options.apply(&mut patch)?;
        Ok(patch)
    }
}

impl Table {
    fn of(patch: &Patch) -> Result<Self, CliError> {
        let source: &TuningSource = patch.tuning.source();
        let frequencies = TuningSet::of(&patch.tuning).effective(&patch.settings);
        let error = |fault: TextError| CliError::new(&fault.problem, &fault.remedy);
        let scale = Scale::read(source.scale_text().map_err(error)?).map_err(error)?;
        let ReferencePitch { key: reference_key, hertz } = source.reference_pitch().map_err(error)?;
        let hertz = hertz * (patch.settings.get(ParamId::ConcertPitch) / ParamId::ConcertPitch.spec().default);
        let equal = KeyFrequencies::default();
        let cents = |a: Option<f64>, b: Option<f64>| Some(1200.0 * (a? / b?).log2());
        let row = |key| {
            let frequency = frequencies.hertz(key);
            Row { key, hertz: frequency, cents: cents(frequency, Some(hertz)), from_equal: cents(frequency, equal.hertz(key)) }
        };
        let keys = (0..KEYS as u8).map(row).collect();
        Ok(Self { description: scale.description().into(), notes: scale.notes(), reference_key, reference: hertz, keys })
    }

    fn text(&self) -> String {
        let Self { description, notes, reference_key, reference, keys } = self;
        let mut text = format!("{description}\n{notes} notes; key {reference_key} is {reference} Hz\n\n");
        text += " key            Hz        cents   from equal\n";
        for Row { key, hertz, cents, from_equal } in keys {
            let _ = match (hertz, cents, from_equal) {
                (Some(hertz), Some(cents), Some(distance)) => {
                    writeln!(text, "{key:>4} {hertz:>13.6} {cents:>12.3} {distance:>12.3}")
                }
                _ => writeln!(text, "{key:>4}        silent"),
            };
        }
        text
    }
}
