//! `modes`: the modes of a body as the engine strikes and hears it, as a table or as JSON.

use std::borrow::Cow;
use std::ffi::OsString;

use clap::{Args, Subcommand};
use urto_engine::formats::or_nearest;
use urto_engine::params::{BODY_KINDS, ParamId, ParamValues};
use urto_engine::patch::{Patch, Zone, preset_library};
use urto_engine::tuning::KeyFrequencies;
use urto_engine::{Engine, EngineConfig};

use crate::arguments::{NumberOption, check_modes, key, load_patch, patch, rate};
use crate::commands::mode_table::ModeTable;
use crate::commands::modes_from_file::{FromFile, FromWav};
use crate::io::CliError;

/// The key without `--key`.
const DEFAULT_KEY: u8 = 60;
/// The argument of `--hertz`.
const HERTZ: NumberOption =
    NumberOption { noun: "frequency", unit: "Hz", range: 0.1..=100e3, whole: false, example: "440 or 0.2 kHz" };

/// Shows the modes of a body, or makes a body from measured modes.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Modes {
    #[command(subcommand)]
    source: Option<Source>,
    /// Body type, as in `--set body=`; or the name of a preset, or a TOML file.
    #[arg(value_name = "SHAPE", required = true)]
    shape: Option<OsString>,
    /// Number of modes.
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    modes: Option<String>,
    /// MIDI key or note, for example 60 or C4; A4 is key 69. The default is 60. Of a kit, it chooses the zone.
    #[arg(long, value_name = "KEY", value_parser = key, allow_hyphen_values = true)]
    key: Option<u8>,
    /// Zone of a kit, by its name. It is shown on its lowest key unless --key is given.
    #[arg(long, value_name = "NAME")]
    zone: Option<String>,
    /// Frequency of the key, for example 440 or 0.2kHz; replaces the tuning.
    #[arg(long, value_name = "HZ", conflicts_with = "key", value_parser = hertz, allow_hyphen_values = true)]
    hertz: Option<f64>,
    /// Body mass, for example 0.3 or 300g.
    #[arg(long, value_name = "KG", allow_hyphen_values = true)]
    mass: Option<String>,
    /// Strike position, 0 to 1 along and across the body.
    #[arg(long, value_name = "ALONG[,ACROSS]", allow_hyphen_values = true)]
    strike: Option<String>,
    /// Sample rate, which sets the highest frequency, for example 96000 or 44.1kHz.
    #[arg(long, value_name = "HZ", default_value_t = 48_000, value_parser = rate, allow_hyphen_values = true)]
    rate: u32,
    /// Sets a parameter, for example losses or pickups, in the unit that `params` lists or in a given one: decay=500ms. May be given
    /// several times.
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

/// Parses `--hertz`.
fn hertz(text: &str) -> Result<f64, String> {
    HERTZ.read(text)
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
        let mut patch = self.body()?;
        let mut key = self.key.unwrap_or(DEFAULT_KEY);
        if !patch.zones.is_empty() {
            (patch, key) = self.zone_of(&patch)?;
        } else if let Some(zone) = &self.zone {
            let problem = format_args!("--zone {zone}: \"{}\" is not a kit", self.shape());
            return Err(CliError::new(problem, "leave out --zone"));
        }
        self.apply_options(&mut patch.settings)?;
        check_modes(&patch)?;
        let config = EngineConfig { voices: 1, ..EngineConfig::at(f64::from(self.rate)) };
        let tuning = *Engine::new(config, &patch).tuning();
        let hertz = self.pitch(&tuning, key)?;
        let table = ModeTable::of(&patch, hertz, self.hertz.is_none().then_some(key), self.rate, &tuning);
        table.print(self.json, None)
    }

    /// The sound of the zone that `--zone` or `--key` chooses in `kit`, and the key that it plays. Errors: no such zone, or several.
    fn zone_of(&self, kit: &Patch) -> Result<(Patch, u8), CliError> {
        let (shape, zones) = (self.shape(), &kit.zones);
        let listed = |chosen: &[&Zone]| {
            let one = |zone: &&Zone| match zone.keys {
                (low, high) if low == high => format!("\"{}\" on key {low}", zone.name),
                (low, high) => format!("\"{}\" on keys {low} to {high}", zone.name),
            };
            chosen.iter().map(one).collect::<Vec<_>>().join(", ")
        };
        let named = |zone: &&Zone| self.zone.as_ref().is_none_or(|name| zone.name.eq_ignore_ascii_case(name));
        let chosen: Vec<&Zone> = zones.iter().filter(named).filter(|zone| self.key.is_none_or(|key| zone.holds(key))).collect();
        let all = || listed(&zones.iter().collect::<Vec<_>>());
        match (&self.zone, self.key, &chosen[..]) {
            (None, None, _) => {
                let first = zones.first().map_or("", |zone| &zone.name);
                let remedy = format!("name one with --zone \"{first}\" or --key {}: {}", zones[0].keys.0, all());
                Err(CliError::new(format_args!("\"{shape}\" is a kit of {} zones", zones.len()), remedy))
            }
            (_, _, [zone]) => {
                let key = self.key.unwrap_or(zone.keys.0);
                let beyond =
                    || CliError::new(format_args!("--key {key}: \"{}\" has no such key", zone.name), "give a lower --key");
                Ok((zone.sound_in(kit), zone.played_key(key).ok_or_else(beyond)?))
            }
            (None, Some(key), []) => Err(CliError::new(
                format_args!("--key {key}: no zone of \"{shape}\" is on this key"),
                format_args!("its zones are {}", all()),
            )),
            (Some(name), Some(key), []) if zones.iter().any(|zone| named(&zone)) => {
                let of_name: Vec<&Zone> = zones.iter().filter(named).collect();
                let problem = format_args!("--key {key}: the zone \"{name}\" of \"{shape}\" is not on this key");
                Err(CliError::new(problem, format_args!("leave out --key, or give its own: {}", listed(&of_name))))
            }
            (Some(name), _, []) => {
                let near = or_nearest(name, zones.iter().map(|zone| zone.name.as_str()));
                let problem = format_args!("--zone {name}: no such zone in \"{shape}\"{near}");
                Err(CliError::new(problem, format_args!("its zones are {}", all())))
            }
            (_, _, several) => {
                let remedy = "choose one with both --zone and --key";
                Err(CliError::new(format_args!("several zones of \"{shape}\" fit: {}", listed(several)), remedy))
            }
        }
    }

    /// The argument that names the body, for messages.
    fn shape(&self) -> Cow<'_, str> {
        self.shape.as_deref().unwrap_or_default().to_string_lossy()
    }

    /// The body type or the preset.
    fn body(&self) -> Result<Patch, CliError> {
        let (shape, name) = (self.shape(), self.shape.as_deref().unwrap_or_default());
        match BODY_KINDS.iter().position(|kind| kind.eq_ignore_ascii_case(&shape)) {
            Some(kind) => {
                let mut settings = ParamValues::default();
                settings.set(ParamId::Body, kind as f64);
                Ok(Patch { settings, ..Patch::default() })
            }
            None => load_patch(name).map_err(|error| unknown_body(&shape, error)),
        }
    }

    fn apply_options(&self, settings: &mut ParamValues) -> Result<(), CliError> {
        for (option, param, value) in [("--modes", ParamId::Modes, &self.modes), ("--mass", ParamId::BodyMass, &self.mass)] {
            if let Some(value) = value {
                patch::put(settings, param, value, format_args!("{option} {value}"))?;
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
        Ok(())
    }

    fn pitch(&self, tuning: &KeyFrequencies, key: u8) -> Result<f64, CliError> {
        let silent = || CliError::new(format_args!("key {key} has no pitch in this tuning"), "give another --key, or --hertz");
        self.hertz.or_else(|| tuning.hertz(key)).ok_or_else(silent)
    }
}

/// The error for an unknown `shape`; a name without a path is reported as a body type rather than as a preset.
fn unknown_body(shape: &str, error: CliError) -> CliError {
    if shape.contains(['.', '/', '\\']) || shape == "-" {
        return error;
    }
    let kinds: Vec<_> = BODY_KINDS.iter().map(|kind| kind.to_lowercase()).collect();
    let presets = preset_library::list(preset_library::folder().as_deref());
    let near = or_nearest(shape, kinds.iter().map(String::as_str).chain(presets.iter().map(|entry| entry.name.as_str())));
    let remedy = format!("the body types are {}; or give the name of a preset, or a file", kinds.join(", "));
    CliError::new(format_args!("no body \"{shape}\"{near}"), remedy)
}
