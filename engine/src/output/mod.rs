//! Output: level, DC block, limiter, dry/wet mixer.

mod dry_wet;
mod output_stage;

pub use crate::output::dry_wet::DryWetMixer;
pub use crate::output::output_stage::{CEILING, Meters, OutputStage};
