//! The command line, run as a program.

mod bad_input;
mod lists;
mod program;
mod render;
mod song;
mod strike;
