//! `modes`: the modes of a body as the engine strikes and hears it, as a table or as JSON.

use clap::{Args, Subcommand};
use urto_engine::params::{BODY_KINDS, ParamId, ParamValues};
use urto_engine::patch::Patch;
use urto_engine::tuning::KeyFrequencies;
use urto_engine::{Engine, EngineConfig};

use crate::arguments::{load_patch, patch};
use crate::commands::mode_table::ModeTable;
use crate::commands::modes_from_file::{FromFile, FromWav};
use crate::io::CliError;

/// Range of `--hertz` [Hz].
const FREQUENCIES: std::ops::RangeInclusive<f64> = 0.1..=100e3;
/// Shows the modes of a body, or makes a body from measured modes.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Modes {
    #[command(subcommand)]
    source: Option<Source>,
    /// Body type, as in `--set body=`; or the name of a preset, or a TOML file.
    #[arg(value_name = "SHAPE", required = true)]
    shape: Option<String>,
    /// Number of modes.
    #[arg(long, value_name = "N")]
    modes: Option<String>,
    /// MIDI key.
    #[arg(long, value_name = "KEY", default_value_t = 60, value_parser = clap::value_parser!(u8).range(0..128))]
    key: u8,
    /// Frequency of the key; replaces the tuning.
    #[arg(long, value_name = "HZ", conflicts_with = "key", allow_negative_numbers = true)]
    hertz: Option<f64>,
    /// Body mass.
    #[arg(long, value_name = "KG", allow_negative_numbers = true)]
    mass: Option<String>,
    /// Strike position, 0 to 1 along and across the body.
    #[arg(long, value_name = "ALONG[,ACROSS]", allow_negative_numbers = true)]
    strike: Option<String>,
    /// Sample rate, which sets the highest frequency.
    #[arg(long, value_name = "HZ", default_value_t = 48_000, value_parser = clap::value_parser!(u32).range(4_000..=1_000_000))]
    rate: u32,
    /// Sets a parameter in the unit that `params` lists, for example losses or pickups. May be given several times.
    #[arg(long, value_name = "ID=VALUE")]
    set: Vec<String>,
    /// Prints one JSON object with all digits.
    #[arg(long)]
    json: bool,
}

/// Sources of measured modes.
#[derive(Subcommand)]
enum Source {
    /// Makes a patch from the modes in a TOML, JSON or CSV file.
    FromFile(FromFile),
    /// Estimates the partials of a recorded strike, and makes a patch of them.
    FromWav(FromWav),
}

impl Modes {
    /// Prints the modes. Errors: no such body or preset, a value out of range, a key without a pitch.
    pub fn run(&self) -> Result<(), CliError> {
        match &self.source {
            Some(Source::FromFile(source)) => source.run(),
            Some(Source::FromWav(source)) => source.run(),
            None => self.show(),
        }
    }

    fn show(&self) -> Result<(), CliError> {
        let patch = self.patch()?;
        let config = EngineConfig { voices: 1, ..EngineConfig::at(f64::from(self.rate)) };
        let tuning = *Engine::new(config, &patch).tuning();
        let hertz = self.pitch(&tuning)?;
        let table = ModeTable::of(&patch, hertz, self.hertz.is_none().then_some(self.key), self.rate, &tuning);
        table.print(self.json, None)
    }

    fn patch(&self) -> Result<Patch, CliError> {
        let shape = self.shape.as_deref().unwrap_or_default();
        let mut patch = match BODY_KINDS.iter().position(|kind| kind.eq_ignore_ascii_case(shape)) {
            Some(kind) => {
                let mut settings = ParamValues::default();
                settings.set(ParamId::Body, kind as f64);
                Patch { settings, ..Patch::default() }
            }
            None => load_patch(shape).map_err(|error| unknown_body(shape, error))?,
        };
        let settings = &mut patch.settings;
        for (option, knob, value) in [("--modes", ParamId::Modes, &self.modes), ("--mass", ParamId::BodyMass, &self.mass)] {
            if let Some(value) = value {
                patch::put(settings, knob, value, format_args!("{option} {value}"))?;
            }
        }
        if let Some(strike) = &self.strike {
            let (along, across) = strike.split_once(',').map_or((strike.as_str(), None), |(along, across)| (along, Some(across)));
            patch::put(settings, ParamId::StrikePosition, along, format_args!("--strike {strike}"))?;
            if let Some(across) = across {
                patch::put(settings, ParamId::StrikeAcross, across, format_args!("--strike {strike}"))?;
            }
        }
        for set in &self.set {
            patch::set(settings, set)?;
        }
        Ok(patch)
    }

    fn pitch(&self, tuning: &KeyFrequencies) -> Result<f64, CliError> {
        match self.hertz {
            Some(hertz) if FREQUENCIES.contains(&hertz) => Ok(hertz),
            Some(hertz) => Err(CliError::new(format_args!("--hertz {hertz}: out of range"), "give 0.1 to 100000 Hz")),
            None => tuning.hertz(self.key).ok_or_else(|| {
                CliError::new(format_args!("key {} has no pitch in this tuning", self.key), "give another --key, or --hertz")
            }),
        }
    }
}

/// The error for an unknown `shape`; a name without a path is reported as a body type rather than as a preset.
fn unknown_body(shape: &str, error: CliError) -> CliError {
    if shape.contains(['.', '/', '\\']) || shape == "-" {
        return error;
    }
    let kinds: Vec<_> = BODY_KINDS.iter().map(|kind| kind.to_lowercase()).collect();
    let remedy = format!("kinds are {}; or give the name of a preset, or a file", kinds.join(", "));
    CliError::new(format_args!("no body \"{shape}\""), remedy)
}
