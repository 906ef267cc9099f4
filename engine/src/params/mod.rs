//! Parameters: the table of all of them, the enums and names of their choices, values as text, and a set of values.

#[macro_use]
mod choices;
mod macros;
mod modulation_choices;
#[macro_use]
mod modulation_params;
#[macro_use]
mod room_params;
mod spec;
#[macro_use]
mod table_macros;
mod table;
pub mod value_text;
mod values;

pub use crate::params::choices::{
    BODY_KINDS, BodyKind, CONTACT_MODELS, ContactModel, DRIVE_SOURCES, DRUM_HEADS, DriveNoteMode, DriveSource, DrumHead,
    EDGE_MOUNTS, EdgeMount, HAMMER_TYPES, HammerType, KeyLayout, MATERIALS, MOD_TARGETS, ModTarget, MpeMode, ObstacleType,
    QUALITIES, RADIATIONS, ROLLING_SURFACES, ROOM_TYPES, Radiation, RetunePolicy, RollingSurface, RoomType, SHELL_DRIVES,
    STEP_LENGTHS, SWITCH, SYMPATHETIC, ShellDriveKind, SolverQuality, Sympathetic, VoiceMode, ZONES,
};
pub use crate::params::macros::{MACROS, MAX_MACRO_TARGETS, Macro, MacroTarget, MacroTargets};
pub use crate::params::modulation_choices::{EnvelopeMode, LfoMode, LfoShape, MOD_SOURCES, ModSource};
pub use crate::params::spec::{ParamSpec, Scale, UpdateRate};
pub use crate::params::table::{
    ENVELOPE_PARAMS, EnvelopeParams, LFO_PARAMS, LfoParams, MACRO_PARAMS, MOD_ROW_PARAMS, MOD_TARGET_IDS, MOD_TARGET_PARAMS,
    ModRowParams, PARAMS, PER_NOTE_PARAMS, ParamId,
};
pub use crate::params::values::{ContactParams, ParamValues};
