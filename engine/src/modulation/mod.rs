//! Modulation: LFOs, envelopes, macros and the matrix, controllers of one note, parameters of one note, smoothers, pitch glides, and
//! the beat clock.

mod beat_clock;
mod common_sources;
mod controller_offsets;
mod envelope;
mod lfo;
mod mod_matrix;
mod note_modulators;
mod note_params;
mod param_offsets;
mod param_smoother;
mod part_modulation;
mod pitch_glide;
mod tube_flap;

pub use crate::modulation::beat_clock::{BeatClock, FrameTime};
pub use crate::modulation::common_sources::{CommonSources, HammerPresence};
pub use crate::modulation::controller_offsets::ControllerOffsets;
pub use crate::modulation::note_modulators::{
    ContactReading, NoteModulators, NoteSources, StrikeSources, VoiceChanges, VoiceOffsets,
};
pub use crate::modulation::note_params::{HammerParams, NoteParamContext, NoteParams, ReturnForces, VelocityCurve};
pub use crate::modulation::param_smoother::{ParamSmoother, ParamSmoothers, SmoothedChanges, Smoother, step_for_time};
pub use crate::modulation::part_modulation::{LfoMotion, ModulationInputs, PartModulation, PartOffsets};
pub use crate::modulation::pitch_glide::{PitchBendRamp, PitchGlide};
