//! The frequency of every key, and the reference pitch.

use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::params::value_text;

/// Number of keys.
pub const KEYS: usize = 128;

/// Frequencies [Hz] that a key may have; keys outside are silent. No partial of a body on such a key would be audible.
pub const FREQUENCIES: RangeInclusive<f64> = 0.1..=1e5;

/// The frequency of every key; a key without one is silent. Plain data of fixed size: it may be copied to the audio thread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyFrequencies([Option<f64>; KEYS]);

impl Default for KeyFrequencies {
    fn default() -> Self {
        Self::equal(ReferencePitch::default())
    }
}

impl KeyFrequencies {
    /// The frequencies [Hz] that `hertz` returns; keys outside [`FREQUENCIES`] and NaN are silent.
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

    /// Stretches every interval from `centre` [Hz] by `cents` an octave, then multiplies every frequency by `factor`.
    pub fn transposed(&self, factor: f64, centre: f64, cents: f64) -> Self {
        let stretched = |hertz: f64| if cents == 0.0 { hertz } else { centre * (hertz / centre).powf(1.0 + cents / 1200.0) };
        Self::new(|key| self.hertz(key).map(|hertz| factor * stretched(hertz)))
    }
}

/// The key that fixes the tuning, and its frequency.
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

    /// Parses `69=440` or `A4=440 Hz`, or `440` for key 69. Errors: the allowed format.
    fn from_str(text: &str) -> Result<Self, String> {
        let (key, hertz) = text.split_once('=').unwrap_or(("69", text));
        match (value_text::key(key), value_text::number(hertz, "Hz")) {
            (Some(key), Some(hertz)) if FREQUENCIES.contains(&hertz) => Ok(Self { key, hertz }),
            _ => Err("give a key from 0 to 127 and its frequency from 0.1 to 100000 Hz, as in 69=440 or A4=440 Hz".into()),
        }
    }
}
