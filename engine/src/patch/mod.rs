//! Patches: a sound as plain data, its text, kits, partial edits, factory presets, and the presets of the user.

pub(crate) mod choke_groups;
mod drive_content;
mod drive_sample;
pub mod factory_presets;
pub mod factory_texts;
mod kit;
pub(crate) mod kit_toml;
mod migration;
pub(crate) mod mode_list;
pub mod partial_edits;
mod patch;
pub mod patch_toml;
pub mod preset_library;
pub(crate) mod sound_toml;

pub use crate::patch::choke_groups::{ChokeGroups, MAX_GROUPS};
pub use crate::patch::drive_content::{DriveContent, PATTERN, STEPS};
pub use crate::patch::drive_sample::{DriveSample, MAX_FRAMES};
pub use crate::patch::factory_presets::{FAMILIES, all, built_in, kits, sustained};
pub use crate::patch::factory_texts::{BUILT_IN, KITS, LASTING};
pub use crate::patch::kit::{GROUPS, MAX_ZONES, OUTPUTS, Zone, offset_value};
pub use crate::patch::migration::SCHEMA;
pub use crate::patch::mode_list::{ListedMode, MAX_MODES, MAX_PLACES};
pub use crate::patch::partial_edits::{DECAYS, LEVELS, PartialEdit, RATIOS};
pub use crate::patch::patch::{Patch, PitchReference};
pub use crate::patch::patch_toml::{from_toml, read, read_in, to_toml};
pub use crate::patch::preset_library::{LibraryError, PresetEntry, Source};
pub use crate::patch::sound_toml::{key_of, value_of};
