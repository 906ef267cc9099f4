//! The commands, one file for each, and the tables that they print.

mod compare;
mod compare_calibration;
mod compare_files;
mod compare_spectrograms;
mod compared_instrument;
mod dataset;
mod export;
mod macro_measurement;
mod mode_table;
mod modes;
mod modes_from_file;
mod named_instrument;
mod parallel;
mod params;
mod preset_measurement;
mod preset_packs;
mod presets;
mod program_player;
mod render;
mod render_notes;
mod render_output;
mod rendering;
mod stem_files;
mod strike;
mod tune;

pub use crate::commands::dataset::Dataset;
pub use crate::commands::export::Export;
pub use crate::commands::modes::Modes;
pub use crate::commands::params::Params;
pub use crate::commands::presets::Presets;
pub use crate::commands::render::Render;
pub use crate::commands::strike::Strike;
pub use crate::commands::tune::Tune;
