//! TODO.

mod key_frequencies;
mod key_tuning;
pub(crate) mod patch_tuning;
mod scala;

pub use crate::tuning::key_frequencies::{
    FREQUENCIES, KEYS, KeyFrequencies, Part, ReferencePitch, SCALES, TuningSource, key_name,
};
pub use crate::tuning::key_tuning::{KeyTuning, TuningSet};
pub use crate::tuning::patch_tuning::PatchTuning;
pub use crate::tuning::scala::{KeyMap, Scale};
