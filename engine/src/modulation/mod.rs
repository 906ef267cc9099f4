//! Modulation: the modulation matrix, the parameters of one note, smoothers, and pitch glides.

mod mod_matrix;
mod note_params;
mod param_smoother;
mod pitch_glide;
mod tube_flap;

pub use crate::modulation::mod_matrix::ModOffsets;
pub use crate::modulation::note_params::{HammerParams, NoteParamContext, NoteParams, ReturnForces, VelocityCurve};
pub use crate::modulation::param_smoother::{ParamSmoother, ParamSmoothers, SmoothedChanges, Smoother, step_for_time};
pub use crate::modulation::pitch_glide::{PitchBendRamp, PitchGlide};
