//! The frequency of every key: what a body's pitch starts from, and what it is made of.

use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::formats::TextError;
use crate::tuning::scala::{KeyMap, Scale};

/// Number of keys.
pub const KEYS: usize = 128;

/// Frequencies [Hz] that a key may have; a key that lies outside is silent. No partial of a body on such a key could be heard.
pub const FREQUENCIES: RangeInclusive<f64> = 0.1..=1e5;

/// Scales that are built in: name and text, in the order in which they are listed.
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

/// Name of a key; 69 is A4.
pub fn key_name(key: u8) -> String {
    const NAMES: [&str; 12] = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"];
    format!("{}{}", NAMES[usize::from(key % 12)], i32::from(key / 12) - 1)
}

/// The frequency of every key; a key without one is silent. Plain data of fixed size, fit to be copied onto the audio thread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyFrequencies([Option<f64>; KEYS]);

impl Default for KeyFrequencies {
    fn default() -> Self {
        Self::equal(ReferencePitch::default())
    }
}

impl KeyFrequencies {
    /// The frequencies [Hz] that `hertz` gives; those outside [`FREQUENCIES`], and what is no number, are none.
    pub fn new(hertz: impl Fn(u8) -> Option<f64>) -> Self {
        Self(std::array::from_fn(|key| hertz(key as u8).filter(|hertz| FREQUENCIES.contains(hertz))))
    }

    /// Twelve equal steps to the octave.
    pub fn equal(reference: ReferencePitch) -> Self {
        let ReferencePitch { key: from, hertz } = reference;
        Self::new(|key| Some(hertz * ((f64::from(key) - f64::from(from)) / 12.0).exp2()))
    }

    /// Frequency of a key [Hz], in [`FREQUENCIES`]; `None` if it is silent.
    pub fn hertz(&self, key: u8) -> Option<f64> {
        self.0.get(usize::from(key)).copied().flatten()
    }

    /// Every frequency times `factor`, and every interval from `centre` [Hz] made wider, an octave by `cents`.
    pub fn moved(&self, factor: f64, centre: f64, cents: f64) -> Self {
        let stretched = |own: f64| if cents == 0.0 { own } else { centre * (own / centre).powf(1.0 + cents / 1200.0) };
        Self::new(|key| self.hertz(key).map(|own| factor * stretched(own)))
    }
}

/// The key whose frequency is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReferencePitch {
    /// Key, 0 to 127.
    pub key: u8,
    /// Its frequency [Hz], in [`FREQUENCIES`].
    pub hertz: f64,
}

impl Default for ReferencePitch {
    /// Key 69 at 440 Hz.
    fn default() -> Self {
        Self { key: 69, hertz: 440.0 }
    }
}

impl FromStr for ReferencePitch {
    type Err = String;

    /// Reads `69=440`, or `440` for key 69. Errors: what to give.
    fn from_str(text: &str) -> Result<Self, String> {
        let (key, hertz) = text.split_once('=').unwrap_or(("69", text));
        match (key.trim().parse(), hertz.trim().parse()) {
            (Ok(key), Ok(hertz)) if key < KEYS as u8 && FREQUENCIES.contains(&hertz) => Ok(Self { key, hertz }),
            _ => Err("give a key from 0 to 127 and its frequency from 0.1 to 100000 Hz, as in 69=440".into()),
        }
    }
}

/// What a tuning is made from.
#[derive(Clone, Debug, PartialEq)]
pub struct TuningSource {
    /// Name of a built-in scale, or the text of a Scala scale file (which has more than one line).
    pub scale: String,
    /// Text of a Scala key map; without it the scale's first note is on key 60 and every key is one note.
    pub map: Option<String>,
    /// In place of the key map's reference; without both key 69 is 440 Hz.
    pub reference: Option<ReferencePitch>,
}

impl Default for TuningSource {
    fn default() -> Self {
        Self { scale: "equal".into(), map: None, reference: None }
    }
}

/// The part of a [`Source`] that is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The scale.
    Scale,
    /// The key map.
    Map,
    /// The reference.
    Reference,
}

impl TuningSource {
    /// The tuning. Errors: which part is wrong, with the line in its text, and the remedy.
    pub fn tuning(&self) -> Result<KeyFrequencies, (Part, TextError)> {
        let of = |part| move |fault| (part, fault);
        let scale = self.scale_text().and_then(Scale::read).map_err(of(Part::Scale))?;
        let map = self.map.as_deref().map(KeyMap::read).transpose().map_err(of(Part::Map))?;
        let reference = self.over(map.as_ref());
        self.check(reference)?;
        match map {
            None if self.scale == "equal" => Ok(KeyFrequencies::equal(reference)),
            None => KeyMap::linear().tuning(&scale, reference).map_err(of(Part::Scale)),
            Some(map) => map.tuning(&scale, reference).map_err(of(Part::Map)),
        }
    }

    /// The reference that counts. Errors: a fault in the key map.
    pub fn start(&self) -> Result<ReferencePitch, TextError> {
        Ok(self.over(self.map.as_deref().map(KeyMap::read).transpose()?.as_ref()))
    }

    fn over(&self, map: Option<&KeyMap>) -> ReferencePitch {
        self.reference.or(map.map(KeyMap::reference)).unwrap_or_default()
    }

    /// Text of the scale. Errors: a name that is not built in.
    pub fn scale_text(&self) -> Result<&str, TextError> {
        if self.scale.contains('\n') {
            return Ok(&self.scale);
        }
        SCALES.iter().find(|(name, _)| *name == self.scale).map(|(_, text)| *text).ok_or_else(|| {
            let names: Vec<_> = SCALES.iter().map(|(name, _)| *name).collect();
            let remedy = format!("built in are {}; or give a Scala scale", names.join(", "));
            TextError { line: None, key: String::new(), problem: format!("no scale {:?}", self.scale), remedy }
        })
    }

    fn check(&self, ReferencePitch { key, hertz }: ReferencePitch) -> Result<(), (Part, TextError)> {
        if usize::from(key) < KEYS && FREQUENCIES.contains(&hertz) {
            return Ok(());
        }
        let problem = format!("key {key} at {hertz} Hz is out of range");
        let remedy = "give a key from 0 to 127 and 0.1 to 100000 Hz".into();
        Err((Part::Reference, TextError { line: None, key: String::new(), problem, remedy }))
    }
}
