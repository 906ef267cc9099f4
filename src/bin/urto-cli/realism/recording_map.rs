//! RECORDINGS.toml: which recordings belong to which preset, key and velocity.

use std::path::Path;

use urto_engine::formats::{Located, TextError, TomlSection};
use urto_engine::params::value_text;

use crate::io::error::read_text;
use crate::io::{CliError, Sound};
use crate::realism::stroke::{from_second, trimmed};

/// Values of `match`.
const MATCHES: &[(&str, Matching)] = &[("spectrum", Matching::Spectrum), ("peak", Matching::Peak)];
/// Semitones that are searched by default, and at most.
const SEARCHED: (f64, f64) = (7.0, 48.0);
/// Longest part of a recording that is compared by default, and at most [s].
const LONGEST: (f64, f64) = (8.0, 60.0);
/// How far below the maximum cells of the spectrogram count by default, and at most [dB].
const RANGE: (f64, f64) = (50.0, 120.0);
/// Velocity of a stroke without one.
const VELOCITY: f64 = 100.0;

/// How the pitch of a preset is matched with that of the recordings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Matching {
    /// By the likeness of the spectra.
    Spectrum,
    /// By the highest of the twelve strongest partials.
    Peak,
}

/// One recorded stroke of an instrument.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedStroke {
    /// File below the folder of the recordings; `FILE.sf2#NAME` is a sample of a soundfont.
    pub file: String,
    /// MIDI velocity at which it is compared.
    pub velocity: u8,
    /// Key at which it is compared.
    pub key: f64,
    /// Whether a preset is compared with it. Others only calibrate the measure.
    pub is_compared: bool,
}

/// The recordings of one instrument.
#[derive(Clone, Debug, PartialEq)]
pub struct Instrument {
    /// Name of the kind, such as "crash".
    pub kind: String,
    /// Preset or file that is compared; without one the strokes only calibrate the measure.
    pub preset: Option<String>,
    /// Parameters that are set after the preset, as in `--set`.
    pub set: Vec<String>,
    /// Semitones by which the preset is played higher; `None` to find them.
    pub shift: Option<f64>,
    /// How they are found.
    pub matching: Matching,
    /// Most semitones that are searched.
    pub most: f64,
    /// Longest part that is compared [s].
    pub longest: f64,
    /// Start of the recordings that is skipped [s].
    pub from: f64,
    /// How far below the maximum cells count [dB].
    pub range: f64,
    /// Strokes of one instrument.
    pub strokes: Vec<RecordedStroke>,
    /// Recordings of other instruments of this kind.
    pub others: Vec<String>,
    /// The kind that is nearest to this one without being it.
    pub neighbour: Option<String>,
}

impl Instrument {
    /// A recording from 2 ms before its onset, at most as long as the map says. Errors: those of [`Sound::read`].
    pub fn sound(&self, folder: &Path, file: &str) -> Result<Sound, CliError> {
        Ok(trimmed(&from_second(Sound::read(&folder.join(file))?, self.from), self.longest))
    }
}

/// Recordings of other instruments of the kind of `instrument`: those that it names, and the middle stroke of every other section of the
/// kind. Each comes with the section that says how it is read.
pub fn others_of<'a>(instrument: &'a Instrument, all: &'a [Instrument]) -> Vec<(&'a Instrument, &'a str)> {
    let named = instrument.others.iter().map(|file| (instrument, file.as_str()));
    let is_other = |other: &&Instrument| other.kind == instrument.kind && *other != instrument;
    let sections = all.iter().filter(is_other).map(|other| (other, other.strokes[other.strokes.len() / 2].file.as_str()));
    named.chain(sections).collect()
}

/// The instruments in `file`. Errors: the first fault, with line, key and remedy.
pub fn read(file: &Path) -> Result<Vec<Instrument>, CliError> {
    from_text(&read_text(file)?).map_err(|fault| CliError::at(file, &fault))
}

/// The instruments in the text of a map. Errors: the first fault, with line, key and remedy.
pub fn from_text(text: &str) -> Result<Vec<Instrument>, TextError> {
    let mut root = TomlSection::parse(text)?;
    for mut source in root.sections("sources")? {
        for key in ["folder", "from", "licence"] {
            source.string(key)?;
        }
        source.finish()?;
    }
    let instruments: Vec<Instrument> = root.sections("instruments")?.into_iter().map(instrument).collect::<Result<_, _>>()?;
    let missing = root.missing("instruments");
    root.finish()?;
    if instruments.is_empty() {
        return Err(missing.fault("missing", "add a section [[instruments]] with kind, preset, key and strokes"));
    }
    for instrument in &instruments {
        let is_known = |name: &String| instruments.iter().any(|other| other.kind == *name && other.kind != instrument.kind);
        if let Some(name) = instrument.neighbour.as_ref().filter(|name| !is_known(name)) {
            let problem = format!("\"{}\" names the neighbour \"{name}\", which is no other kind", instrument.kind);
            return Err(missing.fault(problem, "give the kind of another section [[instruments]]"));
        }
    }
    Ok(instruments)
}

fn instrument(mut section: TomlSection) -> Result<Instrument, TextError> {
    let kind = required(&mut section, "kind", "give a name, for example kind = \"crash\"")?.value;
    let preset = section.string("preset")?.map(|name| name.value);
    let key = key(&mut section)?;
    let matching = matching(&mut section)?;
    let in_range = |value: f64, range: std::ops::RangeInclusive<f64>| range.contains(&value);
    let shift = number(&mut section, "shift", |value| in_range(value, -48.0..=48.0), "give -48 to 48 semitones, for example 0")?;
    let most = number(&mut section, "most", |value| in_range(value, 0.0..=SEARCHED.1), "give 0 to 48 semitones, for example 7")?;
    let longest = number(&mut section, "longest", |value| in_range(value, 0.05..=LONGEST.1), "give 0.05 to 60 s, for example 8")?;
    let from = number(&mut section, "from", |value| in_range(value, 0.0..=LONGEST.1), "give 0 to 60 s, for example 0.5")?;
    let range = number(&mut section, "range", |value| in_range(value, 10.0..=RANGE.1), "give 10 to 120 dB, for example 50")?;
    let set = section.strings("set")?.map_or_else(Vec::new, |list| list.value);
    let others = section.strings("others")?.map_or_else(Vec::new, |list| list.value);
    let neighbour = section.string("neighbour")?.map(|name| name.value);
    let mut strokes = Vec::new();
    for (list, is_compared) in [("strokes", true), ("takes", false)] {
        for item in section.sections(list)? {
            strokes.push(stroke(item, key.unwrap_or(60.0), is_compared)?);
        }
    }
    if strokes.is_empty() {
        let remedy = "add strokes = [{ file = \"crash.wav\", velocity = 100 }]";
        return Err(section.missing("strokes").fault("missing", remedy));
    }
    if preset.is_some() && key.is_none() {
        return Err(section.missing("key").fault("missing", "give the key that the preset plays, for example 60 or \"C4\""));
    }
    section.finish()?;
    Ok(Instrument {
        kind,
        preset,
        set,
        shift,
        matching,
        most: most.unwrap_or(SEARCHED.0),
        longest: longest.unwrap_or(LONGEST.0),
        from: from.unwrap_or(0.0),
        range: range.unwrap_or(RANGE.0),
        strokes,
        others,
        neighbour,
    })
}

fn stroke(mut section: TomlSection, instrument_key: f64, is_compared: bool) -> Result<RecordedStroke, TextError> {
    let file = required(&mut section, "file", "give a file, for example file = \"crash.wav\"")?.value;
    let is_velocity = |value: f64| (1.0..=127.0).contains(&value) && value.fract() == 0.0;
    let velocity = number(&mut section, "velocity", is_velocity, "give a whole number from 1 to 127, for example 100")?;
    let key = key(&mut section)?.unwrap_or(instrument_key);
    section.finish()?;
    Ok(RecordedStroke { file, velocity: velocity.unwrap_or(VELOCITY) as u8, key, is_compared })
}

fn required(section: &mut TomlSection, key: &str, remedy: &str) -> Result<Located<String>, TextError> {
    section.string(key)?.ok_or_else(|| section.missing(key).fault("missing", remedy))
}

fn number(
    section: &mut TomlSection,
    key: &str,
    is_allowed: impl Fn(f64) -> bool,
    remedy: &str,
) -> Result<Option<f64>, TextError> {
    match section.number(key)? {
        Some(Located { value, place }) if !is_allowed(value) => Err(place.fault(format!("{value} is out of range"), remedy)),
        found => Ok(found.map(|found| found.value)),
    }
}

/// The key: a number, which may have a fraction, or a note.
fn key(section: &mut TomlSection) -> Result<Option<f64>, TextError> {
    let Some(Located { value, place }) = section.quantity("key", |text| value_text::key(text).map(f64::from))? else {
        return Ok(None);
    };
    if (0.0..=127.0).contains(&value) {
        return Ok(Some(value));
    }
    Err(place.fault(format!("{value} is not a key"), "give a key from 0 to 127 or a note, for example 60, 60.25 or \"C4\""))
}

fn matching(section: &mut TomlSection) -> Result<Matching, TextError> {
    let Some(Located { value, place }) = section.string("match")? else { return Ok(Matching::Spectrum) };
    let known = MATCHES.iter().find(|(name, _)| *name == value);
    known.map(|(_, matching)| *matching).ok_or_else(|| {
        place.fault(format!("\"{value}\" is no way to match pitches"), "possible values are \"spectrum\" and \"peak\"")
    })
}
