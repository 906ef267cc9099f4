//! The table of the modes of a body: frequencies, decay, modal masses and weights at strike and pickups.

use std::fmt::Write;
use std::path::Path;

use serde::Serialize;
use urto::body::{BodyMode, BodyModes};
use urto_engine::block::band_limit;
use urto_engine::body::BodySpec;
use urto_engine::params::{BODY_KINDS, BodyKind, ParamId};
use urto_engine::patch::Patch;
use urto_engine::tuning::{KEYS, KeyFrequencies, key_name};
use urto_engine::{Engine, EngineConfig};

use crate::io::CliError;
use crate::io::error::print;
use crate::io::output_file::print_beside;

/// |weight| times the root of the mass below which the strike is at a node: rounding error.
const NODE_LIMIT: f64 = 1e-9;

/// A body and its modes.
#[derive(Serialize)]
pub struct ModeTable {
    shape: String,
    /// Morph target and morph amount.
    #[serde(skip_serializing_if = "Option::is_none")]
    morph: Option<(String, f64)>,
    /// `None` with `--hertz`.
    key: Option<u8>,
    /// Frequency of the ratio 1 [Hz].
    hertz: f64,
    /// Mass of the body [kg].
    mass: f64,
    /// Along and across.
    strike: [f64; 2],
    rate: u32,
    /// Highest frequency of a mode [Hz].
    band_limit: f64,
    /// Number of modes above it.
    left_out: usize,
    suspension: Option<Suspension>,
    modes: Vec<Row>,
}

/// The suspension of a free body: the hammer meets it, the pickups do not hear it.
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
    /// The nearest key.
    key: u8,
    /// Distance from it [cents].
    cents: f64,
    /// sigma [1/s].
    decay_rate: f64,
    /// Time to -60 dB [s].
    t60: f64,
    /// Modal mass at the strike, 1/weight^2 [kg]; `None` at a node.
    mass_strike: Option<f64>,
    /// phi/sqrt(modal mass) [kg^-1/2].
    weight_strike: f64,
    weight_left: f64,
    weight_right: f64,
}

impl ModeTable {
    /// The modes of `patch` on its home key, in its tuning, up to the band limit at 48 kHz.
    pub fn at_home(patch: &Patch) -> Self {
        const RATE: u32 = 48_000;
        let tuning = *Engine::new(EngineConfig { voices: 1, ..EngineConfig::at(f64::from(RATE)) }, patch).tuning();
        let key = patch.settings.get(ParamId::HomeKey) as u8;
        Self::of(patch, tuning.hertz(key).unwrap_or(440.0), Some(key), RATE, &tuning)
    }

    /// Prints the table as one JSON object or as text; on standard error if the file `out` goes to standard output.
    pub fn print(&self, json: bool, out: Option<&Path>) -> Result<(), CliError> {
        if json {
            let text = serde_json::to_string_pretty(self).map_err(|error| CliError::new(error, "leave out --json"))?;
            return print(&(text + "\n"));
        }
        print_beside(&self.text(), &[out])
    }

    /// The modes of `patch` at `hertz` [Hz], up to the band limit at `rate` [Hz].
    pub fn of(patch: &Patch, hertz: f64, key: Option<u8>, rate: u32, tuning: &KeyFrequencies) -> Self {
        let settings = &patch.settings;
        let (request, strike) = (BodySpec::of(settings), settings.strike_position());
        let body = BodyModes::at(patch, hertz, f64::from(rate));
        let row = |(i, mode): (usize, &BodyMode)| {
            let (key, cents) = nearest_key(tuning, mode.frequency);
            Row {
                number: i + 1,
                family: mode.family,
                ratio: mode.frequency / body.frequency,
                hertz: mode.frequency,
                key,
                cents,
                decay_rate: mode.decay_rate,
                t60: 1000_f64.ln() / mode.decay_rate,
                mass_strike: (mode.weight_strike.abs() * body.mass.sqrt() > NODE_LIMIT).then(|| mode.weight_strike.powi(-2)),
                weight_strike: mode.weight_strike,
                weight_left: mode.weight_left,
                weight_right: mode.weight_right,
            }
        };
        let suspension =
            |mode: BodyMode| Suspension { hertz: mode.frequency, decay_rate: mode.decay_rate, weight_strike: mode.weight_strike };
        let name = |kind: BodyKind| BODY_KINDS[kind as usize].to_lowercase();
        Self {
            shape: name(request.kind),
            morph: request.to.map(|other| (name(other), settings.get(ParamId::Morph))),
            key,
            hertz: body.frequency,
            mass: body.mass,
            strike: [strike.along, strike.across],
            rate,
            band_limit: band_limit(f64::from(rate)),
            left_out: body.omitted,
            suspension: body.suspension.map(suspension),
            modes: body.modes.iter().enumerate().map(row).collect(),
        }
    }

    fn text(&self) -> String {
        let Self { shape, morph, key, hertz, mass, strike: [along, across], rate, band_limit, left_out, suspension, modes } =
            self;
        let key = key.map_or_else(String::new, |key| format!(" on key {key}"));
        let morph = morph.as_ref().map_or_else(String::new, |(other, part)| format!(" morphed to {other} by {part}"));
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
            let nearest = format!("{} {}", key_name(row.key), signed(row.cents));
            let kilograms = row.mass_strike.map_or_else(|| "-".into(), figure);
            let _ = writeln!(
                text,
                "{:>4}  {family:<6} {:>10.5} {:>10.3} {nearest:>13} {:>10.4} {:>9.3} {kilograms:>13} {:>10} {:>10} {:>10}",
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
            let _ = writeln!(text, "\n{left_out} more above {band_limit} Hz, the limit at {rate} Hz, are omitted.");
        }
        text
    }
}

/// The key nearest to `hertz` [Hz], and the distance from it [cents].
pub fn nearest_key(tuning: &KeyFrequencies, hertz: f64) -> (u8, f64) {
    let keys = (0..KEYS as u8).filter_map(|key| Some((key, 1200.0 * (hertz / tuning.hertz(key)?).log2())));
    keys.min_by(|a, b| a.1.abs().total_cmp(&b.1.abs())).unwrap_or_default()
}

/// A number with `decimals` decimals; zero without a sign.
fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    if text.parse() == Ok(0.0) { text.replace('-', "") } else { text }
}

/// Cents with a sign.
pub fn signed(cents: f64) -> String {
    let text = fixed(cents, 1);
    if text.starts_with('-') { text } else { format!("+{text}") }
}

/// Five decimals, or a power of ten where they do not fit: near a node the modal mass is unbounded.
fn figure(value: f64) -> String {
    if (1e-4..1e6).contains(&value) { format!("{value:.5}") } else { format!("{value:.4e}") }
}
