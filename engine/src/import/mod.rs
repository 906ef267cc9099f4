//! Import of measured modes, from a file or a recording, as a patch.

mod from_recording;
mod home_pitch;
mod mode_files;
mod patch_builder;
mod record;
mod recorded_strike;
mod reference_stroke;
mod residual_bands;

pub use crate::import::from_recording::from_recording;
pub use crate::import::mode_files::Form;
pub use crate::import::patch_builder::from_text;
pub use crate::import::recorded_strike::recorded_strike;
