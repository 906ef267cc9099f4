//! TODO.

pub(crate) mod modes;
pub(crate) mod modes_from_file;
pub(crate) mod modes_from_wav;
pub(crate) mod params;
pub(crate) mod preset_measurement;
pub(crate) mod presets;
pub(crate) mod presets_check;
pub(crate) mod presets_render_all;
pub(crate) mod render;
pub(crate) mod render_programs;
pub(crate) mod strike;
pub(crate) mod strike_plot;
pub(crate) mod tune;
