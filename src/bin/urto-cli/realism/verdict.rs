//! When a sound is convincing: the limit of every measure, in one table.
//!
//! The limits are fitted on pairs of recordings and on controls made from them only, never on sounds of Urto: see `docs/realism.md`.

use crate::realism::comparison::Comparison;

/// By how much the best agreement of the patterns of partials is above the mean where it shows a shift.
const CLEAR: f64 = 0.3;
/// Side over mid of a sound that counts as mono [dB].
const MONO: f64 = -60.0;
/// Levels between partials below this count as this [dB]: recordings of 16 bits contain nothing lower.
const FLOOR: f64 = -100.0;
/// Weights of flatness, octaves of partials, levels between partials (early and late, dB) and unsteadiness (dB) in the noisiness.
const NOISY: [f64; 5] = [6.43, -0.124, 0.1038, 0.086, 0.665];
/// Weights of distance, flatness, level between partials (late), spectrum and envelope of the attack, and octaves of decay in the sum of
/// all.
const ALL: [f64; 6] = [0.0569, 1.495, 0.0077, 0.0557, 0.0439, 0.277];

/// One measure and its limit.
pub struct Limit {
    /// Name in tables.
    pub name: &'static str,
    /// Unit; empty for a number.
    pub unit: &'static str,
    /// Largest value that agrees.
    pub most: f64,
    /// The value; `None` if it does not apply to both sounds.
    pub value: fn(&Comparison) -> Option<f64>,
    /// The figures of the recording and of the sound, where each has one.
    pub both: fn(&Comparison) -> [Option<f64>; 2],
}

impl Limit {
    /// Decimals with which its values are shown.
    pub fn decimals(&self) -> usize {
        if self.most < 0.5 {
            3
        } else if self.most < 20.0 {
            2
        } else {
            0
        }
    }
}

/// A measure of the pair alone.
const fn of_pair(name: &'static str, unit: &'static str, most: f64, value: fn(&Comparison) -> Option<f64>) -> Limit {
    Limit { name, unit, most, value, both: |_| [None; 2] }
}

/// All limits.
pub const LIMITS: [Limit; 14] = [
    of_pair("distance", "dB", 7.2, |c| Some(c.in_room)),
    Limit {
        name: "partials",
        unit: "octaves",
        most: 2.8,
        value: |c| Some(c.partials_apart.abs()),
        both: |c| c.partials.map(|count| Some(count as f64)),
    },
    Limit { name: "flatness", unit: "", most: 0.14, value: |c| apart(c.flatness), both: |c| c.flatness },
    Limit {
        name: "between early",
        unit: "dB",
        most: 16.6,
        value: |c| apart(audible(c.between_early)),
        both: |c| c.between_early,
    },
    Limit { name: "between late", unit: "dB", most: 18.0, value: |c| apart(audible(c.between_late)), both: |c| c.between_late },
    Limit { name: "noisiness", unit: "", most: 1.0, value: noisiness, both: |c| c.unsteadiness },
    of_pair("glide", "cents", 224.0, |c| c.glide_apart),
    of_pair("tuning", "cents", 30.0, tuning),
    of_pair("attack spectrum", "dB", 7.1, |c| Some(c.attack_spectrum)),
    of_pair("attack envelope", "dB", 6.2, |c| Some(c.attack_envelope)),
    Limit { name: "brightness", unit: "octaves", most: 1.8, value: |c| octaves(c.centroid_early), both: |c| c.centroid_early },
    of_pair("decay", "octaves", 1.22, |c| c.decay_apart),
    of_pair("all together", "", 1.0, |c| Some(all_together(c))),
    Limit { name: "stereo", unit: "dB", most: 25.0, value: narrower, both: |c| c.width },
];

/// Which measures disagree.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Verdict {
    /// Whether all measures agree.
    pub is_convincing: bool,
    /// Names of those that do not.
    pub beyond: Vec<&'static str>,
}

impl Verdict {
    /// The verdict of a comparison.
    pub fn of(comparison: &Comparison) -> Self {
        let is_beyond = |limit: &&Limit| (limit.value)(comparison).is_some_and(|value| value > limit.most);
        let beyond: Vec<&str> = LIMITS.iter().filter(is_beyond).map(|limit| limit.name).collect();
        Self { is_convincing: beyond.is_empty(), beyond }
    }
}

/// Difference of two values.
fn apart([recording, sound]: [Option<f64>; 2]) -> Option<f64> {
    Some((sound? - recording?).abs())
}

/// Levels that are not below [`FLOOR`].
fn audible(levels: [Option<f64>; 2]) -> [Option<f64>; 2] {
    levels.map(|level| level.map(|level| level.max(FLOOR)))
}

/// Octaves between two frequencies.
fn octaves([recording, sound]: [Option<f64>; 2]) -> Option<f64> {
    Some((sound? / recording?).log2().abs())
}

/// Cents by which the sound is off, where the patterns of the partials agree clearly at one shift.
fn tuning(comparison: &Comparison) -> Option<f64> {
    let agreement = comparison.tuning;
    (agreement.best - agreement.mean > CLEAR).then_some(agreement.cents.abs())
}

/// By how much the sound is narrower than the recording [dB].
fn narrower(comparison: &Comparison) -> Option<f64> {
    let [recording, sound] = comparison.width;
    Some((recording? - sound?.max(MONO)).max(0.0))
}

/// By how much the sound is noisier than the recording: flatter, with more partials, and with more between them; 1 is the limit.
fn noisiness(comparison: &Comparison) -> Option<f64> {
    let signed = |[recording, sound]: [Option<f64>; 2]| Some(sound? - recording?);
    let terms = [
        signed(comparison.flatness),
        Some(comparison.partials_apart),
        signed(audible(comparison.between_early)),
        signed(audible(comparison.between_late)),
        signed(comparison.unsteadiness),
    ];
    Some(terms.iter().zip(NOISY).filter_map(|(term, weight)| Some((*term)? * weight)).sum())
}

/// The weighted sum of the differences: a sound near all limits is another instrument; 1 is the limit.
fn all_together(comparison: &Comparison) -> f64 {
    let terms = [
        Some(comparison.in_room),
        apart(comparison.flatness),
        apart(audible(comparison.between_late)),
        Some(comparison.attack_spectrum),
        Some(comparison.attack_envelope),
        comparison.decay_apart,
    ];
    terms.iter().zip(ALL).filter_map(|(term, weight)| Some((*term)? * weight)).sum()
}
