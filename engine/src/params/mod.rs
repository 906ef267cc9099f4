//! Parameters: the table of all of them, the enums and names of their choices, values as text, and a set of values.

mod choices;
mod spec;
mod table;
pub mod value_text;
mod values;

pub use crate::params::choices::{
    BODY_KINDS, BodyKind, CONTACT_MODELS, ContactModel, DRIVE_SOURCES, DRUM_HEADS, DriveNoteMode, DriveSource, DrumHead,
    EDGE_MOUNTS, EdgeMount, HAMMER_TYPES, HammerType, KeyLayout, MATERIALS, MOD_TARGETS, ModTarget, MpeMode, ObstacleType,
    QUALITIES, RADIATIONS, ROLLING_SURFACES, ROOM_TYPES, Radiation, RetunePolicy, RollingSurface, RoomType, SHELL_DRIVES, SWITCH,
    SYMPATHETIC, ShellDriveKind, SolverQuality, Sympathetic, VoiceMode, ZONES,
};
pub use crate::params::spec::{ParamSpec, Scale, UpdateRate};
pub use crate::params::table::{PARAMS, PER_NOTE_PARAMS, ParamId};
pub use crate::params::values::{ContactParams, ParamValues};
