//! Readers of the command line, compiled into the tests and the fuzz targets.
#![allow(dead_code)]

#[path = "../../src/bin/urto-cli/io/error.rs"]
pub mod error;
#[path = "../../src/bin/urto-cli/io/midi_file.rs"]
pub mod midi_file;

pub use error::CliError;
