//! The tuning of a patch, and the section `[tuning]` of its text:
//!
//! ```toml
//! [tuning]
//! scale = "pelog"        # a built-in scale, or the text of a Scala .scl file; the default is "equal"
//! map = """..."""        # the text of a .kbm file; without it the scale begins on key 60 and each key is one note
//! reference_key = 69     # replaces that of the map; 69 without both
//! reference = 440.0      # Hz, of the reference key
//! ```
//!
//! Concert pitch, octave stretch, the retuning of held notes and MTS-ESP are parameters, which hosts may automate.

use std::fmt::Write;

use crate::formats::{Located, TextError, TextLocation, TomlSection};
use crate::tuning::key_frequencies::{FREQUENCIES, KEYS, KeyFrequencies, ReferencePitch};
use crate::tuning::tuning_source::{SourcePart, TuningSource};

/// Name of the section.
pub const SECTION: &str = "tuning";

/// The tuning of a patch.
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
    /// The tuning of `source`. Errors: as [`TuningSource::tuning`].
    pub fn new(source: TuningSource) -> Result<Self, (SourcePart, TextError)> {
        let (tuning, start) = (source.tuning()?, source.reference_pitch().map_err(|error| (SourcePart::Map, error))?);
        Ok(Self { tuning, centre: start.hertz, source })
    }

    /// Its source.
    pub fn source(&self) -> &TuningSource {
        &self.source
    }

    /// The frequency of every key, before concert pitch and octave stretch.
    pub fn tuning(&self) -> &KeyFrequencies {
        &self.tuning
    }

    /// Frequency of the reference key [Hz], around which the tuning is stretched.
    pub fn centre(&self) -> f64 {
        self.centre
    }
}

/// Reads the section. Errors: the first error, with line, key and fix.
pub fn read(mut section: TomlSection) -> Result<PatchTuning, TextError> {
    let mut source = TuningSource::default();
    let mut places: [TextLocation; 3] = ["scale", "map", "reference"].map(|key| section.missing(key));
    let mut keep = |part: SourcePart, place: TextLocation| places[part as usize] = place;
    if let Some(Located { value, place }) = section.string("scale")? {
        source.scale = value;
        keep(SourcePart::Scale, place);
    }
    if let Some(Located { value, place }) = section.string("map")? {
        source.map = Some(value);
        keep(SourcePart::Map, place);
    }
    if let Some((reference, place)) = read_reference(&mut section)? {
        source.reference = Some(reference);
        keep(SourcePart::Reference, place);
    }
    let tuning = PatchTuning::new(source).map_err(|(part, error)| within(&places[part as usize], error))?;
    section.finish()?;
    Ok(tuning)
}

/// Appends the section to `text`. Reading it returns the same tuning.
pub fn write(tuning: &PatchTuning, text: &mut String) {
    let TuningSource { scale, map, reference } = tuning.source();
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
        let alone = |key: Located<f64>| {
            key.place.fault("a reference key has no frequency", "add its frequency in Hz, as in reference = 440.0")
        };
        return key.map_or(Ok(None), |key| Err(alone(key)));
    };
    let mut reference = ReferencePitch { hertz: hertz.value, ..ReferencePitch::default() };
    if let Some(Located { value, place }) = key {
        if value.fract() != 0.0 || !(0.0..KEYS as f64).contains(&value) {
            return Err(place.fault(format!("{value} is not a key"), "give a whole number from 0 to 127"));
        }
        reference.key = value as u8;
    }
    if !FREQUENCIES.contains(&reference.hertz) {
        let remedy = format!("give a frequency from {} to {} Hz", FREQUENCIES.start(), FREQUENCIES.end());
        return Err(hertz.place.fault(format!("{} is out of range", hertz.value), remedy));
    }
    Ok(Some((reference, hertz.place)))
}

/// The error in an embedded text, at the place of that text.
fn within(place: &TextLocation, error: TextError) -> TextError {
    let line = error.line.map_or(String::new(), |line| format!("in line {line} of the text, "));
    place.fault(line + &error.problem, error.remedy)
}
