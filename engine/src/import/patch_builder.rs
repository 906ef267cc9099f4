//! A patch from measured modes in a file.
//!
//! ```toml
//! name = "Glass bar"       # all keys above [[modes]] are optional
//! reference = 523.25       # Hz: pitch of the home key, the ratio 1; by default the lowest frequency
//! body_mass = 0.3          # kg
//! [[modes]]
//! frequency = 523.25       # Hz; or ratio, over the reference
//! t60 = 2.5                # s; or decay = sigma in 1/s, or q
//! mass = 0.08              # kg, modal mass for a shape of 1; or gain
//! shape = [1.0, -0.6, 1.0] # signed, equally spaced from end to end
//! ```
//!
//! Decay: sigma = ln(1000)/T60 = pi f/Q, f the damped frequency. Modes without a decay have the losses of the body.
//!
//! Gain: the amplitude of the mode in the impulse response from strike to pickup, velocity over force: g = phi_s phi_p/m. A mode
//! without shape gets m = M |g_max/g| and a straight shape from 1 at the strike to the sign of the gain at the pickups, which are at the
//! opposite end; a mode with a shape gets the mass that results in |g| there. Only ratios of gains matter.

use std::ops::RangeInclusive;

use crate::formats::{Located, TextError, figure};
use crate::import::mode_files::Form;
use crate::import::record::Record;
use crate::params::{BodyKind, ParamId, ParamValues};
use crate::patch::mode_list::too_fast;
use crate::patch::{ListedMode, MAX_DECAY_RATE, MAX_MODES, MAX_PLACES, MODE_RATIOS, Patch};
use crate::tuning::{KEYS, KeyFrequencies};

/// Minimum |phi_s phi_p| by which a gain is divided: closer to a node the mass would vanish.
const MIN_SHAPE: f64 = 1e-3;
/// Minimum mass of a mode from a gain, over the mass of the body.
const MIN_MASS: f64 = 1e-9;
/// Frequencies of partials that are accepted [Hz]: below a beat of minutes and far above hearing, a number is a mistake.
const FREQUENCIES: RangeInclusive<f64> = 0.01..=1e6;

/// The mass of a mode as the file gives it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Weight {
    Mass(f64),
    Gain(f64),
    Body,
}

/// One mode of the file.
struct Row {
    pitch: Located<f64>,
    is_ratio: bool,
    decay: Option<Located<Decay>>,
    weight: Weight,
    shape: Vec<f64>,
}

/// The decay of a mode as the file gives it.
#[derive(Clone, Copy)]
enum Decay {
    Rate(f64),
    Q(f64),
}

/// The patch of the modes in `text`, in order of frequency. Home key and tune are set such that the home key has the frequencies of the
/// file. Errors: the first error, with line, key and fix.
pub fn from_text(text: &str, form: Form) -> Result<Patch, TextError> {
    let mut root = form.read(text)?;
    let name = root.text("name")?.unwrap_or_default();
    let author = root.text("author")?.unwrap_or_default();
    let description = root.text("description")?.unwrap_or_default();
    let reference = frequency(root.positive("reference")?)?;
    let body_mass = in_range(root.positive("body_mass")?, ParamId::BodyMass)?;
    let place = root.missing("modes");
    let records = root.records("modes")?;
    root.finish()?;
    if records.is_empty() {
        return Err(place.fault("there are no modes", "give at least one, with its frequency"));
    }
    if let Some(surplus) = records.get(MAX_MODES) {
        let problem = format!("{} modes exceed the maximum of {MAX_MODES}", records.len());
        return Err(surplus.place().fault(problem, "leave out the weakest"));
    }
    let mut rows = records.into_iter().map(row).collect::<Result<Vec<_>, _>>()?;
    let reference = to_ratios(&mut rows, reference)?;
    rows.sort_by(|a, b| a.pitch.value.total_cmp(&b.pitch.value));
    let mut patch = Patch { name, author, description, ..Patch::default() };
    let by_gain = rows.iter().any(|row| matches!(row.weight, Weight::Gain(_)) && row.shape.is_empty());
    if by_gain {
        set_opposite_ends(&mut patch.settings);
    }
    let mass = body_mass.or_else(|| min_mass(&rows)).unwrap_or(patch.settings.get(ParamId::BodyMass));
    patch.settings.set(ParamId::BodyMass, mass);
    patch.modes = modes(&rows, reference, &patch)?;
    select_modes(&mut patch, reference);
    Ok(patch)
}

/// Sets the strike position to one end of the body and both pickups to the other, as gains imply.
pub fn set_opposite_ends(settings: &mut ParamValues) {
    for (id, position) in [(ParamId::StrikePosition, 0.0), (ParamId::PickupLeft, 1.0), (ParamId::PickupRight, 1.0)] {
        settings.set(id, position);
    }
}

/// Selects the list of modes of `patch` as its body; the home key is the one nearest to `hertz` [Hz], tuned to it.
pub fn select_modes(patch: &mut Patch, hertz: f64) {
    let settings = &mut patch.settings;
    settings.set(ParamId::Body, BodyKind::Modes as usize as f64);
    settings.set(ParamId::Modes, patch.modes.len() as f64);
    let equal = KeyFrequencies::default();
    let semitones = |key: u8| equal.hertz(key).map_or(f64::INFINITY, |of_key| 12.0 * (hertz / of_key).log2());
    let home = (0..KEYS as u8).min_by(|&a, &b| semitones(a).abs().total_cmp(&semitones(b).abs())).unwrap_or(60);
    settings.set(ParamId::HomeKey, f64::from(home));
    settings.set(ParamId::Tune, semitones(home));
}

/// A frequency that a partial may have.
fn frequency(number: Option<Located<f64>>) -> Result<Option<f64>, TextError> {
    match number {
        Some(Located { value, place }) if !FREQUENCIES.contains(&value) => {
            let problem = format!("{value:?} Hz is not the frequency of a partial");
            Err(place.fault(problem, format!("give {} to {} Hz", FREQUENCIES.start(), FREQUENCIES.end())))
        }
        number => Ok(number.map(|number| number.value)),
    }
}

fn in_range(number: Option<Located<f64>>, id: ParamId) -> Result<Option<f64>, TextError> {
    let param = id.spec();
    match number {
        Some(Located { value, place }) if !(param.min..=param.max).contains(&value) => {
            let remedy = format!("give {} to {} {}", param.min, param.max, param.unit);
            Err(place.fault(format!("{} is out of range", figure(value)), remedy))
        }
        number => Ok(number.map(|number| number.value)),
    }
}

/// The value of one of several mutually exclusive keys. Errors: two of them.
fn one_of(record: &mut Record, keys: &[&'static str]) -> Result<Option<(&'static str, Located<f64>)>, TextError> {
    let mut found: Option<(&'static str, Located<f64>)> = None;
    for &key in keys {
        let Some(number) = (if key == "gain" { record.number(key)? } else { record.positive(key)? }) else { continue };
        if let Some((other, _)) = found {
            return Err(number.place.fault(format!("conflicts with {other}"), "keep one of the two"));
        }
        found = Some((key, number));
    }
    Ok(found)
}

fn row(mut record: Record) -> Result<Row, TextError> {
    let pitch = one_of(&mut record, &["frequency", "ratio"])?;
    let decay = one_of(&mut record, &["t60", "decay", "q"])?;
    let weight = one_of(&mut record, &["mass", "gain"])?;
    let shape = record.numbers("shape")?;
    let missing = record.missing("frequency");
    record.finish()?;
    let Some((key, pitch)) = pitch else {
        return Err(missing.fault("missing", "give the mode's frequency in Hz, or its ratio"));
    };
    if key == "frequency" {
        frequency(Some(pitch.clone()))?;
    } else if !MODE_RATIOS.contains(&pitch.value) {
        let problem = format!("{} is out of range", figure(pitch.value));
        return Err(pitch
            .place
            .fault(problem, format!("give a ratio from {:e} to {:e}", MODE_RATIOS.start(), MODE_RATIOS.end())));
    }
    let weight = match weight {
        None => Weight::Body,
        Some(("mass", mass)) => Weight::Mass(mass.value),
        Some((_, gain)) if gain.value == 0.0 => {
            return Err(gain.place.fault("the gain is 0", "remove the mode, or give a gain that is not 0"));
        }
        Some((_, gain)) => Weight::Gain(gain.value),
    };
    let decay = decay.map(|(key, Located { value, place })| {
        let value = match key {
            "t60" => Decay::Rate(1000_f64.ln() / value),
            "decay" => Decay::Rate(value),
            _ => Decay::Q(value),
        };
        Located { value, place }
    });
    let shape = match shape {
        Some(Located { value, place }) if !(2..=MAX_PLACES).contains(&value.len()) || value.iter().all(|&phi| phi == 0.0) => {
            return Err(place.fault("invalid shape", format!("give 2 to {MAX_PLACES} values, not all zero, or leave it out")));
        }
        shape => shape.map(|shape| shape.value).unwrap_or_default(),
    };
    Ok(Row { is_ratio: key == "ratio", pitch, decay, weight, shape })
}

/// Converts all frequencies to ratios; returns the frequency of the ratio 1 [Hz]. Errors: frequencies and ratios without a reference.
fn to_ratios(rows: &mut [Row], reference: Option<f64>) -> Result<f64, TextError> {
    let lowest = rows.iter().filter(|row| !row.is_ratio).map(|row| row.pitch.value).min_by(f64::total_cmp);
    if let (None, Some(_), Some(row)) = (reference, lowest, rows.iter().find(|row| row.is_ratio)) {
        let remedy = "give the frequency of the ratio 1 as reference, or the mode's frequency";
        return Err(row.pitch.place.fault("a ratio among frequencies", remedy));
    }
    // ratios alone have no pitch: the home key gets that of middle C
    let hertz = reference.or(lowest).or(KeyFrequencies::default().hertz(60)).unwrap_or(1.0);
    rows.iter_mut().filter(|row| !row.is_ratio).for_each(|row| row.pitch.value /= hertz);
    Ok(hertz)
}

/// The smallest modal mass in the file, used as the mass of the body.
fn min_mass(rows: &[Row]) -> Option<f64> {
    let masses = rows.iter().filter_map(|row| if let Weight::Mass(mass) = row.weight { Some(mass) } else { None });
    masses.min_by(f64::total_cmp)
}

/// Errors: a mode that decays too fast.
fn modes(rows: &[Row], reference: f64, patch: &Patch) -> Result<Vec<ListedMode>, TextError> {
    let at = |shape: &[f64], id| phi(shape, patch.settings.get(id));
    let product = |row: &Row| {
        if row.shape.is_empty() {
            return 1.0;
        }
        let strike = at(&row.shape, ParamId::StrikePosition);
        let pickup = at(&row.shape, ParamId::PickupLeft).abs().max(at(&row.shape, ParamId::PickupRight).abs());
        (strike.abs() * pickup).max(MIN_SHAPE)
    };
    let gains = rows.iter().filter_map(|row| if let Weight::Gain(gain) = row.weight { Some(gain.abs()) } else { None });
    let strongest = gains.fold(0.0, f64::max);
    let mode = |row: &Row| {
        let mass = match row.weight {
            Weight::Body => 1.0,
            Weight::Mass(mass) => mass / patch.settings.get(ParamId::BodyMass),
            Weight::Gain(gain) => (product(row) * strongest / gain.abs()).max(MIN_MASS),
        };
        let shape = match row.weight {
            Weight::Gain(gain) if row.shape.is_empty() => vec![1.0, gain.signum()],
            _ => row.shape.clone(),
        };
        let decay = row.decay.as_ref().map(|Located { value, place }| {
            let rate = match value {
                Decay::Rate(rate) => *rate,
                Decay::Q(q) => std::f64::consts::PI * row.pitch.value * reference / q,
            };
            if rate <= MAX_DECAY_RATE { Ok(rate) } else { Err(too_fast(rate, place)) }
        });
        Ok(ListedMode { ratio: row.pitch.value, decay: decay.transpose()?, mass, shape: shape.into() })
    };
    rows.iter().map(mode).collect()
}

/// The shape at `xi`, linear between its points.
fn phi(shape: &[f64], xi: f64) -> f64 {
    let place = xi.clamp(0.0, 1.0) * (shape.len() - 1) as f64;
    let i = (place as usize).min(shape.len() - 2);
    shape[i] + (place - i as f64) * (shape[i + 1] - shape[i])
}
