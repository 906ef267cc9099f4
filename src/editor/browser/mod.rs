//! The preset browser: search by family, tag and word; arrow keys play the presets found.

mod details;
pub(crate) mod fingerprint;
mod page;
mod preset_index;
mod preset_list;
pub(crate) mod state;
mod zone_keyboard;
mod zones;

pub use crate::editor::browser::preset_index::PresetIndex;
pub use crate::editor::browser::state::{Browser, BrowserAction, CurrentSound};
