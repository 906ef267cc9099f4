//! TODO.

mod modes;
mod modes_from_file;
mod modes_from_wav;
pub(crate) mod params;
mod preset_measurement;
pub(crate) mod presets;
pub(crate) mod presets_check;
pub(crate) mod presets_render_all;
mod render;
mod render_programs;
mod strike;
mod strike_plot;
pub(crate) mod tune;

pub use crate::commands::modes::Modes;
pub use crate::commands::params::Params;
pub use crate::commands::presets::Presets;
pub use crate::commands::render::Render;
pub use crate::commands::strike::Strike;
pub use crate::commands::tune::Tune;
