//! The arguments of several commands: numbers with units, patches, parameters, tunings, the file of an experiment; errors of usage.

pub(crate) mod case_file;
mod name_filter;
pub(crate) mod patch;

use std::error::Error;
use std::ops::RangeInclusive;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use urto_engine::formats::figure;
use urto_engine::params::value_text;

pub use crate::arguments::name_filter::NameFilter;
pub use crate::arguments::patch::{
    LoadedPatch, TuningOptions, check_modes, library_error, load_patch, load_patch_and_files, load_program, name_after,
    preset_folder,
};
use crate::io::CliError;

/// The argument of `--rate`.
pub const RATE: NumberOption =
    NumberOption { noun: "sample rate", unit: "Hz", range: 4e3..=1e6, whole: true, example: "48000 or 44.1 kHz" };

/// An argument that is one number.
pub struct NumberOption {
    /// Quantity, for messages, such as "frequency".
    pub noun: &'static str,
    /// Unit; empty for a pure number.
    pub unit: &'static str,
    /// Allowed values, in the unit.
    pub range: RangeInclusive<f64>,
    /// Whether it must be a whole number.
    pub whole: bool,
    /// One or two valid arguments.
    pub example: &'static str,
}

impl NumberOption {
    /// The number that `text` gives, in any unit of [`value_text::number`]. Errors: the problem, what is allowed, and an example.
    pub fn read(&self, text: &str) -> Result<f64, String> {
        let Self { noun, unit, range, example, .. } = self;
        let problem = match value_text::number(text, unit) {
            None => format!("\"{text}\" is not a {noun}"),
            Some(value) if !range.contains(&value) => format!("{} is out of range", figure(value)),
            Some(value) if self.whole && (value - value.round()).abs() > 1e-6 => format!("{value} is not a whole number"),
            Some(value) => return Ok(if self.whole { value.round() } else { value }),
        };
        let (low, high) = (figure(*range.start()), figure(*range.end()));
        let space = if unit.is_empty() { "" } else { " " };
        let wanted = if self.whole { "whole number" } else { noun };
        Err(format!("{problem}; give a {wanted} from {low} to {high}{space}{unit}, for example {example}"))
    }
}

/// Parses `--rate` [Hz].
pub fn rate(text: &str) -> Result<u32, String> {
    RATE.read(text).map(|rate| rate as u32)
}

/// Parses `--key`.
pub fn key(text: &str) -> Result<u8, String> {
    let allowed = "give a key from 0 to 127 or a note from C-1 to G9, for example 60 or C4 (A4 is key 69)";
    value_text::key(text).ok_or_else(|| format!("\"{text}\" is not a key; {allowed}"))
}

/// The message for an error in the arguments: one sentence.
pub fn usage_error(error: &clap::Error) -> CliError {
    let option = context(error, ContextKind::InvalidArg);
    let given = context(error, ContextKind::InvalidValue);
    let help = program(error) + "--help lists what is possible";
    match error.kind() {
        ErrorKind::ValueValidation => {
            let fault = error.source().map(ToString::to_string).unwrap_or_default();
            let (problem, remedy) = fault.split_once("; ").unwrap_or((&fault, &help));
            CliError::new(format_args!("{option} {given}: {problem}"), remedy)
        }
        ErrorKind::InvalidValue if given.is_empty() => CliError::new(format_args!("{option}: its value is missing"), help),
        ErrorKind::InvalidValue => {
            let near = if given == "wav-32" {
                " (did you mean wav-float?)".into()
            } else {
                suggestion(error, ContextKind::SuggestedValue)
            };
            let valid = context(error, ContextKind::ValidValue).replace(", ", " or ");
            CliError::new(
                format_args!("{option} {given}: \"{given}\" is not an allowed value{near}"),
                format_args!("give {valid}"),
            )
        }
        ErrorKind::UnknownArgument => {
            CliError::new(format_args!("no option {option}{}", suggestion(error, ContextKind::SuggestedArg)), help)
        }
        ErrorKind::InvalidSubcommand => {
            let (command, near) =
                (context(error, ContextKind::InvalidSubcommand), suggestion(error, ContextKind::SuggestedSubcommand));
            CliError::new(format_args!("no command \"{command}\"{near}"), help)
        }
        ErrorKind::MissingRequiredArgument => CliError::new(format_args!("missing: {option}"), help),
        ErrorKind::ArgumentConflict => {
            let other = context(error, ContextKind::PriorArg);
            let command = context(error, ContextKind::InvalidSubcommand);
            let option = if option.is_empty() { format!("\"{command}\"") } else { option };
            CliError::new(format_args!("{option} cannot be used with {other}"), "leave one of them out")
        }
        _ => {
            let text = error.to_string();
            let line = text.lines().next().unwrap_or_default();
            CliError::new(line.strip_prefix("error: ").unwrap_or(line), help)
        }
    }
}

/// What `error` says about `kind`; an option without the name of its value.
fn context(error: &clap::Error, kind: ContextKind) -> String {
    let names = match error.get(kind) {
        Some(ContextValue::String(name)) => vec![name.clone()],
        Some(ContextValue::Strings(names)) => names.clone(),
        _ => Vec::new(),
    };
    let without_value = |name: &String| match name.split_once([' ', '=']) {
        Some((option, _)) if option.starts_with('-') && kind != ContextKind::InvalidValue => option.to_owned(),
        _ => name.clone(),
    };
    names.iter().map(without_value).collect::<Vec<_>>().join(", ")
}

fn suggestion(error: &clap::Error, kind: ContextKind) -> String {
    let near = context(error, kind);
    if near.is_empty() { near } else { format!(" (did you mean {near}?)") }
}

/// The program and its command, each followed by a space; empty if `error` does not contain them.
fn program(error: &clap::Error) -> String {
    let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) else { return String::new() };
    let usage = usage.to_string();
    let words = usage.trim_start_matches("Usage:").split_whitespace().skip(1);
    let commands = words.take_while(|word| word.starts_with(|letter: char| letter.is_ascii_lowercase()));
    std::iter::once("urto-cli").chain(commands).map(|word| format!("{word} ")).collect()
}
