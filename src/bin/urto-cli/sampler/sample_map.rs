//! The map of an instrument: which sample sounds on which keys and velocities.

use urto_engine::formats::PROGRAM;
use urto_engine::params::value_text;
use urto_engine::patch::{Patch, origin_of};

use crate::sampler::chokes;

/// Highest key and velocity.
const HIGHEST: u8 = 127;
/// Most letters of the name of an instrument in the names of its files.
const MAX_LETTERS: usize = 40;

/// Name, author and keywords of an instrument.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleTitle {
    /// Name of the preset.
    pub name: String,
    /// Author of the preset; empty if unknown.
    pub author: String,
    /// Keywords.
    pub tags: Vec<String>,
    /// Description in one line.
    pub description: String,
    /// Seeds of random numbers.
    pub seeds: String,
    /// Whether it is a kit.
    pub is_kit: bool,
}

impl SampleTitle {
    /// The lines that every map begins with: name, program and seeds, author, tags, description and levels.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![self.name.clone(), format!("Made by {PROGRAM}, {}", self.seeds)];
        let texts = [("Author", self.author.clone()), ("Tags", self.tags.join(", ")), ("Description", self.description.clone())];
        lines.extend(texts.iter().filter(|(_, text)| !text.is_empty()).map(|(name, text)| format!("{name}: {text}")));
        lines.push("Levels: those of Urto's own notes; round robins have the level of the first stroke".into());
        lines
    }
}

/// The samples of one key at one velocity.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// Key that was struck; its samples have this pitch.
    pub key: u8,
    /// Lowest and highest key that play it.
    pub keys: (u8, u8),
    /// Velocity of the stroke.
    pub velocity: u8,
    /// Lowest and highest velocity that play it.
    pub velocities: (u8, u8),
    /// Level of the next softer layer, or of velocity 1, relative to its own, at most 1; and the velocity of that layer.
    pub softer: (f64, u8),
    /// Choke group, from 1.
    pub choke: Option<u8>,
    /// Keys whose strikes choke it.
    pub choking_keys: Vec<u8>,
    /// Time in which the release damps it by 60 dB [s]; `None` if it rings on.
    pub release: Option<f64>,
    /// Names of its round robins without folder, for example `Marimba_C4_v127_rr1.wav`.
    pub files: Vec<String>,
}

/// All regions of an instrument.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleMap {
    /// Name and keywords.
    pub title: SampleTitle,
    /// Regions, by key and velocity.
    pub regions: Vec<Region>,
}

impl SampleMap {
    /// The map of the strokes of `patch` on `keys` at `velocities`, both in ascending order; levels are still unknown.
    pub fn new(patch: &Patch, keys: &[u8], velocities: &[u8], round_robins: usize) -> Self {
        let title = SampleTitle {
            name: if patch.name.is_empty() { "Urto".into() } else { patch.name.clone() },
            author: patch.author.clone(),
            tags: patch.tags.clone(),
            description: patch.description.clone(),
            seeds: origin_of(patch).seeds,
            is_kit: !patch.zones.is_empty(),
        };
        let base = plain_name(&title.name);
        let region = |place: usize, layer: usize| {
            let (key, velocity) = (keys[place], velocities[layer]);
            let name = |round: usize| format!("{base}_{}_v{velocity:03}_rr{round}.wav", file_key(key));
            Region {
                key,
                keys: if title.is_kit { (key, key) } else { key_range(keys, place) },
                velocity,
                velocities: velocity_range(velocities, layer),
                softer: (1.0, layer.checked_sub(1).map_or(1, |softer| velocities[softer])),
                choke: chokes::group(patch, key),
                choking_keys: chokes::choking_keys(patch, key),
                release: chokes::release_time(patch, key),
                files: (1..=round_robins).map(name).collect(),
            }
        };
        let regions = (0..keys.len()).flat_map(|place| (0..velocities.len()).map(move |layer| (place, layer)));
        let regions = regions.map(|(place, layer)| region(place, layer)).collect();
        Self { title, regions }
    }

    /// Number of samples.
    pub fn samples(&self) -> usize {
        self.regions.iter().map(|region| region.files.len()).sum()
    }
}

/// Keys from the middle to the next lower sampled key to the middle to the next higher one; at the ends as far as on the other side.
fn key_range(keys: &[u8], place: usize) -> (u8, u8) {
    let key = keys[place];
    let gap = |a: usize, b: usize| keys.get(a).zip(keys.get(b)).map(|(low, high)| high - low);
    let (below, above) = (place.checked_sub(1).and_then(|lower| gap(lower, place)), gap(place, place + 1));
    let (Some(low), Some(high)) = (below.or(above), above.or(below)) else { return (0, HIGHEST) };
    (key.saturating_sub((low - 1) / 2), (key + high / 2).min(HIGHEST))
}

/// Velocities above the softer layer up to its own; the hardest layer ends at 127.
fn velocity_range(velocities: &[u8], layer: usize) -> (u8, u8) {
    let low = layer.checked_sub(1).map_or(1, |softer| velocities[softer] + 1);
    (low, if layer + 1 == velocities.len() { HIGHEST } else { velocities[layer] })
}

/// The name of a key in names of files: `Cs4` for C#4.
fn file_key(key: u8) -> String {
    value_text::key_name(key).replace('#', "s")
}

/// `name` for names of files in all systems and formats: letters and digits of ASCII, and `_`.
pub fn plain_name(name: &str) -> String {
    let letters = name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' });
    letters.take(MAX_LETTERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_and_velocity_has_one_region() {
        let (keys, velocities) = ([36, 39, 43, 60], [20, 90]);
        let map = SampleMap::new(&Patch::default(), &keys, &velocities, 2);
        assert_eq!((map.regions.len(), map.samples()), (8, 16));
        let at = |key: u8, velocity: u8| {
            let holds = |(low, high): (u8, u8), value: u8| (low..=high).contains(&value);
            map.regions.iter().filter(|region| holds(region.keys, key) && holds(region.velocities, velocity)).count()
        };
        assert!((35..=68).all(|key| (1..=127).all(|velocity| at(key, velocity) == 1)));
        assert_eq!((at(34, 1), at(69, 127)), (0, 0));
        assert_eq!(map.regions[0].files[1], "Urto_C2_v020_rr2.wav");
    }
}
