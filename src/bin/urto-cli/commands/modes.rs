//! `modes`: the modes of a body as the engine strikes and hears it, as a table or as JSON.

use std::fmt::Write;

use clap::{Args, Subcommand};
use serde::Serialize;
use urto_engine::block::band_limit;
use urto_engine::body::{BodyScratch, BodySpec, BodyTuning, KeyScaling, PreparedBody};
use urto_engine::params::BodyKind;
use urto_engine::params::{BODY_KINDS, ParamId, ParamValues};
use urto_engine::patch::Patch;
use urto_engine::tuning::{KEYS, KeyFrequencies, key_name};
use urto_engine::{Engine, EngineConfig};
use urto_physics::bodies::BodyPosition;
use urto_physics::modal::Mode;

use crate::commands::modes_from_file::FromFile;
use crate::commands::modes_from_wav::FromWav;
use crate::commands::{params, presets};
use crate::io::Complaint;
use crate::io::error::print;

/// Frequencies that `--hertz` takes [Hz].
const PITCHES: std::ops::RangeInclusive<f64> = 0.1..=100e3;
/// |weight| times root of the mass below which the strike is on a node: 0 but for rounding.
const NODE: f64 = 1e-9;

/// Shows the modes of a body, or brings modes from outside.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Modes {
    #[command(subcommand)]
    source: Option<Source>,
    /// Kind of body, as `--set body=` has it; or the name of a preset, or a TOML file.
    #[arg(value_name = "SHAPE", required = true)]
    shape: Option<String>,
    /// Number of modes.
    #[arg(long, value_name = "N")]
    modes: Option<String>,
    /// Key that is struck.
    #[arg(long, value_name = "KEY", default_value_t = 60, value_parser = clap::value_parser!(u8).range(0..128))]
    key: u8,
    /// Frequency of the key, in place of that in the tuning.
    #[arg(long, value_name = "HZ", conflicts_with = "key", allow_negative_numbers = true)]
    hertz: Option<f64>,
    /// Mass of the body.
    #[arg(long, value_name = "KG", allow_negative_numbers = true)]
    mass: Option<String>,
    /// Where it is struck, 0 to 1 along and across.
    #[arg(long, value_name = "ALONG[,ACROSS]", allow_negative_numbers = true)]
    strike: Option<String>,
    /// Sample rate that limits the band.
    #[arg(long, value_name = "HZ", default_value_t = 48_000, value_parser = clap::value_parser!(u32).range(4_000..=1_000_000))]
    rate: u32,
    /// Sets a parameter, in the unit that `params` lists: losses, pickups, inharmonicity; may be given several times.
    #[arg(long, value_name = "ID=VALUE")]
    set: Vec<String>,
    /// One JSON object with every digit.
    #[arg(long)]
    json: bool,
}

/// Where modes come from.
#[derive(Subcommand)]
enum Source {
    /// Makes a patch of modes that stand in a TOML, JSON or CSV file.
    FromFile(FromFile),
    /// Estimates the partials of a recorded stroke, and makes a patch of them.
    FromWav(FromWav),
}

/// A body and its modes.
#[derive(Serialize)]
pub struct Table {
    shape: String,
    /// What it turns into, and how far.
    #[serde(skip_serializing_if = "Option::is_none")]
    morph: Option<(String, f64)>,
    /// None with `--hertz`.
    key: Option<u8>,
    /// Frequency of the ratio 1 [Hz].
    hertz: f64,
    /// Mass of the body [kg].
    mass: f64,
    /// Along and across.
    strike: [f64; 2],
    rate: u32,
    /// Highest frequency that is computed [Hz].
    band_limit: f64,
    /// Modes above it.
    left_out: usize,
    suspension: Option<Suspension>,
    modes: Vec<Row>,
}

/// What a free body hangs on: felt by the hammer, not heard.
#[derive(Serialize)]
struct Suspension {
    hertz: f64,
    decay_rate: f64,
    weight_strike: f64,
}

#[derive(Serialize)]
struct Row {
    number: usize,
    family: Option<(u32, u32)>,
    ratio: f64,
    hertz: f64,
    /// The nearest key, and how far above it the mode is.
    key: u8,
    cents: f64,
    /// sigma [1/s].
    decay_rate: f64,
    /// Time to -60 dB [s].
    t60: f64,
    /// Modal mass at the strike, 1/weight^2 [kg]; none at a node.
    mass_strike: Option<f64>,
    /// phi/sqrt(modal mass) [kg^-1/2].
    weight_strike: f64,
    weight_left: f64,
    weight_right: f64,
}

impl Modes {
    /// Prints the modes. Errors: no such body or preset, a value out of range, a key without a pitch.
    pub fn run(&self) -> Result<(), Complaint> {
        match &self.source {
            Some(Source::FromFile(source)) => source.run(),
            Some(Source::FromWav(source)) => source.run(),
            None => self.show(),
        }
    }

    fn show(&self) -> Result<(), Complaint> {
        let patch = self.patch()?;
        let config = EngineConfig { voices: 1, ..EngineConfig::at(f64::from(self.rate)) };
        let tuning = *Engine::new(config, &patch).tuning();
        let hertz = self.pitch(&tuning)?;
        let table = Table::of(&patch, hertz, self.hertz.is_none().then_some(self.key), self.rate, &tuning);
        table.show(self.json)
    }

    fn patch(&self) -> Result<Patch, Complaint> {
        let shape = self.shape.as_deref().unwrap_or_default();
        let mut patch = match BODY_KINDS.iter().position(|kind| kind.eq_ignore_ascii_case(shape)) {
            Some(kind) => {
                let mut settings = ParamValues::default();
                settings.set(ParamId::Body, kind as f64);
                Patch { settings, ..Patch::default() }
            }
            None => presets::load(shape).map_err(|complaint| unknown(shape, complaint))?,
        };
        let settings = &mut patch.settings;
        for (option, knob, value) in [("--modes", ParamId::Modes, &self.modes), ("--mass", ParamId::BodyMass, &self.mass)] {
            if let Some(value) = value {
                params::put(settings, knob, value, format_args!("{option} {value}"))?;
            }
        }
        if let Some(strike) = &self.strike {
            let (along, across) = strike.split_once(',').map_or((strike.as_str(), None), |(along, across)| (along, Some(across)));
            params::put(settings, ParamId::StrikePosition, along, format_args!("--strike {strike}"))?;
            if let Some(across) = across {
                params::put(settings, ParamId::StrikeAcross, across, format_args!("--strike {strike}"))?;
            }
        }
        for set in &self.set {
            params::set(settings, set)?;
        }
        Ok(patch)
    }

    fn pitch(&self, tuning: &KeyFrequencies) -> Result<f64, Complaint> {
        match self.hertz {
            Some(hertz) if PITCHES.contains(&hertz) => Ok(hertz),
            Some(hertz) => Err(Complaint::new(format_args!("--hertz {hertz}: out of range"), "give 0.1 to 100000 Hz")),
            None => tuning.hertz(self.key).ok_or_else(|| {
                Complaint::new(format_args!("key {} has no pitch in this tuning", self.key), "give another --key, or --hertz")
            }),
        }
    }
}

/// A single word is more likely a kind than a preset.
fn unknown(shape: &str, complaint: Complaint) -> Complaint {
    if shape.contains(['.', '/', '\\']) {
        return complaint;
    }
    let kinds: Vec<_> = BODY_KINDS.iter().map(|kind| kind.to_lowercase()).collect();
    let remedy = format!("kinds are {}; or give the name of a preset, or a file", kinds.join(", "));
    Complaint::new(format_args!("no body \"{shape}\""), remedy)
}

impl Table {
    /// The modes of the home key's body of `patch`, in its own tuning, up to the band limit at 48 kHz.
    pub fn at_home(patch: &Patch) -> Self {
        const RATE: u32 = 48_000;
        let tuning = *Engine::new(EngineConfig { voices: 1, ..EngineConfig::at(f64::from(RATE)) }, patch).tuning();
        let key = patch.settings.get(ParamId::HomeKey) as u8;
        Self::of(patch, tuning.hertz(key).unwrap_or(440.0), Some(key), RATE, &tuning)
    }

    /// Prints it, as one JSON object or as a text.
    pub fn show(&self, json: bool) -> Result<(), Complaint> {
        if json {
            let text = serde_json::to_string_pretty(self).map_err(|error| Complaint::new(error, "leave out --json"))?;
            return print(&(text + "\n"));
        }
        print(&self.text())
    }

    fn of(patch: &Patch, hertz: f64, key: Option<u8>, rate: u32, tuning: &KeyFrequencies) -> Self {
        let settings = &patch.settings;
        let (body, request) = (PreparedBody::of(patch), BodySpec::of(settings));
        let over_home = tuning.hertz(settings.get(ParamId::HomeKey) as u8).map_or(1.0, |home| hertz / home);
        let build = KeyScaling::new(settings, over_home);
        let pitch = BodyTuning::new(hertz, build, |knob| settings.get(knob));
        let fitting = body.modes_below_limit(&pitch, f64::from(rate));
        let mut modes = vec![Mode::RIGID; body.suspensions() + fitting];
        body.modes(fitting, &pitch, f64::from(rate), &mut modes);
        let (mass, count) = (settings.get(ParamId::BodyMass) * build.mass, modes.len());
        let (mut scratch, strike) = (BodyScratch::new(count), settings.strike_position());
        let at_strike = body.hammer_weights(strike, (mass, pitch.morph), count, &mut scratch).to_vec();
        let [left, right] = [ParamId::PickupLeft, ParamId::PickupRight]
            .map(|knob| body.pickup_weights(pickup(settings, knob), (mass, pitch.morph), count, &mut scratch).to_vec());
        let row = |i: usize| {
            let n = body.rigid() + i;
            let (mode, partial) = (modes[n], modes[n].heard_frequency());
            let (key, cents) = nearest(tuning, partial);
            Row {
                number: i + 1,
                family: body.family(i),
                ratio: partial / pitch.lowest,
                hertz: partial,
                key,
                cents,
                decay_rate: mode.sigma,
                t60: 1000_f64.ln() / mode.sigma,
                mass_strike: (at_strike[n].abs() * mass.sqrt() > NODE).then(|| at_strike[n].powi(-2)),
                weight_strike: at_strike[n],
                weight_left: left[n],
                weight_right: right[n],
            }
        };
        let hanging = if body.rigid() > 0 { Some(0) } else { (body.suspensions() > 0).then(|| count - 1) };
        let suspension = |n: usize| {
            let mode = modes[n];
            Suspension { hertz: mode.heard_frequency(), decay_rate: mode.sigma, weight_strike: at_strike[n] }
        };
        let name = |kind: BodyKind| BODY_KINDS[kind as usize].to_lowercase();
        Self {
            shape: name(request.kind),
            morph: request.to.map(|other| (name(other), pitch.morph)),
            key,
            hertz: pitch.lowest,
            mass,
            strike: [strike.along, strike.across],
            rate,
            band_limit: band_limit(f64::from(rate)),
            left_out: body.partials() - fitting,
            suspension: hanging.map(suspension).filter(|suspension| suspension.weight_strike != 0.0),
            modes: (0..fitting).map(row).collect(),
        }
    }

    fn text(&self) -> String {
        let Self { shape, morph, key, hertz, mass, strike: [along, across], rate, band_limit, left_out, suspension, modes } =
            self;
        let key = key.map_or_else(String::new, |key| format!(" on key {key}"));
        let morph = morph.as_ref().map_or_else(String::new, |(other, part)| format!(" turned into {other} by {part}"));
        let mut text = format!("{shape}{morph}, {mass} kg, {hertz:.3} Hz{key}, struck at {along}, {across}\n\n");
        text += "   n  family      ratio         Hz   nearest key  decay 1/s     T60 s  kg at strike     strike       left      right\n";
        if let Some(Suspension { hertz, decay_rate, weight_strike }) = suspension {
            let (time, kilograms) = (1000_f64.ln() / decay_rate, weight_strike.powi(-2));
            let _ = writeln!(
                text,
                "   -  hangs             - {hertz:>10.3}             - {decay_rate:>10.4} {time:>9.3} {kilograms:>13.5} {weight_strike:>10.5}          -          -"
            );
        }
        for row in modes {
            let family = row.family.map_or_else(|| "-".into(), |(first, second)| format!("{first},{second}"));
            let near = format!("{} {}", key_name(row.key), signed(row.cents));
            let kilograms = row.mass_strike.map_or_else(|| "-".into(), figure);
            let _ = writeln!(
                text,
                "{:>4}  {family:<6} {:>10.5} {:>10.3} {near:>13} {:>10.4} {:>9.3} {kilograms:>13} {:>10} {:>10} {:>10}",
                row.number,
                row.ratio,
                row.hertz,
                row.decay_rate,
                row.t60,
                fixed(row.weight_strike, 5),
                fixed(row.weight_left, 5),
                fixed(row.weight_right, 5)
            );
        }
        if *left_out > 0 {
            let _ = writeln!(text, "\n{left_out} more above {band_limit} Hz, the limit at {rate} Hz, are left out.");
        }
        text
    }
}

fn pickup(settings: &ParamValues, along: ParamId) -> BodyPosition {
    let across = if along == ParamId::PickupLeft { ParamId::PickupLeftAcross } else { ParamId::PickupRightAcross };
    BodyPosition { along: settings.get(along), across: settings.get(across) }
}

/// The key whose frequency is nearest to `hertz` [Hz], and the cents above it.
pub fn nearest(tuning: &KeyFrequencies, hertz: f64) -> (u8, f64) {
    let keys = (0..KEYS as u8).filter_map(|key| Some((key, 1200.0 * (hertz / tuning.hertz(key)?).log2())));
    keys.min_by(|a, b| a.1.abs().total_cmp(&b.1.abs())).unwrap_or_default()
}

/// A rounded number; zero without a sign.
fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    if text.parse() == Ok(0.0) { text.replace('-', "") } else { text }
}

/// Cents with their sign.
pub fn signed(cents: f64) -> String {
    let text = fixed(cents, 1);
    if text.starts_with('-') { text } else { format!("+{text}") }
}

/// Five decimals, or a power of ten where they would not fit: near a node a mode is as heavy as one likes.
fn figure(value: f64) -> String {
    if (1e-4..1e6).contains(&value) { format!("{value:.5}") } else { format!("{value:.4e}") }
}
