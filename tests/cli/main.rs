//! The command line, run as a program.

mod audio_formats;
mod bad_input;
#[path = "../support/corrupted_files.rs"]
mod corrupted_files;
mod corrupted_input;
mod dataset;
mod documented_commands;
mod export;
mod expression;
mod inputs_kept;
mod limits;
mod lists;
mod modes;
mod modes_from_file;
mod modes_from_wav;
mod output_files;
mod preset_figures;
mod preset_macros;
mod presets;
mod presets_compare;
#[cfg(target_os = "linux")]
mod progress;
mod refused_input;
mod render;
mod schemes;
mod several_renderings;
mod stems;
mod strike;
mod support;
#[path = "../support/tier.rs"]
mod tier;
mod tuning;
