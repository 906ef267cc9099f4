//! How a patch is tuned, and the section `[tuning]` of its text:
//!
//! ```toml
//! [tuning]
//! scale = "pelog"        # a built-in scale, or the text of a Scala .scl file; "equal" without it
//! map = """..."""        # the text of a .kbm file; without it the scale begins on key 60 and every key is one note
//! reference_key = 69     # in place of the map's; 69 without both
//! reference = 440.0      # Hz, of the reference key
//! ```
//!
//! What of it a host may automate is a knob: concert pitch, stretch, what sounding notes do, whether a master is followed.

use std::fmt::Write;

use crate::formats::{Located, TextError, TextLocation, TomlSection};
use crate::tuning::key_frequencies::{FREQUENCIES, KEYS, KeyFrequencies, Part, ReferencePitch, TuningSource};

/// Name of the section.
pub const SECTION: &str = "tuning";

/// How a patch is tuned.
#[derive(Clone, Debug, PartialEq)]
pub struct PatchTuning {
    source: TuningSource,
    tuning: KeyFrequencies,
    centre: f64,
}

impl Default for PatchTuning {
    fn default() -> Self {
        Self { source: TuningSource::default(), tuning: KeyFrequencies::default(), centre: ReferencePitch::default().hertz }
    }
}

impl PatchTuning {
    /// Tuned as `source` says. Errors: as [`Source::tuning`].
    pub fn new(source: TuningSource) -> Result<Self, (Part, TextError)> {
        let (tuning, start) = (source.tuning()?, source.start().map_err(|fault| (Part::Map, fault))?);
        Ok(Self { tuning, centre: start.hertz, source })
    }

    /// What it is made from.
    pub fn source(&self) -> &TuningSource {
        &self.source
    }

    /// The frequency of every key, before the knobs of pitch.
    pub fn tuning(&self) -> &KeyFrequencies {
        &self.tuning
    }

    /// Frequency of the reference key [Hz], around which the tuning is stretched.
    pub fn centre(&self) -> f64 {
        self.centre
    }
}

/// Reads the section. Errors: the first thing that is wrong, with line, key and remedy.
pub fn read(mut section: TomlSection) -> Result<PatchTuning, TextError> {
    let mut source = TuningSource::default();
    let mut places: [TextLocation; 3] = ["scale", "map", "reference"].map(|key| section.missing(key));
    let mut keep = |part: Part, place: TextLocation| places[part as usize] = place;
    if let Some(Located { value, place }) = section.string("scale")? {
        source.scale = value;
        keep(Part::Scale, place);
    }
    if let Some(Located { value, place }) = section.string("map")? {
        source.map = Some(value);
        keep(Part::Map, place);
    }
    if let Some((reference, place)) = read_reference(&mut section)? {
        source.reference = Some(reference);
        keep(Part::Reference, place);
    }
    let intonation = PatchTuning::new(source).map_err(|(part, fault)| within(&places[part as usize], fault))?;
    section.finish()?;
    Ok(intonation)
}

/// The section as text. Reading it gives back the same.
pub fn write(intonation: &PatchTuning, text: &mut String) {
    let TuningSource { scale, map, reference } = intonation.source();
    let quoted = |text: &str| toml::Value::from(text).to_string();
    let _ = writeln!(text, "\n[{SECTION}]\nscale = {}", quoted(scale));
    if let Some(map) = map {
        let _ = writeln!(text, "map = {}", quoted(map));
    }
    if let Some(ReferencePitch { key, hertz }) = reference {
        let _ = writeln!(text, "reference_key = {key}\nreference = {hertz:?}  # Hz");
    }
}

fn read_reference(section: &mut TomlSection) -> Result<Option<(ReferencePitch, TextLocation)>, TextError> {
    let key = section.number("reference_key")?;
    let Some(hertz) = section.number("reference")? else {
        let alone = |key: Located<f64>| key.place.fault("a reference key without a frequency", "add reference, in Hz");
        return key.map_or(Ok(None), |key| Err(alone(key)));
    };
    let mut reference = ReferencePitch { hertz: hertz.value, ..ReferencePitch::default() };
    if let Some(Located { value, place }) = key {
        if value.fract() != 0.0 || !(0.0..KEYS as f64).contains(&value) {
            return Err(place.fault(format!("{value} is no key"), "give a whole number from 0 to 127"));
        }
        reference.key = value as u8;
    }
    if !FREQUENCIES.contains(&reference.hertz) {
        let remedy = format!("give a frequency from {} to {} Hz", FREQUENCIES.start(), FREQUENCIES.end());
        return Err(hertz.place.fault(format!("{} is out of range", hertz.value), remedy));
    }
    Ok(Some((reference, hertz.place)))
}

/// What is wrong with a text that stands at `place`.
fn within(place: &TextLocation, fault: TextError) -> TextError {
    let line = fault.line.map_or(String::new(), |line| format!("in line {line} of the text, "));
    place.fault(line + &fault.problem, fault.remedy)
}
