//! TODO.

pub(crate) mod choke_groups;
mod drive_content;
mod drive_sample;
pub mod factory_presets;
pub(crate) mod kit;
mod migration;
pub(crate) mod mode_list;
pub mod partial_edits;
mod patch;
pub mod patch_toml;
pub mod preset_library;

pub use crate::patch::choke_groups::{ChokeGroups, MOST_GROUPS};
pub use crate::patch::drive_content::{DriveContent, PATTERN, STEPS};
pub use crate::patch::drive_sample::{DriveSample, MOST_FRAMES};
pub use crate::patch::factory_presets::FAMILIES;
pub use crate::patch::kit::{GROUPS, MOST_ZONES, OUTPUTS, Zone, moved_knob};
pub use crate::patch::mode_list::{ListedMode, MOST_MODES, MOST_PLACES};
pub use crate::patch::partial_edits::{DECAYS, LEVELS, PartialEdit, RATIOS};
pub use crate::patch::patch::{Patch, PitchReference};
pub use crate::patch::patch_toml::{
    BUILT_IN, LASTING, SCHEMA, TextError, all, built_in, from_toml, kits, lasting, read, read_in, to_toml, value_of,
};
pub use crate::patch::preset_library::{LibraryError, PresetEntry, Source};
