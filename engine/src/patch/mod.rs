//! Patches: a sound as plain data, its text, kits, partial edits, factory presets, and the presets of the user.

mod compact_text;
mod drive_content;
pub mod factory_presets;
pub mod factory_texts;
pub(crate) mod kit;
pub(crate) mod macros;
pub(crate) mod mode_list;
pub mod partial_edits;
mod patch;
mod patch_origin;
pub mod patch_toml;
pub mod preset_library;
pub(crate) mod residual;
pub(crate) mod sound_toml;
mod zone_layer;

pub use crate::block::OUTPUTS;
pub use crate::params::{MACRO_PARAMS, MACROS, MAX_MACRO_TARGETS, Macro, MacroTarget, MacroTargets};
pub use crate::patch::drive_content::{DriveContent, DriveSample, MAX_FRAMES, PATTERN, STEPS, recordings_named_in};
pub use crate::patch::factory_presets::{FAMILIES, added, all, built_in, kits, sustained};
pub use crate::patch::factory_texts::BUILT_IN;
pub use crate::patch::kit::{ChokeGroups, FloorPosition, GROUPS, MAX_GROUPS, MAX_ZONES, Zone, offset_value};
pub use crate::patch::mode_list::{ListedMode, MAX_DECAY_RATE, MAX_MODES, MAX_PLACES, MODE_RATIOS};
pub use crate::patch::partial_edits::{DECAYS, LEVELS, PartialEdit, RATIOS};
pub use crate::patch::patch::{Patch, PitchReference, SoundVersion};
pub use crate::patch::patch_origin::origin_of;
pub use crate::patch::patch_toml::{SCHEMA, from_toml, read, read_in, to_toml};
pub use crate::patch::preset_library::{LibraryError, PresetEntry, Source};
pub use crate::patch::residual::{MAX_BANDS, MAX_RESIDUAL_MODES, ResidualBand};
pub use crate::patch::sound_toml::{key_of, value_of};
pub use crate::patch::zone_layer::{Alternation, TURN_GROUPS, VELOCITIES, ZoneLayer};
