//! The commands, one file for each, and the tables that they print.

mod mode_table;
mod modes;
mod modes_from_file;
mod modes_from_wav;
mod params;
mod preset_measurement;
mod presets;
mod presets_check;
mod presets_render_all;
mod render;
mod render_programs;
mod strike;
mod strike_plot;
mod tune;

pub use crate::commands::modes::Modes;
pub use crate::commands::params::Params;
pub use crate::commands::presets::Presets;
pub use crate::commands::render::Render;
pub use crate::commands::strike::Strike;
pub use crate::commands::tune::Tune;
