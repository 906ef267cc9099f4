//! The source of a tuning: a built-in scale or the text of a Scala file, a key map, and a reference pitch.

use crate::formats::TextError;
use crate::tuning::key_frequencies::{FREQUENCIES, KEYS, KeyFrequencies, ReferencePitch};
use crate::tuning::scala::{KeyMap, Scale};

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

/// The source of a tuning.
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
        let problem = format!("key {key} at {hertz} Hz is out of range");
        let remedy = "give a key from 0 to 127 and a frequency from 0.1 to 100000 Hz".into();
        Err((SourcePart::Reference, TextError { line: None, key: String::new(), problem, remedy }))
    }
}
