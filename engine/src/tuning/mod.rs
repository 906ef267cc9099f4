//! Tuning: the frequency of every key, Scala files, the tuning of a patch, and the tuning in force.

mod key_frequencies;
mod key_tuning;
pub(crate) mod patch_tuning;
mod scala;

pub use crate::params::value_text::key_name;
pub use crate::tuning::key_frequencies::{FREQUENCIES, KEYS, KeyFrequencies, ReferencePitch};
pub use crate::tuning::key_tuning::{KeyTuning, TuningSet};
pub use crate::tuning::patch_tuning::{PatchTuning, SCALES, SourcePart, TuningSource};
pub use crate::tuning::scala::{KeyMap, Scale};
