//! RECORDINGS.toml: which recordings belong to which preset, key and velocity.

use std::path::Path;

use urto_engine::formats::{Located, TextError, TextLocation, TomlSection, figure};
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
/// Most characters of the name of a kind.
const MAX_LETTERS: usize = 100;
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

/// A place in the map, for messages. It does not make two sections different.
#[derive(Clone, Debug)]
pub struct MapPlace(TextLocation);

impl PartialEq for MapPlace {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// The map, and the folder of its recordings.
#[derive(Clone, Copy)]
pub struct Recordings<'a> {
    /// The map, for messages.
    pub map: &'a Path,
    /// The folder.
    pub folder: &'a Path,
}

impl Recordings<'_> {
    /// A recording of `instrument` that the map names at `place`, from 2 ms before its onset, at most as long as the map says. Errors: those
    /// of [`Sound::read`], with the place.
    pub fn sound(self, instrument: &Instrument, file: &str, place: &MapPlace) -> Result<Sound, CliError> {
        let sound = Sound::read(&self.folder.join(file)).map_err(|error| self.at(place, error))?;
        Ok(trimmed(&from_second(sound, instrument.from), instrument.longest))
    }

    /// `error` at a place of the map.
    pub fn at(self, place: &MapPlace, error: CliError) -> CliError {
        error.within(self.map, &place.0)
    }
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
    /// Place of its file.
    pub place: MapPlace,
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
    /// Places of preset, parameters and other recordings.
    pub places: InstrumentPlaces,
}

/// Where an instrument names what it needs.
#[derive(Clone, Debug, PartialEq)]
pub struct InstrumentPlaces {
    /// The preset.
    pub preset: MapPlace,
    /// The parameters.
    pub set: MapPlace,
    /// Recordings of other instruments.
    pub others: MapPlace,
}

/// Recordings of other instruments of the kind of `instrument`: those that it names, and the middle stroke of every other section of the
/// kind.
pub fn others_of<'a>(instrument: &'a Instrument, all: &'a [Instrument]) -> Vec<OtherRecording<'a>> {
    let named = instrument.others.iter().map(|file| OtherRecording { owner: instrument, file, place: &instrument.places.others });
    let is_other = |other: &&Instrument| other.kind == instrument.kind && *other != instrument;
    let sections = all.iter().filter(is_other).map(|owner| {
        let RecordedStroke { file, place, .. } = &owner.strokes[owner.strokes.len() / 2];
        OtherRecording { owner, file, place }
    });
    named.chain(sections).collect()
}

/// A recording of another instrument.
#[derive(Clone, Copy)]
pub struct OtherRecording<'a> {
    /// The section that says how it is read.
    pub owner: &'a Instrument,
    /// Its file.
    pub file: &'a str,
    /// Where the map names it.
    pub place: &'a MapPlace,
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
    let kind = kind(&mut section)?;
    let preset = section.string("preset")?;
    let key = key(&mut section)?;
    let matching = matching(&mut section)?;
    let in_range = |value: f64, range: std::ops::RangeInclusive<f64>| range.contains(&value);
    let shift = number(&mut section, "shift", |value| in_range(value, -48.0..=48.0), "give -48 to 48 semitones, for example 0")?;
    let most = number(&mut section, "most", |value| in_range(value, 0.0..=SEARCHED.1), "give 0 to 48 semitones, for example 7")?;
    let longest = number(&mut section, "longest", |value| in_range(value, 0.05..=LONGEST.1), "give 0.05 to 60 s, for example 8")?;
    let from = number(&mut section, "from", |value| in_range(value, 0.0..=LONGEST.1), "give 0 to 60 s, for example 0.5")?;
    let range = number(&mut section, "range", |value| in_range(value, 10.0..=RANGE.1), "give 10 to 120 dB, for example 50")?;
    let set = section.strings("set")?;
    let others = section.strings("others")?;
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
    let absent = |key: &str| section.missing(key);
    let places = InstrumentPlaces {
        preset: MapPlace(preset.as_ref().map_or_else(|| absent("preset"), |preset| preset.place.clone())),
        set: MapPlace(set.as_ref().map_or_else(|| absent("set"), |set| set.place.clone())),
        others: MapPlace(others.as_ref().map_or_else(|| absent("others"), |others| others.place.clone())),
    };
    Ok(Instrument {
        kind,
        preset: preset.map(|preset| preset.value),
        set: set.map(|set| set.value).unwrap_or_default(),
        shift,
        matching,
        most: most.unwrap_or(SEARCHED.0),
        longest: longest.unwrap_or(LONGEST.0),
        from: from.unwrap_or(0.0),
        range: range.unwrap_or(RANGE.0),
        strokes,
        others: others.map(|others| others.value).unwrap_or_default(),
        neighbour,
        places,
    })
}

/// The kind: a text that can be the beginning of the name of a file.
fn kind(section: &mut TomlSection) -> Result<String, TextError> {
    let Located { value, place } = required(section, "kind", "give a name, for example kind = \"crash\"")?;
    let problem = match value.chars().count() {
        _ if value.trim().is_empty() => "the name is empty".into(),
        letters if letters > MAX_LETTERS => format!("a name of {letters} characters is too long"),
        _ => return Ok(value),
    };
    Err(place.fault(problem, format!("give a name of 1 to {MAX_LETTERS} characters, for example \"crash\"")))
}

fn stroke(mut section: TomlSection, instrument_key: f64, is_compared: bool) -> Result<RecordedStroke, TextError> {
    let file = required(&mut section, "file", "give a file, for example file = \"crash.wav\"")?;
    let is_velocity = |value: f64| (1.0..=127.0).contains(&value) && value.fract() == 0.0;
    let velocity = number(&mut section, "velocity", is_velocity, "give a whole number from 1 to 127, for example 100")?;
    let key = key(&mut section)?.unwrap_or(instrument_key);
    section.finish()?;
    let velocity = velocity.unwrap_or(VELOCITY) as u8;
    Ok(RecordedStroke { file: file.value, velocity, key, is_compared, place: MapPlace(file.place) })
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
        Some(Located { value, place }) if !is_allowed(value) => {
            Err(place.fault(format!("{} is out of range", figure(value)), remedy))
        }
        found => Ok(found.map(|found| found.value)),
    }
}

/// The key: a number, which may have a fraction, or a note.
fn key(section: &mut TomlSection) -> Result<Option<f64>, TextError> {
    let Some(Located { value, place }) =
        section.quantity("key", |text| value_text::key(text).map(f64::from), value_text::KEY_EXAMPLES)?
    else {
        return Ok(None);
    };
    if (0.0..=127.0).contains(&value) {
        return Ok(Some(value));
    }
    Err(place
        .fault(format!("{} is not a key", figure(value)), "give a key from 0 to 127 or a note, for example 60, 60.25 or \"C4\""))
}

fn matching(section: &mut TomlSection) -> Result<Matching, TextError> {
    let Some(Located { value, place }) = section.string("match")? else { return Ok(Matching::Spectrum) };
    let known = MATCHES.iter().find(|(name, _)| *name == value);
    known.map(|(_, matching)| *matching).ok_or_else(|| {
        place.fault(format!("\"{value}\" is no way to match pitches"), "possible values are \"spectrum\" and \"peak\"")
    })
}
