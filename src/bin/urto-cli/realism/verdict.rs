//! When a sound is convincing: the limit of every measure, in one table.
//!
//! The limits are fitted on pairs of recordings and on controls made from them only, never on sounds of Urto: see `docs/realism.md`.

use crate::realism::comparison::Comparison;

/// By how much the best agreement of the patterns of partials is above the mean where it shows a shift.
const CLEAR: f64 = 0.3;
/// Side over mid of a sound that counts as mono [dB].
const MONO: f64 = -60.0;
/// Weights of flatness, octaves of partials, levels between partials (early and late, dB) and unsteadiness (dB) in the noisiness.
const NOISY: [f64; 5] = [1.0, 0.0, 0.1, 0.1, 1.0];
/// Weights of distance, octaves of partials, flatness, level between partials (late), spectrum and envelope of the attack, and octaves of
/// decay in the sum of all.
const ALL: [f64; 7] = [0.1; 7];

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
}

/// All limits.
pub const LIMITS: [Limit; 14] = [
    Limit { name: "distance", unit: "dB", most: 7.0, value: |c| Some(c.in_room) },
    Limit { name: "partials", unit: "octaves", most: 1.5, value: |c| Some(c.partials_apart.abs()) },
    Limit { name: "flatness", unit: "", most: 0.12, value: |c| apart(c.flatness) },
    Limit { name: "between early", unit: "dB", most: 9.0, value: |c| apart(c.between_early) },
    Limit { name: "between late", unit: "dB", most: 14.0, value: |c| apart(c.between_late) },
    Limit { name: "noisiness", unit: "", most: 1.0, value: noisiness },
    Limit { name: "glide", unit: "cents", most: 200.0, value: |c| c.glide_apart },
    Limit { name: "tuning", unit: "cents", most: 30.0, value: tuning },
    Limit { name: "attack spectrum", unit: "dB", most: 6.0, value: |c| Some(c.attack_spectrum) },
    Limit { name: "attack envelope", unit: "dB", most: 6.0, value: |c| Some(c.attack_envelope) },
    Limit { name: "brightness", unit: "octaves", most: 1.0, value: |c| octaves(c.centroid_early) },
    Limit { name: "decay", unit: "octaves", most: 1.0, value: |c| c.decay_apart },
    Limit { name: "all together", unit: "", most: 1.0, value: |c| Some(all_together(c)) },
    Limit { name: "stereo", unit: "dB", most: 25.0, value: narrower },
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
        signed(comparison.between_early),
        signed(comparison.between_late),
        signed(comparison.unsteadiness),
    ];
    Some(terms.iter().zip(NOISY).filter_map(|(term, weight)| Some((*term)? * weight)).sum())
}

/// The weighted sum of the differences: a sound near all limits is another instrument; 1 is the limit.
fn all_together(comparison: &Comparison) -> f64 {
    let terms = [
        Some(comparison.in_room),
        Some(comparison.partials_apart.abs()),
        apart(comparison.flatness),
        apart(comparison.between_late),
        Some(comparison.attack_spectrum),
        Some(comparison.attack_envelope),
        comparison.decay_apart,
    ];
    terms.iter().zip(ALL).filter_map(|(term, weight)| Some((*term)? * weight)).sum()
}
