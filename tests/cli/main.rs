//! The command line, run as a program.

mod bad_input;
mod documented;
mod figures;
mod from_file;
mod from_wav;
mod lists;
mod modes;
mod presets;
mod program;
mod render;
mod schemes;
mod song;
#[path = "../spoil/mod.rs"]
mod spoil;
mod spoiled;
mod strike;
#[path = "../support/tier.rs"]
mod tier;
mod touch;
mod tuning;
