//! CASE.toml: reads and checks the file of one experiment.

use std::path::Path;

use urto_engine::formats::{Located, TextError, TextLocation, TomlSection, figure, or_nearest};
use urto_engine::params::value_text;
use urto_physics::contact::ContactLaw;
use urto_physics::lab::{Corrections, Experiment, LabMode, LabStriker, Method};

use crate::io::CliError;
use crate::io::error::read_text;

/// Values of `corrections`.
const CORRECTIONS: &[(&str, Corrections)] =
    &[("false", Corrections::None), ("true", Corrections::Paper), ("exact", Corrections::Exact)];
/// What the messages ask for: [`SAMPLE_RATES`], and the ranges of the functions below.
const RATE: &str = "a rate from 1000 to 1e7 Hz, for example 48000 or \"48 kHz\"";
const STIFFNESS: &str = "a stiffness above 0 and up to 1e30 N/m^alpha, for example 1e7";
const MASS: &str = "a mass from 1e-12 to 1e12 kg, for example 0.012 or \"12 g\"";
const MODAL_MASS: &str = "a modal mass from 1e-12 to 1e12 kg, for example 0.05 or \"50 g\"";
const VELOCITY: &str = "a velocity from -1e4 to 1e4 m/s, for example 0.3 or \"30 cm/s\"";
const DECAY: &str = "a decay rate >= 0 and up to 1e9 1/s, for example 2.0";
/// Substeps of a contact by default.
const SUBSTEPS: f64 = 16.0;
/// Range of `segments`, of the piecewise scheme.
const SEGMENTS: std::ops::RangeInclusive<f64> = 1.0..=1e3;
/// Range of `sample_rate` [Hz].
const SAMPLE_RATES: std::ops::RangeInclusive<f64> = 1e3..=1e7;
/// Maximum duration [s].
const MAX_DURATION: f64 = 600.0;
/// Maximum number of samples.
const MAX_SAMPLES: f64 = 1e9;
/// Maximum number of modes of a striker or a body.
const MAX_MODES: usize = 4096;
/// Maximum frequency of a mode, relative to the sample rate.
const MAX_RELATIVE_FREQUENCY: f64 = 0.48;

/// The experiment in `file`. Errors: the first fault, with line, key and remedy.
pub fn read(file: &Path) -> Result<Experiment, CliError> {
    from_text(&read_text(file)?).map_err(|fault| CliError::at(file, &fault))
}

/// The experiment in the text of a file. Errors: the first fault, with line, key and remedy.
pub fn from_text(text: &str) -> Result<Experiment, TextError> {
    let mut root = TomlSection::parse(text)?;
    let sample_rate = quantity(&mut root, ("sample_rate", "Hz"), Some(44_100.0), |rate| SAMPLE_RATES.contains(&rate), RATE)?;
    let duration = duration(&mut root, sample_rate)?;
    let (method, scheme_place) = method(&mut root)?;
    let (corrections, corrections_place) = corrections(&mut root)?;
    let substeps_per_contact = substeps_per_contact(&mut root, method)?;
    let law = law(required(&mut root, "contact")?)?;
    let striker = striker(required(&mut root, "striker")?, sample_rate)?;
    let body = match root.section("body")? {
        None => Vec::new(),
        Some(mut section) => {
            let modes = modes(&mut section, sample_rate)?;
            section.finish()?;
            modes
        }
    };
    root.finish()?;
    method.can(&law).map_err(|possible| scheme_place.fault("this scheme does not support this law", possible))?;
    let experiment = Experiment { sample_rate, duration, substeps_per_contact, law, method, corrections, striker, body };
    experiment.corrections_fault().map_or(Ok(experiment), |(problem, remedy)| Err(corrections_place.fault(problem, remedy)))
}

fn method(root: &mut TomlSection) -> Result<(Method, TextLocation), TextError> {
    let name = one_of(root, "scheme", Method::NAMES)?;
    let place = name.as_ref().map_or_else(|| root.missing("scheme"), |name| name.place.clone());
    let mut method = name.and_then(|name| Method::named(&name.value)).unwrap_or_default();
    if let Some(Located { value, place }) = root.number("segments")? {
        let Method::Piecewise { segments } = &mut method else {
            return Err(place.fault("only the piecewise scheme has segments", "remove it, or choose scheme = \"piecewise\""));
        };
        if !(SEGMENTS.contains(&value) && value.fract() == 0.0) {
            return Err(place.fault(format!("{} is out of range", figure(value)), "give a whole number from 1 to 1000"));
        }
        *segments = value as usize;
    }
    Ok((method, place))
}

fn substeps_per_contact(root: &mut TomlSection, method: Method) -> Result<f64, TextError> {
    match root.number("substeps_per_contact")? {
        None => Ok(SUBSTEPS),
        Some(Located { place, .. }) if method != Method::Edg => {
            Err(place.fault("only the edg scheme has substeps", "remove it, or choose scheme = \"edg\""))
        }
        Some(Located { value, .. }) if (1.0..=1e6).contains(&value) => Ok(value),
        Some(Located { value, place }) => {
            Err(place.fault(format!("{} is out of range", figure(value)), "give a number from 1 to 1e6"))
        }
    }
}

fn corrections(root: &mut TomlSection) -> Result<(Corrections, TextLocation), TextError> {
    let absent = root.missing("corrections");
    let Some(Located { value, place }) = root.word("corrections")? else { return Ok((Corrections::None, absent)) };
    let known = CORRECTIONS.iter().find(|(name, _)| *name == value);
    let unknown = || place.fault(format!("\"{value}\" is unknown"), "possible values are false, true or \"exact\"");
    Ok((known.ok_or_else(unknown)?.1, place))
}

fn required<'a>(root: &mut TomlSection<'a>, key: &str) -> Result<TomlSection<'a>, TextError> {
    root.section(key)?.ok_or_else(|| root.missing(key).fault("missing", format!("add a section [{key}]")))
}

fn duration(root: &mut TomlSection, sample_rate: f64) -> Result<Option<f64>, TextError> {
    let Some(Located { value, place }) =
        root.quantity("duration", |text| value_text::number(text, "s"), &value_text::examples("s"))?
    else {
        return Ok(None);
    };
    let max_duration = MAX_DURATION.min(MAX_SAMPLES / sample_rate);
    if value > 0.0 && value <= max_duration {
        return Ok(Some(value));
    }
    let remedy = format!(
        "give a time above 0 and up to {max_duration} s, for example 0.01 or \"10 ms\", or remove it to end after the first contact"
    );
    Err(place.fault(format!("a duration of {} s is not possible", figure(value)), remedy))
}

fn law(mut section: TomlSection) -> Result<ContactLaw, TextError> {
    let name = one_of(&mut section, "law", ContactLaw::NAMES)?.map_or_else(|| ContactLaw::NAMES[0].into(), |name| name.value);
    let stiffness = quantity(&mut section, ("stiffness", ""), None, |k| k > 0.0 && k <= 1e30, STIFFNESS)?;
    let mut exponent =
        || quantity(&mut section, ("exponent", ""), None, |alpha| (1.0..=5.0).contains(&alpha), "an exponent from 1 to 5");
    let law = match name.as_str() {
        "linear" => {
            let allowed = "a damping c >= 0 and up to 1e12 N s/m, for example 2.0";
            let damping = quantity(&mut section, ("damping", "N s/m"), Some(0.0), |c| (0.0..=1e12).contains(&c), allowed)?;
            ContactLaw::linear(stiffness, damping)
        }
        "restitution" => {
            let (exponent, allowed) = (exponent()?, "the returned fraction of the energy, from 1e-6 to 1");
            ContactLaw::restitution(stiffness, exponent, quantity(&mut section, ("restitution", ""), None, is_fraction, allowed)?)
        }
        "felt" => {
            let exponent = exponent()?;
            let allowed = "the relaxing fraction of the force, from 0 to 0.9999";
            let epsilon = quantity(&mut section, ("relaxation", ""), None, |e| (0.0..=0.9999).contains(&e), allowed)?;
            let allowed = "a time from 1e-7 to 1e3 s, for example 1e-3 or \"1 ms\"";
            let tau = quantity(&mut section, ("relaxation_time", "s"), None, |tau| (1e-7..=1e3).contains(&tau), allowed)?;
            ContactLaw::felt(stiffness, exponent, epsilon, tau)
        }
        _ => {
            let exponent = exponent()?;
            let allowed = "a loss mu >= 0 and up to 1e6 s/m, for example 0.1";
            let damping = quantity(&mut section, ("damping", "s/m"), Some(0.0), |mu| (0.0..=1e6).contains(&mu), allowed)?;
            ContactLaw::hunt_crossley(stiffness, exponent, damping)
        }
    };
    section.finish()?;
    Ok(law)
}

fn is_fraction(fraction: f64) -> bool {
    (1e-6..=1.0).contains(&fraction)
}

fn striker(mut section: TomlSection, sample_rate: f64) -> Result<LabStriker, TextError> {
    let mass = quantity(&mut section, ("mass", "kg"), None, is_mass, MASS)?;
    let velocity = quantity(&mut section, ("velocity", "m/s"), None, |v| v.abs() <= 1e4, VELOCITY)?;
    let allowed = "0 (touching) or a negative compression (a gap) down to -1e3 m, for example -1e-3 or \"-1 mm\"";
    let position = quantity(&mut section, ("position", "m"), Some(0.0), |x| (-1e3..=0.0).contains(&x), allowed)?;
    let gravity =
        quantity(&mut section, ("gravity", "m/s^2"), Some(0.0), |g| g.abs() <= 1e6, "an acceleration from -1e6 to 1e6 m/s^2")?;
    let modes = modes(&mut section, sample_rate)?;
    section.finish()?;
    Ok(LabStriker { mass, velocity, position, gravity, modes })
}

fn modes(section: &mut TomlSection, sample_rate: f64) -> Result<Vec<LabMode>, TextError> {
    let list = section.sections("modes")?;
    if let Some(surplus) = list.get(MAX_MODES) {
        return Err(surplus.place().fault(format!("more than {MAX_MODES} modes"), format!("give at most {MAX_MODES}")));
    }
    list.into_iter().map(|mode| lab_mode(mode, sample_rate)).collect()
}

fn lab_mode(mut section: TomlSection, sample_rate: f64) -> Result<LabMode, TextError> {
    let max_frequency = MAX_RELATIVE_FREQUENCY * sample_rate;
    let allowed = format!(
        "a frequency from 0 (rigid motion) to {max_frequency} Hz ({MAX_RELATIVE_FREQUENCY} of the sample rate), or raise sample_rate"
    );
    let frequency = quantity(&mut section, ("frequency", "Hz"), None, |f| (0.0..=max_frequency).contains(&f), &allowed)?;
    let decay = quantity(&mut section, ("decay", "1/s"), None, |sigma| (0.0..=1e9).contains(&sigma), DECAY)?;
    let mass = quantity(&mut section, ("mass", "kg"), None, is_mass, MODAL_MASS)?;
    let shape = quantity(&mut section, ("shape", ""), Some(1.0), |phi| phi.abs() <= 1e6, "a shape from -1e6 to 1e6")?;
    section.finish()?;
    Ok(LabMode { frequency, decay, mass, shape })
}

/// Below, speeds and energies of the same contact differ by more than a number of 64 bits resolves.
fn is_mass(mass: f64) -> bool {
    (1e-12..=1e12).contains(&mass)
}

/// The number under `key`, in `unit` or as a text with another unit, checked by `is_valid`; the default if it is absent. `allowed` describes
/// valid numbers for the message.
fn quantity(
    section: &mut TomlSection,
    (key, unit): (&str, &str),
    default: Option<f64>,
    is_valid: impl Fn(f64) -> bool,
    allowed: &str,
) -> Result<f64, TextError> {
    match (section.quantity(key, |text| value_text::number(text, unit), &value_text::examples(unit))?, default) {
        (Some(Located { value, .. }), _) if is_valid(value) => Ok(value),
        (Some(Located { value, place }), _) => {
            Err(place.fault(format!("{} is out of range", figure(value)), format!("give {allowed}")))
        }
        (None, Some(default)) => Ok(default),
        (None, None) => Err(section.missing(key).fault("missing", format!("give {allowed}"))),
    }
}

/// The string under `key`, if present; it must be one of `names`.
fn one_of(section: &mut TomlSection, key: &str, names: &[&str]) -> Result<Option<Located<String>>, TextError> {
    let unknown = |place: &TextLocation, name: &str| {
        let near = or_nearest(name, names.iter().copied());
        let names: Vec<_> = names.iter().map(|name| format!("\"{name}\"")).collect();
        place.fault(format!("\"{name}\" is unknown{near}"), format!("possible values are {}", names.join(" or ")))
    };
    match section.string(key)? {
        Some(Located { value, place }) if !names.contains(&value.as_str()) => Err(unknown(&place, &value)),
        found => Ok(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const CASE: &str = "duration = 0.01\n[contact]\nstiffness = 1e7\nexponent = 1.1\n[striker]\nmass = 0.01\nvelocity = 0.3\n\
        [body]\nmodes = [{ frequency = 220.0, decay = 2.0, mass = 0.05, shape = -1.0 }]\n";

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]
        #[test]
        fn a_damaged_case_is_a_fault_or_a_valid_experiment(
            damage in prop::collection::vec((0..CASE.len(), prop::sample::select(b"0123456789.-e=[]{}\"'\n #amnif".to_vec())), 1..5),
        ) {
            let mut bytes = CASE.as_bytes().to_vec();
            damage.into_iter().for_each(|(place, byte)| bytes[place] = byte);
            let text = String::from_utf8(bytes).expect("ASCII");
            if let Ok(Experiment { duration, striker, body, .. }) = from_text(&text) {
                prop_assert!(duration.is_none_or(|time| time > 0.0 && time <= MAX_DURATION));
                prop_assert!(striker.mass > 0.0 && striker.position <= 0.0);
                prop_assert!(body.iter().all(|mode| mode.mass > 0.0 && mode.frequency <= MAX_RELATIVE_FREQUENCY * 1e7));
            }
        }
    }
}
