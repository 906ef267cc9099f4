//! The tuning of a patch, its source, and the section `[tuning]` of its text.
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

use crate::formats::{Located, TextError, TextLocation, TomlSection, figure};
use crate::tuning::key_frequencies::{FREQUENCIES, KEYS, KeyFrequencies, ReferencePitch};
use crate::tuning::scala::{KeyMap, Scale};

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
            return Err(place.fault(format!("{} is not a key", figure(value)), "give a whole number from 0 to 127"));
        }
        reference.key = value as u8;
    }
    if !FREQUENCIES.contains(&reference.hertz) {
        let remedy = format!("give a frequency from {} to {} Hz", FREQUENCIES.start(), FREQUENCIES.end());
        return Err(hertz.place.fault(format!("{} is out of range", figure(hertz.value)), remedy));
    }
    Ok(Some((reference, hertz.place)))
}

/// The error in an embedded text, at the place of that text.
fn within(place: &TextLocation, error: TextError) -> TextError {
    let line = error.line.map_or(String::new(), |line| format!("in line {line} of the text, "));
    place.fault(line + &error.problem, error.remedy)
}

/// Built-in scales: name and text, in the order of the list on the screen.
pub static SCALES: [(&str, &str); 9] = [
    ("equal", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/scales/equal.scl"))),
    ("just", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/scales/just.scl"))),
    ("pythagorean", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/scales/pythagorean.scl"))),
    ("meantone", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/scales/meantone.scl"))),
    ("equal-22", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/scales/equal-22.scl"))),
    ("shruti", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/scales/shruti.scl"))),
    ("slendro", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/scales/slendro.scl"))),
    ("pelog", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/scales/pelog.scl"))),
    ("bohlen-pierce", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/scales/bohlen-pierce.scl"))),
];

/// The source of a tuning: a built-in scale or the text of a Scala file, a key map, and a reference pitch.
#[derive(Clone, Debug, PartialEq)]
pub struct TuningSource {
    /// Name of a built-in scale, or the text of a Scala scale file (which has more than one line).
    pub scale: String,
    /// Text of a Scala key map; without it the scale begins on key 60 and each key is one note.
    pub map: Option<String>,
    /// Replaces the key map's reference pitch; without both, key 69 is 440 Hz.
    pub reference: Option<ReferencePitch>,
}

impl Default for TuningSource {
    fn default() -> Self {
        Self { scale: "equal".into(), map: None, reference: None }
    }
}

/// A part of a [`TuningSource`], for error messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourcePart {
    /// The scale.
    Scale,
    /// The key map.
    Map,
    /// The reference pitch.
    Reference,
}

impl TuningSource {
    /// The frequencies of all keys. Errors: the part that is wrong, with the line in its text, and the fix.
    pub fn tuning(&self) -> Result<KeyFrequencies, (SourcePart, TextError)> {
        let of = |part| move |error| (part, error);
        let scale = self.scale_text().and_then(Scale::read).map_err(of(SourcePart::Scale))?;
        let map = self.map.as_deref().map(KeyMap::read).transpose().map_err(of(SourcePart::Map))?;
        let reference = self.reference_over(map.as_ref());
        self.check(reference)?;
        match map {
            None if self.scale == "equal" => Ok(KeyFrequencies::equal(reference)),
            None => KeyMap::linear().tuning(&scale, reference).map_err(of(SourcePart::Scale)),
            Some(map) => map.tuning(&scale, reference).map_err(of(SourcePart::Map)),
        }
    }

    /// The reference pitch in force. Errors: an error in the key map.
    pub fn reference_pitch(&self) -> Result<ReferencePitch, TextError> {
        Ok(self.reference_over(self.map.as_deref().map(KeyMap::read).transpose()?.as_ref()))
    }

    fn reference_over(&self, map: Option<&KeyMap>) -> ReferencePitch {
        self.reference.or(map.map(KeyMap::reference)).unwrap_or_default()
    }

    /// Text of the scale. Errors: an unknown name.
    pub fn scale_text(&self) -> Result<&str, TextError> {
        if self.scale.contains('\n') {
            return Ok(&self.scale);
        }
        SCALES.iter().find(|(name, _)| *name == self.scale).map(|(_, text)| *text).ok_or_else(|| {
            let names: Vec<_> = SCALES.iter().map(|(name, _)| *name).collect();
            let remedy = format!("give {}, or the text of a Scala .scl file", names.join(", "));
            TextError { line: None, key: String::new(), problem: format!("there is no scale {:?}", self.scale), remedy }
        })
    }

    fn check(&self, ReferencePitch { key, hertz }: ReferencePitch) -> Result<(), (SourcePart, TextError)> {
        if usize::from(key) < KEYS && FREQUENCIES.contains(&hertz) {
            return Ok(());
        }
        let problem = format!("key {key} at {} Hz is out of range", figure(hertz));
        let remedy = "give a key from 0 to 127 and a frequency from 0.1 to 100000 Hz".into();
        Err((SourcePart::Reference, TextError { line: None, key: String::new(), problem, remedy }))
    }
}
