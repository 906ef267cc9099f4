//! TODO.

pub mod choke_groups;
pub(crate) mod drive_content;
pub(crate) mod drive_sample;
pub mod factory_presets;
pub mod kit;
pub(crate) mod migration;
pub mod mode_list;
pub mod partial_edits;
pub mod patch;
pub mod patch_toml;
pub mod preset_library;
