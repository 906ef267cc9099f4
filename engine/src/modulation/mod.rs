//! TODO.

mod mod_matrix;
mod note_params;
mod param_smoother;
mod pitch_bend;
mod smoother;

pub use crate::modulation::mod_matrix::ModOffsets;
pub use crate::modulation::note_params::NoteParamContext;
pub use crate::modulation::param_smoother::{ParamSmoother, ParamSmoothers, PitchGlide, SmoothedChanges};
pub use crate::modulation::pitch_bend::PitchBendRamp;
pub use crate::modulation::smoother::{Smoother, step_for_time};
