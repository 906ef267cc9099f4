//! The command line, run as a program.

mod bad_input;
mod documented;
mod lists;
mod modes;
mod program;
mod render;
mod schemes;
mod song;
mod strike;
mod touch;
mod tuning;
